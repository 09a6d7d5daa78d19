//! `inspect`: shows the messages and the footer with their positions. It relies on as little as possible, so that it also
//! works on damaged files.

mod as_json;
mod as_text;
mod lengths;
mod view;

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io,
    sync::Arc,
};

use arrow_ipc::{
    Block, BufferMap, Container, Footer, Header, IpcError, IpcErrorKind, IpcSchema, Limits, Message,
    MessageKind, MessageScan, Source, UnsupportedColumn,
};
use arrow_schema::Metadata;

use self::{
    as_json::JsonReport,
    as_text::TextReport,
    lengths::{Bodies, CompressedBody},
    view::{End, Listing, MessageView, Report},
};
use crate::{
    agreement::compare_schemas,
    args::InspectArgs,
    contradiction::Contradiction,
    exit::{Failure, Status, note},
    input::Input,
    names::{InputName, OutputName},
    output::buffered_stdout,
    trailing::Rest,
    walk::{AfterEnd, Walk},
};

pub(crate) fn run(args: &InspectArgs) -> Result<Status, Failure> {
    let input = Input::open(&args.file)?;
    let report: Box<dyn Report> = match args.json {
        true => Box::new(JsonReport::new(buffered_stdout())),
        false => Box::new(TextReport::new(buffered_stdout())),
    };
    let mut inspection = Inspection {
        name: args.file.clone(),
        limits: Limits::default(),
        report,
        buffers: if args.buffers { Buffers::Wanted } else { Buffers::Unwanted },
        bodies: Bodies::InMessages,
        schema: None,
        has_tensors: false,
        dictionary_ids: HashSet::new(),
        disagreement: None,
        rest: None,
        errors: Vec::new(),
    };
    match input.container() {
        Container::File => inspection.file(input)?,
        _ => inspection.stream(input)?,
    }
    inspection.report.finish().map_err(not_written)?;
    if let Some(disagreement) = &inspection.disagreement {
        note(&format!("{}: {disagreement}", inspection.name));
    }
    if let Some(rest) = inspection.rest {
        rest.note(&inspection.name);
    }
    Ok(inspection.errors.iter().map(Failure::report_line).max().unwrap_or(Status::Fine))
}

/// What has been found out so far.
struct Inspection {
    name: InputName,
    limits: Limits,
    report: Box<dyn Report>,
    buffers: Buffers,
    /// Their positions.
    bodies: Bodies,
    /// The schema message: columns and metadata.
    schema: Option<(IpcSchema, Metadata)>,
    /// Whether there were tensors, which need no schema.
    has_tensors: bool,
    /// The ids of the dictionaries so far.
    dictionary_ids: HashSet<i64>,
    /// How the schema message differs from the footer.
    disagreement: Option<Contradiction>,
    /// Bytes after the last stream.
    rest: Option<Rest>,
    /// Damage, to be reported at the end.
    errors: Vec<Failure>,
}

/// Whether buffers are shown, and their names once the schema is known.
enum Buffers {
    Unwanted,
    Wanted,
    Named(Box<BufferMap>),
}

impl Inspection {
    fn stream(&mut self, input: Input) -> Result<(), Failure> {
        self.report.container(Container::Stream, input.n_bytes()).map_err(not_written)?;
        let mut walk = Walk::stream(input, self.limits.clone())?;
        self.bodies = walk.source().map_or(Bodies::InMessages, |file| Bodies::InFile(Arc::clone(file)));
        loop {
            self.walk(&mut walk, &mut HashMap::new(), |_| Listing::NoFooter)?;
            if self.schema.is_none() && !self.has_tensors && self.errors.is_empty() {
                let missing = IpcErrorKind::Truncated { what: "schema message", needed: 8, available: 0 };
                self.broken(missing.into());
            }
            self.report.end(End::of(&walk)).map_err(not_written)?;
            if !self.errors.is_empty() {
                return Ok(());
            }
            match walk.after_end(&self.limits) {
                Ok(AfterEnd::Nothing) => return Ok(()),
                Ok(AfterEnd::Other(rest)) => {
                    self.rest = Some(rest);
                    return Ok(());
                }
                Ok(AfterEnd::Stream(next)) => walk = next,
                Err(error) => {
                    self.broken(error);
                    return Ok(());
                }
            }
            // The next stream starts without any state of this one.
            self.schema = None;
            self.dictionary_ids.clear();
            if let Buffers::Named(_) = self.buffers {
                self.buffers = Buffers::Wanted;
            }
        }
    }

    /// Shows the messages in the order of the file, then those that only the footer lists, then the footer.
    fn file(&mut self, input: Input) -> Result<(), Failure> {
        let name = self.name.clone();
        let failed = |error| Failure::Read { name: name.clone(), error };
        let file = Arc::new(input.into_file()?);
        self.bodies = Bodies::InFile(Arc::clone(&file));
        let n_bytes = file.n_bytes().map_err(failed)?;
        self.report.container(Container::File, Some(n_bytes)).map_err(not_written)?;
        let footer = match Footer::read(&file, &self.limits) {
            Ok(footer) => Some(footer),
            Err(error) => {
                self.broken(error);
                None
            }
        };
        let end = footer.as_ref().map(Footer::position);
        let mut blocks = footer.as_ref().map(listed).unwrap_or_default();
        let walk = Walk::file(Arc::clone(&file), footer.as_ref(), self.limits.clone());
        let mut walk = walk.map_err(|error| Failure::Input { name: name.clone(), error })?;
        let unlisted = |kind| match (end, kind) {
            (None, _) | (_, MessageKind::Schema) => Listing::NoFooter,
            (Some(_), _) => Listing::Missing,
        };
        self.walk(&mut walk, &mut blocks, unlisted)?;
        self.report.end(End::of(&walk)).map_err(not_written)?;
        if let Some(footer) = &footer {
            self.blocks_left(&file, footer, &blocks)?;
            self.report.footer(footer, n_bytes).map_err(not_written)?;
            let compared = self.schema.as_ref().map(|(schema, whole)| compare_schemas(schema, whole, footer));
            self.disagreement = compared.and_then(Result::err);
            let unsupported = footer.schema().unsupported_columns().first();
            // The message of the schema reports it, if both are alike.
            if self.errors.is_empty()
                && let Some(Err(error)) = unsupported.map(UnsupportedColumn::refuse)
            {
                self.broken(error);
            }
        }
        Ok(())
    }

    /// Shows all messages that a walk from the start finds, and removes them from `blocks`.
    fn walk(
        &mut self,
        walk: &mut Walk,
        blocks: &mut Blocks,
        unlisted: impl Fn(MessageKind) -> Listing,
    ) -> Result<(), Failure> {
        loop {
            match walk.next_message() {
                Ok(None) => return Ok(()),
                Ok(Some(message)) => {
                    let listed = blocks.remove(&(message.position(), message.kind()));
                    let listing = listed.map_or_else(|| unlisted(message.kind()), Listing::Block);
                    self.message(&message, Some(message.index()), listing)?;
                }
                Err(error) => {
                    self.broken(error);
                    return Ok(());
                }
            }
        }
    }

    /// Shows messages that the footer lists and the walk did not find.
    fn blocks_left(&mut self, file: &Arc<File>, footer: &Footer, left: &Blocks) -> Result<(), Failure> {
        if !left.is_empty()
            && let Buffers::Wanted = self.buffers
        {
            self.buffers = name_buffers(footer.schema());
        }
        for (kind, block_idx, block) in footer_blocks(footer) {
            if !left.contains_key(&(block.position(), kind)) {
                continue;
            }
            let range = block.position()..footer.position();
            let message = MessageScan::try_new(Arc::clone(file), range, self.limits.clone())
                .and_then(|mut scan| scan.next_message());
            let missing = || IpcErrorKind::Missing { what: "the message of a block" }.into();
            match message.and_then(|message| message.ok_or_else(missing)) {
                Ok(message) => self.message(&message, None, Listing::Block(block_idx))?,
                Err(error) => {
                    self.errors.push(Failure::Block {
                        name: self.name.clone(),
                        kind,
                        position: block.position(),
                        error,
                    });
                }
            }
        }
        Ok(())
    }

    fn message(&mut self, message: &Message, index: Option<u64>, listing: Listing) -> Result<(), Failure> {
        let header = message.header(&self.limits);
        if let (Ok(Header::Schema(schema)), Buffers::Wanted) = (&header, &self.buffers) {
            self.buffers = name_buffers(schema);
        }
        self.has_tensors |= matches!(header, Ok(Header::Tensor(_) | Header::SparseTensor(_)));
        let version = message.version();
        let buffers = match (&self.buffers, &header) {
            (Buffers::Named(map), Ok(Header::RecordBatch(batch))) => Some(map.record_batch(batch, version)),
            (Buffers::Named(map), Ok(Header::DictionaryBatch { id, batch, .. })) => {
                Some(map.dictionary_batch(*id, batch, version))
            }
            _ => None,
        };
        let metadata = message.custom_metadata();
        if let (Ok(Header::Schema(schema)), Ok(whole), None) = (&header, &metadata, &self.schema) {
            self.schema = Some((schema.clone(), whole.clone()));
        }
        let compression = match &header {
            Ok(Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. }) => {
                CompressedBody::read(message, batch, &self.bodies)
            }
            _ => None,
        };
        let is_replacement = match &header {
            Ok(Header::DictionaryBatch { id, is_delta, .. }) => !self.dictionary_ids.insert(*id) && !is_delta,
            _ => false,
        };
        let view =
            MessageView { message, index, header, is_replacement, compression, metadata, buffers, listing };
        self.report.message(&view).map_err(not_written)?;
        let MessageView { header, compression, metadata, buffers, .. } = view;
        let compression = compression.and_then(|compression| compression.error);
        let errors = [header.err(), metadata.err(), compression, buffers.and_then(Result::err)];
        for error in errors.into_iter().flatten() {
            let (name, position) = (self.name.clone(), message.position());
            self.errors.push(Failure::Message { name, index, position, error });
        }
        Ok(())
    }

    fn broken(&mut self, error: IpcError) {
        self.errors.push(Failure::Input { name: self.name.clone(), error });
    }
}

/// Names of buffers; `None` if the schema is invalid.
fn name_buffers(schema: &IpcSchema) -> Buffers {
    BufferMap::try_new(schema).map_or(Buffers::Unwanted, |map| Buffers::Named(Box::new(map)))
}

/// The number of a block in its list of the footer, by position and kind.
type Blocks = HashMap<(u64, MessageKind), usize>;

fn listed(footer: &Footer) -> Blocks {
    footer_blocks(footer).map(|(kind, block_idx, block)| ((block.position(), kind), block_idx)).collect()
}

/// The blocks of both lists.
fn footer_blocks(footer: &Footer) -> impl Iterator<Item = (MessageKind, usize, &Block)> {
    let dictionaries = footer.dictionaries().iter().enumerate();
    let batches = footer.batches().iter().enumerate();
    dictionaries
        .map(|(block_idx, block)| (MessageKind::DictionaryBatch, block_idx, block))
        .chain(batches.map(|(block_idx, block)| (MessageKind::RecordBatch, block_idx, block)))
}

fn not_written(error: io::Error) -> Failure {
    Failure::Write { name: OutputName::Stdout, error }
}

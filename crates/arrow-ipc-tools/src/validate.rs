//! Reads and checks a whole file, or whole streams.

mod batches;
mod portability;

use std::num::NonZeroUsize;

use arrow_ipc::{Container, ErrorClass, FileReader, IpcSchema, ReadOptions, Threads, Validation};

pub(crate) use self::batches::check_batch;
pub use self::portability::PortabilityNote;
use self::{
    batches::{CheckedBatches, check_batches, statistics_of},
    portability::portability,
};

use crate::{
    columns::{ColumnNames, RowQuery},
    error::{
        Contradiction, InputContext, ToolError, ToolErrorKind, name::InputName, trailing::TrailingBytes,
    },
    input::Input,
    observer::{NoteKind, Observer, Oddities, Pass, Unit, unknown_zone::UnknownZone},
    rows::{
        Rows,
        metadata::WholeMetadata,
        prefetch::SelectedBatch,
        streams::{StreamItem, Streams},
    },
    source::SharedSource,
    tensors::Tensors,
    walk::footer_check::check_agreement,
};

/// Options of [`validate`].
#[derive(Debug, Clone)]
pub struct ValidateOptions {
    /// The columns whose values are checked, including fields inside them and their dictionaries; `None` for all
    /// columns. Messages, the footer and the end marker are also checked. With `Some`, all streams must have the same
    /// columns, and an input of tensors is an error.
    pub columns: Option<ColumnNames>,
    /// How strict the rules are. [`Validation::Strict`] adds rules that some producers break.
    pub validation: Validation,
    /// Whether a stream without an end marker is an error. If a writer is stopped between two messages, the stream is
    /// valid, but has no end marker. Some writers never write one. Files and inputs of tensors need no end marker.
    pub requires_end: bool,
    /// The number of threads. Each thread has a batch of a file in memory, or some rows of a large batch. A single
    /// thread reads streams, but all threads check their large batches. With the feature `rayon`, several threads
    /// also decompress one batch.
    pub n_threads: NonZeroUsize,
}

/// What [`validate`] counted in a valid input, and notes on its portability.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidateReport {
    /// The number of rows in all counted batches.
    pub n_rows: u64,
    /// The number of batches. In a file, the batches that the footer lists count. In an input of streams, the batches
    /// of all streams count.
    pub n_batches: u64,
    /// The number of tensors, which have no rows.
    pub n_tensors: u64,
    /// What some other readers do not support in this input. If there are several streams, only the columns of the
    /// first stream are examined.
    pub portability: Vec<PortabilityNote>,
}

impl ValidateOptions {
    /// Checks the rules of [`Validation::Content`], with one thread.
    pub fn new() -> ValidateOptions {
        ValidateOptions {
            columns: None,
            validation: Validation::Content,
            requires_end: false,
            n_threads: NonZeroUsize::MIN,
        }
    }
}

impl Default for ValidateOptions {
    fn default() -> ValidateOptions {
        ValidateOptions::new()
    }
}

/// Reads and checks a whole input, including tensors and dictionaries that no column uses. Compares the footer of a
/// file with the stream inside the file. Later streams may have other columns than the first one. If the last stream
/// has no end marker, the observer receives a [note](NoteKind::NoEndMarker). So it does if the custom metadata of a footer
/// has [more](NoteKind::FooterMetadata) than the schema message, or if names or metadata [are not UTF-8](NoteKind::TextNotUtf8),
/// which strict rules refuse. With strict rules, a time zone that nothing knows is a [note](NoteKind::UnknownZone), too.
///
/// ```
/// use arrow_ipc::{ErrorClass, StreamWriter};
/// use arrow_ipc_tools::{Input, ToolErrorKind, ValidateOptions, validate};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let mut stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// let check = |bytes: &[u8]| {
///     validate(Input::try_from_buffer("stream", bytes.to_vec().into())?, &ValidateOptions::new(), &mut ())
/// };
/// assert_eq!(check(&stream)?.n_rows, 0);
///
/// let error = check(&stream[..100]).unwrap_err();
/// assert_eq!(error.ipc_error().map(|error| error.class()), Some(ErrorClass::Truncated));
///
/// // The end marker is missing.
/// let strict = ValidateOptions { requires_end: true, ..ValidateOptions::new() };
/// let unmarked = stream[..stream.len() - 8].to_vec();
/// check(&unmarked)?;
/// let error = validate(Input::try_from_buffer("stream", unmarked.into())?, &strict, &mut ()).unwrap_err();
/// assert!(matches!(error.kind(), ToolErrorKind::NoEndMarker { .. }), "{error}");
///
/// stream.extend(b"more");
/// let error = check(&stream).unwrap_err().to_string();
/// assert!(error.ends_with("4 trailing bytes are not a stream, and not read"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a rule is broken. If several batches are invalid, the first determines the error. If the input cannot be read,
/// or the observer stops the work.
pub fn validate(
    mut input: Input,
    options: &ValidateOptions,
    observer: &mut dyn Observer,
) -> Result<ValidateReport, ToolError> {
    let threads = if options.n_threads.get() == 1 { Threads::One } else { Threads::Pool };
    let reading = ReadOptions::new().with_validation(options.validation).with_threads(threads);
    let query = options.columns.iter().cloned().fold(RowQuery::new(), RowQuery::with_columns);
    let name = input.name().clone();
    if options.columns.is_none() && input.container() != Container::File {
        if input.holds_tensors_alone()? {
            return validate_tensors(input, options.validation, observer);
        }
        // No columns are selected, so later streams may have other columns.
        let streams = Streams::open_any(input, &reading)?;
        return validate_streams(&name, streams, options, observer);
    }
    match Rows::open_with(input, &query, reading)?.0 {
        Rows::Streams(streams) => validate_streams(&name, *streams, options, observer),
        Rows::File { reader } => validate_file(&name, &reader, options, observer),
    }
}

fn validate_streams(
    name: &InputName,
    mut streams: Streams,
    options: &ValidateOptions,
    observer: &mut dyn Observer,
) -> Result<ValidateReport, ToolError> {
    let mut pass = Pass::begin(observer, name, (Unit::Bytes, streams.n_bytes()))?;
    let mut found = ValidateReport::default();
    let mut n_deltas: u64 = 0;
    let mut large = Oddities::default();
    streams.spool_large_batches();
    while let Some(item) = streams.next_item()? {
        match item {
            StreamItem::Batch(next) => {
                let batch = next.batch;
                found.n_batches = found.n_batches.saturating_add(1);
                found.n_rows = found.n_rows.saturating_add(batch.n_rows() as u64);
            }
            StreamItem::Large(batch) => {
                let n_rows = check_batch(SelectedBatch::new(batch.reader(), 0, None), options.n_threads);
                large = large.and(batch.reader().stats());
                found.n_batches = found.n_batches.saturating_add(1);
                found.n_rows = found.n_rows.saturating_add(n_rows.map_err(|error| batch.failed(error))?);
            }
            StreamItem::Tensor(..) => found.n_tensors = found.n_tensors.saturating_add(1),
            StreamItem::Dictionary { is_delta, .. } => n_deltas += u64::from(is_delta),
        }
        pass.set(streams.n_bytes_consumed())?;
    }
    let zone = strict_note(streams.ipc_schema(), options);
    streams.oddities().or(large).notes().chain(zone).for_each(|kind| pass.note(kind));
    refuse(name, streams.trailing_bytes())?;
    found.portability = portability(streams.ipc_schema(), n_deltas);
    let position = streams.n_bytes_consumed();
    if !streams.has_end_marker() {
        if options.requires_end {
            return Err(ToolError::new(name, ToolErrorKind::NoEndMarker { position }));
        }
        pass.note(NoteKind::NoEndMarker { position });
    }
    Ok(found)
}

fn validate_tensors(
    input: Input,
    validation: Validation,
    observer: &mut dyn Observer,
) -> Result<ValidateReport, ToolError> {
    let name = input.name().clone();
    let n_bytes = input.n_bytes();
    let mut tensors = Tensors::open(input, validation)?;
    let mut pass = Pass::begin(observer, &name, (Unit::Bytes, n_bytes))?;
    let mut found = ValidateReport::default();
    while tensors.next_tensor()?.is_some() {
        found.n_tensors = found.n_tensors.saturating_add(1);
        pass.set(tensors.n_bytes_consumed())?;
    }
    refuse(&name, tensors.trailing_bytes())?;
    Ok(found)
}

/// The note about a time zone that nothing knows, which is no error even if rules are strict: databases grow.
fn strict_note(schema: &IpcSchema, options: &ValidateOptions) -> Option<NoteKind> {
    let is_strict = options.validation == Validation::Strict;
    is_strict.then(|| UnknownZone::find(schema)).flatten().map(NoteKind::UnknownZone)
}

fn refuse(name: &InputName, rest: Option<TrailingBytes>) -> Result<(), ToolError> {
    match rest {
        None => Ok(()),
        Some(rest) => Err(ToolError::new(name, ToolErrorKind::TrailingBytes(rest))),
    }
}

/// If the schema message and the footer disagree about the schema, this explains why content is invalid.
fn validate_file(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    options: &ValidateOptions,
    observer: &mut dyn Observer,
) -> Result<ValidateReport, ToolError> {
    validate_content(name, reader, options, observer).map_err(|error| {
        let is_invalid = error.ipc_error().is_some_and(|error| error.class() == ErrorClass::Malformed);
        let agreement = is_invalid.then(|| check_agreement(reader.source(), reader.footer()));
        if let Some(Ok(Err(what @ (Contradiction::Columns(_) | Contradiction::Endianness)))) = agreement {
            return ToolError::new(name, ToolErrorKind::Contradiction(what));
        }
        error
    })
}

fn validate_content(
    name: &InputName,
    reader: &FileReader<SharedSource>,
    options: &ValidateOptions,
    observer: &mut dyn Observer,
) -> Result<ValidateReport, ToolError> {
    if options.columns.is_none() {
        reader.check_dictionaries().in_input(name)?;
    }
    let n_batches = reader.n_batches() as u64;
    let mut pass = Pass::begin(observer, name, (Unit::Batches, Some(n_batches)))?;
    // Statistics are compared only if all columns are checked, because they are about all columns.
    let known = if options.columns.is_none() { statistics_of(reader) } else { Ok(None) };
    let statistics = known.as_ref().ok().and_then(Option::as_ref);
    let CheckedBatches { n_rows, wrong } =
        check_batches(name, reader, options.n_threads, statistics, &mut pass)?;
    let dictionaries = reader.dictionaries().in_input(name)?;
    let n_deltas = dictionaries.iter().filter(|dictionary| dictionary.is_delta).count() as u64;
    let portability = portability(reader.ipc_schema(), n_deltas);
    let agreed = check_agreement(reader.source(), reader.footer()).in_input(name)?;
    let before = agreed.as_ref().ok().copied().flatten().map(NoteKind::BeforeFooter);
    let keys = WholeMetadata::from_file(reader).in_input(name)?.keys_of_footer_alone();
    let alone = (agreed.is_ok() && !keys.is_empty()).then_some(NoteKind::FooterMetadata { keys });
    let oddities = Oddities::default().and(reader.stats());
    let zone = strict_note(reader.ipc_schema(), options);
    oddities.notes().chain(before).chain(alone).chain(zone).for_each(|kind| pass.note(kind));
    match agreed.err().or(known.err()).or(wrong) {
        None => Ok(ValidateReport { n_rows, n_batches, n_tensors: 0, portability }),
        Some(what) => Err(ToolError::new(name, ToolErrorKind::Contradiction(what))),
    }
}

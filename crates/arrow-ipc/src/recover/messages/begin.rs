//! The schema with which an input begins, or that of its footer.

use super::{Framing, Scan, lost};
use crate::{
    detect::Container,
    error::{IpcError, IpcErrorKind, Result},
    file::{Footer, START_BYTES},
    frame::{CONTINUATION, PREFIX_BYTES},
    ipc_schema::IpcSchema,
    message::{BareSchema, Head, Header},
    recover::{
        RecoveryStep,
        candidate::{Candidate, Evidence, Found, Place, find},
        content::Content,
        expected::Expected,
        lost::{LostCause, LostWhat},
        window::{Wait, Window},
    },
};

/// What most writers align to that align to more than 8 bytes.
const LIKELY_ALIGNMENT: u64 = 64;

/// Where the first message of a file is: some writers pad the magic to the alignment of bodies.
fn after_magic(window: &Window) -> Wait<u64> {
    let bytes = window.ahead(START_BYTES, MAX_START_PADDING)?;
    let n_zeros = bytes.iter().position(|byte| *byte != 0).unwrap_or(0) as u64;
    Ok(START_BYTES.saturating_add(n_zeros - n_zeros % START_BYTES))
}

/// The largest alignment of bodies.
const MAX_START_PADDING: u64 = 64 << 10;

/// What an input begins with whose schema message cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beginning {
    /// A message.
    Damaged,
    /// Whatever: a file needs no schema message.
    Other,
}

impl Scan {
    pub(super) fn begin(&mut self, window: &Window) -> Wait<Result<Vec<RecoveryStep>>> {
        let start = if self.ends.container == Container::File { after_magic(window)? } else { 0 };
        let limits = self.options.limits();
        let has_marker = window.ahead(start, PREFIX_BYTES)?.starts_with(&CONTINUATION);
        let mut damage = if has_marker { Beginning::Damaged } else { Beginning::Other };
        let first = match find(window, start, (Place::Expected, limits))?.found {
            Found::Candidate(found) => match self.schema_of(&found.head) {
                Ok(schema) if found.end() <= self.n_bytes => {
                    let metadata = found.head.custom_metadata(limits).ok();
                    let framing =
                        if found.n_prefix_bytes < PREFIX_BYTES { Framing::Legacy } else { Framing::Current };
                    Ok((schema, metadata, (framing, self.end_of_schema(window, &found)?)))
                }
                Ok(_) => Err(IpcErrorKind::Missing { what: "the end of the schema message" }.into()),
                Err(error) => Err(error),
            },
            Found::Nothing(error) => Err(error),
            Found::EndMarker { .. } => {
                damage = Beginning::Other;
                Err(IpcErrorKind::Missing { what: "the schema message" }.into())
            }
        };
        let first = match first {
            Err(error) if damage == Beginning::Other && self.is_file_without_footer() => {
                let bare = BareSchema::find(limits, |n_bytes| window.ahead(start, n_bytes))?;
                bare.ok_or(error).map(|BareSchema { head, schema }| {
                    let end = start.saturating_add(head.metadata().len() as u64);
                    (schema, head.custom_metadata(limits).ok(), (Framing::Current, end))
                })
            }
            first => first,
        };
        self.position = start;
        self.has_schema = match &first {
            Ok(_) => true,
            Err(error) => damage == Beginning::Damaged && !is_other_message(error),
        };
        self.n_messages = self.has_schema.into();
        Ok(match first {
            Ok((schema, metadata, (framing, end))) => {
                (self.metadata, self.framing, self.position) = (metadata, framing, end);
                if end.is_multiple_of(LIKELY_ALIGNMENT) {
                    self.alignment = LIKELY_ALIGNMENT;
                }
                self.begin_with(schema)
            }
            Err(error) => self.begin_without(error, damage),
        })
    }

    fn is_file_without_footer(&self) -> bool {
        self.ends.container == Container::File && self.ends.footer.is_none()
    }

    /// Where the schema message ends: if nothing follows it there, before the first block of the footer.
    fn end_of_schema(&self, window: &Window, found: &Candidate) -> Wait<u64> {
        let (end, limit) = (found.end(), self.footer_range().map_or(self.n_bytes, |range| range.start));
        let first = self.expected.next_start(found.position).filter(|first| *first < end);
        Ok(match (first, found.evidence(window, limit)?) {
            (None, _) | (Some(_), Evidence::Strong(_)) => end,
            (Some(first), Evidence::Weak(_) | Evidence::None) => first,
        })
    }

    fn schema_of(&self, head: &Head) -> Result<IpcSchema> {
        match head.header_to_read(self.options.limits())? {
            Header::Schema(schema) => Ok(schema),
            Header::DictionaryBatch { .. }
            | Header::RecordBatch(_)
            | Header::Tensor(_)
            | Header::SparseTensor(_) => {
                let (expected, found) = ("the schema", head.kind());
                Err(IpcErrorKind::UnexpectedMessage { expected, found }.into())
            }
        }
    }

    /// The schema message can be read. The footer of a file counts, as it does for readers; but not one that was found elsewhere
    /// than at the end and has another schema, nor one with a schema that cannot be read.
    fn begin_with(&mut self, schema: IpcSchema) -> Result<Vec<RecoveryStep>> {
        let mut steps = Vec::new();
        if let Some(footer) = self.footer().map(Footer::schema)
            && footer.schema() != schema.schema()
        {
            let range = 0..self.position;
            let is_read =
                footer.check_supported().and_then(|()| Content::try_new(footer.clone(), &self.options));
            match (is_read, self.ends.footer_error.is_some()) {
                (Ok(_), false) => steps.push(lost(range, LostWhat::SchemaMessage, LostCause::OtherSchema)),
                (is_read, _) => {
                    self.ends.footer_error = is_read.err().or(self.ends.footer_error.take());
                    (self.ends.footer, self.expected) = (None, Expected::default());
                }
            }
        }
        // Footers have a version of their own, which writers of V4 may leave at V5.
        let version = schema.version();
        let schema =
            self.footer().map(|footer| footer.schema().clone().with_version(version)).unwrap_or(schema);
        self.content = Some(Content::try_new(schema.clone(), &self.options)?);
        steps.insert(0, RecoveryStep::Schema(schema));
        Ok(steps)
    }

    /// The schema message cannot be read. Arrow-js writes none into files, and polars one without its prefix.
    fn begin_without(&mut self, error: IpcError, beginning: Beginning) -> Result<Vec<RecoveryStep>> {
        let Some(range) = self.footer_range() else {
            if let Some(schema) = self.given_schema.take() {
                return self.begin_with_given(schema, error, beginning);
            }
            self.damage = Some((self.position, LostCause::NoMessage));
            self.schema_error = Some(error).filter(|_| beginning == Beginning::Damaged);
            return Ok(Vec::new());
        };
        let schema = self.footer().map(|footer| footer.schema().clone());
        let Some(schema) = schema else {
            return Err(IpcError::internal("a footer has a range and no schema"));
        };
        self.content = Some(Content::try_new(schema.clone(), &self.options)?);
        let start = self.position;
        self.position = self.expected.next_start(start).unwrap_or(range.start);
        let mut steps = vec![RecoveryStep::Schema(schema)];
        // Other writers begin with a batch.
        if beginning == Beginning::Damaged && self.position > start {
            steps.push(lost(start..self.position, LostWhat::SchemaMessage, LostCause::Error(error)));
        }
        Ok(steps)
    }

    /// The schema is that of the caller. What is there may be a message all the same.
    fn begin_with_given(
        &mut self,
        schema: IpcSchema,
        error: IpcError,
        beginning: Beginning,
    ) -> Result<Vec<RecoveryStep>> {
        self.content = Some(Content::try_new(schema.clone(), &self.options)?);
        if !is_other_message(&error) {
            let cause =
                if beginning == Beginning::Damaged { LostCause::Error(error) } else { LostCause::NoMessage };
            self.damage = Some((self.position, cause));
        }
        Ok(vec![RecoveryStep::Schema(schema)])
    }
}

/// Whether an input begins with a message that is no schema.
fn is_other_message(error: &IpcError) -> bool {
    matches!(error.kind(), IpcErrorKind::UnexpectedMessage { .. })
}

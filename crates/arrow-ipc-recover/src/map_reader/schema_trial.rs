//! Tries the schemas that an input may have on its first messages, to find out which of them is right.

use arrow_ipc::{IpcError, IpcErrorKind, ReadOptions, Result};
use arrow_ipc_format::{Endianness, IpcSchema, Message, MessageKind};

use crate::{
    candidate::{Candidate, Likelihood, ProbeResult, find},
    content::MessageContent,
    lost::LostCause,
    map::Map,
    schema_mismatch::SchemaMismatch,
    window::{InputWindow, RangeResult},
};

/// If this many batches fit both schemas, they do not tell which of them is right.
const MAX_BATCHES: u64 = 16;

/// A trial of one schema, or of two different ones: of the footer and of the schema message.
#[derive(Debug)]
pub(super) struct SchemaTrial {
    /// The schemas with the dictionaries that were read, without schemas that are unsupported.
    tried: Vec<MessageContent>,
    schema_at: Option<u64>,
    /// The index of the next span of the map.
    next: usize,
    n_batches: u64,
    /// Whether a batch has as many nodes and buffers as one of the schemas needs.
    has_fit: bool,
    /// Why the first batch fits no schema, and its index and position.
    misfit: Option<(IpcErrorKind, u64, u64)>,
    /// The index of the schema that is right, if messages tell it.
    best: Option<usize>,
    is_ended: bool,
}

/// How well a message fits a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SchemaFit {
    /// The schema needs other numbers of nodes and buffers.
    None,
    Counts,
    Valid,
}

impl SchemaTrial {
    /// A trial of these schemas. The schema message of the first stream is at `schema_at`.
    pub(super) fn new(
        schemas: impl IntoIterator<Item = IpcSchema>,
        schema_at: Option<u64>,
        options: &ReadOptions,
    ) -> SchemaTrial {
        let tried = schemas.into_iter().filter_map(|schema| MessageContent::try_new(schema, options).ok());
        let tried: Vec<MessageContent> = tried.collect();
        SchemaTrial {
            is_ended: tried.is_empty(),
            tried,
            schema_at,
            next: 0,
            n_batches: 0,
            has_fit: false,
            misfit: None,
            best: None,
        }
    }

    pub(super) fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// The schema that is right. If messages fit all as well, it is one with little-endian numbers, since nearly all
    /// inputs have these. If that does not tell either, it is the first. `None` if all are unsupported.
    pub(super) fn best(&self) -> Option<&IpcSchema> {
        let is_little = |of: &MessageContent| of.schema().endianness() == Endianness::Little;
        let best = self.best.or_else(|| self.tried.iter().position(is_little)).unwrap_or(0);
        self.tried.get(best).map(MessageContent::schema)
    }

    /// The error if no batch fits a schema: the schema is probably damaged.
    pub(super) fn contradiction(&mut self, given: Option<&IpcSchema>) -> Option<IpcError> {
        if self.has_fit {
            return None;
        }
        let (first, index, position) = self.misfit.take()?;
        let is_given = given.is_some();
        let n_batches = self.n_batches;
        let error = SchemaMismatch { is_given, n_batches, first };
        Some(error.into_ipc_error().in_message(index, position))
    }

    /// Tries the next message. If bytes have to be provided first, the trial does not change.
    ///
    /// # Errors
    /// If the memory budget is exceeded.
    pub(super) fn step(
        &mut self,
        window: &InputWindow,
        map: &Map,
        options: &ReadOptions,
    ) -> RangeResult<Result<()>> {
        let Some(span) = map.spans.get(self.next) else {
            self.is_ended = true;
            return Ok(Ok(()));
        };
        let position = span.range.start;
        let (kind, index) = match span.message() {
            Some(located) => (located.kind, located.index),
            None => {
                self.next += 1;
                return Ok(Ok(()));
            }
        };
        let is_batch = kind == MessageKind::RecordBatch;
        if !(is_batch || kind == MessageKind::DictionaryBatch && self.tried.len() > 1) {
            // After another schema message, messages may be of another stream.
            self.is_ended = kind == MessageKind::Schema && Some(position) != self.schema_at;
            self.next += 1;
            return Ok(Ok(()));
        }
        let found = find(window, position, (Likelihood::Expected, options.limits()))?.found;
        let ProbeResult::Candidate(found) = found else {
            self.next += 1;
            return Ok(Ok(()));
        };
        let misfit = |of: &MessageContent| if is_batch { of.misfit(&found.envelope) } else { None };
        let misfits: Vec<Option<IpcError>> = self.tried.iter().map(misfit).collect();
        let is_fit = misfits.iter().any(Option::is_none);
        // With one schema, the numbers of nodes and buffers are enough.
        let needs_body = is_fit && self.tried.len() > 1;
        let body = if needs_body {
            Some(window.bytes_from(found.body_position(), found.envelope.n_body_bytes())?)
        } else {
            None
        };
        self.next += 1;
        self.n_batches += u64::from(is_batch);
        self.has_fit |= is_batch && is_fit;
        let Some(body) = body else {
            let misfit = misfits.into_iter().flatten().next();
            self.misfit = self.misfit.take().or(misfit.map(|error| (error.into_kind(), index, position)));
            self.is_ended = self.has_fit && self.tried.len() == 1;
            return Ok(Ok(()));
        };
        let Candidate { n_prefix_bytes, envelope, .. } = found;
        let message = Message::from_parts(index, position, n_prefix_bytes, envelope, body);
        let mut fits = Vec::with_capacity(misfits.len());
        for (of, misfit) in self.tried.iter_mut().zip(misfits) {
            fits.push(match (misfit, of.take(&message)) {
                (None, Ok(_)) => SchemaFit::Valid,
                (_, Err(LostCause::Error(error))) if matches!(error.kind(), IpcErrorKind::Memory(_)) => {
                    return Ok(Err(error));
                }
                (None, Err(_)) => SchemaFit::Counts,
                (Some(_), _) => SchemaFit::None,
            });
        }
        let best = fits.iter().max();
        let mut alike = fits.iter().enumerate().filter(|(_, fit)| Some(*fit) == best);
        if let (Some((best, _)), None) = (alike.next(), alike.next()) {
            self.best = Some(best);
        }
        self.is_ended = self.best.is_some() || self.n_batches >= MAX_BATCHES;
        Ok(Ok(()))
    }
}

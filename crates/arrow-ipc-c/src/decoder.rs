//! Streams that arrive in pieces, without I/O.

use std::sync::Arc;

use arrow_c_data::{ArrowArray, ArrowSchema};
use arrow_ipc::{IpcError, IpcErrorKind, Projection, Step, StreamDecoder};

use crate::{
    failure::{Failure, Result},
    options::{Options, reading},
    pointers::{ListPointer, Memory, NamedText, Out, SizedPointer},
    reader::{handle, result},
    turn::Turn,
};

/// `struct aipc_decoder`
pub(crate) struct Decoder(Turn<DecoderState>);

struct DecoderState {
    decoder: StreamDecoder,
    /// The names or paths of columns, until the schema has arrived; all columns if there are none.
    columns: Vec<String>,
    n_batches: u64,
    has_failed: bool,
}

/// What a step has found. **Invariant:** the numbers are those of the header.
#[derive(Clone, Copy)]
#[repr(i32)]
enum Event {
    NeedBytes = 0,
    Schema = 1,
    Batch = 2,
    End = 3,
}

impl DecoderState {
    /// # Errors
    /// Those of the stream, the projection and the export. After an error, each step fails.
    fn step(&mut self, batch: &mut ArrowArray) -> Result<Event> {
        if self.has_failed {
            return Err(IpcError::from(IpcErrorKind::AlreadyFailed { what: "decoder" }).into());
        }
        let event = self.next_event(batch);
        self.has_failed = event.is_err();
        event
    }

    fn next_event(&mut self, batch: &mut ArrowArray) -> Result<Event> {
        loop {
            return Ok(match self.decoder.step()? {
                Step::NeedBytes(_) => Event::NeedBytes,
                Step::Schema(schema) => {
                    let columns = std::mem::take(&mut self.columns);
                    if !columns.is_empty() {
                        self.decoder.project(&Projection::names_or_paths(&columns, schema.schema()))?;
                    }
                    Event::Schema
                }
                Step::Dictionary { .. } => continue,
                Step::Batch(found) => {
                    let index = self.n_batches;
                    self.n_batches = index.saturating_add(1);
                    let exported = ArrowArray::try_from_batch(&found.batch);
                    *batch = exported.map_err(|error| Failure::from(error).in_batch(index))?;
                    Event::Batch
                }
                Step::Tensor(_) => return Err(self.decoder.tensor_error().into()),
                Step::End => Event::End,
                // Only decoders that ask for large batches get them.
                Step::LargeBatch(_) | _ => return Err(IpcError::internal("a large batch").into()),
            });
        }
    }
}

pub(crate) fn new(
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Decoder>>>,
) -> Result<()> {
    let out = result(out, None)?;
    let (options, selection) = reading(&Options::try_new(&options, n_options)?)?;
    if selection.rows.is_some() || selection.batches.is_some() || selection.condition.is_some() {
        return Err(Failure::misuse(
            "a decoder returns all rows: it has no `rows`, `batches` and `condition`",
        ));
    }
    let decoder = StreamDecoder::new_with(options);
    let state = DecoderState { decoder, columns: selection.columns, n_batches: 0, has_failed: false };
    *out = Some(Box::new(Decoder(Turn::new("decoder", state))));
    Ok(())
}

pub(crate) fn feed(decoder: Option<&Decoder>, bytes: ListPointer<u8>, n_bytes: usize) -> Result<()> {
    let decoder = handle(decoder, "decoder")?;
    let mut bytes = bytes.items(n_bytes, "bytes")?;
    decoder.0.with(|state| {
        while !bytes.is_empty() {
            let spare = state.decoder.spare();
            let n_copied = spare.len().min(bytes.len());
            let (copied, rest) = bytes.split_at_checked(n_copied).unwrap_or_default();
            spare.iter_mut().zip(copied).for_each(|(to, byte)| *to = *byte);
            state.decoder.filled(n_copied);
            state.decoder.check_memory()?;
            bytes = rest;
        }
        Ok(())
    })
}

pub(crate) fn feed_memory(decoder: Option<&Decoder>, memory: SizedPointer<Memory>) -> Result<()> {
    let bytes = memory.read("memory")?.to_buffer()?;
    handle(decoder, "decoder")?.0.with(|state| {
        state.decoder.feed(bytes);
        Ok(())
    })
}

pub(crate) fn end_input(decoder: Option<&Decoder>) -> Result<()> {
    handle(decoder, "decoder")?.0.with(|state| {
        state.decoder.finish_input();
        Ok(())
    })
}

pub(crate) fn step(decoder: Option<&Decoder>, event: Out<'_, i32>, batch: Out<'_, ArrowArray>) -> Result<()> {
    let batch = batch.map(|batch| batch.write(ArrowArray::empty()));
    let event = event.map(|event| event.write(Event::NeedBytes as i32));
    let Some(batch) = batch else { return Err(Failure::null("batch")) };
    let Some(event) = event else { return Err(Failure::null("event")) };
    *event = handle(decoder, "decoder")?.0.with(|state| state.step(batch))? as i32;
    Ok(())
}

pub(crate) fn schema(decoder: Option<&Decoder>, out: Out<'_, ArrowSchema>) -> Result<()> {
    let out = result(out, ArrowSchema::empty())?;
    let schema = handle(decoder, "decoder")?.0.with(|state| match state.decoder.schema() {
        Some(schema) => Ok(Arc::clone(schema)),
        None => Err(Failure::misuse("the schema has not arrived")),
    })?;
    *out = ArrowSchema::try_from_schema(&schema)?;
    Ok(())
}

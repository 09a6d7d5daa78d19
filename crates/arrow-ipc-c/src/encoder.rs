//! Files and streams as pieces of bytes, without I/O.

use std::{collections::VecDeque, mem, sync::Arc};

use arrow_buffer::{Buffer, BufferMut};
use arrow_c_data::{ArrowArray, ArrowSchema};
use arrow_ipc::{ContainerEncoder, Encoded, WrittenContainer, segment::Segment};
use arrow_schema::Schema;

use crate::{
    failure::{Code, Failure, Result},
    options::{Options, Writing},
    pointers::{ListPointer, MovedPointer, NamedText, Out, import},
    reader::{LentBytes, handle, result},
    turn::Turn,
};

/// `struct aipc_encoder`
pub(crate) struct Encoder(Turn<EncoderState>);

struct EncoderState {
    encoder: ContainerEncoder,
    schema: Arc<Schema>,
    /// What was not taken.
    pieces: VecDeque<Buffer>,
    /// The piece that the caller has.
    taken: Buffer,
}

/// Appends bytes as pieces. Buffers of arrays are pieces of their own, without a copy; what is between them is joined.
fn append(pieces: &mut VecDeque<Buffer>, encoded: &Encoded<'_>) -> Result<()> {
    let no_memory =
        |_| Failure { code: Code::OutOfMemory, text: "no memory for the encoded bytes".to_owned() };
    let mut joined = BufferMut::new();
    for segment in encoded.segments() {
        if let Segment::Data(buffer) = segment {
            pieces.push_back(mem::take(&mut joined).freeze());
            pieces.push_back(buffer.clone());
        } else {
            for slice in segment.slices(usize::MAX) {
                joined.try_extend_from_slice(slice).map_err(no_memory)?;
            }
        }
    }
    pieces.push_back(joined.freeze());
    pieces.retain(|piece| !piece.is_empty());
    Ok(())
}

pub(crate) fn new(
    schema: MovedPointer<ArrowSchema>,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Encoder>>>,
) -> Result<()> {
    let out = result(out, None);
    let schema = Arc::new(schema.take("schema")?.to_schema()?);
    let out = out?;
    let Writing { options, container, unifies_dictionaries } =
        Writing::parse(&Options::try_new(&options, n_options)?)?;
    if unifies_dictionaries {
        return Err(Failure::misuse(
            "an encoder cannot unify dictionaries, since it encodes each batch at once",
        ));
    }
    let container = container.unwrap_or(WrittenContainer::Stream);
    let mut encoder = ContainerEncoder::try_new_with(&schema, container, options)?;
    let mut pieces = VecDeque::new();
    append(&mut pieces, &encoder.start()?)?;
    let state = EncoderState { encoder, schema, pieces, taken: Buffer::new() };
    *out = Some(Box::new(Encoder(Turn::new("encoder", state))));
    Ok(())
}

pub(crate) fn write(encoder: Option<&Encoder>, batch: MovedPointer<ArrowArray>) -> Result<()> {
    let batch = batch.take("batch")?;
    handle(encoder, "encoder")?.0.with(|state| {
        let batch = import(batch, &state.schema)?;
        let appended = append(&mut state.pieces, &state.encoder.encode(&batch)?);
        // Drops the references to the buffers of the batch.
        state.encoder.clear();
        appended
    })
}

pub(crate) fn finish(encoder: Option<&Encoder>) -> Result<()> {
    handle(encoder, "encoder")?.0.with(|state| append(&mut state.pieces, &state.encoder.finish()?))
}

pub(crate) fn next(encoder: Option<&Encoder>, out: Out<'_, LentBytes>) -> Result<()> {
    let out = result(out, LentBytes::NONE)?;
    handle(encoder, "encoder")?.0.with(|state| {
        state.taken = state.pieces.pop_front().unwrap_or_default();
        if !state.taken.is_empty() {
            *out = LentBytes::of(&state.taken);
        }
        Ok(())
    })
}

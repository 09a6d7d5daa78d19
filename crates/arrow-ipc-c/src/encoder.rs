//! Files and streams as pieces of bytes, without I/O.

use std::{collections::VecDeque, mem, sync::Arc};

use arrow_buffer::{Buffer, BufferMut};
use arrow_c_data::{ArrayImporter, ArrowArray, ArrowSchema};
use arrow_data::Validation;
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
    importer: ArrayImporter,
    /// What was not taken.
    pieces: VecDeque<Buffer>,
    /// The piece that the caller has.
    taken: Buffer,
    /// Whether encoded bytes are lost.
    has_failed: bool,
}

impl EncoderState {
    /// Appends what is encoded to the pieces: all of it, or nothing after an error.
    fn append(
        &mut self,
        encode: impl FnOnce(&mut ContainerEncoder) -> arrow_ipc::Result<Encoded<'_>>,
    ) -> Result<()> {
        if self.has_failed {
            return Err(Failure::misuse("the encoder cannot continue after its earlier error"));
        }
        let pieces = pieces_of(&encode(&mut self.encoder)?);
        // Drops the references to the buffers of the batch.
        self.encoder.clear();
        // What is not passed on is missing.
        self.has_failed = pieces.is_err();
        self.pieces.extend(pieces?);
        Ok(())
    }
}

/// The bytes as pieces. Buffers of arrays are pieces of their own, without a copy; what is between them is joined.
fn pieces_of(encoded: &Encoded<'_>) -> Result<Vec<Buffer>> {
    let no_memory =
        |_| Failure { code: Code::OutOfMemory, text: "no memory for the encoded bytes".to_owned() };
    let mut pieces = Vec::new();
    let mut joined = BufferMut::new();
    for segment in encoded.segments() {
        if let Segment::Data(buffer) = segment {
            pieces.push(mem::take(&mut joined).freeze());
            pieces.push(buffer.clone());
        } else {
            for slice in segment.slices(usize::MAX) {
                joined.try_extend_from_slice(slice).map_err(no_memory)?;
            }
        }
    }
    pieces.push(joined.freeze());
    pieces.retain(|piece| !piece.is_empty());
    Ok(pieces)
}

pub(crate) fn new(
    schema: MovedPointer<ArrowSchema>,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Encoder>>>,
) -> Result<()> {
    let out = result(out, None);
    let schema = schema.take("schema")?;
    let out = out?;
    let Writing { options, container, unifies_dictionaries } =
        Writing::parse(&Options::try_new(&options, n_options)?)?;
    if unifies_dictionaries {
        return Err(Failure::misuse(
            "an encoder cannot unify dictionaries, since it encodes each batch at once",
        ));
    }
    let schema = Arc::new(schema.to_schema_with(options.max_fields())?);
    let container = container.unwrap_or(WrittenContainer::Stream);
    let encoder = ContainerEncoder::try_new_with(&schema, container, options)?;
    let pieces = VecDeque::new();
    let importer = ArrayImporter::new(Validation::Content);
    let mut state =
        EncoderState { encoder, schema, importer, pieces, taken: Buffer::new(), has_failed: false };
    state.append(ContainerEncoder::start)?;
    *out = Some(Box::new(Encoder(Turn::new("encoder", state))));
    Ok(())
}

pub(crate) fn write(encoder: Option<&Encoder>, batch: MovedPointer<ArrowArray>) -> Result<()> {
    let batch = batch.take("batch")?;
    handle(encoder, "encoder")?.0.with(|state| {
        let batch = import(&mut state.importer, batch, &state.schema)?;
        state.append(|encoder| encoder.encode(&batch))
    })
}

pub(crate) fn finish(encoder: Option<&Encoder>) -> Result<()> {
    handle(encoder, "encoder")?.0.with(|state| state.append(ContainerEncoder::finish))
}

pub(crate) fn next(encoder: Option<&Encoder>, out: Out<'_, LentBytes>) -> Result<()> {
    let out = result(out, LentBytes::NONE)?;
    handle(encoder, "encoder")?.0.with(|state| {
        state.taken = state.pieces.pop_front().unwrap_or_default();
        if !state.taken.is_empty() {
            *out = LentBytes::new(&state.taken);
        }
        Ok(())
    })
}

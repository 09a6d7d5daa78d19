//! The footer of a file that is being written.

use arrow_ipc_format::flatbuf as fb;
use arrow_schema::Metadata;

use super::{block::Block, footer::Footer};
use crate::{
    encoded::EncodedMessage,
    error::{IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    message::wire_version,
    protocol::MessageKind,
    schema::{
        check_fits, encode_metadata, encode_schema, n_likely_schema_bytes, n_metadata_bytes, n_text_bytes,
    },
};

/// The blocks of a file, in the order of its messages.
#[derive(Debug, Default)]
pub(super) struct FooterEncoder {
    builder: planus::Builder,
    dictionaries: Vec<fb::Block>,
    batches: Vec<fb::Block>,
}

impl FooterEncoder {
    /// Lists a message, if it is one of those that are found through the footer.
    ///
    /// # Errors
    /// If the file is longer than the format can express. Lengths have been written into the message already, so they
    /// fit.
    pub(super) fn add(&mut self, message: &EncodedMessage) -> Result<()> {
        let (requested, limit) = (message.position(), i64::MAX.unsigned_abs());
        let too_long = |_| IpcErrorKind::LimitExceeded { what: "bytes of file", requested, limit };
        let block = fb::Block {
            offset: i64::try_from(message.position()).map_err(too_long)?,
            meta_data_length: i32::try_from(message.n_metadata_bytes()).map_err(too_long)?,
            body_length: i64::try_from(message.n_body_bytes()).map_err(too_long)?,
        };
        match message.kind() {
            MessageKind::DictionaryBatch => self.dictionaries.push(block),
            MessageKind::RecordBatch => self.batches.push(block),
            MessageKind::Schema | MessageKind::Tensor | MessageKind::SparseTensor => {}
        }
        Ok(())
    }

    /// Lists what a file has already.
    pub(super) fn continuing(footer: &Footer) -> Result<FooterEncoder> {
        let all =
            |blocks: &[Block]| blocks.iter().copied().map(Block::to_wire).collect::<Result<Vec<fb::Block>>>();
        let (dictionaries, batches) = (all(footer.dictionaries())?, all(footer.batches())?);
        Ok(FooterEncoder { dictionaries, batches, ..FooterEncoder::default() })
    }

    /// Forgets all messages.
    pub(super) fn clear(&mut self) {
        self.dictionaries.clear();
        self.batches.clear();
    }

    /// The flatbuffer, and its length as it follows it.
    pub(super) fn encode(&mut self, schema: &IpcSchema, metadata: &Metadata) -> Result<(&[u8], [u8; 4])> {
        const BLOCK_BYTES: usize = 24;
        let n_block_bytes =
            self.dictionaries.len().saturating_add(self.batches.len()).saturating_mul(BLOCK_BYTES);
        let n_text_bytes = n_text_bytes(schema.schema()).saturating_add(n_metadata_bytes(metadata));
        check_fits("bytes of footer", n_text_bytes.saturating_add(n_block_bytes as u64))?;
        let n_bytes = n_likely_schema_bytes(schema).saturating_add(n_block_bytes);
        self.builder = planus::Builder::with_capacity(n_bytes);
        let builder = &mut self.builder;
        let version = wire_version(schema.version());
        let schema = encode_schema(builder, schema)?;
        let metadata = encode_metadata(builder, metadata);
        let (dictionaries, batches) = (self.dictionaries.as_slice(), self.batches.as_slice());
        let footer = fb::Footer::create(builder, version, schema, dictionaries, batches, metadata);
        let bytes = builder.finish(footer, None);
        let length = i32::try_from(bytes.len()).map_err(|_| {
            let limit = u64::from(i32::MAX.unsigned_abs());
            IpcErrorKind::LimitExceeded { what: "bytes of footer", requested: bytes.len() as u64, limit }
        })?;
        Ok((bytes, length.to_le_bytes()))
    }
}

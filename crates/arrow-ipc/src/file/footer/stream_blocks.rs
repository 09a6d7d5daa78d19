//! The blocks of a stream that is read like a file. A walk over its messages finds them.

use arrow_schema::Metadata;

use super::{block::Block, blocks::Blocks, content::Footer, row_counts::BatchRowCounts};
use crate::error::Result;
use arrow_ipc_format::IpcSchema;

/// The blocks of the messages that a walk has found, as the footer of a file would list them.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreamBlocks {
    dictionaries: BlockList,
    batches: BlockList,
    batch_row_counts: BatchRowCounts,
}

#[derive(Debug, Clone, Default)]
struct BlockList {
    wire: Vec<u8>,
    n_message_bytes: u64,
}

impl BlockList {
    fn new(blocks: &Blocks) -> BlockList {
        BlockList { wire: blocks.wire().to_vec(), n_message_bytes: blocks.n_message_bytes() }
    }

    fn push(&mut self, block: Block) -> Result<()> {
        self.wire.extend_from_slice(&block.to_wire()?.to_bytes());
        self.n_message_bytes = self.n_message_bytes.saturating_add(block.n_bytes());
        Ok(())
    }

    fn into_blocks(self) -> Blocks {
        Blocks::from_messages(self.wire, self.n_message_bytes)
    }
}

impl StreamBlocks {
    /// The blocks of a stream, to add more. A walk has made this footer.
    pub(crate) fn from_footer(footer: &Footer) -> StreamBlocks {
        StreamBlocks {
            dictionaries: BlockList::new(footer.dictionary_blocks()),
            batches: BlockList::new(footer.batch_blocks()),
            batch_row_counts: footer.batch_row_counts().cloned().unwrap_or_default(),
        }
    }

    /// # Errors
    /// If the format cannot express the length of the message.
    pub(crate) fn add_batch(&mut self, block: Block, n_rows: u64) -> Result<()> {
        self.batches.push(block)?;
        self.batch_row_counts.push(n_rows);
        Ok(())
    }

    /// # Errors
    /// If the format cannot express the length of the message.
    pub(crate) fn add_dictionary(&mut self, block: Block) -> Result<()> {
        self.dictionaries.push(block)
    }

    /// The footer that a file with these messages would have. `position` is the end of the messages.
    pub(crate) fn into_footer(self, schema: &IpcSchema, metadata: Metadata, position: u64) -> Footer {
        let dictionaries = self.dictionaries.into_blocks();
        let batches = self.batches.into_blocks();
        Footer::from_messages(
            schema.clone(),
            metadata,
            (dictionaries, batches, self.batch_row_counts),
            position,
        )
    }
}

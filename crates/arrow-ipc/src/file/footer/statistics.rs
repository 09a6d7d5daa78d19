//! Statistics of record batches in the custom metadata of a footer, under a key of this library: a stream in the schema that
//! Arrow defines for statistics, with one batch for each batch of the file. Nothing here knows what they say.

use super::{
    content::Footer,
    packed::{pack, unpack},
};

/// The key of the custom metadata of a footer with the statistics.
pub(crate) const STATISTICS_KEY: &str = "arrow-ipc.statistics";

/// The value of the key.
pub(crate) fn pack_statistics(stream: &[u8]) -> String {
    pack(stream)
}

impl Footer {
    /// The stream of statistics, if the metadata has one: see [`FileEncoder::set_statistics`](crate::FileEncoder::set_statistics).
    /// Each call decodes it. It is a claim of the producer, which nothing has compared with the batches. `arrow-ipc-statistics` reads it.
    pub fn statistics(&self) -> Option<Vec<u8>> {
        unpack(self.metadata().get(STATISTICS_KEY)?)
    }
}

//! Reads all rows of a batch. While the metadata of the batch is missing, hints at the bytes that come next.

use std::sync::Arc;

use super::{
    batch::ReadBatch, estimate::BodyEstimate, fetched_batch::FetchedBatch, provided_ranges::ProvidedRanges,
};
use crate::{batch::BatchWithMetadata, error::Result, frame::Body};
use arrow_ipc_format::BatchView;

impl ReadBatch {
    /// Reads the batch, with its custom metadata.
    pub(super) fn with_metadata(&mut self, bytes: &mut ProvidedRanges) -> Result<Option<BatchWithMetadata>> {
        let read = self.read(bytes);
        self.in_block(read)
    }

    fn read(&mut self, bytes: &mut ProvidedRanges) -> Result<Option<BatchWithMetadata>> {
        let Some(message) = self.message_or_estimate(bytes, &mut None)? else {
            self.load_dictionaries(bytes)?;
            return Ok(None);
        };
        let read = self.read_charging(&message, bytes, None)?;
        Ok(read.map(|(batch, _)| BatchWithMetadata { batch, metadata: message.custom_metadata().clone() }))
    }

    /// Fetches the batch, and reads the dictionaries that it needs.
    pub(super) fn fetched(&mut self, bytes: &mut ProvidedRanges) -> Result<Option<FetchedBatch>> {
        let mut fetch = || Ok((self.fetch_whole(bytes, &mut None)?, self.load_dictionaries(bytes)?));
        let fetched = fetch();
        let (fetched, is_loaded) = self.in_block(fetched)?;
        let batch = ReadBatch { decoder: self.decoder.clone(), ..*self };
        if !is_loaded {
            return Ok(None);
        }
        Ok(fetched.map(|fetched| FetchedBatch { batch, fetched: Ok(fetched) }))
    }

    /// Returns the message. If its metadata has not been provided, requests the metadata, and hints at the ranges of the
    /// body.
    fn message_or_estimate(
        &self,
        bytes: &mut ProvidedRanges,
        estimate: &mut Option<BodyEstimate>,
    ) -> Result<Option<Arc<BatchView>>> {
        let message = self.message(bytes)?;
        if message.is_none() {
            estimate
                .get_or_insert_with(|| BodyEstimate::new(&self.decoder, self.batch_idx))
                .request(self, bytes);
        }
        Ok(message)
    }

    /// Returns the message, and the ranges of the body that the selected columns need. Returns `None` if bytes are
    /// missing.
    pub(super) fn fetch_whole(
        &self,
        bytes: &mut ProvidedRanges,
        estimate: &mut Option<BodyEstimate>,
    ) -> Result<Option<(Arc<BatchView>, Body)>> {
        let Some(message) = self.message_or_estimate(bytes, estimate)? else { return Ok(None) };
        Ok(self.fetch(&message, bytes)?.map(|body| (message, body)))
    }
}

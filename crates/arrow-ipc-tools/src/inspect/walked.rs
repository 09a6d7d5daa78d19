//! Inspects messages in order, from the start of an input.

use arrow_ipc::{
    MessageKind,
    message::{Header, Message},
};

use super::{
    blocks::BlockNumbers,
    inspection::Inspection,
    lengths::CompressedBody,
    unused::{BodyBudget, wanted_ranges},
    view::Listing,
};
use crate::{error::ToolError, walk::Walk};

impl Inspection<'_> {
    /// Inspects all messages of the walk, and removes their blocks from `blocks`.
    pub(super) fn walk(
        &mut self,
        walk: &mut Walk,
        blocks: &mut BlockNumbers,
        unlisted: impl Fn(MessageKind) -> Listing,
    ) -> Result<(), ToolError> {
        // The number of messages whose metadata is read before their bodies.
        let n_at_once = if walk.source().is_some_and(|source| source.is_far()) { 256 } else { 1 };
        loop {
            let mut messages = Vec::with_capacity(n_at_once);
            let mut end = None;
            while end.is_none() && messages.len() < n_at_once {
                match walk.next_message() {
                    Ok(Some(message)) => messages.push(message),
                    Ok(None) => end = Some(Ok(())),
                    Err(error) => end = Some(Err(error)),
                }
            }
            for (idx, message) in messages.iter().enumerate() {
                if idx == 0 || messages.get(idx - 1).is_some_and(|last| last.kind() == MessageKind::Schema) {
                    self.prefetch(messages.get(idx..).unwrap_or_default())?;
                }
                self.agreement.iter_mut().for_each(|agreement| agreement.message(message));
                let listed = blocks.remove(&(message.position(), message.kind()));
                let listing = listed.map_or_else(|| unlisted(message.kind()), Listing::Block);
                self.message(message, Some(message.index()), listing)?;
            }
            if let Some(end) = end {
                end.unwrap_or_else(|error| self.broken(error));
                return Ok(());
            }
        }
    }

    /// Fetches the needed ranges of these bodies together, if requests have a high latency.
    fn prefetch(&mut self, messages: &[Message]) -> Result<(), ToolError> {
        if !self.bodies.are_far() {
            return Ok(());
        }
        if messages.first().is_some_and(|message| message.kind() != MessageKind::Schema) {
            self.use_footer_schema()?;
        }
        let mut budget = self
            .unused
            .is_some()
            .then(|| self.budget.take().unwrap_or_else(|| BodyBudget::new(&self.bodies)));
        let mut ranges = Vec::new();
        for message in messages {
            let header = message.header(&self.limits).ok();
            if let Some(Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. }) = &header {
                ranges.extend(CompressedBody::wanted_ranges(message, batch));
            }
            if let (Some(budget), Some(map), Some(header)) = (&mut budget, self.buffers.map(), &header) {
                ranges.extend(wanted_ranges(message, (map, header), budget));
            }
        }
        self.budget = budget;
        self.bodies.prefetch(ranges);
        Ok(())
    }
}

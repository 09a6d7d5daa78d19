//! The buffers that a page shows. If there are too many, small adjacent buffers are joined.

use super::messages::Groups;
use crate::totals::BufferSpan;

/// The buffers in the order of the messages. If there are too many, small adjacent buffers in the same group of
/// messages are joined. To get few enough buffers, the maximal length of joined buffers is doubled as often as
/// needed.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    spans: Vec<BufferSpan>,
    n_joined_bytes: Option<u64>,
}

impl Buffers {
    const MAX: usize = 20_000;

    /// Adds a buffer of the message that was added last.
    pub(crate) fn push(&mut self, span: BufferSpan, messages: &Groups) {
        self.spans.push(BufferSpan { message: messages.last_message(), ..span });
        if self.spans.len() > Buffers::MAX {
            let n_bytes = *self.n_joined_bytes.get_or_insert(0);
            self.join(n_bytes, messages);
            while self.spans.len() > Buffers::MAX / 4 * 3 && self.n_joined_bytes != Some(u64::MAX) {
                let n_bytes = self.n_joined_bytes.unwrap_or_default().saturating_mul(2).max(64);
                self.n_joined_bytes = Some(n_bytes);
                self.join(n_bytes, messages);
            }
        }
    }

    /// Joins small adjacent buffers that were added since the last join.
    pub(crate) fn merge(&mut self, messages: &Groups) {
        if let Some(n_bytes) = self.n_joined_bytes {
            self.join(n_bytes, messages);
        }
    }

    fn join(&mut self, n_bytes: u64, messages: &Groups) {
        let mut joined: Vec<BufferSpan> = Vec::with_capacity(self.spans.len());
        for span in self.spans.drain(..) {
            let last = joined.last_mut().filter(|last| {
                messages.group_of(last.message) == messages.group_of(span.message)
                    && last.n_spanned_bytes(&span) <= n_bytes
            });
            match last {
                Some(last) => last.append(span),
                None => joined.push(span),
            }
        }
        self.spans = joined;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &BufferSpan> + Clone {
        self.spans.iter()
    }

    /// For each group of messages, the number of buffers that the page shows.
    pub(crate) fn counts(&self, messages: &Groups) -> Vec<u64> {
        let mut counts = vec![0; messages.iter().count()];
        for span in &self.spans {
            let group = usize::try_from(messages.group_of(span.message));
            if let Some(count) = group.ok().and_then(|group| counts.get_mut(group)) {
                *count += 1;
            }
        }
        counts
    }
}

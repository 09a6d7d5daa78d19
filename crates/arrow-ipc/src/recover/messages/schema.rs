//! Schema messages: the first one, and those of streams that follow or are inside of values.

use std::ops::Range;

use super::{Following, Scan, lost};
use crate::{
    detect::Container,
    error::Result,
    message::{Header, Message},
    protocol::MessageKind,
    recover::{
        RecoveryStep,
        content::Content,
        lost::{LostCause, LostWhat},
    },
};

impl Scan {
    /// The first schema that can be read, or that of a further stream.
    pub(super) fn take_schema(&mut self, message: &Message, range: Range<u64>) -> Result<Vec<RecoveryStep>> {
        let lose = |cause| Ok(vec![lost(range.clone(), LostWhat::Message(MessageKind::Schema), cause)]);
        let schema = match message.head.header_to_read(self.options.limits()) {
            Ok(Header::Schema(schema)) => schema,
            Ok(_) => return lose(LostCause::NoMessage),
            Err(error) => {
                self.following = Following::Other;
                return lose(LostCause::Error(error));
            }
        };
        match &self.content {
            None => {
                self.metadata = message.custom_metadata().ok();
                self.following = Following::Ours;
                self.n_messages = 1;
                self.content = Some(Content::try_new(schema.clone(), &self.options)?);
                Ok(vec![RecoveryStep::Schema(schema)])
            }
            Some(_) if self.ends.container == Container::File => lose(LostCause::SecondSchema),
            Some(content) if *content.schema() == schema => {
                // A stream that follows counts its own messages.
                self.n_messages = 1;
                // Its dictionaries are its own.
                self.content = Some(Content::try_new(schema, &self.options)?);
                self.following = Following::Ours;
                Ok(Vec::new())
            }
            Some(_) => {
                let is_inner = self.found_at == Some(range.start) && self.following == Following::Ours;
                self.following = if is_inner { Following::Inner } else { Following::Other };
                if !is_inner {
                    self.n_messages = 1;
                }
                lose(LostCause::OtherSchema)
            }
        }
    }
}

//! Copies messages without decoding them, and finds out for which inputs this is possible.

mod blocks;
mod body;
mod encoded_message;
mod survey;
mod writer;

pub(crate) use self::{
    blocks::{batch_message, block_messages, block_messages_for},
    encoded_message::EncodedMessage,
    survey::{OutputForm, survey_file, survey_streams},
    writer::RelayWriter,
};

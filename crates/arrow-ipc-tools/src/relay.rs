//! Writes the messages of an input again without decoding them: which inputs that is possible for, and how bodies are copied.

mod blocks;
mod body;
mod long;
mod made;
mod survey;
mod writer;

pub(crate) use self::{
    blocks::{batch_message, block_messages, block_messages_for},
    long::MadeMessage,
    made::MessageMaker,
    survey::{WantedOutput, survey_file, survey_streams},
    writer::{RelayFailure, RelayForm, RelayWriter},
};

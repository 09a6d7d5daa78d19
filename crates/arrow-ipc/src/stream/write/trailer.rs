//! What follows the messages of a stream or file.

use super::output::MessageOutput;
use crate::{error::Result, options::WriteOptions, segment::encoded::OwnedEncoded};
use arrow_ipc_format::{SchemaPart, WrittenContainer};

/// What follows the messages of an encoder: [nothing](EndOfStream) after a stream, or the footer of a file, which
/// is a `file::FooterEncoder`. Other crates cannot implement this trait.
pub trait Trailer {
    /// The container that has this trailer.
    fn written(&self) -> WrittenContainer;
    /// Lists messages.
    ///
    /// # Errors
    /// If the trailer cannot list the messages. None of them is listed then.
    #[doc(hidden)]
    fn add_all(&mut self, encoded: &OwnedEncoded) -> Result<()>;
    /// Removes the messages that the last call of `add_all` has listed.
    #[doc(hidden)]
    fn remove_all(&mut self, encoded: &OwnedEncoded);
    /// Adds the trailer to the output, after the end of the stream.
    ///
    /// # Errors
    /// If the trailer is longer than readers accept by default.
    #[doc(hidden)]
    fn add_to(
        &mut self,
        output: &mut MessageOutput,
        schema: &SchemaPart,
        options: &WriteOptions,
    ) -> Result<()>;
    /// Forgets all messages.
    #[doc(hidden)]
    fn clear(&mut self);
}

/// The trailer of a stream, which ends after its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndOfStream;

impl Trailer for EndOfStream {
    fn written(&self) -> WrittenContainer {
        WrittenContainer::Stream
    }

    fn add_all(&mut self, _: &OwnedEncoded) -> Result<()> {
        Ok(())
    }

    fn remove_all(&mut self, _: &OwnedEncoded) {}

    fn add_to(&mut self, _: &mut MessageOutput, _: &SchemaPart, _: &WriteOptions) -> Result<()> {
        Ok(())
    }

    fn clear(&mut self) {}
}

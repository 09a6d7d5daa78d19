//! Makes messages in a second thread while the calling thread writes them.

use std::{
    io::Write,
    sync::{Mutex, PoisonError},
    thread,
};

use arrow_ipc::Threads;
use arrow_threads::{joined, queue, start};

use crate::{
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    observer::Pass,
    walk::relay::EncodedMessage,
};

/// A message to write.
pub(super) struct OutputMessage {
    pub(super) message: EncodedMessage,
    /// The amount of the input that has been read up to and including this message.
    pub(super) n_done: u64,
}

/// Receives a message. Fails if the thread that writes has stopped after an error.
pub(super) type MessageWriter<'a> = &'a mut dyn FnMut(OutputMessage) -> Result<(), ToolError>;

/// Writes the messages that `make` produces, in order. While a message is written, at most the next message is made.
///
/// If the calling thread belongs to a thread pool, it makes and writes the messages alone: `make` uses the pool, and
/// all other threads of the pool may be waiting. The same happens if the operating system cannot start a thread.
///
/// # Errors
/// If the output cannot be written, if the observer stops the work, or if `make` fails.
pub(super) fn pipelined(
    name: &InputName,
    sink: &mut dyn Write,
    pass: &mut Pass<'_>,
    mut make: impl FnMut(MessageWriter<'_>) -> Result<(), ToolError> + Send,
) -> Result<(), ToolError> {
    let mut write = |OutputMessage { message, n_done }: OutputMessage| {
        message.write(sink).in_input(name)?;
        pass.set(n_done)
    };
    if Threads::is_in_pool() {
        return make(&mut write);
    }
    let (send, received) = queue(0);
    let ends = Mutex::new(Some(send));
    let make = Mutex::new(&mut make);
    let making = || {
        // This is the only sender. Dropping it after the last message ends the loop that receives messages.
        let Some(send) = ends.lock().unwrap_or_else(PoisonError::into_inner).take() else { return Ok(()) };
        let mut make = make.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = |_| ToolError::new(name, ToolErrorKind::Stopped);
        make(&mut |received| send.send(received).map_err(ended))
    };
    thread::scope(|scope| match start(scope, 1, &making).pop() {
        None => make.lock().unwrap_or_else(PoisonError::into_inner)(&mut write),
        Some(making) => {
            // After an error of writing, the receiver is dropped, so `make` fails, too. The error in `written` is the
            // cause, and is returned.
            let written = { received }.try_for_each(&mut write);
            let received = joined(making);
            written.and(received)
        }
    })
}

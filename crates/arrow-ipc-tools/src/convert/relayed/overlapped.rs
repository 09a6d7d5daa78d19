//! Two threads: one makes the messages, and the calling one writes them, which may wait for a disk.

use std::{
    io::Write,
    sync::{Mutex, PoisonError},
    thread,
};

use arrow_ipc::Threads;

use super::failed;
use crate::{
    error::ToolError,
    name::InputName,
    observer::Pass,
    queue::queue,
    relay::MadeMessage,
    threads::{joined, start},
};

/// Messages to be written.
pub(super) struct Made {
    pub(super) message: MadeMessage,
    /// What the pass has done with the messages.
    pub(super) n_done: u64,
}

/// Takes a message; returns `false` if no more are wanted.
pub(super) type Take<'a> = &'a mut dyn FnMut(Made) -> bool;

/// Writes the messages of `make` in order. While one message is written, the next is made, but no third one.
///
/// A thread of a pool does both itself: `make` uses the pool, in which all other threads may be waiting. The calling
/// thread also does both if the system refuses another thread.
///
/// # Errors
/// If the output fails, if the observer stops the work, or if `make` fails.
pub(super) fn overlapped<W: Write>(
    (name, sink): (&InputName, &mut W),
    pass: &mut Pass<'_>,
    mut make: impl FnMut(Take<'_>) -> Result<(), ToolError> + Send,
) -> Result<(), ToolError> {
    let mut write = |Made { message, n_done }: Made| {
        message.write(sink).map_err(|failure| failed(name, failure))?;
        pass.set(n_done)
    };
    if Threads::is_in_pool() {
        return in_turn(make, write);
    }
    let (send, made) = queue(0);
    let ends = Mutex::new(Some(send));
    let make = Mutex::new(&mut make);
    let making = || {
        // The only one, which is dropped with the last message.
        let Some(send) = ends.lock().unwrap_or_else(PoisonError::into_inner).take() else { return Ok(()) };
        let mut make = make.lock().unwrap_or_else(PoisonError::into_inner);
        make(&mut |made| send.send(made).is_ok())
    };
    thread::scope(|scope| match start(scope, 1, &making).pop() {
        None => in_turn(&mut *make.lock().unwrap_or_else(PoisonError::into_inner), write),
        Some(making) => {
            // What has been sent is dropped with its end of the queue, after which `make` is told to end.
            let written = { made }.try_for_each(&mut write);
            let made = joined(making);
            written.and(made)
        }
    })
}

/// Makes and writes one message after the other.
fn in_turn(
    mut make: impl FnMut(Take<'_>) -> Result<(), ToolError>,
    mut write: impl FnMut(Made) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let mut written = Ok(());
    let made = make(&mut |made| {
        written = write(made);
        written.is_ok()
    });
    written.and(made)
}

//! Two threads: another one makes what the calling one writes, which may wait for a disk.

use std::{io::Write, panic, thread};

use arrow_ipc::Threads;

use super::failed;
use crate::{error::ToolError, name::InputName, observer::Pass, queue::queue, relay::MadeMessage};

/// Messages to be written.
pub(super) struct Made {
    pub(super) message: MadeMessage,
    /// What the pass has done with them.
    pub(super) n_done: u64,
}

/// Takes what has been made; false if no more is wanted.
pub(super) type Take<'a> = &'a mut dyn FnMut(Made) -> bool;

/// Writes what `make` gives, in its order. One message is written while the next is made; a third is not begun.
///
/// A thread of a pool does both itself: `make` uses the pool, which may have no other thread that does not wait.
///
/// # Errors
/// If the output fails, if the observer stops the work, or if `make` fails.
pub(super) fn overlapped<W: Write>(
    (name, sink): (&InputName, &mut W),
    pass: &mut Pass<'_>,
    make: impl FnOnce(Take<'_>) -> Result<(), ToolError> + Send,
) -> Result<(), ToolError> {
    let mut write = |Made { message, n_done }: Made| {
        message.write(sink).map_err(|failure| failed(name, failure))?;
        pass.set(n_done)
    };
    if Threads::is_in_pool() {
        let mut written = Ok(());
        let made = make(&mut |made| {
            written = write(made);
            written.is_ok()
        });
        return written.and(made);
    }
    let (send, made) = queue(0);
    thread::scope(|scope| {
        let making = scope.spawn(move || make(&mut |made| send.send(made).is_ok()));
        // What has been sent is dropped with its end of the queue, after which `make` is told to end.
        let written = { made }.try_for_each(&mut write);
        let made = making.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        written.and(made)
    })
}

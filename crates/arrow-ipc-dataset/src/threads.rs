//! Work on several threads. If the operating system starts fewer threads than requested, these threads do all the work.
//! If it starts none, the calling thread does the work.

mod ahead;
mod ordered;
mod queues;
mod scoped;

pub(crate) use self::ordered::in_parallel;
pub use self::{
    ahead::WorkAhead,
    ordered::{Give, in_order},
    queues::{Closed, Receiver, Sender, queue},
    scoped::{by_threads, joined, start},
};

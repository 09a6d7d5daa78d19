//! Work on several threads. If the system starts fewer threads, these do all the work; if it starts none, the calling
//! thread does the work.

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

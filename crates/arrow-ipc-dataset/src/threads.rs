//! Work on several threads. If the system starts fewer threads, these do all the work; without any, the calling thread
//! does it.

mod ordered;
mod queues;
mod scoped;

pub(crate) use self::ordered::{Jobs, in_parallel, next};
pub use self::{
    ordered::{Give, in_order},
    queues::{Closed, Receiver, Sender, queue},
    scoped::{by_threads, joined, start},
};

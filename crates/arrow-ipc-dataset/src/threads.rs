//! Threads besides the calling one. If the system refuses threads, the others do the work, at worst the calling one
//! alone.

mod ordered;
mod queues;
mod scoped;

pub(crate) use self::ordered::{Jobs, in_parallel, next};
pub use self::{
    ordered::{Give, in_order},
    queues::{Closed, Receiver, Sender, queue},
    scoped::{by_threads, joined, start},
};

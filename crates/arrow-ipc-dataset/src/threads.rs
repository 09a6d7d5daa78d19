//! Runs jobs on several threads. If the operating system starts fewer threads than requested, these do all jobs. If
//! it starts none, the calling thread does.

mod ahead;
mod chunked;
mod ordered;
mod queues;
mod scoped;

pub(crate) use self::chunked::in_parallel;
pub use self::{
    ahead::WorkAhead,
    ordered::{ResultSink, in_order},
    queues::{ClosedQueue, Receiver, Sender, queue},
    scoped::{by_threads, joined, start},
};

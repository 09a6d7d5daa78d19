//! Runs jobs on several threads. If the operating system starts fewer threads than requested, these do all jobs. If
//! it starts none, the calling thread does.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod ordered;
mod ordered_jobs;
mod queues;
mod scoped;

pub use self::{
    ordered::{ResultSink, in_order},
    ordered_jobs::OrderedJobs,
    queues::{ClosedQueue, Receiver, Sender, queue},
    scoped::{by_threads, in_parallel, joined, start},
};

//! What readers do with remote files: a server of byte ranges on loopback that delays, counts and misbehaves on
//! demand, and the tests and measurements that use it.
//!
//! Nothing here is meant for programs: on a mistake of the caller it panics.
#![forbid(unsafe_code)]

mod answer;
mod fault;
mod files;
mod request;
mod server;
mod tls;

pub use crate::{
    answer::Tags,
    fault::Fault,
    files::{block_on, install_tls, people, retry, store, wide, write_once, write_wide},
    server::{Counts, RangeServer},
    tls::CERTIFICATE,
};

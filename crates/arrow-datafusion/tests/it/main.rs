//! Queries of files and streams by this crate, beside DataFusion's own scan and the readers of `arrow-ipc`.

mod answers;
mod damage;
mod requests;
mod spill;
mod support;

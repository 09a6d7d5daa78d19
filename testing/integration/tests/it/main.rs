//! Tests of the integration executables: documents, comparison, and the interface to the public harness.
#![forbid(unsafe_code)]

mod arrays;
mod bad_documents;
mod contract;
mod differences;
mod generated;
mod gold;
mod streams;

//! Tests of the integration executables: documents, comparison, and the contract with the public harness.
#![forbid(unsafe_code)]

mod arrays;
mod bad_documents;
mod contract;
mod differences;
mod generated;
mod gold;
mod streams;

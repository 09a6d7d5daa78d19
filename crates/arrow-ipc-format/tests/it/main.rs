//! The tests of the crate.

mod agreement;
mod errors;

//! The target `stream` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("stream");

//! The target `random_stream` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("random_stream");

//! The target `file_and_stream` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("file_and_stream");

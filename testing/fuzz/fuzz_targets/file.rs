//! The target `file` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("file");

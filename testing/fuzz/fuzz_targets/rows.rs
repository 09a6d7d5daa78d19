//! The target `rows` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("rows");

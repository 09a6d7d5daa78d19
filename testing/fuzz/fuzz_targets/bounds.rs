//! The target `bounds` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("bounds");

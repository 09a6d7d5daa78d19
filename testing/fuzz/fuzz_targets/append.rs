//! The target `append` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("append");

//! The target `types` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("types");

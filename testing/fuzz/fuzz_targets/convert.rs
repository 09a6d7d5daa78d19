//! The target `convert` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("convert");

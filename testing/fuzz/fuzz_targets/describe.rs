//! The target `describe` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("describe");

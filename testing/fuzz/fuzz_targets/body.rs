//! The target `body` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("body");

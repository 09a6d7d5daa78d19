//! The target `recover` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("recover");

//! The target `policies` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("policies");

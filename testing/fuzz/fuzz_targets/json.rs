//! The target `json` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("json");

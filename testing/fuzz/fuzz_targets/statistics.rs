//! The target `statistics` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("statistics");

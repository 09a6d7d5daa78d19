//! The target `csv` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("csv");

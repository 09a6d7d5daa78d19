//! The target `dictionaries` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("dictionaries");

//! The target `schema` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("schema");

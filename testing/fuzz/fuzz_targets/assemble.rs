//! The target `assemble` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("assemble");

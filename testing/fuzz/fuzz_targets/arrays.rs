//! The target `arrays` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("arrays");

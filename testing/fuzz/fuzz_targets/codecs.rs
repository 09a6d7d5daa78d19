//! The target `codecs` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("codecs");

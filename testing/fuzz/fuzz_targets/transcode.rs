//! The target `transcode` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("transcode");

//! The target `manifests` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("manifests");

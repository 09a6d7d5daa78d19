//! The target `documents` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("documents");

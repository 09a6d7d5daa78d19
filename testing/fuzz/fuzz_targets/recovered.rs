//! The target `recovered` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("recovered");

//! The target `tensors` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("tensors");

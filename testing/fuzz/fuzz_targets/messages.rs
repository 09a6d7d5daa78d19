//! The target `messages` of `mutants`.
#![no_main]

arrow_fuzz::fuzz!("messages");

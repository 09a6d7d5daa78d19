//! Mutated Arrow data, everything that reads this data, and limits on the cost.
//!
//! - [`mutate`] changes a stream or file, using its known structure; [`Seeds`] are the files of the corpus.
//! - [`TARGETS`] are the functions for a fuzzer. Each accepts any bytes, and panics if something is wrong.
//!
//! The program `mutants` runs checks or targets for any number of mutants, and continues if one ends the process: `cargo
//! xtask hunt mutants` and `cargo xtask hunt fuzz`. `testing/fuzz` passes the targets to libFuzzer.
//!
//! This crate is not for programs: it panics if the caller makes a mistake.

mod check;
mod cost;
mod edits;
mod job;
mod mutator;
mod operations;
mod readers;
mod seeds;
mod share;
mod targets;
mod wire;

pub use crate::{
    check::{Depth, Verdict, caught, check, keep_panics_quiet},
    cost::{Bound, Cost, measured, run_in_bound},
    job::{Job, Judgement, Work},
    mutator::{mutate, mutate_any},
    readers::{Kind, Outcome, READERS, Reader, drive, run},
    seeds::{Mutant, Seeds},
    targets::{SeedSource, TARGETS, Target},
};

//! Mutated Arrow data, everything that reads it, and the bounds of what that may cost.
//!
//! - [`mutate`] changes a stream or file by what is known of its structure; [`Seeds`] are the corpus.
//! - [`check`] reads an input in every way, compares what the readers say, and uses what was read, all within bounds of memory
//!   and processor time.
//! - [`TARGETS`] are the parts that a fuzzer looks at one by one: each takes any bytes, and panics if something is wrong.
//!
//! The program `mutants` runs both for any number of mutants, each of which may end the process: `cargo xtask mutate` and
//! `cargo xtask fuzz`. `testing/fuzz` gives the targets to libFuzzer.
//!
//! Nothing here is meant for programs: on a mistake of the caller it panics.

mod check;
mod cost;
mod edits;
mod job;
mod mutator;
mod operations;
mod readers;
mod seeds;
mod targets;
mod wire;

pub use crate::{
    check::{Depth, Verdict, caught, check, keep_panics_quiet},
    cost::{Bound, Cost, measured},
    job::{Job, Judged, Work},
    mutator::{mutate, mutate_any},
    operations::use_batches,
    readers::{Kind, Outcome, READERS, Reader, drive, run},
    seeds::{Mutant, Seeds},
    targets::{SeedsOf, TARGETS, Target},
};

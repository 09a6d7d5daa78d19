//! Other implementations of Arrow beside ours: what writes golden files with arrow-rs, and what reads them.
//!
//! A workspace of its own, so that the dependencies of the peers stay out of ours. What golden files are made with is
//! own code over arrow-rs arrays: neither arrow-rs's display takes part, nor a crate of this project. The tests compare
//! both with each other; `rs_…` are the crates of arrow-rs, `arrow_…` those of this project.

pub mod c_data;
pub mod c_data_contests;
pub mod compression_contests;
pub mod content;
pub mod contest;
pub mod contests;
pub mod format;
pub mod golden_cases;
pub mod golden_folder;
pub mod ours;
pub mod schema_text;
pub mod seeded;
pub mod theirs;
pub mod value_contests;
pub mod value_json;

/// The examples of the README, which has lines for arrow-rs and polars, are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../crates/arrow-c-data/README.md")]
struct CDataReadme;

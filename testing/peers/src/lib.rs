//! Compares other implementations of Arrow with ours: writes golden files with arrow-rs, and reads them.
//!
//! This is a separate workspace, so that the dependencies of the peers are not dependencies of ours. Golden files are
//! made by code over arrow-rs arrays in this folder: it uses neither the text form of arrow-rs nor a crate of this
//! project. The tests compare both with each other. `rs_…` are the crates of arrow-rs, `arrow_…` those of this project.

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
pub mod spill_contests;
pub mod theirs;
pub mod value_contests;
pub mod value_json;

/// The examples of the README, one of which uses arrow-rs, are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../crates/arrow-c-data/README.md")]
struct CDataReadme;

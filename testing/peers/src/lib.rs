//! Other implementations of Arrow beside ours: what writes golden files with arrow-rs, and what reads them.
//!
//! A workspace of its own, so that the dependencies of the peers stay out of ours. The text of values and types is own
//! code over arrow-rs arrays: arrow-rs's display is not used, and neither are the crates of this project.

pub mod golden_cases;
pub mod golden_folder;
pub mod schema_text;
pub mod seeded;
pub mod value_json;

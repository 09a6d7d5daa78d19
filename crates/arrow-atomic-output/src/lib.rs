//! Output that appears when it is complete: files, and folders of files. Until then, they have temporary names.
//!
//! - [`AtomicFile`] is a file that gets its name in [`commit`](AtomicFile::commit).
//! - [`AtomicFolder`] is a folder that gets its name in [`publish`](AtomicFolder::publish).
//! - [`staging`] is for folders whose files several processes write.
//! - [`marks_incomplete`] finds the mark of a folder whose files do not all have their names yet.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod atomic_file;
mod atomic_folder;
pub mod staging;

mod early_sync;
mod folders;
mod incomplete;
mod permissions;
mod temporary;

pub use crate::{
    atomic_file::AtomicFile,
    atomic_folder::AtomicFolder,
    incomplete::{INCOMPLETE_FOLDER, marks_incomplete},
};

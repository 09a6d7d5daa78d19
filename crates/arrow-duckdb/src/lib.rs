//! An extension of DuckDB: `read_arrow` reads Arrow IPC files and streams, and `COPY … TO … (FORMAT arrow)` writes them. The
//! README says how; nothing here is for Rust programs.
//!
//! `capi` has the C interface of DuckDB as safe types. `border` catches panics. A query calls `bind`, then each of its threads
//! `scan`; `fit` decides what DuckDB reads of each type, `trust` knows which values, and `slots` how many. `metadata` lists files, `folders` makes
//! a query of folders, `copy` writes, and `copy_from` inserts.
//!
//! **Invariant:** a query ends with an error, and the process lives, whatever the bytes of files are.
#![deny(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4.

// Panics that do not unwind would end the process.
#[cfg(not(panic = "unwind"))]
compile_error!("the extension needs a profile whose panics unwind");

#[allow(unsafe_code)] // Exports the entry point by its name.
mod entry;

mod bind;
mod copy;
mod copy_from;
mod fit;
mod folders;
mod hive_types;
mod metadata;
mod scan;

mod location;
mod slots;
mod trust;

mod border;
#[allow(unsafe_code)] // Calls DuckDB.
mod capi;

//! The module of the npm package in `js`: reads and writes Arrow IPC files and streams for JavaScript. The README of that
//! package says how; nothing here is for Rust programs.
//!
//! `functions` lists what is exported. JavaScript does the I/O: it makes a plan, fetches the ranges that the plan needs, and
//! takes the result. Values live in a table of handles, and results of several numbers in a list. `columns` converts arrays
//! to the few forms that JavaScript reads.
//!
//! **Invariant:** no call traps, whatever its arguments and the bytes of files are: it returns −1, and `failure` has the text. Only
//! where the allocator has no memory left does the module end.
#![deny(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4.

#[allow(unsafe_code)] // Exports functions by their names.
mod functions;

mod file;
mod plan;
mod rows;
mod schema_json;

#[cfg(feature = "full")]
mod condition;
#[cfg(feature = "full")]
mod inspection;
#[cfg(feature = "recover")]
mod recovery;
#[cfg(feature = "full")]
mod statistics;
#[cfg(feature = "full")]
mod writer;

#[cfg(feature = "full")]
mod plain_type;
#[cfg(feature = "full")]
mod zones;

mod columns;

mod handles;

mod failure;
mod input;

//! The C interface: Arrow IPC files and streams are read and written over the C data interface. The header
//! `include/arrow_ipc.h` documents each function; nothing here is for Rust programs, which use `arrow-ipc`.
//!
//! `functions` lists what is exported. Each function is safe Rust: results and handles arrive as optional references and
//! boxes, and the types of `pointers` stand for what C promises about another pointer. `border` catches panics and reports
//! errors. All else is safe code over handles.
//!
//! **Invariant:** a C program that keeps to the header causes no undefined behaviour, whatever the bytes, options and
//! results of its callbacks are.
#![deny(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

// Panics that do not unwind would end the program that calls.
#[cfg(not(panic = "unwind"))]
compile_error!("the C interface needs a profile whose panics unwind, such as `c` of the workspace");

#[allow(unsafe_code)] // Exports functions by their names.
mod functions;

mod decoder;
mod encoder;
mod reader;
mod writer;

mod border;
mod callbacks;
#[cfg(feature = "condition")]
mod condition;
mod failure;
mod options;
#[allow(unsafe_code)] // Follows the pointers of C.
mod pointers;
mod turn;

//! Batches appended to files: of this library and of others, by a process that may be killed at any moment.

mod disk;
mod files;
mod incomplete;
mod killed;
mod refused;

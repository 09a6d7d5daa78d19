//! Batches appended to files: of this library and of others, by a process that may be killed at any moment.

mod disk;
mod files;
mod killed;
mod refused;
mod torn;

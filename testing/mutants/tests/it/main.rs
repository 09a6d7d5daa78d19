//! Tests a few mutants of every kind in each run: some are the same each time, some are random. Also tests faults of
//! input and output, since this crate has everything that reads and writes.

mod faults;
mod mutants_are_readable;
mod short;
mod shrinking;
mod targets;
mod threads;

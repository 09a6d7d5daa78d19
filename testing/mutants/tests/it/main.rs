//! A few mutants of every kind, with every run of the tests: the same ones, and others each time. And faults of input and output,
//! since here is everything that reads and writes.

mod faults;
mod mutants_are_readable;
mod short;
mod shrinking;
mod targets;
mod threads;

//! The output for changed dictionaries with each policy, and the results of readers.

mod grown;
mod harness;
mod identity;
mod ordered;
mod random;
mod refusals;
mod table;
mod values;

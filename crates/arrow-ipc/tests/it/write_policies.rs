//! What is written when dictionaries change, by each policy, and what a reader makes of it.

mod grown;
mod harness;
mod identity;
mod random;
mod refusals;
mod table;
mod values;

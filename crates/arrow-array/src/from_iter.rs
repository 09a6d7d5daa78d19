//! Arrays made of Rust values: numbers, booleans, text and bytes. Builders make those of all other types.
//!
//! `FromIterator` stands where making an array cannot fail, `try_from_iter` where the values together may be
//! longer than the type can say.

mod numbers;
mod strings;

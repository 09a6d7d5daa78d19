//! Tests of selection, comparison, values as bytes and growth through the public API.

mod blank;
mod compare;
mod deep;
mod differences;
mod disguise;
mod grow;
mod select;
mod select_budget;
mod select_dictionaries;
mod used;
mod value_bytes;

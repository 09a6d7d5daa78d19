//! Formats numbers and text from outside, as errors and notes show them.

mod escape;
mod numbers;

pub use self::{
    escape::{Escaped, EscapedJson, first_chars},
    numbers::{Counted, Grouped},
};

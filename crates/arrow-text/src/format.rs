//! Formats numbers and text from outside, as errors and notes show them.

mod escape;
mod limited;
mod numbers;

pub use self::{
    escape::{Escaped, EscapedJson, first_chars},
    limited::LimitedText,
    numbers::{Counted, Grouped},
};

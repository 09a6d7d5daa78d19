//! Formats numbers and text from outside, as errors and notes show them.

mod escape;
mod limited;
mod numbers;

pub use self::{
    escape::{Escaped, EscapedJson},
    limited::first_chars,
    numbers::{Counted, Grouped},
};
pub(crate) use self::{limited::LimitedText, numbers::listed};

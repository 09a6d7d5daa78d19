//! Formats numbers and text from outside, as errors and notes show them.
//!
//! All texts of the program write counts as `2,000 batches`. Positions, indices and ids have no commas, because people copy them
//! and search for them.

mod escape;
mod limited;

use std::fmt;

pub use self::{
    escape::{Escaped, EscapedJson, first_chars},
    limited::LimitedText,
};

/// Formats a number with commas: `2,000`.
#[derive(Debug, Clone, Copy)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousands = self.0 / 1000;
        let rest = self.0 % 1000;
        f.pad(&if thousands == 0 { rest.to_string() } else { format!("{},{rest:03}", Grouped(thousands)) })
    }
}

/// Formats a number and what it counts: `1 batch`, `2,000 batches`.
#[derive(Debug, Clone, Copy)]
pub struct Counted(pub u64, pub &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counted(n, noun) = *self;
        let end = match (n, noun.ends_with("ch")) {
            (1, _) => "",
            (_, true) => "es",
            (_, false) => "s",
        };
        write!(f, "{} {noun}{end}", Grouped(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let cases = [
            (0, "0"),
            (12, "12"),
            (999, "999"),
            (1_000, "1,000"),
            (20_000_000, "20,000,000"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ];
        for (number, text) in cases {
            assert_eq!(Grouped(number).to_string(), text);
        }
        assert_eq!(Counted(1, "batch").to_string(), "1 batch");
        assert_eq!(Counted(0, "batch").to_string(), "0 batches");
    }
}

//! Formats numbers for people: `2,000 batches`.

use std::fmt;

/// A number with a comma between thousands.
pub(crate) struct Grouped(pub(crate) u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousands = self.0 / 1000;
        if thousands == 0 {
            return self.0.fmt(f);
        }
        write!(f, "{},{:03}", Grouped(thousands), self.0 % 1000)
    }
}

/// A number of things: `1 batch`, `2,000 batches`.
pub(crate) struct Counted(pub(crate) u64, pub(crate) &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counted(n, noun) = *self;
        let end = match (n, noun.ends_with("ch")) {
            (1, _) => "",
            (_, true) => "es",
            (_, false) => "s",
        };
        Grouped(n).fmt(f)?;
        write!(f, " {noun}{end}")
    }
}

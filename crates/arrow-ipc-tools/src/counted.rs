//! Formats numbers for people: `2,000 batches`.

use std::fmt;

/// A number with a comma between thousands.
#[derive(Debug, Clone, Copy)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (thousands, rest) = (self.0 / 1000, self.0 % 1000);
        f.pad(&if thousands == 0 { rest.to_string() } else { format!("{},{rest:03}", Grouped(thousands)) })
    }
}

/// A number of things: `1 batch`, `2,000 batches`.
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

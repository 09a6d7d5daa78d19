//! Formats numbers for people: `2,000 batches`, `12.5 %`, `4.00 : 1`.
//!
//! All texts of the program write counts in these forms. Positions, indices and ids have no commas, because people
//! copy them and search for them.

use std::fmt;

/// Formats a number with commas: `2,000`.
#[derive(Debug, Clone, Copy)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (thousands, rest) = (self.0 / 1000, self.0 % 1000);
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

/// The text that follows a number of complete batches and gives the number of incomplete batches. Empty if there are
/// none.
pub fn incomplete(n_truncated: u64, n_unreadable: u64) -> String {
    let words = [(n_truncated, "truncated"), (n_unreadable, "unreadable")];
    let words = words.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", Grouped(n)));
    match &words.collect::<Vec<_>>()[..] {
        [] => String::new(),
        words => format!(", and {}", words.join(" and ")),
    }
}

/// Formats a part of a whole in percent, rounded to one digit after the point.
pub fn percent_of(part: u64, whole: u64) -> String {
    let whole = u128::from(whole.max(1));
    let tenths = u128::from(part).saturating_mul(1000).saturating_add(whole / 2) / whole;
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// Formats the ratio of the whole to a part, rounded down to two digits after the point.
pub fn ratio_of(whole: u64, part: u64) -> String {
    let hundredths = u128::from(whole).saturating_mul(100) / u128::from(part.max(1));
    let times = u64::try_from(hundredths / 100).unwrap_or(u64::MAX);
    format!("{}.{:02} : 1", Grouped(times), hundredths % 100)
}

/// Joins items with commas.
pub(crate) fn listed<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
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
        assert_eq!(incomplete(0, 0), "");
        assert_eq!(incomplete(1, 0), ", and 1 truncated");
        assert_eq!(incomplete(1, 2_000), ", and 1 truncated and 2,000 unreadable");
    }

    #[test]
    fn shares_have_one_digit() {
        let cases = [
            (1, 3, "33.3 %"),
            (2, 3, "66.7 %"),
            (6881, 10_154, "67.8 %"),
            (1, 1, "100.0 %"),
            (0, 0, "0.0 %"),
        ];
        for (part, whole, text) in cases {
            assert_eq!(percent_of(part, whole), text);
        }
    }
}

//! Formats shares, ratios and numbers of incomplete batches for people.

use arrow_text::format::Grouped;

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
pub(crate) fn percent_of(part: u64, whole: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_batches_follow_complete_ones() {
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

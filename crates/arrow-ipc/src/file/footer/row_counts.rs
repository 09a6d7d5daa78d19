//! Row counts in the custom metadata of a footer, as Polars writes them: a JSON object with the number of rows up to the
//! end of each batch. Row counts are stated by the producer. Counts that do not fit the blocks are ignored.

use std::fmt::Write;

const MEMBER: &str = "record_batch_cum_len";

/// The largest number of rows that Polars can read.
const MOST_ROWS: u64 = i64::MAX.unsigned_abs();

/// The number of rows of each batch. All together may be more than a footer can express.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BatchRowCounts {
    by_batch: Vec<u64>,
    total: u128,
}

impl BatchRowCounts {
    /// Parses the row counts of a footer with `n_batches` batches. Returns `None` if there are more or fewer counts
    /// than batches, or if counts decrease, are negative, or exceed 2⁶³ − 1.
    pub(crate) fn parse(json: &str, n_batches: usize) -> Option<BatchRowCounts> {
        let list = member(json, MEMBER)?.strip_prefix('[')?.strip_suffix(']')?.trim();
        // The memory depends on the number of batches, not on the length of the text.
        let mut by_batch = Vec::with_capacity(n_batches);
        let mut last = 0;
        let numbers = (!list.is_empty()).then(|| list.split(','));
        for number in numbers.into_iter().flatten() {
            let number = number.trim();
            if !number.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let end = number.parse::<u64>().ok()?;
            if end > MOST_ROWS || by_batch.len() == n_batches {
                return None;
            }
            by_batch.push(end.checked_sub(last)?);
            last = end;
        }
        (by_batch.len() == n_batches).then_some(BatchRowCounts { by_batch, total: last.into() })
    }

    pub(crate) fn push(&mut self, n_rows: u64) {
        self.by_batch.push(n_rows);
        self.total += u128::from(n_rows);
    }

    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }

    pub(crate) fn truncate(&mut self, n_batches: usize) {
        let removed = self.by_batch.drain(n_batches.min(self.by_batch.len())..);
        self.total -= removed.map(u128::from).sum::<u128>();
    }

    pub(crate) fn n_batches(&self) -> usize {
        self.by_batch.len()
    }

    /// Whether the JSON of a footer can have the counts.
    pub(crate) fn fits(&self) -> bool {
        self.total <= MOST_ROWS.into()
    }

    /// An upper bound of the length of the list that [`to_json`](BatchRowCounts::to_json) writes. The last number is the
    /// longest.
    // Only few files need it, and the division of 128 bits would keep what asks for it from being inlined.
    #[inline(never)]
    pub(crate) fn most_json_bytes(&self) -> u64 {
        let n_digits = self.total.checked_ilog10().unwrap_or(0) + 1;
        (self.by_batch.len() as u64).saturating_mul(u64::from(n_digits) + 1)
    }

    /// The number of rows of all batches. `None` if it exceeds 2⁶⁴ − 1.
    pub(crate) fn n_rows(&self) -> Option<u64> {
        u64::try_from(self.total).ok()
    }

    pub(crate) fn n_rows_of(&self, batch_idx: usize) -> Option<u64> {
        self.by_batch.get(batch_idx).copied()
    }

    pub(crate) fn to_json(&self) -> String {
        let mut json = format!("{{\"{MEMBER}\":[");
        let mut end = 0_u128;
        for (batch_idx, n_rows) in self.by_batch.iter().enumerate() {
            let comma = if batch_idx > 0 { "," } else { "" };
            end += u128::from(*n_rows);
            // Writing to a `String` cannot fail.
            let _ = write!(json, "{comma}{end}");
        }
        json.push_str("]}");
        json
    }
}

/// The text of the value with this name in a JSON object. Skips other values without parsing them.
fn member<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = json.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    while !rest.is_empty() {
        let (key, after) = rest.strip_prefix('"')?.split_once('"')?;
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        let n_bytes = n_value_bytes(value);
        let (value, after) = value.split_at_checked(n_bytes)?;
        if key == name {
            return Some(value.trim_end());
        }
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
    }
    None
}

/// The length of the JSON value at the start of `text`.
fn n_value_bytes(text: &str) -> usize {
    let mut depth = 0i64;
    let mut is_in_text = false;
    let mut is_escaped = false;
    for (position, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_in_text => is_escaped = true,
            b'"' => is_in_text = !is_in_text,
            _ if is_in_text => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b',' if depth == 0 => return position,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_or_taken_as_if_they_were_not_there() {
        let parse =
            |json: &str, n_batches| BatchRowCounts::parse(json, n_batches).map(|counts| counts.by_batch);
        let three = r#"{"record_batch_cum_len":[3,6,10]}"#;
        assert_eq!(parse(three, 3), Some(vec![3, 3, 4]));
        let spaced = r#" { "other" : {"a,\"": [1, {"record_batch_cum_len":[1]}], "b": "],"} , "record_batch_cum_len" : [ 0 , 9223372036854775807 ] , "c": null } "#;
        assert_eq!(parse(spaced, 2), Some(vec![0, i64::MAX as u64]));
        assert_eq!(parse(r#"{"record_batch_cum_len":[]}"#, 0), Some(vec![]));
        for (json, n_batches) in [
            // Too many numbers, and too few numbers.
            (three, 2),
            (three, 4),
            (r#"{"record_batch_cum_len":[]}"#, 1),
            // Numbers that decrease, are negative or too large, and values that are no numbers.
            (r#"{"record_batch_cum_len":[3,2]}"#, 2),
            (r#"{"record_batch_cum_len":[-1]}"#, 1),
            (r#"{"record_batch_cum_len":[+1]}"#, 1),
            (r#"{"record_batch_cum_len":[9223372036854775808]}"#, 1),
            (r#"{"record_batch_cum_len":[99999999999999999999999]}"#, 1),
            (r#"{"record_batch_cum_len":[1.0]}"#, 1),
            (r#"{"record_batch_cum_len":[1,]}"#, 1),
            (r#"{"record_batch_cum_len":[,]}"#, 0),
            (r#"{"record_batch_cum_len":1}"#, 1),
            (r#"{"record_batch_cum_len":"[1]"}"#, 1),
            // An object without this name, and values that are no object.
            (r#"{"other":[1]}"#, 1),
            ("[1]", 1),
            ("{", 1),
            ("{}", 1),
            ("", 1),
            (r#"{"a""#, 1),
            (r#"{"a":"}"#, 1),
            (r#"{"a":]]]}"#, 1),
        ] {
            assert_eq!(parse(json, n_batches), None, "{json}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut counts = BatchRowCounts::default();
        assert_eq!(BatchRowCounts::parse(&counts.to_json(), 0), Some(counts.clone()));
        [3, 0, 7].into_iter().for_each(|n_rows| counts.push(n_rows));
        assert_eq!(counts.to_json(), r#"{"record_batch_cum_len":[3,3,10]}"#);
        assert_eq!(BatchRowCounts::parse(&counts.to_json(), 3), Some(counts.clone()));
        assert_eq!([0, 2, 3].map(|batch_idx| counts.n_rows_of(batch_idx)), [Some(3), Some(7), None]);
    }

    #[test]
    fn batches_may_have_more_rows_than_a_footer_can_express() {
        let mut counts = BatchRowCounts::default();
        for (n_rows, total, fits) in
            [(MOST_ROWS, Some(MOST_ROWS), true), (MOST_ROWS, Some(u64::MAX - 1), false), (5, None, false)]
        {
            counts.push(n_rows);
            assert_eq!((counts.n_rows(), counts.fits()), (total, fits));
        }
        assert_eq!(counts.n_rows_of(2), Some(5));
        counts.truncate(1);
        assert_eq!((counts.n_rows(), counts.fits(), counts.n_batches()), (Some(MOST_ROWS), true, 1));
        assert_eq!(BatchRowCounts::parse(&counts.to_json(), 1), Some(counts));
    }
}

//! Numbers in arguments, whose errors are in plain words.

use std::str::FromStr;

/// A number that may not be 0.
pub(crate) fn at_least_1<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "must be at least 1, and a whole number below 2^64")
}

/// A number that may be 0.
pub(crate) fn at_least_0(text: &str) -> Result<u64, &'static str> {
    if text.starts_with('+') {
        // `tail -n +3` of other programs begins at the third line.
        return Err("must be a number without a sign; `cat --offset N` skips the first N rows");
    }
    text.parse().map_err(|_| "must be at least 0, and a whole number below 2^64")
}

//! Random values.

use std::fmt::Write;

use super::{
    columns::{Generator, write_numbers},
    fields::{Kind, UNITS, quoted},
    views::hex,
};
use crate::separated::separated;

const MILLISECONDS_PER_DAY: i64 = 86_400_000;

/// Characters of one to four bytes, and characters that JSON escapes.
const CHARACTERS: [char; 16] =
    ['a', 'b', 'Z', '0', ' ', '"', '\\', '\n', '\u{1}', 'é', 'ß', '€', '\u{2028}', '矢', '🏹', '𝛼'];

impl Generator {
    /// Appends the values of all slots. Null slots also have values, except for text and bytes of variable size.
    pub(super) fn write_values(&mut self, out: &mut String, kind: &Kind, valid: &[bool]) {
        let (n_bits, is_text) = match kind {
            Kind::Text { n_bits } => (*n_bits, true),
            Kind::Bytes { n_bits } => (*n_bits, false),
            _ => {
                out.push_str(",\"DATA\":");
                return separated(out, valid, |out, _| out.push_str(&self.value(kind)));
            }
        };
        let mut offsets = vec![0];
        let mut end = 0;
        let mut data = Vec::new();
        for is_valid in valid {
            let n_chars = if *is_valid { self.rng.below(9) } else { 0 };
            if is_text {
                let text = self.text(n_chars);
                end += text.len();
                data.push(quoted(&text));
            } else {
                end += n_chars;
                data.push(hex(&self.rng.bytes(n_chars)));
            }
            offsets.push(end);
        }
        write_numbers(out, "OFFSET", &offsets, n_bits);
        out.push_str(",\"DATA\":");
        separated(out, data, |out, value: String| out.push_str(&value));
    }

    /// A text with `n_chars` characters.
    pub(super) fn text(&mut self, n_chars: usize) -> String {
        (0..n_chars).map(|_| *self.rng.pick(&CHARACTERS)).collect()
    }

    fn value(&mut self, kind: &Kind) -> String {
        match kind {
            Kind::Bool => self.rng.one_in(2).to_string(),
            Kind::Int { signed: true, n_bits } => self.signed(*n_bits),
            Kind::Int { signed: false, n_bits } => self.unsigned(*n_bits),
            Kind::Float(precision) => self.float(precision),
            Kind::Decimal { precision, .. } => self.decimal(*precision),
            Kind::Date { wide: false } => self.rng.within(-1_000_000..=1_000_000).to_string(),
            Kind::Date { wide: true } => {
                format!("\"{}\"", self.rng.within(-1_000_000..=1_000_000) * MILLISECONDS_PER_DAY)
            }
            Kind::Time(unit) => self.time(unit),
            Kind::Timestamp(..) | Kind::Duration(_) => self.signed(64),
            Kind::Interval("YEAR_MONTH") => self.signed(32),
            Kind::Interval("DAY_TIME") => {
                let (days, milliseconds) = (self.signed(32), self.signed(32));
                format!("{{\"days\":{days},\"milliseconds\":{milliseconds}}}")
            }
            Kind::Interval(_) => {
                let (months, days) = (self.signed(32), self.signed(32));
                let nanoseconds = self.signed(64);
                let nanoseconds = nanoseconds.trim_matches('"');
                format!("{{\"months\":{months},\"days\":{days},\"nanoseconds\":{nanoseconds}}}")
            }
            Kind::FixedBytes(n_bytes) => hex(&self.rng.bytes(*n_bytes)),
            // All others have no `DATA`, or one of another form.
            _ => "null".to_owned(),
        }
    }

    fn signed(&mut self, n_bits: u32) -> String {
        let up = 64 - n_bits;
        shown((self.bits(n_bits) << up).cast_signed() >> up, n_bits)
    }

    fn unsigned(&mut self, n_bits: u32) -> String {
        let up = 64 - n_bits;
        shown(self.bits(n_bits) << up >> up, n_bits)
    }

    /// The bits of an integer. It is often small, or near the limits of its range. Higher bits must be ignored.
    fn bits(&mut self, n_bits: u32) -> u64 {
        match self.rng.below(6) {
            0 => 0,
            1 => u64::MAX,
            2 => u64::MAX >> 1 >> (64 - n_bits),
            3 => 1 << (n_bits - 1),
            4 => self.rng.bits() & 0x7F,
            _ => self.rng.bits(),
        }
    }

    /// A number with at most three digits after the point.
    fn float(&mut self, precision: &str) -> String {
        let max = if precision == "HALF" { 60_000 } else { 1_000_000 };
        let whole = self.rng.within(-max..=max);
        match self.rng.below(4) {
            0 => whole.to_string(),
            1 => format!("{whole}.{}", self.rng.below(10)),
            _ => format!("{whole}.{:03}", self.rng.below(1_000)),
        }
    }

    /// A decimal with at most `precision` digits.
    fn decimal(&mut self, precision: usize) -> String {
        let n_digits = if self.rng.one_in(3) { precision } else { 1 + self.rng.below(precision) };
        let mut text = String::from(if self.rng.one_in(2) { "\"-" } else { "\"" });
        let _ = write!(text, "{}", 1 + self.rng.below(9));
        text.extend((1..n_digits).map(|_| char::from(b'0' + u8::try_from(self.rng.below(10)).unwrap_or(0))));
        text.push('"');
        text
    }

    /// A time within a day.
    fn time(&mut self, unit: &str) -> String {
        let per_second = [1, 1_000, 1_000_000, 1_000_000_000];
        let idx = UNITS.iter().position(|known| *known == unit).unwrap_or(0);
        let value = self.rng.within(0..=86_400 * per_second[idx] - 1);
        if idx < 2 { value.to_string() } else { format!("\"{value}\"") }
    }
}

/// A number as JSON: a string if it has 64 bits.
fn shown(number: impl std::fmt::Display, n_bits: u32) -> String {
    if n_bits == 64 { format!("\"{number}\"") } else { number.to_string() }
}

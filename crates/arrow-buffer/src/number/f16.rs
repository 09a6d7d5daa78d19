//! Half-precision floating point.

use std::cmp::Ordering;
use std::fmt;
use std::num::ParseFloatError;
use std::str::FromStr;

use super::notation::Notation;

/// An IEEE 754 number of 16 bits: 1 of sign, 5 of exponent, 10 of fraction.
///
/// Compares like other floating-point numbers: 0.0 equals -0.0, and NaN does not equal itself. To compare bits, use
/// [`F16::to_bits`]. The text form is the shortest text that is parsed to the same number.
///
/// ```
/// use arrow_buffer::F16;
///
/// assert_eq!(F16::from_f32(0.1).to_string(), "0.1");
/// assert_eq!(F16::from_f32(0.1).to_f32(), 0.099975586);
/// ```
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct F16(pub(crate) u16);

/// The bits of infinity without the sign bit: all bits of the exponent are set.
const INFINITY: u16 = 0x7c00;

impl F16 {
    /// The number with these bits.
    pub const fn from_bits(bits: u16) -> F16 {
        F16(bits)
    }

    /// The bits: the highest is the sign, then come exponent and fraction.
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Whether the value is NaN.
    pub const fn is_nan(self) -> bool {
        self.0 & 0x7fff > INFINITY
    }

    /// The same number as an `f32`. The conversion is exact.
    pub fn to_f32(self) -> f32 {
        let sign = u32::from(self.0 & 0x8000) << 16;
        let magnitude = u32::from(self.0 & 0x7fff);
        if magnitude >= u32::from(INFINITY) {
            return f32::from_bits(sign | 0x7f80_0000 | (magnitude & 0x03ff) << 13);
        }
        if magnitude < 0x0400 {
            // A subnormal number is a multiple of 2^-24.
            let value = magnitude as f32 * (1.0 / 16_777_216.0);
            return f32::from_bits(sign | value.to_bits());
        }
        f32::from_bits(sign | ((magnitude << 13) + (112 << 23)))
    }

    /// The number nearest to `value`. If two numbers are equally near, the result is the one whose last bit is 0. If
    /// `value` is too large, the result is an infinity.
    pub fn from_f32(value: f32) -> F16 {
        F16::from_f64(f64::from(value))
    }

    /// The number nearest to `value`. If two numbers are equally near, the result is the one whose last bit is 0. If
    /// `value` is too large, the result is an infinity.
    pub fn from_f64(value: f64) -> F16 {
        let bits = value.to_bits();
        let sign = (bits >> 48) as u16 & 0x8000;
        let magnitude = bits & (u64::MAX >> 1);
        let exponent = magnitude >> 52;
        if magnitude > 0x7ff << 52 {
            // NaN stays NaN, even if only zeros are left of its payload.
            return F16(sign | 0x7e00 | (magnitude >> 42) as u16 & 0x01ff);
        }
        if exponent >= 1023 + 16 {
            return F16(sign | INFINITY);
        }
        if exponent >= 1023 - 14 {
            // Rounding up may carry into the exponent. The result is then the next number or infinity, which is right.
            return F16(sign | round_to_even(magnitude - (1008 << 52), 42));
        }
        if exponent < 1023 - 25 {
            return F16(sign);
        }
        // A subnormal number is a multiple of 2^-24.
        let fraction = magnitude & ((1 << 52) - 1) | 1 << 52;
        F16(sign | round_to_even(fraction, 1051 - exponent))
    }

    /// The `f32` that is nearest to the shortest decimal text of this number. Of several such texts, this one is the
    /// nearest to the number; of two equally near, the one whose last digit is even.
    fn shortest(self) -> f32 {
        let exact = self.to_f32();
        if self.is_nan() || exact.is_infinite() {
            return exact;
        }
        let size = exact.abs();
        let is_same = |short: &f32| F16::from_f32(*short).0 == self.0 & 0x7fff;
        for n_digits in 0..5 {
            let text = DigitText::from_args(format_args!("{size:.n_digits$e}"));
            // Above a power of two, texts that are farther away are read back as it than below: the next greater text
            // may be, where the nearest one is not.
            if let Some(short) = text.value().filter(is_same).or_else(|| text.next_value().filter(is_same)) {
                return short.copysign(exact);
            }
        }
        exact
    }
}

/// `value` shifted right by `n_bits`, rounded to the nearest number. If two numbers are equally near, the result is the
/// even number.
fn round_to_even(value: u64, n_bits: u64) -> u16 {
    let rounded = (value >> n_bits) as u16;
    let dropped = value & ((1 << n_bits) - 1);
    let half = 1 << (n_bits - 1);
    let is_odd = rounded & 1 == 1;
    rounded + u16::from(dropped > half || dropped == half && is_odd)
}

/// The text of a number of at most six digits, with its exponent.
#[derive(Default)]
struct DigitText {
    bytes: [u8; 16],
    n_bytes: usize,
}

impl DigitText {
    /// An empty text if the text would be longer.
    fn from_args(text: fmt::Arguments<'_>) -> DigitText {
        let mut digits = DigitText::default();
        match fmt::write(&mut digits, text) {
            Ok(()) => digits,
            Err(fmt::Error) => DigitText::default(),
        }
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.n_bytes]).unwrap_or_default()
    }

    fn value(&self) -> Option<f32> {
        self.as_str().parse().ok()
    }

    /// The value of the text whose last digit is one more.
    fn next_value(&self) -> Option<f32> {
        let (digits, exponent) = self.as_str().split_once('e')?;
        let n_after_point = digits.split_once('.').map_or(0, |(_, after)| after.len());
        let digits = digits.bytes().filter(u8::is_ascii_digit);
        let number = digits.fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
        let exponent = exponent.parse::<i32>().ok()? - n_after_point as i32;
        DigitText::from_args(format_args!("{}e{exponent}", number + 1)).value()
    }
}

impl fmt::Write for DigitText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let spare = self.bytes.get_mut(self.n_bytes..self.n_bytes + text.len()).ok_or(fmt::Error)?;
        spare.copy_from_slice(text.as_bytes());
        self.n_bytes += text.len();
        Ok(())
    }
}

impl PartialEq for F16 {
    fn eq(&self, other: &F16) -> bool {
        self.to_f32() == other.to_f32()
    }
}

impl PartialOrd for F16 {
    fn partial_cmp(&self, other: &F16) -> Option<Ordering> {
        self.to_f32().partial_cmp(&other.to_f32())
    }
}

impl From<F16> for f32 {
    fn from(value: F16) -> f32 {
        value.to_f32()
    }
}

impl From<F16> for f64 {
    fn from(value: F16) -> f64 {
        f64::from(value.to_f32())
    }
}

impl FromStr for F16 {
    type Err = ParseFloatError;

    /// Rounds to 64 bits with the standard library, and then to 16 bits. This is right unless the first result is midway
    /// between two numbers of 16 bits. Then the text decides on which side of the midpoint the number is.
    fn from_str(text: &str) -> Result<F16, ParseFloatError> {
        let near: f64 = text.parse()?;
        let [below, above] = [near.next_down(), near.next_up()].map(F16::from_f64);
        if near == 0.0 || 2.0 * near != finite(below) + finite(above) {
            return Ok(F16::from_f64(near));
        }
        // All digits of the midpoint, which is a multiple of 2⁻²⁵.
        let middle = format!("{:.25}", near.abs());
        let [written, middle] = [text, &middle].map(Notation::parse);
        let side = written.zip(middle).map(|(written, middle)| written.cmp_magnitude(&middle));
        let (toward_zero, away) = if near < 0.0 { (above, below) } else { (below, above) };
        Ok(match side {
            Some(Ordering::Less) => toward_zero,
            Some(Ordering::Greater) => away,
            Some(Ordering::Equal) | None => F16::from_f64(near),
        })
    }
}

/// The value of a number as `f64`. An infinity becomes the number after the largest finite one.
fn finite(number: F16) -> f64 {
    f64::from(number).clamp(-65_536.0, 65_536.0)
}

impl fmt::Display for F16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if f.precision().is_some() { self.to_f32() } else { self.shortest() };
        fmt::Display::fmt(&value, f)
    }
}

impl fmt::Debug for F16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if f.precision().is_some() { self.to_f32() } else { self.shortest() };
        fmt::Debug::fmt(&value, f)
    }
}

#[cfg(test)]
mod tests {
    use super::F16;

    #[test]
    fn every_number_survives_f32_and_text() {
        for bits in 0..=u16::MAX {
            let number = F16::from_bits(bits);
            if number.is_nan() {
                assert!(number.to_f32().is_nan());
                assert!(F16::from_f32(number.to_f32()).is_nan());
                assert_eq!(F16::from_f32(number.to_f32()).to_bits() & 0x8000, bits & 0x8000);
                continue;
            }
            assert_eq!(F16::from_f32(number.to_f32()).to_bits(), bits);
            assert_eq!(number.to_string().parse::<F16>().map(F16::to_bits), Ok(bits));
            assert_eq!(format!("{number:?}").parse::<F16>().map(F16::to_bits), Ok(bits));
        }
    }

    /// Compares whole numbers of one unit, which are exact.
    #[test]
    fn text_has_the_fewest_digits_and_of_these_the_nearest() {
        // All numbers, and the midpoints between them, are multiples of 2⁻²⁵, which is 5²⁵ · 10⁻²⁵.
        let units = |number: F16| (f64::from(number) * f64::from(1 << 24)) as u128 * 2 * 5_u128.pow(25);
        for bits in 1..0x7c00_u16 {
            let [below, number, above] = [bits - 1, bits, bits + 1].map(F16::from_bits);
            let value = units(number);
            let above = if above.to_f32().is_finite() { units(above) } else { 2 * value - units(below) };
            let (lower, upper) = ((units(below) + value) / 2, (value + above) / 2);
            let is_same = |other: u128| match bits % 2 {
                0 => (lower..=upper).contains(&other),
                _ => lower < other && other < upper,
            };
            let (unit, digits) = (0..30)
                .rev()
                .find_map(|power| {
                    let unit = 10_u128.pow(power);
                    let found = [value / unit, value / unit + 1].into_iter().filter(|n| is_same(n * unit));
                    let nearest = found.min_by_key(|n| ((n * unit).abs_diff(value), n % 2))?;
                    Some((unit, nearest))
                })
                .unwrap();
            for (bits, sign) in [(bits, ""), (bits | 0x8000, "-")] {
                let text = F16::from_bits(bits).to_string();
                let text = text.strip_prefix(sign).unwrap();
                let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
                let written = format!("{whole}{fraction:0<25}").parse::<u128>().unwrap();
                assert_eq!(written, unit * digits, "{text}");
            }
        }
    }

    #[test]
    fn rounds_to_the_nearest_and_ties_to_even() {
        // Between two neighbours, values below the middle are rounded down, and values above it up.
        for bits in 0..0x7bff_u16 {
            let (low, high) = (f64::from(F16(bits)), f64::from(F16(bits + 1)));
            let middle = (low + high) / 2.0;
            for sign in [1.0, -1.0] {
                let sign_bit = if sign < 0.0 { 0x8000 } else { 0 };
                assert_eq!(F16::from_f64(sign * middle.next_down()).0, sign_bit | bits);
                assert_eq!(F16::from_f64(sign * middle.next_up()).0, sign_bit | (bits + 1));
                assert_eq!(F16::from_f64(sign * middle).0, sign_bit | (bits + (bits & 1)));
            }
        }
    }

    #[test]
    fn values_by_hand() {
        for (value, bits, text) in [
            (0.0, 0x0000, "0"),
            (-0.0, 0x8000, "-0"),
            (1.0, 0x3c00, "1"),
            (-2.0, 0xc000, "-2"),
            (65504.0, 0x7bff, "65500"),
            (65519.9, 0x7bff, "65500"),
            (65520.0, 0x7c00, "inf"),
            (f32::INFINITY, 0x7c00, "inf"),
            (f32::NEG_INFINITY, 0xfc00, "-inf"),
            (f32::MAX, 0x7c00, "inf"),
            (6.0e-8, 0x0001, "0.00000006"),
            (2.9e-8, 0x0000, "0"),
            (0.333_333_34, 0x3555, "0.3333"),
            (6.103_515_6e-5, 0x0400, "0.00006104"),
            (62.625, 0x53d4, "62.62"),
            (-58.625, 0xd354, "-58.62"),
        ] {
            let number = F16::from_f32(value);
            assert_eq!(number.to_bits(), bits, "{value}");
            assert_eq!(number.to_string(), text, "{value}");
        }
        assert!(F16::from_f32(f32::NAN).is_nan());
        assert_ne!(F16::from_f32(f32::NAN), F16::from_f32(f32::NAN));
        assert_eq!(F16::from_f32(0.0), F16::from_f32(-0.0));
        assert_eq!(format!("{:?}", F16::from_f32(1.0)), "1.0");
        assert_eq!(format!("{:.2}", F16::from_f32(0.1)), "0.10");
    }

    #[test]
    fn halves_are_rounded_once() {
        let beside = "2049.00000000000000000001".parse().map(F16::to_f32);
        assert_eq!(beside, Ok(2050.0));
        for bits in 0..0x7bff_u16 {
            let [low, high] = [bits, bits + 1].map(F16::from_bits);
            let middle = format!("{:.25}", (f64::from(low) + f64::from(high)) / 2.0);
            let last = middle.rfind(|char: char| ('1'..='9').contains(&char)).expect("it is not zero");
            // Slightly less than the midpoint: the last digit is one less, and only nines follow.
            let less: String = middle
                .char_indices()
                .map(|(at, char)| match char {
                    '.' => '.',
                    _ if at < last => char,
                    _ if at == last => (char as u8 - 1) as char,
                    _ => '9',
                })
                .collect();
            let even = if bits % 2 == 0 { low } else { high };
            for (text, expected) in
                [(format!("{less}9999"), low), (middle.clone(), even), (middle + "0001", high)]
            {
                for (text, expected) in [
                    (text.clone(), expected),
                    (format!("-{text}"), F16::from_bits(expected.to_bits() | 0x8000)),
                ] {
                    assert_eq!(text.parse().map(F16::to_bits), Ok(expected.to_bits()), "{text}");
                }
            }
        }
    }
}

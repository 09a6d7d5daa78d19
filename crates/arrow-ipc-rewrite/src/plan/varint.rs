//! Encodes and decodes numbers as LEB128: one to ten bytes with seven bits each. Packed shapes consist of
//! such numbers, which are no part of the Arrow format.

/// Appends a number.
pub(super) fn push(to: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        to.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Decodes the numbers in a slice.
#[derive(Debug)]
pub(super) struct Varints<'a>(&'a [u8]);

impl Varints<'_> {
    /// The numbers in these bytes.
    pub(super) fn new(bytes: &[u8]) -> Varints<'_> {
        Varints(bytes)
    }

    /// Decodes the next number. Returns `None` if it is truncated or exceeds 64 bits.
    #[allow(clippy::should_implement_trait)] // `None` is an error here, not an end.
    pub(super) fn next(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has only one bit of a 64-bit number.
            if bits.checked_shl(shift).is_none_or(|shifted| shifted >> shift != bits) {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 1 << 62, 1 << 63, u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|number| push(&mut bytes, *number));
        assert_eq!(bytes[..6], [0, 1, 0x7f, 0x80, 1, 0xff]);
        let mut found = Varints::new(&bytes);
        assert!(numbers.iter().all(|number| found.next() == Some(*number)));
        assert_eq!(found.next(), None);
        for wrong in [&[][..], &[0x80], &[0xff; 9], &[0xff; 10], &[0xff; 11]] {
            assert_eq!(Varints::new(wrong).next(), None);
        }
        let too_large = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2];
        assert_eq!(Varints::new(&too_large).next(), None);
    }
}

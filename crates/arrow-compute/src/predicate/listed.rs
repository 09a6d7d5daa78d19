//! Finds texts and bytes in the list of `in`.

use arrow_buffer::ends_of;

/// The constants of a list, which are found by the ends of their bytes first.
#[derive(Debug)]
pub(super) struct ListedBytes<'a> {
    /// The ends of all constants, in ascending order.
    ends: Vec<u64>,
    /// The constants in the same order, and those with the same ends in the order of their bytes.
    constants: Vec<&'a [u8]>,
}

impl<'a> ListedBytes<'a> {
    pub(super) fn new(constants: &[&'a [u8]]) -> ListedBytes<'a> {
        let mut constants = constants.to_vec();
        constants.sort_unstable_by_key(|constant| (ends_of(constant), *constant));
        ListedBytes { ends: constants.iter().map(|constant| ends_of(constant)).collect(), constants }
    }

    #[inline]
    pub(super) fn contains(&self, value: &[u8]) -> bool {
        let ends = ends_of(value);
        // Few values of most columns are in a list, so that most searches end here.
        self.ends.binary_search(&ends).is_ok() && self.contains_all_of(ends, value)
    }

    /// Looks at whole values. There may be many constants with the same ends.
    fn contains_all_of(&self, ends: u64, value: &[u8]) -> bool {
        let first = self.ends.partition_point(|other| *other < ends);
        let n_same = self.ends.get(first..).unwrap_or_default().partition_point(|other| *other == ends);
        let same = self.constants.get(first..first.saturating_add(n_same)).unwrap_or_default();
        same.binary_search(&value).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of all short lengths, which differ in one byte, or not at all.
    #[test]
    fn what_is_listed_is_found() {
        let mut values: Vec<Vec<u8>> = Vec::new();
        for n_bytes in 0..40 {
            values.push(vec![7; n_bytes]);
            for position in 0..n_bytes {
                let mut value = vec![7; n_bytes];
                value[position] = b'x';
                values.push(value);
            }
        }
        for step in [1, 2, 3, 7, 1000] {
            let listed: Vec<&[u8]> = values.iter().step_by(step).map(Vec::as_slice).collect();
            let found = ListedBytes::new(&listed);
            for value in &values {
                assert_eq!(found.contains(value), listed.contains(&value.as_slice()), "{value:?}");
            }
        }
        assert!(!ListedBytes::new(&[]).contains(b""));
    }
}

//! Bitmaps against `Vec<bool>`, at all offsets and lengths of a few words.

use arrow_buffer::{Bitmap, BitmapBuilder, BitmapError, BitmapLengthError, Buffer};
use proptest::prelude::*;

/// Bytes without a repeating pattern.
fn noise(n_bytes: usize) -> Vec<u8> {
    (0..n_bytes as u32).map(|idx| (idx.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

fn bits_of(bytes: &[u8], bit_offset: usize, n_bits: usize) -> Vec<bool> {
    (bit_offset..bit_offset + n_bits).map(|at| bytes[at / 8] >> (at % 8) & 1 == 1).collect()
}

fn naive_words(bits: &[bool]) -> Vec<u64> {
    let word = |chunk: &[bool]| chunk.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    bits.chunks(64).map(word).collect()
}

fn check(bitmap: &Bitmap, bits: &[bool]) {
    let n_set = bits.iter().filter(|&&bit| bit).count();
    assert_eq!((bitmap.len(), bitmap.is_empty()), (bits.len(), bits.is_empty()));
    assert_eq!((bitmap.count_set(), bitmap.count_unset()), (n_set, bits.len() - n_set));
    assert_eq!(bitmap.all_set(), n_set == bits.len());
    assert!(bitmap.iter().eq(bits.iter().copied()));
    assert!(bitmap.iter().rev().eq(bits.iter().rev().copied()));
    let words = naive_words(bits);
    assert!(bitmap.words().eq(words.iter().copied()), "{bitmap:?}");
    let mut folded = Vec::new();
    bitmap.words().for_each(|word| folded.push(word));
    assert_eq!(folded, words);
    let positions = bits.iter().enumerate().filter(|(_, bit)| **bit).map(|(position, _)| position);
    assert!(bitmap.iter_set().eq(positions));
    let runs: Vec<usize> = bitmap.iter_set_runs().flatten().collect();
    assert!(bitmap.iter_set().eq(runs), "{bitmap:?}");
    // An unset bit separates two ranges, and no range is empty.
    let mut free = 0;
    for run in bitmap.iter_set_runs() {
        assert!(free <= run.start && !run.is_empty(), "{run:?} {bitmap:?}");
        free = run.end + 1;
    }
    assert_eq!(bitmap.get(bits.len()), None);
    let packed = bitmap.to_packed();
    let expected = words.iter().flat_map(|word| word.to_le_bytes()).take(bits.len().div_ceil(8));
    assert!(packed.iter().copied().eq(expected));
}

#[test]
fn every_offset_and_length() {
    let bytes = noise(40);
    let buffer = Buffer::copy_from(&bytes);
    let n_bits = if std::env::var_os("PROPTEST_CASES").is_some() { 70 } else { 200 };
    for bit_offset in 0..75 {
        for n_bits in (0..n_bits).chain([240, 241]) {
            let bitmap = Bitmap::try_new(buffer.clone(), bit_offset, n_bits).expect("40 bytes hold them");
            check(&bitmap, &bits_of(&bytes, bit_offset, n_bits));
        }
    }
}

#[test]
fn constant_bits() {
    for n_bits in (0..200).chain([1000, 4096]) {
        check(&Bitmap::new_set(n_bits), &vec![true; n_bits]);
        check(&Bitmap::new_unset(n_bits), &vec![false; n_bits]);
        assert_eq!(Bitmap::new_set(n_bits).to_packed(), *Bitmap::new_set(n_bits).buffer());
        for at in [0, 1, 7, 8, 63, 64, 65, 127, 128, 199].into_iter().filter(|&at| at < n_bits) {
            let bits: Vec<bool> = (0..n_bits).map(|position| position != at).collect();
            check(&Bitmap::from_iter(bits.iter().copied()), &bits);
        }
    }
}

#[test]
fn packing_shares_where_it_can() {
    let clean = Buffer::copy_from(&[0xff, 0x0f, 0xff]);
    for (bit_offset, n_bits, shares) in [
        (0, 24, true),
        (0, 12, true),
        (0, 13, true),
        (0, 11, false),
        (8, 4, true),
        (8, 3, false),
        (16, 8, true),
        (1, 7, false),
        (0, 8, true),
    ] {
        let bitmap = Bitmap::try_new(clean.clone(), bit_offset, n_bits).expect("three bytes hold them");
        let packed = bitmap.to_packed();
        assert_eq!(packed.len(), n_bits.div_ceil(8));
        assert_eq!(packed.as_ptr() == clean[bit_offset / 8..].as_ptr(), shares, "{bit_offset} {n_bits}");
    }
}

#[test]
fn bits_that_are_not_there() {
    let buffer = Buffer::copy_from(&[0, 0]);
    for (bit_offset, n_bits) in
        [(0, 17), (16, 1), (17, 0), (usize::MAX, 1), (1, usize::MAX), (usize::MAX, usize::MAX)]
    {
        let error = BitmapError { bit_offset, n_bits, n_bytes: 2 };
        assert_eq!(Bitmap::try_new(buffer.clone(), bit_offset, n_bits), Err(error));
        assert_eq!(Bitmap::new_set(16).try_slice(bit_offset, n_bits), Err(error));
    }
    assert_eq!(Bitmap::try_new(Buffer::new(), 0, 0), Ok(Bitmap::default()));
}

#[derive(Clone, Debug)]
enum Step {
    Push(bool),
    Constant(bool, usize),
    Extend(Vec<bool>),
    /// A bitmap with these bits. They begin at the given bit of its buffer.
    Bitmap(usize, Vec<bool>),
}

#[test]
fn joined_at_every_offset() {
    let bytes = noise(80);
    let buffer = Buffer::copy_from(&bytes);
    let of = |bit_offset, n_bits| {
        let bitmap = Bitmap::try_new(buffer.clone(), bit_offset, n_bits).expect("80 bytes hold them");
        (bitmap, bits_of(&bytes, bit_offset, n_bits))
    };
    for (left_offset, right_offset) in (0..9).flat_map(|left| (300..309).map(move |right| (left, right))) {
        // Each pair of offsets is tested with a third of the lengths.
        let lengths = (0..130).filter(|n_bits| (n_bits + left_offset + right_offset) % 3 == 0);
        for n_bits in lengths.chain([191, 192, 193, 256]) {
            let ((left, lefts), (right, rights)) = (of(left_offset, n_bits), of(right_offset, n_bits));
            let joined = |join: fn(bool, bool) -> bool| -> Vec<bool> {
                lefts.iter().zip(&rights).map(|(left, right)| join(*left, *right)).collect()
            };
            let same = "the lengths are the same";
            check(&left.and(&right).expect(same), &joined(|left, right| left && right));
            check(&left.or(&right).expect(same), &joined(|left, right| left || right));
            check(&left.xor(&right).expect(same), &joined(|left, right| left != right));
            check(&left.and_not(&right).expect(same), &joined(|left, right| left && !right));
            check(&left.not(), &joined(|left, _| !left));
            let error = BitmapLengthError { left: n_bits, right: n_bits + 1 };
            for join in [Bitmap::and, Bitmap::or, Bitmap::xor, Bitmap::and_not] {
                assert_eq!(join(&left, &of(right_offset, n_bits + 1).0), Err(error));
            }
        }
    }
}

proptest! {
    #[test]
    fn builder_is_a_vec(steps in prop::collection::vec(prop_oneof![
        any::<bool>().prop_map(Step::Push),
        (any::<bool>(), 0..200_usize).prop_map(|(bit, n_bits)| Step::Constant(bit, n_bits)),
        prop::collection::vec(any::<bool>(), 0..100).prop_map(Step::Extend),
        (0..70_usize, prop::collection::vec(any::<bool>(), 0..200)).prop_map(|(n, bits)| Step::Bitmap(n, bits)),
    ], 0..12)) {
        let (mut builder, mut model) = (BitmapBuilder::new(), Vec::new());
        for step in steps {
            match step {
                Step::Push(bit) => {
                    builder.push(bit);
                    model.push(bit);
                }
                Step::Constant(bit, n_bits) => {
                    builder.extend_constant(bit, n_bits);
                    model.resize(model.len() + n_bits, bit);
                }
                Step::Extend(bits) => {
                    model.extend_from_slice(&bits);
                    builder.extend(bits);
                }
                Step::Bitmap(n_before, bits) => {
                    let all = std::iter::repeat_n(true, n_before).chain(bits.iter().copied());
                    builder.extend_from_bitmap(&Bitmap::from_iter(all).slice(n_before, bits.len()));
                    model.extend(bits);
                }
            }
            prop_assert_eq!((builder.len(), builder.is_empty()), (model.len(), model.is_empty()));
            prop_assert_eq!(builder.n_unset(), model.iter().filter(|&&bit| !bit).count());
        }
        let with_nulls = builder.clone().finish_with_nulls();
        prop_assert_eq!(with_nulls.is_some(), model.contains(&false));
        check(&builder.finish(), &model);
    }

    #[test]
    fn equality_is_of_bits(bits in prop::collection::vec(any::<bool>(), 0..200), a in 0..70_usize, b in 0..70_usize, flipped in 0..200_usize) {
        let after = |n_before: usize, bits: &[bool]| {
            let all = std::iter::repeat_n(n_before.is_multiple_of(2), n_before).chain(bits.iter().copied());
            Bitmap::from_iter(all).slice(n_before, bits.len())
        };
        let (left, right) = (after(a, &bits), after(b, &bits));
        prop_assert_eq!(&left, &right);
        let mut other = bits.clone();
        if let Some(bit) = other.get_mut(flipped) {
            *bit = !*bit;
            prop_assert_ne!(&left, &after(b, &other));
        }
        for (position, &bit) in bits.iter().enumerate() {
            prop_assert_eq!(left.get(position), Some(bit));
            prop_assert_eq!(left.iter().nth(position), Some(bit));
        }
    }
}

#[test]
fn builders_are_cut_at_every_length() {
    let bits = bits_of(&noise(40), 0, 300);
    for n_bits in [0, 1, 63, 64, 65, 127, 128, 130, 300] {
        for n_retained in (0..=n_bits + 2).filter(|n| n % 7 == 0 || n % 64 < 2 || n % 64 == 63) {
            let mut builder = BitmapBuilder::new();
            builder.extend(bits[..n_bits].iter().copied());
            builder.truncate(n_retained);
            let mut expected = bits[..n_retained.min(n_bits)].to_vec();
            assert_eq!(builder.n_unset(), expected.iter().filter(|bit| !**bit).count());
            assert!((0..n_bits + 70).all(|at| builder.get(at) == expected.get(at).copied().unwrap_or(false)));
            // Removed bits do not change bits that are appended later.
            builder.extend(bits[7..90].iter().copied());
            expected.extend_from_slice(&bits[7..90]);
            check(&builder.finish(), &expected);
        }
    }
}

//! Compares text and views with `str::from_utf8`, value by value.

use std::sync::Arc;

use arrow_buffer::{
    Buffer, Text, TextError, TextOffsetsError, TextSlots, TextSlotsBuilder, TextViews, Values, View,
    ViewError, check_text_views, check_views,
};
use proptest::prelude::*;

/// Characters, parts of characters, and bytes that start no character.
const PIECES: [&[u8]; 16] = [
    b"a",
    b"z",
    b"plain ascii text",
    "é".as_bytes(),
    "€".as_bytes(),
    "😀".as_bytes(),
    "grüße 😀".as_bytes(),
    b"\x80",
    b"\xc3",
    b"\xe2\x82",
    b"\xf0\x9f\x98",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xc0\xaf",
    b"\xf0\x80",
];

fn piece(n_pieces: usize) -> impl Strategy<Value = &'static [u8]> {
    prop::sample::select(&PIECES[..n_pieces])
}

/// Some of the first seven pieces, which are UTF-8, or some of all pieces.
fn bytes(n_pieces: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    let text = prop::collection::vec(piece(7), n_pieces.clone());
    let any = prop::collection::vec(piece(PIECES.len()), n_pieces);
    prop_oneof![text, any].prop_map(|pieces| pieces.concat())
}

type CheckResult = Result<(), (usize, ViewError)>;

/// The results of `check_views` and `check_text_views`, found value by value.
fn naive(views: &[View], data: &[Buffer]) -> (CheckResult, CheckResult) {
    let check = |slot: usize| views[slot].bytes(data).map_err(|kind| (slot, kind));
    let check_text = |slot: usize| {
        let bytes = check(slot)?;
        str::from_utf8(bytes).map(|_| ()).map_err(|_| (slot, ViewError::NotUtf8))
    };
    let mut slots = 0..views.len();
    (slots.clone().try_for_each(|slot| check(slot).map(|_| ())), slots.try_for_each(check_text))
}

fn check(views: &[View], data: &[Buffer]) {
    let (any, text) = naive(views, data);
    assert_eq!(check_views(views, data), any);
    assert_eq!(check_text_views(views, data), text, "{views:?} {data:?}");
}

/// A view for every range of more than twelve bytes.
fn every_long_view(bytes: &[u8], buffer_idx: i32) -> Vec<View> {
    let ranges = (0..bytes.len()).flat_map(|start| (start + 13..=bytes.len()).map(move |end| start..end));
    ranges.filter_map(|range| View::long(&bytes[range.clone()], buffer_idx, range.start as i32)).collect()
}

proptest! {
    #[test]
    fn every_range_of_odd_bytes(bytes in bytes(0..14)) {
        let data = [Buffer::copy_from(&bytes)];
        let views = every_long_view(&bytes, 0);
        check(&views, &data);
        for view in &views {
            check(&[*view], &data);
        }
        // All views with valid text, and one invalid view among them.
        let (mut good, bad): (Vec<View>, Vec<View>) = views.iter().partition(|view| naive(&[**view], &data).1.is_ok());
        check(&good, &data);
        if let Some(wrong) = bad.first() {
            good.insert(good.len() / 2, *wrong);
            check(&good, &data);
        }
    }

    /// Consecutive long values, as builders write them. Some end inside a character, some views are inline or refer to
    /// another buffer, and one view is damaged.
    #[test]
    fn views_in_a_run(
        pieces in bytes(5..30),
        lengths in prop::collection::vec(13..40_usize, 1..600),
        (cut, others) in (0..4_usize, 0..3_usize),
        harm in (any::<usize>(), 0..9_u8),
    ) {
        let n_bytes: usize = lengths.iter().sum();
        let bytes: Vec<u8> = pieces.iter().copied().chain([b'.']).cycle().take(n_bytes + 4).collect();
        let data = [Buffer::copy_from(&bytes), Buffer::copy_from(&bytes)];
        let (mut views, mut start) = (Vec::new(), 0);
        for n_bytes in lengths {
            // If `cut` is not 0, no value ends inside a character.
            let mut end = start + n_bytes;
            while cut > 0 && bytes.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
                end += 1;
            }
            let Some(value) = bytes.get(start..end) else { break };
            let buffer_idx = i32::from(others > 0 && start % 97 == 0);
            views.extend(View::long(value, buffer_idx, start as i32));
            if others > 1 && start % 53 == 0 {
                views.extend(View::inline(value.get(..5).unwrap_or_default()));
            }
            start = end;
        }
        check(&views, &data);
        let at = harm.0 % views.len().max(1);
        if let Some(view) = views.get_mut(at) {
            let (n_bytes, prefix, buffer_idx, offset) =
                (view.n_bytes(), view.prefix(), view.buffer_idx(), view.offset());
            *view = match harm.1 {
                0 => View::from_parts(n_bytes - 1, prefix, buffer_idx, offset),
                1 => View::from_parts(n_bytes + 1, prefix, buffer_idx, offset),
                2 => View::from_parts(n_bytes, prefix, buffer_idx, offset + 1),
                3 => View::from_parts(n_bytes, [prefix[0] ^ 1, prefix[1], prefix[2], prefix[3]], buffer_idx, offset),
                4 => View::from_parts(-n_bytes, prefix, buffer_idx, offset),
                5 => View::from_parts(n_bytes, prefix, 2, offset),
                6 => View::from_parts(i32::MAX, prefix, buffer_idx, offset),
                7 => View::from_parts(n_bytes, prefix, buffer_idx, -1),
                _ => View::from_parts(n_bytes, prefix, -1, offset),
            };
        }
        check(&views, &data);
        check(&views[..=at.min(views.len().saturating_sub(1))], &data);
    }

    #[test]
    fn mixed_views(
        buffers in prop::collection::vec(bytes(5..40), 0..4),
        picks in prop::collection::vec((any::<u32>(), any::<u32>(), 0..40_usize, bytes(0..3)), 0..700),
        harm in prop::option::of((any::<usize>(), 0..7_u8)),
    ) {
        let data: Vec<Buffer> = buffers.iter().map(|bytes| Buffer::copy_from(bytes)).collect();
        let mut views: Vec<View> = picks.iter().map(|(buffer, start, n_bytes, short)| {
            let inline = View::inline(&short[..short.len().min(*n_bytes)]).unwrap_or_default();
            let Some(buffer_idx) = (*buffer as usize).checked_rem(data.len()) else { return inline };
            let bytes = &data[buffer_idx];
            let start = *start as usize % (bytes.len() + 1);
            let end = bytes.len().min(start + n_bytes);
            View::long(&bytes[start..end], buffer_idx as i32, start as i32).unwrap_or(inline)
        }).collect();
        check(&views, &data);
        // Views with invalid text are removed, so that the check continues past them.
        views.retain(|view| naive(&[*view], &data).1.is_ok());
        check(&views, &data);
        let texts = TextViews::try_new(Values::from(views.clone()), Some(Arc::from(data.clone())))?;
        for (slot, view) in views.iter().enumerate() {
            prop_assert_eq!(texts.get(slot).map(str::as_bytes), view.bytes(&data).ok());
        }
        prop_assert!(texts.iter().map(str::as_bytes).eq(views.iter().filter_map(|view| view.bytes(&data).ok())));
        if !views.is_empty() && let Some((slot, kind)) = harm {
            let slot = slot % views.len();
            views[slot] = spoil(views[slot], kind);
            check(&views, &data);
            let error = check_text_views(&views, &data).err();
            let refused = TextViews::try_new(Values::from(views), Some(Arc::from(data))).err();
            prop_assert_eq!(refused.map(|error| (error.slot, error.kind)), error);
        }
    }

    #[test]
    fn text_is_what_rust_says(bytes in bytes(0..12), n_ascii in prop::sample::select(vec![0, 1, 64, 4090, 4096, 5000])) {
        let mut all = vec![b'x'; n_ascii];
        all.extend_from_slice(&bytes);
        let buffer = Buffer::from(all.clone());
        let text = Text::try_new(buffer.clone());
        let expected = str::from_utf8(&all);
        let error = expected.err().map(|error| TextError { valid_up_to: error.valid_up_to(), buffer: buffer.clone() });
        prop_assert_eq!(text.as_ref().err(), error.as_ref());
        prop_assert_eq!(text.as_deref().ok(), expected.ok());
        let refused = Text::try_new_at(buffer, &[0_i32]).err();
        prop_assert_eq!(refused, error.map(TextOffsetsError::NotUtf8));
    }

    #[test]
    fn text_is_cut_between_characters(bytes in prop::collection::vec(piece(7), 0..8), offsets in prop::collection::vec(-1..50_i32, 0..5)) {
        let text = Text::try_new(Buffer::from(bytes.concat()))?;
        for start in 0..=text.len() + 1 {
            for end in 0..=text.len() + 1 {
                let part = text.slice(start..end);
                prop_assert_eq!(part.as_deref(), text.get(start..end));
            }
        }
        prop_assert_eq!(text.slice(..=usize::MAX), None);
        for offset in &offsets {
            let is_fine = usize::try_from(*offset).is_ok_and(|offset| text.is_char_boundary(offset));
            let wide = Text::try_new_at(text.as_buffer().clone(), &[0, i64::from(*offset)]);
            prop_assert_eq!(wide.is_ok(), is_fine);
        }
        let wrong = offsets.iter().position(|&offset| offset < 0 || !text.is_char_boundary(offset as usize));
        let expected = wrong.map(|offset_idx| TextOffsetsError::NotBetween { offset_idx, buffer: text.as_buffer().clone() });
        prop_assert_eq!(Text::try_new_at(text.as_buffer().clone(), &offsets).err(), expected);
    }
}

/// The view with one change. Most changes make it invalid.
fn spoil(view: View, kind: u8) -> View {
    let (n_bytes, prefix, buffer_idx, offset) =
        (view.n_bytes(), view.prefix(), view.buffer_idx(), view.offset());
    match kind {
        0 => View::from_parts(-1, prefix, buffer_idx, offset),
        1 => View::from_parts(i32::MIN, prefix, buffer_idx, offset),
        2 => View::from_parts(n_bytes, prefix, buffer_idx, offset.wrapping_sub(1)),
        3 => View::from_parts(n_bytes, prefix, -1 - buffer_idx, offset),
        4 => View::from_parts(n_bytes, prefix.map(|byte| byte ^ 1), buffer_idx, offset),
        5 => View::from_parts(i32::MAX, prefix, buffer_idx, i32::MAX),
        _ => View::from_parts(n_bytes, prefix, buffer_idx, offset ^ i32::MIN),
    }
}

#[test]
fn each_fault_has_its_name() {
    let data = [Buffer::from_static(b"0123456789abcdefghij")];
    let fine = View::long(b"0123456789abc", 0, 0).expect("long enough");
    let dirty = [&1_i32.to_ne_bytes()[..], b"a\0\0\0\0\0\0\0\0\0\0!"].concat();
    let dirty = Values::<View>::try_new(Buffer::from(dirty).to_aligned(8), 1).expect("one view")[0];
    let out = |offset, n_bytes| ViewError::OutOfBuffer { buffer_idx: 0, offset, n_bytes, buffer_len: 20 };
    for (view, expected) in [
        (View::from_parts(-5, *b"0123", 0, 0), ViewError::NegativeSize { n_bytes: -5 }),
        (View::from_parts(3, *b"abcd", 0, 0), ViewError::Padding),
        (dirty, ViewError::Padding),
        (View::from_parts(13, *b"0123", 1, 0), ViewError::BufferIndex { buffer_idx: 1, n_buffers: 1 }),
        (View::from_parts(13, *b"0123", -1, 0), ViewError::BufferIndex { buffer_idx: -1, n_buffers: 1 }),
        (View::from_parts(21, *b"0123", 0, 0), out(0, 21)),
        (View::from_parts(13, *b"0123", 0, 8), out(8, 13)),
        (View::from_parts(13, *b"0123", 0, -1), out(-1, 13)),
        (View::from_parts(i32::MAX, *b"0123", 0, i32::MAX), out(i32::MAX, i32::MAX)),
        (View::from_parts(13, *b"1234", 0, 0), ViewError::Prefix),
    ] {
        for n_before in [0, 1, 255, 256, 600] {
            let mut views = vec![fine; n_before];
            views.extend([view, fine, view]);
            assert_eq!(check_views(&views, &data), Err((n_before, expected)));
            check(&views, &data);
        }
    }
    assert_eq!(View::inline(&[0; 13]), None);
    assert_eq!(View::long(&[0; 12], 0, 0), None);
    assert_eq!(View::long(&[0; 13], -1, 0), None);
}

#[test]
fn many_views_of_bytes_that_are_no_text_are_checked_in_one_go() {
    // A check of each value by itself would read 40 GB.
    let mut bytes = vec![b'a'; 1 << 21];
    bytes[10] = 0xff;
    let data = [Buffer::from(bytes)];
    let n_views = if std::env::var_os("PROPTEST_CASES").is_some() { 100 } else { 20_000 };
    let view = View::long(&data[0][11..], 0, 11).expect("long enough");
    let mut views = vec![view; n_views];
    views.insert(0, View::long(&data[0][..10 + 3], 0, 0).expect("long enough"));
    assert_eq!(check_text_views(&views, &data), Err((0, ViewError::NotUtf8)));
    views[0] = View::default();
    assert_eq!(check_text_views(&views, &data), Ok(()));
}

#[test]
fn few_views_into_much_data() {
    let bytes = "ü".repeat(5_000);
    let data = [Buffer::from(bytes.into_bytes()), Buffer::new()];
    let view = |start: usize, n_bytes| View::long(&data[0][start..start + n_bytes], 0, start as i32);
    let views = [view(0, 20), view(9_000, 14), Some(View::default()), view(6_001, 16)];
    let views: Vec<View> = views.into_iter().flatten().collect();
    check(&views[..3], &data);
    check(&views, &data);
    assert_eq!(check_text_views(&views, &data), Err((3, ViewError::NotUtf8)));
    let texts = TextViews::try_new(Values::from(views[..3].to_vec()), Some(Arc::from(data)));
    let texts = texts.expect("the last view is the wrong one");
    assert_eq!(texts.slice(1, 2).iter().collect::<Vec<_>>(), ["ü".repeat(7).as_str(), ""]);
    assert_eq!(texts.get(3), None);
}

/// A builder has the same slots as a vector of strings, at every step.
#[test]
fn slots_that_are_built_are_a_vector() {
    let words = ["", "a", "zoë", "龍", "🐉🐉", "a longer one\u{0}"];
    let mut builder = TextSlotsBuilder::<i32>::new();
    let mut model: Vec<&str> = Vec::new();
    for step in 0..400_usize {
        let word = words[step * 7 % words.len()];
        match step * 31 % 11 {
            0 => {
                let n_retained = step * 13 % (model.len() + 2);
                builder.truncate(n_retained);
                model.truncate(n_retained);
            }
            1 => {
                builder.push_empty(2);
                model.extend(["", ""]);
            }
            _ => {
                builder.push(word).expect("few bytes");
                model.push(word);
            }
        }
        assert_eq!((builder.len(), builder.is_empty()), (model.len(), model.is_empty()));
        assert_eq!(builder.n_bytes(), model.concat().len());
        assert!((0..model.len() + 2).all(|slot| builder.get(slot) == model.get(slot).copied()));
        if step % 50 == 0 {
            let slots = builder.clone().finish();
            assert!(slots.iter().eq(model.iter().copied()));
            // The public check accepts the slots, too.
            let checked = TextSlots::try_new(slots.offsets().clone(), slots.text().as_buffer().clone());
            assert!(checked.expect("they are in order, between characters").iter().eq(model.iter().copied()));
        }
    }
    assert_eq!(builder.finish().len(), model.len());
    assert_eq!((builder.len(), builder.n_bytes(), builder.finish().len()), (0, 0, 0));
}

//! Views: data buffers are trimmed to what valid slots refer to, and shared where that is nearly all.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{
    Limits, MessageStep, Messages, StreamEncoder, StreamReader,
    message::{BatchHeader, Header},
    segment::WriteStats,
};
use arrow_schema::DataType;
use arrow_select::Select;
use proptest::prelude::*;
use testing_support::{Rng, batch_of, rows};

use crate::message_sizes::n_batch_bytes;

/// Some text of each row.
fn row(idx: usize) -> String {
    format!("the long text of row {idx:05}.")
}

fn view(row_idx: usize, buffer_idx: usize, offset: usize) -> View {
    let text = row(row_idx);
    View::long(text.as_bytes(), buffer_idx as i32, offset as i32).unwrap()
}

fn views(views: Vec<View>, data: &[Buffer], validity: Option<Bitmap>) -> ArrayData {
    let n_slots = views.len();
    let parts = ArrayParts {
        buffers: [Buffer::from(views), Buffer::new()],
        variadic: (!data.is_empty()).then(|| Arc::from(data)),
        validity,
        ..ArrayParts::new(DataType::Utf8View, n_slots)
    };
    ArrayData::try_new(parts).unwrap()
}

/// Rows of 26 bytes, in data buffers of `rows_per_buffer` rows each.
fn long_rows(n_rows: usize, rows_per_buffer: usize) -> ArrayData {
    let n_bytes = row(0).len();
    let all: Vec<usize> = (0..n_rows).collect();
    let data: Vec<Buffer> = all
        .chunks(rows_per_buffer)
        .map(|rows| Buffer::from(rows.iter().flat_map(|idx| row(*idx).into_bytes()).collect::<Vec<u8>>()))
        .collect();
    let nth_view = |idx: &usize| view(*idx, idx / rows_per_buffer, idx % rows_per_buffer * n_bytes);
    views(all.iter().map(nth_view).collect(), &data, None)
}

/// Views and data buffers of the batch as it is written, and what had to be rebuilt. The batch that is read is the
/// same.
fn written(batch: &RecordBatch) -> (Vec<View>, Vec<Vec<u8>>, WriteStats) {
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    let mut stream = encoder.start().unwrap().to_bytes();
    let encoded = encoder.encode(batch).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(n_batch_bytes(batch).unwrap(), encoded.n_bytes());
    let stats = encoded.stats();
    let message = encoded.to_bytes();
    stream.extend_from_slice(&message);
    stream.extend_from_slice(&encoder.finish().unwrap().to_bytes());
    let read: Vec<RecordBatch> = StreamReader::try_new(&*stream).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows(&read[0]), rows(batch));
    let (header, body) = header_and_body(&message);
    assert_eq!(header.variadic_counts(), [header.buffers().len() - 2]);
    let bytes: Vec<Vec<u8>> = (header.buffers().iter())
        .map(|range| body[range.start() as usize..range.end() as usize].to_vec())
        .collect();
    let views = Buffer::copy_from(&bytes[1]).view::<View>().unwrap().to_vec();
    (views, bytes[2..].to_vec(), stats)
}

fn header_and_body(message: &[u8]) -> (BatchHeader, Buffer) {
    let mut messages = Messages::new(Limits::default());
    messages.feed(Buffer::copy_from(message));
    messages.finish_input();
    let MessageStep::Message(message) = messages.step().unwrap() else { panic!("no message") };
    match message.header(&Limits::default()).unwrap() {
        Header::RecordBatch(header) => (header, message.body().clone()),
        header => panic!("{header:?}"),
    }
}

#[test]
fn slices_take_along_what_they_refer_to_and_nothing_else() {
    for checked in [Validation::Structure, Validation::Content] {
        let array = long_rows(1000, 1000).validate(checked).unwrap();
        for slots in [0..0, 0..1, 500..501, 999..1000, 0..997, 3..1000, 3..900, 250..500] {
            let (_, data, _) = written(&batch_of(array.slice(slots.start, slots.len())));
            let expected: String = slots.map(row).collect();
            assert_eq!(String::from_utf8(data.concat()).unwrap(), expected);
        }
        // Without rows there are no data buffers, without long values neither.
        assert!(written(&batch_of(array.slice(7, 0))).1.is_empty());
        let mut short = vec![View::inline(b"short").unwrap(); 3];
        short.push(view(0, 0, 0));
        let short = views(short, array.variadic(), None).validate(checked).unwrap();
        assert!(written(&batch_of(short.slice(0, 3))).1.is_empty());

        let array = long_rows(1000, 100).validate(checked).unwrap();
        let (_, data, _) = written(&batch_of(array.slice(250, 300)));
        let n_bytes: Vec<usize> = data.iter().map(|data| data.len() / row(0).len()).collect();
        // Buffers that nothing refers to are left out.
        assert_eq!(n_bytes, [50, 100, 100, 50]);
        assert!(data.concat().into_iter().eq((250..550).flat_map(|idx| row(idx).into_bytes())));
    }
}

#[test]
fn views_are_rebuilt_only_where_it_pays() {
    const N: usize = 10_000;
    let n_bytes = row(0).len();
    let whole = long_rows(N, 4000);
    let rebuilt = |n_slots: usize| (1, 16 * n_slots as u64);
    let (mut before, mut gap) = (vec![b'.'; 63], vec![b'.'; 64]);
    let rows: Vec<u8> = (0..N).flat_map(|idx| row(idx).into_bytes()).collect();
    before.extend_from_slice(&rows);
    gap.extend_from_slice(&rows);
    let at = |first: usize| (0..N).map(|idx| view(idx, 0, first + idx * n_bytes)).collect::<Vec<View>>();
    let mut reversed = at(0);
    reversed.reverse();
    for (array, n_data_bytes, expected) in [
        (whole.clone(), N * n_bytes, (0, 0)),
        // Whatever the order.
        (views(reversed, &[Buffer::from(rows.clone())], None), N * n_bytes, (0, 0)),
        // Trailing bytes are left out without a look at the views; preceding ones only if they are many.
        (whole.slice(0, N - 100), (N - 100) * n_bytes, (0, 0)),
        (whole.slice(2, N - 2), N * n_bytes, (0, 0)),
        (whole.slice(3, N - 3), (N - 3) * n_bytes, rebuilt(N - 3)),
        (views(at(63), &[Buffer::from(before)], None), N * n_bytes + 63, (0, 0)),
        (views(at(64), &[Buffer::from(gap)], None), N * n_bytes, rebuilt(N)),
        // A gap in the middle stays, unless it is more than half.
        (
            views([&at(0)[..10], &at(0)[N - 5000..]].concat(), &[Buffer::from(rows.clone())], None),
            N * n_bytes,
            (0, 0),
        ),
        (
            views([&at(0)[..10], &at(0)[N - 4000..]].concat(), &[Buffer::from(rows)], None),
            4010 * n_bytes,
            (2, 4010 * (16 + n_bytes as u64)),
        ),
    ] {
        let (_, data, stats) = written(&batch_of(array));
        assert_eq!(data.concat().len(), n_data_bytes);
        assert_eq!((stats.n_rebuilt_buffers, stats.n_rebuilt_bytes), expected);
    }
}

/// There are readers that look at the views of null slots, too.
#[test]
fn views_in_no_order_take_whole_buffers_if_little_is_unused() {
    const N: usize = 10_000;
    let whole = long_rows(N, N);
    let mut rng = Rng::new(5);
    let mut any_of = |rows: Range<usize>| -> Vec<u64> {
        (0..N).map(|_| (rows.start + rng.below(rows.len())) as u64).collect()
    };
    for (rows, is_whole) in [(0..N, true), (N / 100..N, true), (0..N * 15 / 16, false), (N / 8..N, false)] {
        let array = whole.take(&any_of(rows.clone())).unwrap();
        let (_, data, stats) = written(&batch_of(array.clone()));
        let n_rows = if is_whole { N } else { rows.len() };
        // The first and the last rows of all may not be among those that were taken.
        let n_missing_bytes = (n_rows * row(0).len()).checked_sub(data.concat().len()).unwrap();
        assert!(if is_whole { n_missing_bytes == 0 } else { n_missing_bytes < 2000 }, "{rows:?}");
        assert_eq!(stats.n_rebuilt_buffers, u64::from(!is_whole && rows.start > 0), "{rows:?}");
    }
}

#[test]
fn null_slots_refer_to_nothing_that_was_left_out() {
    let garbage = View::from_parts(1000, *b"none", 77, -5);
    // Large arrays are trimmed if it is worth it.
    for (n_slots, n_null_at_end) in [(3, 1), (1000, 5)] {
        let long = long_rows(n_slots, n_slots);
        let mut slots = long.buffer(0).view::<View>().unwrap().to_vec();
        slots[1] = garbage;
        let n_left = n_slots - n_null_at_end;
        let bits: Bitmap = (0..n_slots).map(|slot| slot != 1 && slot < n_left).collect();
        let array = views(slots, long.variadic(), Some(bits));
        let (found, data, _) = written(&batch_of(array.clone()));
        let nulls =
            found.iter().enumerate().filter(|(slot, _)| array.validity().unwrap().get(*slot) == Some(false));
        assert!(nulls.map(|(_, view)| *view).eq(vec![View::default(); n_null_at_end + 1]));
        // The gap before row 1 stays, unless nothing before it is used.
        let n_rows = if n_slots == 3 { 1 } else { n_left };
        assert_eq!(data.concat().len(), n_rows * row(0).len());
    }
}

/// There are readers that panic on an empty one.
#[test]
fn empty_data_buffers_are_left_out() {
    let (whole, empty) = (long_rows(600, 200), Buffer::new());
    let texts = |idx: usize| whole.variadic()[idx].as_slice().to_vec();
    let all = whole.buffer(0).view::<View>().unwrap();
    let moved = |view: &View, to: [i32; 3]| {
        let idx = to[view.buffer_idx() as usize];
        View::from_parts(view.n_bytes(), view.prefix(), idx, view.offset())
    };
    let array = |to: [i32; 3], data: Vec<Buffer>, validity: Option<Bitmap>| {
        batch_of(views(all.iter().map(|view| moved(view, to)).collect(), &data, validity))
    };
    let [a, b, c] = [0, 1, 2].map(|idx| whole.variadic()[idx].clone());
    let expected = || vec![texts(0), texts(1), texts(2)];

    // At the end they take no view along.
    let trailing = vec![a.clone(), b.clone(), c.clone(), empty.clone(), empty.clone()];
    let (_, data, stats) = written(&array([0, 1, 2], trailing, None));
    assert_eq!((data, stats), (expected(), WriteStats::default()));
    // Data buffers before others are left out, and views renumbered.
    let between = vec![empty.clone(), a, empty.clone(), b, c, empty.clone()];
    let (found, data, stats) = written(&array([1, 3, 4], between.clone(), None));
    assert_eq!((data, stats.n_rebuilt_buffers), (expected(), 1));
    assert_eq!(found, all);
    // Null slots may refer to what is left out.
    let validity = Bitmap::from_iter((0..600).map(|idx| idx % 7 > 0));
    let (_, data, _) = written(&array([1, 3, 4], between, Some(validity)));
    assert_eq!(data, expected());
    // With nothing but empty ones there are none.
    let short = views(vec![View::default(); 5], &[empty.clone(), empty], None);
    assert!(written(&batch_of(short)).1.is_empty());
    // One that no view refers to any more is as good as empty.
    let ends = whole.take(&[0, 1, 599]).unwrap();
    let (_, data, _) = written(&batch_of(ends));
    assert_eq!(data, [[row(0), row(1)].concat().into_bytes(), row(599).into_bytes()]);
}

fn position() -> impl Strategy<Value = (usize, usize, usize, bool)> {
    (0usize..3, 0usize..50, 0usize..40, any::<bool>())
}

proptest! {
    /// Each data buffer has the bytes between the first and the last byte to which a valid slot refers. Data buffers to
    /// which no slot refers are left out.
    #[test]
    fn data_is_what_valid_slots_refer_to(
        positions in prop::collection::vec(position(), 0..200),
        with_nulls in any::<bool>(),
        start in 0usize..200,
        n_slots in 0usize..200,
    ) {
        let data: [Vec<u8>; 3] = [1, 2, 3].map(|seed| (0..100).map(|at| b'a' + (at * seed % 26) as u8).collect());
        let make = |(buffer_idx, offset, n_bytes, _): &(usize, usize, usize, bool)| {
            let bytes = &data[*buffer_idx][*offset..offset + n_bytes];
            View::inline(bytes)
                .unwrap_or_else(|| View::long(bytes, *buffer_idx as i32, *offset as i32).unwrap())
        };
        let buffers = data.clone().map(Buffer::from);
        let validity = with_nulls.then(|| positions.iter().map(|position| position.3).collect::<Bitmap>());
        let array = views(positions.iter().map(make).collect(), &buffers, validity);
        let start = start.min(positions.len());
        let slots = start..(start + n_slots).min(positions.len());

        let (_, found, stats) = written(&batch_of(array.slice(slots.start, slots.len())));
        let mut expected: [Option<Range<usize>>; 3] = [None, None, None];
        for (buffer_idx, offset, n_bytes, valid) in &positions[slots] {
            if *n_bytes > 12 && (*valid || !with_nulls) {
                let extent = expected[*buffer_idx].get_or_insert(*offset..*offset);
                *extent = extent.start.min(*offset)..extent.end.max(offset + n_bytes);
            }
        }
        let used = data.iter().zip(expected);
        let expected: Vec<&[u8]> = used.filter_map(|(data, extent)| Some(&data[extent?])).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(stats, WriteStats::default());
    }
}

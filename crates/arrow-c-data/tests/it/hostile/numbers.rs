//! Arrays whose slots take no memory may have any length. Reading, slicing and exporting very long ones takes no time
//! and does not overflow.

use arrow_c_data::ArrowArray;
use arrow_data::Validation;
use arrow_schema::DataType;

use crate::foreign::{Ledger, Sketch};

const MAX: i64 = i64::MAX;

fn flat<const N: usize>(length: i64, offset: i64, buffers: [Option<Vec<u8>>; N]) -> Sketch {
    Sketch { length, offset, buffers: buffers.into(), ..Sketch::default() }
}

fn with<const N: usize>(parent: Sketch, children: [Sketch; N]) -> Sketch {
    Sketch { children: children.into_iter().map(Some).collect(), ..parent }
}

fn words<const N: usize>(numbers: [i32; N]) -> Option<Vec<u8>> {
    Some(numbers.into_iter().flat_map(i32::to_ne_bytes).collect())
}

fn longs<const N: usize>(numbers: [i64; N]) -> Option<Vec<u8>> {
    Some(numbers.into_iter().flat_map(i64::to_ne_bytes).collect())
}

fn nulls(length: i64, offset: i64) -> Sketch {
    flat(length, offset, [])
}

fn runs(length: i64, offset: i64) -> Sketch {
    with(flat(length, offset, []), [flat(1, 0, [None, longs([MAX])]), nulls(MAX, MAX)])
}

fn cases() -> Vec<(&'static str, Sketch)> {
    const RUNS: &str = "run_end_encoded<run_ends: int64 not null, values: null>";
    let empty = || flat(0, 0, [None, None]);
    let dictionary =
        Sketch { dictionary: Some(Box::new(nulls(MAX, MAX))), ..flat(1, 0, [None, longs([MAX - 1])]) };
    vec![
        ("null", nulls(MAX, MAX)),
        ("fixed_size_binary(0)", flat(MAX, MAX, [None, None])),
        ("struct<>", flat(MAX, MAX, [None])),
        ("struct<a: null>", with(flat(MAX, 0, [None]), [nulls(MAX, MAX)])),
        ("fixed_size_list<item: int32; 0>", with(flat(MAX, MAX, [None]), [empty()])),
        ("fixed_size_list<item: null; 2>", with(flat(MAX / 4, MAX / 4, [None]), [nulls(MAX, MAX)])),
        ("list<item: null>", with(flat(1, 0, [None, words([0, i32::MAX])]), [nulls(MAX, MAX)])),
        ("large_list<item: null>", with(flat(1, 0, [None, longs([0, MAX])]), [nulls(MAX, MAX)])),
        (
            "large_list_view<item: null>",
            with(flat(1, 0, [None, longs([1]), longs([MAX - 1])]), [nulls(MAX, MAX)]),
        ),
        ("dictionary<int64, null>", dictionary),
        (RUNS, runs(MAX, 0)),
        (RUNS, runs(MAX / 2, MAX / 2)),
        (RUNS, runs(0, MAX)),
        ("bool", flat(0, MAX, [None, None])),
        ("utf8", flat(0, 0, [None, None, None])),
        ("utf8", flat(0, 0, [None, words([0]), None])),
        ("utf8", flat(2, 0, [None, words([0, 0, 0]), None])),
        ("dense_union<0=n: int32>", with(empty(), [empty()])),
    ]
}

#[test]
fn absurd_numbers_of_nothing_are_read() {
    for (data_type, sketch) in cases() {
        let ledger = Ledger::default();
        let parsed: DataType = data_type.parse().expect("a type");
        for validation in [Validation::Structure, Validation::Content, Validation::Strict] {
            let array = sketch
                .import(&ledger, &parsed, validation)
                .unwrap_or_else(|error| panic!("{data_type}: {error}"));
            assert_eq!(array.len() as i64, sketch.length);
            for slice in
                [array.slice(array.len() / 2, array.len() - array.len() / 2), array.slice(array.len(), 0)]
            {
                let n_slots = slice.len();
                let slice = slice
                    .validate(Validation::Content)
                    .unwrap_or_else(|error| panic!("{data_type}: {error}"));
                let exported = ArrowArray::try_from_array(&slice).expect("few slots");
                // SAFETY: the type is that of the array.
                let back = unsafe { exported.import(&parsed, validation) }.expect("its own");
                assert_eq!(back.len(), n_slots, "{data_type}");
            }
        }
        ledger.check_all_released();
    }
}

//! Arrays with invalid structure or content.

use std::fmt::Write;

use arrow_c_data::CDataError;
use arrow_data::{RecordBatch, Validation};
use arrow_schema::{DataType, Schema};

use crate::foreign::{Ledger, Sketch};

fn words<const N: usize>(numbers: [i32; N]) -> Option<Vec<u8>> {
    Some(numbers.into_iter().flat_map(i32::to_ne_bytes).collect())
}

fn longs<const N: usize>(numbers: [i64; N]) -> Option<Vec<u8>> {
    Some(numbers.into_iter().flat_map(i64::to_ne_bytes).collect())
}

fn flat<const N: usize>(length: i64, buffers: [Option<Vec<u8>>; N]) -> Sketch {
    Sketch { length, buffers: buffers.into(), ..Sketch::default() }
}

fn nested<const B: usize, const C: usize>(
    length: i64,
    buffers: [Option<Vec<u8>>; B],
    children: [Sketch; C],
) -> Sketch {
    Sketch { children: children.into_iter().map(Some).collect(), ..flat(length, buffers) }
}

fn ints() -> Sketch {
    flat(3, [None, words([1, 2, 3])])
}

fn text() -> Sketch {
    flat(2, [None, words([0, 2, 3]), Some(b"abc".into())])
}

fn views() -> Sketch {
    let long = [&13_i32.to_ne_bytes()[..], b"abcd", &0_i32.to_ne_bytes(), &0_i32.to_ne_bytes()].concat();
    flat(1, [None, Some(long), Some(b"abcdefghijklm".into()), longs([13])])
}

fn list() -> Sketch {
    nested(2, [None, words([0, 2, 3])], [ints()])
}

fn pair() -> Sketch {
    nested(3, [None], [ints(), flat(3, [None, Some(vec![0b101])])])
}

fn dictionary() -> Sketch {
    Sketch { dictionary: Some(Box::new(text())), ..flat(3, [None, Some(vec![0, 1, 0])]) }
}

fn sparse() -> Sketch {
    nested(3, [Some(vec![0, 1, 0])], [ints(), flat(3, [None, Some(vec![0b101])])])
}

fn dense() -> Sketch {
    nested(3, [Some(vec![0, 1, 0]), words([0, 0, 2])], [ints(), flat(1, [None, Some(vec![0b101])])])
}

fn runs() -> Sketch {
    nested(5, [], [flat(2, [None, words([3, 5])]), flat(2, [None, Some(vec![0b1])])])
}

const PAIR: &str = "struct<n: int32, flag: bool>";
const DENSE: &str = "dense_union<0=n: int32, 1=flag: bool>";
const SPARSE: &str = "sparse_union<0=n: int32, 1=flag: bool>";
const RUNS: &str = "run_end_encoded<run_ends: int32 not null, values: bool>";
const WORDS: &str = "dictionary<int8, utf8>";
const LIST: &str = "list<item: int32>";

/// The name of the case, the type, a valid structure, and a function that makes the structure invalid.
type Case = (&'static str, &'static str, Sketch, Break);

type Break = fn(&mut Sketch);

fn cases() -> Vec<Case> {
    vec![
        ("released", "int32", ints(), |it| it.is_released = true),
        ("no buffers", "int32", ints(), |it| it.buffers.clear()),
        ("one buffer too many", "int32", ints(), |it| it.buffers.push(None)),
        ("a negative number of buffers", "int32", ints(), |it| it.n_buffers = Some(-1)),
        ("the most negative number of buffers", "int32", ints(), |it| it.n_buffers = Some(i64::MIN)),
        ("two buffers of a null array", "null", flat(3, [None]), |it| it.buffers.push(None)),
        ("no pointers to buffers", "int32", ints(), |it| it.has_null_lists = true),
        ("a null buffer", "int32", ints(), |it| it.buffers[1] = None),
        ("a null buffer of bits", "bool", flat(3, [None, None]), |_| ()),
        ("a null buffer of offsets", "utf8", text(), |it| it.buffers[1] = None),
        ("a null buffer of text", "utf8", text(), |it| it.buffers[2] = None),
        ("nulls without a bitmap", "int32", ints(), |it| it.null_count = 1),
        ("more nulls than slots", "int32", ints(), |it| {
            it.null_count = 4;
            it.buffers[0] = Some(vec![0]);
        }),
        ("another number of nulls", "int32", ints(), |it| {
            it.null_count = 1;
            it.buffers[0] = Some(vec![0b001]);
        }),
        ("a negative number of nulls", "int32", ints(), |it| it.null_count = -2),
        ("a negative number of nulls of a union", SPARSE, sparse(), |it| it.null_count = -2),
        ("a negative length", "int32", ints(), |it| it.length = -1),
        ("a negative offset", "int32", ints(), |it| it.offset = -1),
        ("a length that is too large", "int32", ints(), |it| it.length = i64::MAX),
        ("a length of bits that is too large", "bool", flat(3, [None, Some(vec![0])]), |it| {
            it.length = i64::MAX
        }),
        ("an offset that is too large", "int32", ints(), |it| it.offset = i64::MAX),
        ("length and offset that overflow", "int32", ints(), |it| {
            it.length = i64::MAX;
            it.offset = i64::MAX;
        }),
        ("a dictionary that is not needed", "int32", ints(), |it| it.dictionary = Some(Box::new(ints()))),
        ("a child of a flat type", "int32", ints(), |it| it.children.push(Some(ints()))),
        ("offsets that decrease", "utf8", text(), |it| it.buffers[1] = words([0, 4, 3])),
        ("a negative first offset", "utf8", text(), |it| it.buffers[1] = words([-1, 2, 3])),
        ("a negative last offset", "utf8", text(), |it| it.buffers[1] = words([0, 2, -3])),
        ("a negative last offset of 64 bits", "large_binary", text(), |it| it.buffers[1] = longs([0, 2, -3])),
        (
            "offsets that decrease after the slots of the parent",
            "struct<a: utf8>",
            nested(1, [None], [flat(2, [None, words([0, 100_000, 3]), Some(b"abc".into())])]),
            |_| (),
        ),
        ("no UTF-8", "utf8", text(), |it| it.buffers[2] = Some(vec![b'a', 0xff, b'c'])),
        ("a character that is cut", "utf8", text(), |it| it.buffers[2] = Some("aß".into())),
        ("two buffers of views", "utf8_view", views(), |it| it.buffers.truncate(2)),
        ("no lengths of views", "utf8_view", views(), |it| it.buffers[3] = None),
        ("a negative length of views", "utf8_view", views(), |it| it.buffers[3] = longs([-1])),
        ("a null buffer of views", "utf8_view", views(), |it| it.buffers[2] = None),
        ("a view past the end", "utf8_view", views(), |it| it.buffers[3] = longs([12])),
        ("a view into no buffer", "binary_view", views(), |it| {
            it.buffers.remove(2);
            it.buffers[2] = longs([]);
        }),
        ("no child of a list", LIST, list(), |it| it.children.clear()),
        ("two children of a list", LIST, list(), |it| it.children.push(Some(ints()))),
        ("a negative number of children", LIST, list(), |it| it.n_children = Some(-1)),
        ("a null child", LIST, list(), |it| it.children[0] = None),
        ("no pointers to children", RUNS, runs(), |it| it.has_null_lists = true),
        ("a released child", LIST, list(), |it| {
            it.children[0] = Some(Sketch { is_released: true, ..ints() })
        }),
        ("a list past the end of its items", LIST, list(), |it| it.buffers[1] = words([0, 2, 4])),
        ("a list view past the end of its items", "list_view<item: int32>", list(), |it| {
            it.buffers = vec![None, words([0, 2]), words([1, 2])];
        }),
        ("a child of another type", "list<item: utf8>", list(), |_| ()),
        ("a short child of a struct", PAIR, pair(), |it| {
            it.children[1] = Some(flat(2, [None, Some(vec![0])]));
        }),
        ("a child that is short by the parent's offset", PAIR, pair(), |it| it.offset = 1),
        (
            "a short child of a fixed-size list",
            "fixed_size_list<item: int32; 2>",
            nested(2, [None], [ints()]),
            |_| (),
        ),
        (
            "a fixed-size list that overflows",
            "fixed_size_list<item: int32; 2147483647>",
            nested(2, [None], [ints()]),
            |it| {
                it.length = i64::MAX;
            },
        ),
        ("a type id without a child", SPARSE, sparse(), |it| it.buffers[0] = Some(vec![0, 2, 0])),
        ("a short child of a sparse union", SPARSE, sparse(), |it| {
            it.children[0] = Some(flat(2, [None, words([1, 2])]))
        }),
        ("a union with a bitmap", SPARSE, sparse(), |it| it.buffers.insert(0, None)),
        ("an offset of a union that is out of bounds", DENSE, dense(), |it| it.buffers[1] = words([0, 1, 2])),
        ("a negative offset of a union", DENSE, dense(), |it| it.buffers[1] = words([0, 0, -1])),
        ("runs that end too soon", RUNS, runs(), |it| it.offset = 1),
        ("runs that decrease", RUNS, runs(), |it| it.children[0] = Some(flat(2, [None, words([5, 3])]))),
        ("no runs", RUNS, runs(), |it| it.children[0] = Some(flat(0, [None, None]))),
        ("fewer values than runs", RUNS, runs(), |it| it.children[1] = Some(flat(1, [None, Some(vec![0])]))),
        ("no dictionary", WORDS, dictionary(), |it| it.dictionary = None),
        ("a released dictionary", WORDS, dictionary(), |it| {
            it.dictionary = Some(Box::new(Sketch { is_released: true, ..text() }));
        }),
        ("an index without a value", WORDS, dictionary(), |it| it.buffers[1] = Some(vec![0, 2, 0])),
        ("a dictionary that is wrong itself", WORDS, dictionary(), |it| {
            it.dictionary = Some(Box::new(flat(2, [None, words([0, 2, 3]), Some(vec![0xff; 3])])));
        }),
        ("a dictionary of another type", "dictionary<int8, int32>", dictionary(), |_| ()),
        (
            "deep inside",
            "struct<a: list<item: struct<b: int32>>>",
            nested(
                1,
                [None],
                [nested(1, [None, words([0, 1])], [nested(1, [None], [flat(1, [None, None])])])],
            ),
            |_| (),
        ),
    ]
}

#[test]
fn wrong_arrays_are_refused() {
    let mut errors = String::new();
    for (name, data_type, mut sketch, break_it) in cases() {
        let data_type: DataType = data_type.parse().expect("a type");
        break_it(&mut sketch);
        let ledger = Ledger::default();
        let error = sketch.import(&ledger, &data_type, Validation::Content);
        let error = error.err().unwrap_or_else(|| panic!("{name} is accepted"));
        ledger.check_all_released();
        writeln!(errors, "{name}: {error}").expect("memory");
        // If the import does not find the error, validation finds it.
        let deferred = sketch.import(&ledger, &data_type, Validation::Structure);
        if let Ok(array) = deferred {
            assert!(array.validate(arrow_data::Validation::Content).is_err(), "{name}");
        }
        ledger.check_all_released();
    }
    insta::assert_snapshot!(errors);
}

/// The arrays from which the cases are made are valid.
#[test]
fn right_arrays_are_accepted() {
    for (data_type, sketch) in [
        ("null", flat(3, [])),
        ("null", flat(3, [None])),
        ("int32", ints()),
        ("utf8", text()),
        ("utf8_view", views()),
        (LIST, list()),
        (PAIR, pair()),
        (WORDS, dictionary()),
        (SPARSE, sparse()),
        (DENSE, dense()),
        (RUNS, runs()),
    ] {
        let ledger = Ledger::default();
        let data_type: DataType = data_type.parse().expect("a type");
        let array = sketch.import(&ledger, &data_type, Validation::Content);
        assert_eq!(array.map(|array| array.len() as i64), Ok(sketch.length), "{data_type}");
        ledger.check_all_released();
    }
}

fn import_rows(sketch: &Sketch, ledger: &Ledger, schema: &Schema) -> Result<RecordBatch, CDataError> {
    // SAFETY: all buffers are as long as those of such columns.
    unsafe { sketch.give(ledger).import_batch(schema.clone(), Validation::Content) }
}

#[test]
fn wrong_batches_are_refused() {
    let schema: Schema = "n: int32\nflag: bool".parse().expect("a schema");
    let cases: [(&str, Break); 8] = [
        ("released", |it| it.is_released = true),
        ("nulls that are declared", |it| it.null_count = 1),
        ("nulls in the bitmap", |it| it.buffers[0] = Some(vec![0b101])),
        ("nulls that nobody counted", |it| {
            it.buffers[0] = Some(vec![0b011]);
            it.null_count = -1;
        }),
        ("a negative number of nulls", |it| it.null_count = -2),
        ("no buffers", |it| it.buffers.clear()),
        ("a dictionary", |it| it.dictionary = Some(Box::new(ints()))),
        ("a column less", |it| it.children.truncate(1)),
    ];
    let mut errors = String::new();
    for (name, break_it) in cases {
        let mut sketch = pair();
        break_it(&mut sketch);
        let ledger = Ledger::default();
        let error = import_rows(&sketch, &ledger, &schema);
        let error = error.err().unwrap_or_else(|| panic!("{name} is accepted"));
        ledger.check_all_released();
        writeln!(errors, "{name}: {error}").expect("memory");
    }
    insta::assert_snapshot!(errors);
    let ledger = Ledger::default();
    let whole = Sketch { buffers: vec![Some(vec![0b111])], null_count: -1, ..pair() };
    let batch = import_rows(&whole, &ledger, &schema);
    assert_eq!(batch.map(|batch| batch.n_rows()), Ok(3), "a bitmap without nulls is no error");
}

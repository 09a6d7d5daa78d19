//! Feather files of version 1: crafted, cut, and with wrong bytes. The tests of the program read those of pyarrow.

use std::{fs, ops::ControlFlow, panic::catch_unwind};

use arrow_array::{BooleanArray, Int64Array};
use arrow_data::RecordBatch;
use arrow_ipc::{Container, ErrorClass};
use arrow_ipc_format::flatbuffer::{FlatbufferWriter, Slot, Value};
use arrow_ipc_tools::{Input, InspectOptions, InspectSink, Rows, ToolError, inspect, inspect::InspectItem};

use crate::ALLOCATOR;

fn open(bytes: &[u8]) -> Result<Input, ToolError> {
    Input::try_from_buffer("memory", bytes.to_vec().into())
}

/// The schema as text, and the batches.
fn read(bytes: &[u8]) -> Result<(String, Vec<RecordBatch>), ToolError> {
    let Rows::Streams(mut streams) = Rows::open(open(bytes)?)? else { unreachable!("a table is no file") };
    let mut batches = Vec::new();
    while let Some(batch) = streams.next_batch()? {
        batches.push(batch);
    }
    let fields = streams.schema().fields().iter().map(ToString::to_string);
    Ok((fields.collect::<Vec<_>>().join(", "), batches))
}

fn golden(name: &str) -> Vec<u8> {
    let folder = testing_support::corpus_dir().join("feather/pyarrow-26.0.1");
    fs::read(folder.join(name).with_extension("feather")).unwrap()
}

/// A file of columns that are all the same.
#[derive(Clone)]
struct Crafted {
    version: i32,
    n_rows: i64,
    n_columns: usize,
    name: String,
    page: Vec<u8>,
    /// Type, encoding, offset, length, null count and length of the page.
    values: (i8, i8, i64, i64, i64, i64),
    /// The tag, and the fields of the table: a unit, and a time zone.
    type_metadata: Option<(u8, i8, &'static str)>,
}

impl Crafted {
    /// Two times in 64 bits.
    fn times() -> Crafted {
        let page = [3_600_i64, 86_399].iter().flat_map(|time| time.to_le_bytes()).collect();
        let name = "t".to_owned();
        let values = (4, 0, 8, 2, 0, 16);
        Crafted { version: 2, n_rows: 2, n_columns: 1, name, page, values, type_metadata: Some((4, 0, "")) }
    }

    fn bytes(&self) -> Vec<u8> {
        const fn slot(index: usize) -> Slot {
            Slot { table: "", field: "", index, default: 0 }
        }
        let mut out = FlatbufferWriter::new_at(0);
        let root = out.zeros(4, 0, 4);
        let table = out.table(&[
            (slot(1), Value::I64(self.n_rows)),
            (slot(2), Value::Reference),
            (slot(3), Value::I32(self.version)),
        ]);
        out.refer(root, table.position);
        let columns = out.references(self.n_columns);
        out.refer_from(&table, &slot(2), columns);
        let references = [(slot(0), Value::Reference), (slot(1), Value::Reference)];
        let union = [(slot(2), Value::Tag), (slot(3), Value::Reference)];
        let n_union = if self.type_metadata.is_some() { 2 } else { 0 };
        let column = out.table(&[&references[..], &union[..n_union]].concat());
        (0..self.n_columns).for_each(|idx| out.refer(columns + 4 + 4 * idx, column.position));
        let name = out.text(&self.name);
        out.refer_from(&column, &slot(0), name);
        let (data_type, encoding, offset, length, null_count, n_bytes) = self.values;
        let numbers = [offset, length, null_count, n_bytes].map(Value::I64);
        let numbers = numbers.into_iter().zip(2..).map(|(number, index)| (slot(index), number));
        let types = [(slot(0), Value::I8(data_type)), (slot(1), Value::I8(encoding))];
        let values = out.table(&types.into_iter().chain(numbers).collect::<Vec<_>>());
        out.refer_from(&column, &slot(1), values.position);
        if let Some((tag, unit, zone)) = self.type_metadata {
            let fields = out.table(&[(slot(0), Value::I8(unit)), (slot(1), Value::Reference)]);
            out.refer_to_union(&column, (&slot(2), tag), (&slot(3), fields.position));
            let zone = out.text(zone);
            out.refer_from(&fields, &slot(1), zone);
        }
        let metadata = out.finish();
        let length = (metadata.len() as u32).to_le_bytes();
        [&b"FEA1\0\0\0\0"[..], &self.page, &metadata, &length, b"FEA1"].concat()
    }
}

/// The columns are cut into batches of 65,536 rows.
#[test]
fn batches_are_cut() {
    let (schema, batches) = read(&golden("long")).unwrap();
    assert_eq!(schema, "b: bool");
    let n_rows: Vec<usize> = batches.iter().map(RecordBatch::n_rows).collect();
    assert_eq!(n_rows, [65_536, 4_464]);
    let rows = batches.iter().flat_map(|batch| {
        let column = BooleanArray::try_from(batch.columns()[0].clone()).unwrap();
        column.iter().collect::<Vec<_>>()
    });
    let expected = (0..70_000).map(|k| (k % 3 != 0).then_some(k % 2 == 0));
    assert!(rows.eq(expected));
}

/// Times of day in 64 bits: in seconds, as R wrote them, and in units that need 64 bits.
#[test]
fn times_in_64_bits_are_read() {
    let with_unit = |unit| {
        let file = Crafted { type_metadata: Some((4, unit, "")), ..Crafted::times() };
        read(&file.bytes())
    };
    for (unit, expected) in
        [(0, "t: time32(s)"), (1, "t: time32(ms)"), (2, "t: time64(us)"), (3, "t: time64(ns)")]
    {
        let (schema, batches) = with_unit(unit).unwrap();
        assert_eq!(schema, expected);
        let values = batches[0].columns()[0].buffer(0);
        if unit < 2 {
            assert_eq!(values.view::<i32>().unwrap(), [3_600, 86_399]);
        } else {
            assert_eq!(values.view::<i64>().unwrap(), [3_600, 86_399]);
        }
    }
    let long = Crafted { page: vec![0xff; 16], ..Crafted::times() };
    // −1 fits, 2⁴⁰ does not, unless the slot is null.
    read(&long.bytes()).unwrap();
    let page = [1_i64 << 40, 5].iter().flat_map(|time| time.to_le_bytes()).collect::<Vec<u8>>();
    let error = read(&Crafted { page: page.clone(), ..Crafted::times() }.bytes()).unwrap_err();
    assert!(error.to_string().contains("a time of day is 1099511627776"), "{error}");
    let page = [&[2, 0, 0, 0, 0, 0, 0, 0], &page[..]].concat();
    let (_, batches) =
        read(&Crafted { page, values: (4, 0, 8, 2, 1, 24), ..Crafted::times() }.bytes()).unwrap();
    assert_eq!(batches[0].columns()[0].null_count(), 1);
}

/// A page need not begin at a multiple of 8.
#[test]
fn misaligned_pages_are_copied() {
    let page = [&[0; 3][..], &7_i64.to_le_bytes(), &(-7_i64).to_le_bytes()].concat();
    let file = Crafted { page, values: (4, 0, 11, 2, 0, 16), type_metadata: None, ..Crafted::times() };
    let (_, batches) = read(&file.bytes()).unwrap();
    let column = Int64Array::try_from(batches[0].columns()[0].clone()).unwrap();
    assert!(column.iter().eq([Some(7), Some(-7)]));
}

#[test]
fn what_is_wrong_is_reported() {
    use ErrorClass::{LimitExceeded, Malformed, Truncated, Unsupported};
    let sound = Crafted::times();
    read(&sound.bytes()).unwrap();
    let with = |values| Crafted { values, ..sound.clone() };
    let of = |tag, unit| Crafted { type_metadata: Some((tag, unit, "")), ..sound.clone() };
    let cases: [(Crafted, ErrorClass, &str); 19] = [
        (Crafted { version: 1, ..sound.clone() }, Unsupported, "value 1 of `CTable.version`"),
        (Crafted { n_rows: 3, ..sound.clone() }, Malformed, "the length of a column is 2"),
        (Crafted { n_rows: -1, ..sound.clone() }, Malformed, "num_rows is -1"),
        // Two columns in the same page; a hundred with the same name.
        (Crafted { n_columns: 2, ..sound.clone() }, LimitExceeded, "bytes of columns"),
        (
            Crafted {
                n_columns: 100,
                name: "n".repeat(500),
                values: (4, 0, 8, 0, 0, 0),
                n_rows: 0,
                ..sound.clone()
            },
            LimitExceeded,
            "bytes of metadata",
        ),
        (with((13, 0, 8, 2, 0, 16)), Unsupported, "value 13 of `PrimitiveArray.type`"),
        (with((19, 0, 8, 2, 0, 16)), Unsupported, "value 19 of `PrimitiveArray.type`"),
        (with((-1, 0, 8, 2, 0, 16)), Unsupported, "value -1 of `PrimitiveArray.type`"),
        (with((4, 1, 8, 2, 0, 16)), Unsupported, "value 1 of `PrimitiveArray.encoding`"),
        (with((4, 0, -8, 2, 0, 16)), Malformed, "offset -8"),
        (with((4, 0, 8, 2, 0, 1 << 40)), Malformed, "out of bounds"),
        (with((4, 0, i64::MAX, 2, 0, i64::MAX)), Malformed, "out of bounds"),
        (with((4, 0, 8, 2, 0, 8)), Truncated, "the page of a column is truncated: 8 of 16 bytes"),
        (with((4, 0, 8, 2, 3, 16)), Truncated, "8 of 16 bytes"),
        (with((4, 0, 8, 2, -1, 16)), Malformed, "null_count is -1"),
        (of(3, 0), Malformed, "an integer type that fits dates"),
        (of(4, 4), Unsupported, "value 4 of `unit`"),
        (of(5, 0), Unsupported, "value 5 of `Column.metadata_type`"),
        (of(1, 0), Malformed, "CategoryMetadata"),
    ];
    for (file, class, words) in cases {
        let error = read(&file.bytes()).unwrap_err();
        assert!(error.to_string().contains(words), "{words}: {error}");
        assert_eq!(error.ipc_error().unwrap().class(), class, "{error}");
    }
    // Columns without bytes in one table.
    let many = Crafted { n_columns: 100_000, values: (4, 0, 8, 0, 0, 0), n_rows: 0, ..sound.clone() };
    let error = read(&many.bytes()).unwrap_err();
    assert!(error.to_string().contains("bytes of metadata exceed"), "{error}");
    // Rows without columns take no memory.
    let (_, batches) = read(&Crafted { n_columns: 0, n_rows: 1 << 60, ..sound.clone() }.bytes()).unwrap();
    assert_eq!(batches.iter().map(RecordBatch::n_rows).collect::<Vec<_>>(), [1 << 60]);
    // As many rows as no page has.
    let (many, n_rows) = ((4, 0, 8, i64::MAX, 0, 16), i64::MAX);
    let error = read(&Crafted { values: many, n_rows, ..sound }.bytes()).unwrap_err();
    assert_eq!(error.ipc_error().unwrap().class(), Truncated, "{error}");
}

#[test]
fn bytes_of_the_end_are_checked() {
    let whole = golden("data-frame");
    for n_bytes in 4..whole.len() {
        let error = read(&whole[..n_bytes]).unwrap_err();
        assert!([ErrorClass::Truncated, ErrorClass::Malformed].contains(&error.ipc_error().unwrap().class()));
    }
    let mut long = whole.clone();
    let length = whole.len() - 8;
    long[length..length + 4].copy_from_slice(&[0xff; 4]);
    assert!(read(&long).unwrap_err().to_string().contains("the metadata is truncated: "));
}

/// A wrong byte gives an error or other values, and takes no more memory than the file justifies.
#[test]
fn wrong_bytes_cause_no_panic_and_take_little_memory() {
    let mut n_read = 0;
    for name in ["data-frame", "nulls", "no-columns", "every-type-nulls", "categories"] {
        let whole = golden(name);
        let most = 25 * whole.len() as i64 + (64 << 10);
        let step = if whole.len() > 1_000 { 7 } else { 1 };
        for position in (4..whole.len()).step_by(step) {
            let wrong = [whole[position] ^ 0xff, whole[position] ^ 1, 0, 0x7f];
            for &wrong in testing_support::Hunt::from_env().some_of(&wrong, 2, position / step) {
                let mut bytes = whole.clone();
                bytes[position] = wrong;
                let (found, usage) =
                    ALLOCATOR.measure(|| catch_unwind(|| read(&bytes).map(|(_, batches)| batches.len())));
                let found = found.unwrap_or_else(|_| panic!("{name}: {wrong} at {position}"));
                assert!(usage.peak_bytes < most, "{name}: {wrong} at {position}: {usage:?}");
                n_read += u32::from(found.is_ok());
            }
        }
    }
    assert!(n_read > 1_000, "{n_read}");
}

struct NoItems;

impl InspectSink for NoItems {
    fn item(&mut self, _: InspectItem<'_>) -> ControlFlow<()> {
        panic!("there is nothing to show")
    }
}

/// There are no messages to show.
#[test]
fn tables_have_no_messages() {
    let input = open(&golden("nulls")).unwrap();
    assert_eq!(input.container(), Container::FeatherV1);
    let error = inspect(input, &InspectOptions::new(), &mut NoItems, &mut ()).unwrap_err();
    assert!(error.to_string().ends_with("found a Feather file of version 1"), "{error}");
    // A copy that is read twice is a stream.
    let reopen = open(&golden("nulls")).unwrap().into_repeated().unwrap();
    assert_eq!([reopen(), reopen()].map(|input| input.container()), [Container::Stream; 2]);
}

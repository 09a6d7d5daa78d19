//! Inputs of any size. Each is the most expensive input of its kind that is known.

use std::sync::Arc;

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    BodyRange, DictionaryPolicy, FileWriter, Limits, MessageScan, SharedBuffers, StreamWriter, UnusedValues,
    WriteOptions, file::Footer, message::Header,
};
use arrow_schema::{DataType, Field, IndexType, Metadata, RunEndType, Schema, UnionMode};
use arrow_select::GrowingArray;
use testing_support::{Generator, Nulls, array, batch_of, ints};

/// A kind of input.
pub(super) struct Worst {
    pub(super) name: &'static str,
    /// The first size that is measured.
    pub(super) n: usize,
    pub(super) make: fn(usize) -> Vec<u8>,
    /// The names of operations that do not have this bound, each with the reason.
    pub(super) without: &'static [(&'static str, &'static str)],
}

const PRINT: (&str, &str) =
    ("print", "each row writes what it shares with others: a bound on output is not promised");
const STATS: (&str, &str) = ("stats", "values that unfold to up to 64 times their bytes are counted");
const PIECES: (&str, &str) = ("a column", "the pieces get longer that are fetched to find the schema");
const SELECT: (&str, &str) = ("select", "dictionaries are merged by their bytes, which nesting repeats");

const NOT_STRICT: (&str, &str) = ("validate strictly", "the first offset that does not ascend ends it");
const UNREADABLE: [(&str, &str); 3] = {
    const WHY: &str = "the first batch cannot be read, and ends it";
    [("read", WHY), ("select", WHY), ("print", WHY)]
};

pub(super) const INPUTS: &[Worst] = &[
    Worst { name: "many rows", n: 2_000, make: |n| stream(&[batch_of(ints(0..n as i32))]), without: &[] },
    Worst {
        name: "many columns",
        n: 200,
        make: |n| stream(&[columns(n, |idx| format!("column {idx}"))]),
        without: &[],
    },
    Worst {
        name: "columns of one name",
        n: 200,
        make: |n| stream(&[columns(n, |_| "c".to_owned())]),
        without: &[],
    },
    Worst { name: "many batches", n: 100, make: |n| stream(&vec![batch_of(ints([1])); n]), without: &[] },
    Worst {
        name: "many batches of a file",
        n: 250, // Past 256 KiB a recovery fetches a message twice, which is a step.
        make: |n| file(&vec![batch_of(ints([1])); n]),
        without: &[],
    },
    Worst { name: "messages that the footer does not list", n: 180, make: unlisted, without: &[] },
    Worst { name: "a struct of many fields", n: 200, make: |n| many_fields(n, "s"), without: &[] },
    Worst {
        name: "fields below a long name",
        n: 200,
        make: |n| many_fields(n, &"a long name ".repeat(n)),
        without: &[
            ("inspect", "each buffer is shown with the path of its field"),
            ("stats of fields", "each field is shown with its path, and all of them are bounded"),
        ],
    },
    Worst { name: "columns of unknown types", n: 200, make: unknown_types, without: &UNREADABLE },
    Worst {
        name: "columns that share their bytes",
        n: 100,
        make: shared_columns,
        without: &[PIECES, ("stats of fields", PIECES.1), ("convert, casting", PIECES.1)],
    },
    // These inputs are shorter than the 256 KiB that a recovery fetches at once. A message across that border is
    // fetched twice.
    Worst { name: "metadata", n: 300, make: metadata, without: &[] },
    Worst { name: "metadata that a stream has no place for", n: 1000, make: two_metadata, without: &[] },
    Worst {
        name: "rows of the null type",
        n: 1,
        make: |n| nulls(n << 40),
        without: &[PRINT, ("select", "as many rows")],
    },
    Worst {
        name: "list views of numbers",
        n: 400,
        make: |n| shared_items(ints(0..n as i32)),
        without: &[STATS, PRINT],
    },
    Worst {
        name: "list views of utf8",
        n: 400,
        make: |n| shared_items(generated(&DataType::Utf8, n)),
        without: &[PRINT],
    },
    Worst {
        name: "list views of views",
        n: 400,
        make: |n| shared_items(generated(&DataType::Utf8View, n)),
        without: &[PRINT],
    },
    Worst {
        name: "list views of booleans",
        n: 400,
        make: |n| shared_items(generated(&DataType::Boolean, n)),
        without: &[STATS, PRINT],
    },
    Worst { name: "list views of lists", n: 400, make: |n| shared_items(lists(n)), without: &[PRINT] },
    Worst { name: "list views of structs", n: 400, make: |n| shared_items(structs(n)), without: &[PRINT] },
    Worst {
        name: "list views of unions",
        n: 400,
        make: |n| shared_items(unions(n)),
        without: &[PRINT, NOT_STRICT],
    },
    Worst { name: "list views of runs", n: 400, make: |n| shared_items(runs(n)), without: &[STATS, PRINT] },
    Worst {
        name: "list views of dictionaries",
        n: 400,
        make: |n| shared_items(dictionary(ints(0..n as i32), n)),
        without: &[STATS, PRINT],
    },
    Worst {
        name: "list views of list views",
        n: 200,
        make: |n| shared_items(list_views(ints(0..n as i32))),
        without: &[PRINT],
    },
    Worst {
        name: "views of the same bytes",
        n: 400,
        make: shared_views,
        without: &[
            STATS,
            PRINT,
            ("compare", "values of up to 4 KiB are compared again"),
            ("a condition with a constant", "values of up to 4 KiB are searched again"),
        ],
    },
    Worst { name: "unions of one value", n: 400, make: |n| stream(&[batch_of(one_value(n))]), without: &[] },
    Worst { name: "batches of one dictionary", n: 100, make: one_dictionary, without: &[] },
    Worst { name: "a dictionary that grows", n: 800, make: growing, without: &[] },
    Worst { name: "dictionaries that are replaced", n: 100, make: replaced, without: &[] },
    Worst { name: "nested dictionaries that are replaced", n: 50, make: replaced_below, without: &[SELECT] },
    Worst { name: "many dictionaries", n: 100, make: many_dictionaries, without: &[] },
    Worst { name: "a batch of many buffers", n: 400, make: many_buffers, without: &[] },
    Worst { name: "blocks at one message", n: 100, make: blocks_at_one_message, without: &UNREADABLE },
];

fn stream(batches: &[RecordBatch]) -> Vec<u8> {
    stream_with(batches, WriteOptions::new().with_unused_items(UnusedValues::Keep))
}

fn stream_with(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    StreamWriter::write_to_vec_with(batches[0].schema(), batches, options).unwrap()
}

fn file(batches: &[RecordBatch]) -> Vec<u8> {
    FileWriter::write_to_vec(batches[0].schema(), batches).unwrap()
}

/// A file whose footer lists one batch. Unlisted batches follow, with other bytes between them.
fn unlisted(n: usize) -> Vec<u8> {
    let footer_of = |bytes: &[u8]| Footer::read(&Buffer::copy_from(bytes), &Limits::default()).unwrap();
    let both = file(&[batch_of(ints([1])), batch_of(ints(0..9))]);
    let block = footer_of(&both).batches()[1];
    let other = &both[block.position() as usize..][..block.n_bytes() as usize];
    let whole = file(&[batch_of(ints([1]))]);
    // The position of the end marker.
    let (start, end) = whole.split_at(footer_of(&whole).position() as usize - 8);
    [start, &[b"no batch", other].concat().repeat(n), end].concat()
}

fn around(data_type: DataType, children: Vec<ArrayData>, n_slots: usize) -> ArrayData {
    array(data_type, n_slots, [Buffer::new(), Buffer::new()], children)
}

fn item(child: &ArrayData) -> Field {
    Field::new("item", child.data_type().clone())
}

fn generated(data_type: &DataType, n: usize) -> ArrayData {
    Generator::new(7).array(data_type, n, Nulls::Some)
}

fn columns(n: usize, name: fn(usize) -> String) -> RecordBatch {
    let fields: Vec<Field> = (0..n).map(|idx| Field::new(name(idx), DataType::Int32)).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), (0..n).map(|_| ints([1])).collect::<Vec<_>>())
        .unwrap()
}

fn many_fields(n: usize, name: &str) -> Vec<u8> {
    let fields: Vec<Field> = (0..n).map(|idx| Field::new(format!("field {idx}"), DataType::Int32)).collect();
    let fields = around(DataType::struct_(fields), (0..n).map(|_| ints([1])).collect(), 1);
    stream(&[RecordBatch::try_from_columns([(name, fields)]).unwrap()])
}

/// Every second column has an unknown type.
fn unknown_types(n: usize) -> Vec<u8> {
    let with = |other: &DataType| {
        let data_type = |idx: usize| if idx.is_multiple_of(2) { DataType::Int32 } else { other.clone() };
        let schema: Schema = (0..n).map(|idx| Field::new(format!("column {idx}"), data_type(idx))).collect();
        StreamWriter::write_to_vec(Arc::new(schema), &[]).unwrap()
    };
    // Types without parameters differ only in their number, so the two files show where it is.
    let (mut bytes, others) = (with(&DataType::Boolean), with(&DataType::Utf8));
    assert_eq!(bytes.len(), others.len());
    for (byte, other) in bytes.iter_mut().zip(others) {
        if *byte != other {
            *byte = 200;
        }
    }
    bytes
}

fn shared_columns(n: usize) -> Vec<u8> {
    let numbers = ints(0..100);
    let columns = (0..n).map(|idx| (format!("column {idx}"), numbers.clone()));
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    stream_with(&[batch], WriteOptions::new().with_shared_buffers(SharedBuffers::Once))
}

/// Metadata of the schema and of a field, with each key twice.
fn metadata(n: usize) -> Vec<u8> {
    let pairs: Metadata = (0..n).map(|idx| (format!("key {}", idx / 2), format!("value {idx}"))).collect();
    let field = Field::new("c", DataType::Int32).with_metadata(pairs.clone());
    let schema = Schema::new([field]).with_metadata(pairs.clone());
    let batch = RecordBatch::try_new(Arc::new(schema), vec![ints([1])]).unwrap();
    let options = WriteOptions::new().with_file_metadata(pairs.clone());
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write_with_metadata(&batch, &pairs).unwrap();
    writer.finish().unwrap()
}

/// Metadata of the schema message and of the footer, without equal pairs.
fn two_metadata(n: usize) -> Vec<u8> {
    let pairs =
        |of: &str| (0..n).map(|idx| (format!("key {idx}"), format!("{of} {idx}"))).collect::<Metadata>();
    let options = WriteOptions::new().with_file_metadata(pairs("message"));
    let options = options.with_footer_metadata(pairs("footer"));
    let batch = batch_of(ints([1]));
    FileWriter::write_to_vec_with(batch.schema(), std::slice::from_ref(&batch), options).unwrap()
}

fn nulls(n: usize) -> Vec<u8> {
    stream(&[batch_of(around(DataType::Null, Vec::new(), n))])
}

/// List views: the view n has all items from the item n to the end.
fn list_views(items: ArrayData) -> ArrayData {
    let n = items.len() as i32;
    let offsets: Vec<i32> = (0..n).collect();
    let sizes: Vec<i32> = (0..n).map(|start| n - start).collect();
    let data_type = DataType::list_view(item(&items));
    array(data_type, items.len(), [Buffer::from(offsets), Buffer::from(sizes)], vec![items])
}

fn shared_items(items: ArrayData) -> Vec<u8> {
    stream(&[batch_of(list_views(items))])
}

fn lists(n: usize) -> ArrayData {
    let data_type = DataType::list(Field::new("item", DataType::Int32));
    let offsets: Vec<i32> = (0..=n as i32).collect();
    array(data_type, n, [Buffer::from(offsets), Buffer::new()], vec![ints(0..n as i32)])
}

fn structs(n: usize) -> ArrayData {
    let children = vec![ints(0..n as i32), lists(n)];
    let fields: Vec<Field> = ["a", "b"]
        .iter()
        .zip(&children)
        .map(|(name, child)| Field::new(*name, child.data_type().clone()))
        .collect();
    around(DataType::struct_(fields), children, n)
}

fn unions(n: usize) -> ArrayData {
    let child = ints(0..n as i32);
    let data_type = DataType::union(UnionMode::Dense, [(0, item(&child))]).unwrap();
    let buffers = [Buffer::from(vec![0u8; n]), Buffer::from((0..n as i32).rev().collect::<Vec<_>>())];
    array(data_type, n, buffers, vec![child])
}

/// Runs of one slot with equal values.
fn runs(n: usize) -> ArrayData {
    let values = ints(std::iter::repeat_n(1, n));
    let data_type = DataType::run_end_encoded(RunEndType::Int32, DataType::Int32);
    around(data_type, vec![ints(1..=n as i32), values], n)
}

fn dictionary(values: ArrayData, n: usize) -> ArrayData {
    let n_values = values.len() as i32;
    let data_type = DataType::dictionary(IndexType::Int32, values.data_type().clone()).unwrap();
    let indices: Vec<i32> = (0..n as i32).map(|slot| slot % n_values).collect();
    let buffers = [Buffer::from(indices), Buffer::new()];
    ArrayData::try_new(ArrayParts {
        buffers,
        dictionary: Some(Arc::new(values)),
        ..ArrayParts::new(data_type, n)
    })
    .unwrap()
}

/// Views with one common end: the view n begins at the byte n. Most bytes of the buffer are after that end.
fn shared_views(n: usize) -> Vec<u8> {
    let bytes = vec![b'a'; 40 * n];
    let views: Vec<View> =
        (0..n).map(|start| View::long(&bytes[start..20 + n], 0, start as i32).unwrap()).collect();
    let parts = ArrayParts {
        buffers: [Buffer::from(views), Buffer::new()],
        variadic: Some([Buffer::from(bytes)].into()),
        ..ArrayParts::new(DataType::Utf8View, n)
    };
    stream(&[batch_of(ArrayData::try_new(parts).unwrap())])
}

/// A union. All of its slots refer to one long value.
fn one_value(n: usize) -> ArrayData {
    let text = "a".repeat(200);
    let offsets = Buffer::from(vec![0i32, 200]);
    let child = array(DataType::Utf8, 1, [offsets, Buffer::from(text.into_bytes())], Vec::new());
    let data_type = DataType::union(UnionMode::Dense, [(0, item(&child))]).unwrap();
    array(data_type, n, [Buffer::from(vec![0u8; n]), Buffer::from(vec![0i32; n])], vec![child])
}

/// One dictionary for all batches. The number of batches equals the number of values.
fn one_dictionary(n: usize) -> Vec<u8> {
    let values = ints(0..n as i32);
    stream(&(0..n).map(|_| batch_of(dictionary(values.clone(), 1))).collect::<Vec<_>>())
}

/// Each batch has one value more than the batch before, and is written with a delta.
fn growing(n: usize) -> Vec<u8> {
    let mut growing = GrowingArray::new(&DataType::Int32);
    let mut batches = Vec::new();
    for value in 0..n as i32 {
        growing = growing.append(&ints([value]), u64::MAX).unwrap();
        batches.push(batch_of(dictionary(growing.array(), 1)));
    }
    stream_with(&batches, WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta))
}

fn replaced(n: usize) -> Vec<u8> {
    stream(&(0..n as i32).map(|value| batch_of(dictionary(ints([value]), 1))).collect::<Vec<_>>())
}

/// Dictionaries of structs, which have a dictionary inside.
fn replaced_below(n: usize) -> Vec<u8> {
    let batch = |value: i32| {
        let inner = dictionary(ints([value, value + 1]), 2);
        let fields = [Field::new("a", inner.data_type().clone())];
        batch_of(dictionary(around(DataType::struct_(fields), vec![inner], 2), 2))
    };
    stream(&(0..n as i32).map(batch).collect::<Vec<_>>())
}

pub(super) fn many_dictionaries(n: usize) -> Vec<u8> {
    let column = |idx: usize| (format!("column {idx}"), dictionary(ints([idx as i32]), 1));
    stream(&[RecordBatch::try_from_columns((0..n).map(column)).unwrap()])
}

/// Nested structs with views. Each view has a buffer of its own.
pub(super) fn many_buffers(n: usize) -> Vec<u8> {
    let value = b"a long value of many bytes";
    let views: Vec<View> = (0..n as i32).map(|idx| View::long(value, idx, 0).unwrap()).collect();
    let parts = ArrayParts {
        buffers: [Buffer::from(views), Buffer::new()],
        variadic: Some(vec![Buffer::copy_from(value); n].into()),
        ..ArrayParts::new(DataType::Utf8View, n)
    };
    let views = ArrayData::try_new(parts).unwrap();
    let deep = (0..40).fold(views, |child, _| around(DataType::struct_([item(&child)]), vec![child], n));
    stream(&[batch_of(deep)])
}

/// A file with many blocks at the position of one large message. A scan from the start does not find this message.
fn blocks_at_one_message(n: usize) -> Vec<u8> {
    const BLOCK_BYTES: usize = 24;
    let pairs: Metadata = (0..n).map(|idx| (format!("key {idx}"), "a value".repeat(5))).collect();
    let batch = batch_of(ints([1]));
    let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write_with_metadata(&batch, &pairs).unwrap();
    (0..n).for_each(|_| writer.write(&batch).unwrap());
    let mut bytes = writer.finish().unwrap();
    let footer = Footer::read(&Buffer::from(bytes.clone()), &Limits::default()).unwrap();
    let first = footer.batches()[0].position().to_le_bytes();
    let footer_start = footer.position() as usize;
    for block in footer.batches() {
        let position = block.position().to_le_bytes();
        let rest = &bytes[footer_start..];
        let at = rest.windows(8).position(|found| found == position).unwrap() + footer_start;
        // Each block has one byte of metadata, so that all blocks fit into the file.
        let wire = [&first[..], &1u64.to_le_bytes(), &0u64.to_le_bytes()].concat();
        bytes[at..at + BLOCK_BYTES].copy_from_slice(&wire);
    }
    // Damages the schema message.
    bytes[16..32].fill(0xff);
    bytes
}

/// A column of views. Its variadic buffers are in the first half and the second half of the body by turns.
pub(super) fn scattered_buffers(n: usize) -> Vec<u8> {
    let value = [b'a'; 4096];
    let views: Vec<View> = (0..n as i32).map(|idx| View::long(&value, idx, 0).unwrap()).collect();
    let parts = ArrayParts {
        buffers: [Buffer::from(views), Buffer::new()],
        variadic: Some(vec![Buffer::copy_from(&value); n].into()),
        ..ArrayParts::new(DataType::BinaryView, n)
    };
    let mut bytes = stream(&[batch_of(ArrayData::try_new(parts).unwrap())]);
    let mut scan = MessageScan::try_new(Buffer::from(bytes.clone()), 0..u64::MAX, Limits::default()).unwrap();
    let message = std::iter::from_fn(|| scan.next_message().unwrap()).last().unwrap();
    let Header::RecordBatch(batch) = message.header(&Limits::default()).unwrap() else { panic!("a batch") };
    // Skips the validity buffer and the views.
    let on_the_wire = |range: &BodyRange| [range.start(), range.n_bytes()].map(u64::to_le_bytes).concat();
    let wire: Vec<Vec<u8>> = batch.buffers()[2..].iter().map(on_the_wire).collect();
    let (first, second) = wire.split_at(n / 2);
    let by_turns: Vec<u8> =
        first.iter().zip(second).flat_map(|both| [both.0, both.1]).flatten().copied().collect();
    let list = wire.concat();
    let at = bytes.windows(list.len()).position(|found| found == list).unwrap();
    bytes[at..at + list.len()].copy_from_slice(&by_turns);
    bytes
}

//! Types of the maximum depth that a reader allows, on a thread with Rust's default stack.

use std::{sync::Arc, thread};

use arrow_array::*;
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode, UnionType};

const STACK_BYTES: usize = 2 << 20;
/// The depth of types. Without optimisation, stack frames are large, so the depth is the default limit of readers. Otherwise it
/// is the highest limit that readers accept.
const DEPTH: usize = if cfg!(debug_assertions) { 64 } else { 512 };

/// A way to wrap an array in another array, and the number of levels that it adds.
type Wrapper = (&'static str, usize, fn(ArrayData) -> ArrayData);

const WRAPS: &[Wrapper] = &[
    ("list", 1, list),
    ("dictionary of lists", 1, dictionary),
    ("struct", 1, struct_),
    ("map", 2, map),
    ("union", 1, union),
    ("runs", 1, runs),
    ("list view", 1, list_view),
    ("runs of dictionaries", 2, |child| runs(dictionary(child))),
];

fn make(parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(parts).expect("the parts fit")
}

fn item(child: &ArrayData) -> Field {
    Field::new("item", child.data_type().clone())
}

fn list(child: ArrayData) -> ArrayData {
    make(ArrayParts {
        buffers: [Buffer::from(vec![0, 1]), Buffer::new()],
        ..around([child.clone()], DataType::list(item(&child)))
    })
}

fn list_view(child: ArrayData) -> ArrayData {
    make(ArrayParts {
        buffers: [Buffer::from(vec![0]), Buffer::from(vec![1])],
        ..around([child.clone()], DataType::list_view(item(&child)))
    })
}

fn dictionary(child: ArrayData) -> ArrayData {
    let values = list(child);
    let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone()).expect("no dictionary");
    make(ArrayParts {
        buffers: [Buffer::copy_from(&[0]), Buffer::new()],
        dictionary: Some(Arc::new(values)),
        ..ArrayParts::new(data_type, 1)
    })
}

fn struct_(child: ArrayData) -> ArrayData {
    make(around([child.clone()], DataType::Struct([item(&child)].into())))
}

fn map(child: ArrayData) -> ArrayData {
    let data_type = DataType::map(Field::new("key", DataType::Int8).required(), item(&child));
    let entries = data_type.children()[0].data_type().clone();
    let entries = make(around([Int8Array::from_iter([1]).into(), child], entries));
    make(ArrayParts { buffers: [Buffer::from(vec![0, 1]), Buffer::new()], ..around([entries], data_type) })
}

fn union(child: ArrayData) -> ArrayData {
    let union = UnionType::try_new(vec![item(&child)], None, UnionMode::Sparse).expect("one child");
    make(ArrayParts {
        buffers: [Buffer::copy_from(&[0]), Buffer::new()],
        ..around([child], DataType::Union(Arc::new(union)))
    })
}

fn runs(child: ArrayData) -> ArrayData {
    let data_type = DataType::run_end_encoded(RunEndType::Int16, child.data_type().clone());
    make(around([Int16Array::from_iter([1]).into(), child], data_type))
}

fn around<const N: usize>(children: [ArrayData; N], data_type: DataType) -> ArrayParts {
    ArrayParts { children: Some(children.into()), ..ArrayParts::new(data_type, 1) }
}

/// Wraps an array until its fields are [`DEPTH`] levels deep. The result is not validated.
fn deep(depth: usize, wrap: fn(ArrayData) -> ArrayData, levels: usize) -> ArrayData {
    let leaf = make(Int8Array::from_iter([1]).into_data().into_parts());
    (0..depth / levels).fold(leaf, |array, _| wrap(array))
}

#[test]
fn values_are_as_deep_as_types() {
    for (name, levels, wrap) in WRAPS {
        let json =
            ColumnText::try_new(&deep(3 * levels, *wrap, *levels), TextStyle::Json).expect("it is valid");
        let text = json.value(0).to_string();
        let expected = match *name {
            "list" | "dictionary of lists" | "list view" | "runs of dictionaries" => "[[[1]]]",
            "struct" | "union" => r#"{"item":{"item":{"item":1}}}"#,
            "map" => "[[1,[[1,[[1,1]]]]]]",
            _ => "1",
        };
        assert_eq!(text, expected, "{name}");
    }
}

#[test]
fn deep_types_need_little_stack() {
    for (name, levels, wrap) in WRAPS {
        let work = move || {
            let data = deep(DEPTH, *wrap, *levels);
            let checked = data.clone().validate(Validation::Strict).expect("it is valid");
            let proven = DictionaryProofs::new().prove(&data).expect("it is valid");
            for data in [data, checked, proven] {
                let array = AnyArray::try_new(&data).expect("it is valid");
                assert!(format!("{array:?}").len() < 3_000);
                assert!(array == array.clone());
                let column = ColumnText::try_new(&data, TextStyle::Json).expect("it is valid");
                assert!(!column.value(0).to_string().is_empty());
                let batch = RecordBatch::try_from_columns([("deep", data)]).expect("one column");
                assert_eq!(TextCache::new().rows(&batch).expect("it is valid").iter().count(), 1);
                assert_eq!(batch.slice(1, 0).n_rows(), 0);
                assert!(ArrayData::new_empty(batch.columns()[0].data_type()).is_empty());
            }
        };
        let thread = thread::Builder::new().name((*name).to_owned()).stack_size(STACK_BYTES);
        thread.spawn(work).expect("a thread starts").join().expect("all is valid");
    }
}

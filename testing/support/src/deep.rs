//! Types with the greatest depth, and threads with little stack.

use std::{sync::Arc, thread};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};

/// The stack of a small thread: an eighth of the stack of a main thread.
const STACK_BYTES: usize = 512 << 10;
/// The stack for making arrays, and for other code that is not tested.
const MUCH_STACK_BYTES: usize = 64 << 20;

/// A way to wrap an array in another one: the name, the number of added levels, and the function.
type Wrapper = (&'static str, usize, fn(ArrayData) -> ArrayData);

const WRAPS: &[Wrapper] = &[
    ("list", 1, |child| list(DataType::list(item(&child)), child)),
    ("list view", 1, |child| {
        let buffers = [Buffer::from(vec![0]), Buffer::from(vec![1])];
        let data_type = DataType::list_view(item(&child));
        make(ArrayParts { buffers, ..around([child], data_type) })
    }),
    ("fixed-size list", 1, |child| {
        let data_type = DataType::fixed_size_list(item(&child), 1).expect("a small size");
        make(around([child], data_type))
    }),
    ("struct", 1, |child| {
        let data_type = DataType::struct_([item(&child)]);
        make(around([child], data_type))
    }),
    ("map", 2, |child| {
        let data_type = DataType::map(Field::new("key", DataType::Int8).required(), item(&child));
        let entries = data_type.children()[0].data_type().clone();
        let entries = make(around([leaf(), child], entries));
        list(data_type, entries)
    }),
    ("sparse union", 1, |child| union(UnionMode::Sparse, child)),
    ("dense union", 1, |child| union(UnionMode::Dense, child)),
    ("dictionary of lists", 1, |child| dictionary(list(DataType::list(item(&child)), child))),
    ("runs", 1, runs),
    ("runs of dictionaries of structs", 2, |child| {
        let data_type = DataType::struct_([item(&child)]);
        runs(dictionary(make(around([child], data_type))))
    }),
];

fn make(parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(parts).expect("the parts fit")
}

fn around<const N: usize>(children: [ArrayData; N], data_type: DataType) -> ArrayParts {
    ArrayParts { children: Some(children.into()), ..ArrayParts::new(data_type, 1) }
}

fn item(child: &ArrayData) -> Field {
    Field::new("item", child.data_type().clone())
}

fn leaf() -> ArrayData {
    let buffers = [Buffer::copy_from(&[1]), Buffer::new()];
    make(ArrayParts { buffers, ..ArrayParts::new(DataType::Int8, 1) })
}

fn list(data_type: DataType, child: ArrayData) -> ArrayData {
    let buffers = [Buffer::from(vec![0, 1]), Buffer::new()];
    make(ArrayParts { buffers, ..around([child], data_type) })
}

fn union(mode: UnionMode, child: ArrayData) -> ArrayData {
    let offsets = if mode == UnionMode::Dense { Buffer::from(vec![0]) } else { Buffer::new() };
    let data_type = DataType::union(mode, [(0, item(&child))]).expect("one child");
    make(ArrayParts { buffers: [Buffer::copy_from(&[0]), offsets], ..around([child], data_type) })
}

fn dictionary(values: ArrayData) -> ArrayData {
    let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone()).expect("no dictionary");
    let buffers = [Buffer::copy_from(&[0]), Buffer::new()];
    make(ArrayParts { buffers, dictionary: Some(Arc::new(values)), ..ArrayParts::new(data_type, 1) })
}

fn runs(child: ArrayData) -> ArrayData {
    let buffers = [Buffer::from(vec![1i16]), Buffer::new()];
    let ends = make(ArrayParts { buffers, ..ArrayParts::new(DataType::Int16, 1) });
    let data_type = DataType::run_end_encoded(RunEndType::Int16, child.data_type().clone());
    make(around([ends, child], data_type))
}

/// A batch of one row, with a column whose type has this depth, or one level less. It is not validated.
fn deep(depth: usize, (levels, wrap): (usize, fn(ArrayData) -> ArrayData)) -> RecordBatch {
    let array = (0..(depth - 1) / levels).fold(leaf(), |array, _| wrap(array));
    assert!(array.data_type().depth() <= depth && array.data_type().depth() + levels > depth);
    RecordBatch::try_from_columns([("deep", array)]).expect("one column")
}

/// An operation on types and values, and its name.
pub type Operation = (&'static str, fn(&RecordBatch));

/// For each way to nest types to this depth, runs all operations on a batch of one row, with a stack of 512 KiB.
pub fn on_little_stack(depth: usize, operations: &[Operation]) {
    for (name, levels, wrap) in WRAPS {
        let made = || deep(depth, (*levels, *wrap));
        let batch = with_stack(MUCH_STACK_BYTES, format!("making {name}"), made);
        for (operation, run) in operations {
            // Its name is in the message of a stack that overflows.
            with_stack(STACK_BYTES, format!("{operation} of {name}"), || run(&batch));
        }
        with_stack(STACK_BYTES, format!("dropping {name}"), || drop(batch));
    }
}

fn with_stack<T: Send>(n_bytes: usize, name: String, work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name(name).stack_size(n_bytes);
        thread.spawn_scoped(scope, work).expect("a thread starts").join().expect("all is valid")
    })
}

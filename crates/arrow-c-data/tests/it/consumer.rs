//! Uses exported structures as a consumer in C does: copies them to other addresses, moves children and dictionaries
//! out, and releases all of them in any order, on any thread. The memory must be freed at the last release.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::thread;

use arrow_buffer::Buffer;
use arrow_c_data::{ArrowArray, ArrowArrayStream, ArrowSchema};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_schema::{DataType, Field, IndexType, Schema};
use testing_support::{Generator, Nulls, batch_of};

use crate::{
    foreign::{CArray, CSchema, CStream},
    types,
};

/// A structure of C that was moved by copying its bytes, and may go to any thread.
struct SendStructure<T>(T);

// SAFETY: the interface allows it.
unsafe impl<T> Send for SendStructure<T> {}

/// Moves a structure as C does: the bytes go elsewhere, and the source is marked as released.
macro_rules! moved {
    ($source:expr) => {{
        let source = $source;
        // SAFETY: the tests pass pointers to structures that are not released.
        let copy = unsafe { source.read() };
        // SAFETY: as before.
        unsafe { (*source).release = None };
        SendStructure(copy)
    }};
}

/// Releases a structure without moving it.
macro_rules! release {
    ($moved:expr) => {{
        let mut moved = $moved;
        let release = moved.0.release.expect("not released");
        // SAFETY: it is not released.
        unsafe { release(&mut moved.0) };
        assert!(moved.0.release.is_none(), "the callback marks the structure as released");
    }};
}

fn exported(array: &ArrayData) -> SendStructure<CArray> {
    let mut storage = MaybeUninit::<CArray>::uninit();
    let array = ArrowArray::try_from_array(array).expect("few slots");
    // SAFETY: the place is as large.
    unsafe { array.write_to(storage.as_mut_ptr().cast()) };
    // SAFETY: it was filled.
    let mut filled = unsafe { storage.assume_init() };
    moved!(&raw mut filled)
}

/// Checks the numbers and pointers of a structure, its children and its dictionary.
fn check_pointers(array: &ArrayData, structure: &CArray, what: &str) {
    let known =
        if array.dictionary().is_some() { Some(array.null_count()) } else { array.known_null_count() };
    assert_eq!(structure.null_count, known.map_or(-1, |n| n as i64), "{what}");
    let n_buffers = structure.n_buffers as usize;
    // SAFETY: as many pointers as the structure says.
    let buffers = unsafe { std::slice::from_raw_parts(structure.buffers, n_buffers) };
    // Only the pointer to a bitmap may be null.
    let n_bitmaps = usize::from(array.layout().has_validity());
    for (position, pointer) in buffers.iter().enumerate().skip(n_bitmaps) {
        assert!(!pointer.is_null(), "{what}, buffer {position}");
    }
    assert_eq!(structure.n_children as usize, array.children().len(), "{what}");
    for (position, child) in array.children().iter().enumerate() {
        // SAFETY: it has so many children.
        let pointer = unsafe { structure.children.add(position) };
        // SAFETY: a pointer to a child stands there.
        let pointer = unsafe { *pointer };
        // SAFETY: the child lives as long as its parent.
        check_pointers(child, unsafe { &*pointer }, what);
    }
    if let Some(values) = array.dictionary() {
        // SAFETY: an encoded array has a dictionary.
        check_pointers(values, unsafe { &*structure.dictionary }, what);
    }
}

/// Some consumers refuse a null pointer even if the length is 0. An export writes −1 if the null count is unknown, but counts the nulls of
/// indices.
#[test]
fn empty_buffers_have_pointers_and_unknown_null_counts_are_minus_one() {
    let mut n_unknown = 0;
    for (seed, (name, data_type)) in types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        for nulls in Nulls::ALL {
            for n_slots in [0, 1, 9] {
                for array in [
                    ArrayData::new_empty(&data_type),
                    generator.array(&data_type, n_slots, nulls),
                    generator.sliced_array(&data_type, n_slots, nulls),
                ] {
                    let array = array.validate(Validation::Content).expect("generated");
                    n_unknown += usize::from(array.known_null_count().is_none());
                    let structure = exported(&array);
                    check_pointers(&array, &structure.0, &format!("{name}, {n_slots} slots, {nulls:?}"));
                    release!(structure);
                }
            }
        }
    }
    assert!(n_unknown > 0, "slices with a bitmap have counts that nobody made");
}

/// Numbers, and a second reference to their memory, which shows when the array is dropped.
fn ints(numbers: &[i32]) -> (ArrayData, Arc<Vec<i32>>) {
    let memory = Arc::new(numbers.to_vec());
    let buffer = Buffer::from_owner_with(Arc::clone(&memory), |numbers| {
        arrow_buffer::NativeType::slice_as_bytes(numbers)
    });
    let parts =
        ArrayParts { buffers: [buffer, Buffer::new()], ..ArrayParts::new(DataType::Int32, numbers.len()) };
    (ArrayData::try_new(parts).expect("numbers"), memory)
}

fn numbers_in(array: &CArray) -> Vec<i32> {
    let (offset, length) = (array.offset as usize, array.length as usize);
    // SAFETY: an array of numbers has two buffers.
    let start = unsafe { array.buffers.wrapping_add(1).read() }.cast::<i32>();
    // SAFETY: the second has this many.
    unsafe { std::slice::from_raw_parts(start.wrapping_add(offset), length) }.to_vec()
}

/// A struct of two columns of numbers and one that is dictionary-encoded.
fn rows() -> (ArrayData, [Arc<Vec<i32>>; 3]) {
    let ((a, a_memory), (b, b_memory), (values, values_memory)) =
        (ints(&[1, 2, 3]), ints(&[4, 5, 6]), ints(&[7, 8]));
    let words = DataType::dictionary(IndexType::Int8, DataType::Int32).expect("a type");
    let indices = Buffer::from(vec![0_i8, 1, 0]);
    let encoded = ArrayData::try_new(ArrayParts {
        buffers: [indices, Buffer::new()],
        dictionary: Some(Arc::new(values)),
        ..ArrayParts::new(words, 3)
    })
    .expect("indices");
    let fields = [("a", &a), ("b", &b), ("c", &encoded)];
    let fields = fields.map(|(name, column)| Field::new(name, column.data_type().clone()));
    let parts = ArrayParts {
        children: Some(vec![a, b, encoded].into()),
        ..ArrayParts::new(DataType::struct_(fields), 3)
    };
    (ArrayData::try_new(parts).expect("columns"), [a_memory, b_memory, values_memory])
}

#[test]
fn children_that_are_moved_outlive_their_parent() {
    let (array, [a_memory, b_memory, values_memory]) = rows();
    let parent = exported(&array);
    drop(array);
    // SAFETY: there are three children.
    let children = unsafe { std::slice::from_raw_parts(parent.0.children, 3) };
    // SAFETY: the last has a dictionary.
    let dictionary = unsafe { &*children[2] }.dictionary;
    let (first, values) = (moved!(children[0]), moved!(dictionary));
    release!(parent);
    let n_owners = |memory: &Arc<Vec<i32>>| Arc::strong_count(memory) - 1;
    assert!(n_owners(&a_memory) > 0 && n_owners(&values_memory) > 0, "what was moved is in use");
    assert_eq!(n_owners(&b_memory), 0, "the parent releases what stayed");
    assert_eq!((numbers_in(&first.0), numbers_in(&values.0)), (vec![1, 2, 3], vec![7, 8]));
    let other = thread::spawn(move || {
        let values = values;
        release!(values);
    });
    other.join().expect("no panic");
    assert!(n_owners(&a_memory) > 0, "it is not released yet");
    release!(first);
    assert_eq!((n_owners(&a_memory), n_owners(&values_memory)), (0, 0));
}

/// Two threads release siblings while other threads read other siblings.
#[test]
fn siblings_are_released_on_any_thread() {
    for _ in 0..50 {
        let (array, memory) = rows();
        let parent = exported(&array);
        drop(array);
        // SAFETY: there are three children.
        let children = unsafe { std::slice::from_raw_parts(parent.0.children, 2) };
        let moved: Vec<SendStructure<CArray>> = children.iter().map(|child| moved!(*child)).collect();
        let mut threads: Vec<_> = moved
            .into_iter()
            .map(|child| {
                thread::spawn(move || {
                    let child = child;
                    let numbers = numbers_in(&child.0);
                    release!(child);
                    numbers
                })
            })
            .collect();
        threads.push(thread::spawn(move || {
            let parent = parent;
            release!(parent);
            Vec::new()
        }));
        let numbers: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        assert_eq!(numbers, [vec![1, 2, 3], vec![4, 5, 6], vec![]]);
        assert!(memory.iter().all(|memory| Arc::strong_count(memory) == 1), "all is released");
    }
}

#[test]
fn schemas_are_moved_apart() {
    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8).expect("a type");
    let schema: Schema = [Field::new("a", DataType::Int32), Field::new("b", words)].into_iter().collect();
    let mut storage = MaybeUninit::<CSchema>::uninit();
    let exported = ArrowSchema::try_from_schema(&schema).expect("no NUL");
    // SAFETY: the place is as large.
    unsafe { exported.write_to(storage.as_mut_ptr().cast()) };
    // SAFETY: it was filled.
    let parent = moved!(storage.as_mut_ptr());
    // SAFETY: there are two children.
    let children = unsafe { std::slice::from_raw_parts(parent.0.children, 2) };
    // SAFETY: the last has a dictionary.
    let dictionary = unsafe { &*children[1] }.dictionary;
    let (first, values) = (moved!(children[0]), moved!(dictionary));
    release!(parent);
    // SAFETY: neither is released, so that their texts live.
    let texts = unsafe { [first.0.format, first.0.name, values.0.format].map(|text| CStr::from_ptr(text)) };
    assert_eq!(texts, [c"i", c"a", c"u"]);
    release!(values);
    release!(first);
}

/// Owners of memory and sources of streams may panic when they are dropped. No panic crosses into C.
#[test]
fn panics_of_owners_do_not_reach_c() {
    struct Panics(Arc<Vec<i32>>);

    impl AsRef<[u8]> for Panics {
        fn as_ref(&self) -> &[u8] {
            arrow_buffer::NativeType::slice_as_bytes(&self.0)
        }
    }

    impl Drop for Panics {
        fn drop(&mut self) {
            std::panic::resume_unwind(Box::new("on purpose"));
        }
    }

    let memory = Arc::new(vec![1, 2, 3]);
    let buffers = [Buffer::from_owner(Panics(Arc::clone(&memory))), Buffer::new()];
    let array = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int32, 3) });
    let given = exported(&array.expect("numbers"));
    assert_eq!(numbers_in(&given.0), [1, 2, 3]);
    release!(given);
    assert_eq!(Arc::strong_count(&memory), 1);

    let owner = Panics(Arc::clone(&memory));
    let schema: Schema = "c: int32".parse().expect("a schema");
    let source =
        std::iter::empty::<Result<RecordBatch, &str>>().inspect(move |_| assert!(!owner.0.is_empty()));
    drop(ArrowArrayStream::new(schema, source));
    assert_eq!(Arc::strong_count(&memory), 1);
}

/// The text of an error lives until the next call, wherever the stream is moved to.
#[test]
fn streams_are_moved_between_calls() {
    let batch = batch_of(testing_support::ints([1, 2]));
    let results: Vec<Result<RecordBatch, &str>> = vec![Ok(batch.clone()), Err("no more"), Ok(batch.clone())];
    let mut storage = MaybeUninit::<CStream>::uninit();
    // SAFETY: the place is as large.
    unsafe {
        ArrowArrayStream::new(batch.schema().clone(), results).write_to(storage.as_mut_ptr().cast());
    }
    let mut stream = moved!(storage.as_mut_ptr());
    let next = |stream: &mut SendStructure<CStream>| {
        let mut array = MaybeUninit::<CArray>::uninit();
        let get_next = stream.0.get_next.expect("a callback");
        // SAFETY: the stream is not released, and the target is as large.
        let code = unsafe { get_next(&mut stream.0, array.as_mut_ptr()) };
        // SAFETY: the callback writes a structure, also if it fails.
        (code, SendStructure(unsafe { array.assume_init() }))
    };
    let text = |stream: &mut SendStructure<CStream>| {
        let get_last_error = stream.0.get_last_error.expect("a callback");
        // SAFETY: the stream is not released.
        unsafe { get_last_error(&mut stream.0) }
    };
    let (code, first) = next(&mut stream);
    assert_eq!((code, first.0.length, text(&mut stream).is_null()), (0, 2, true));
    let (code, failed) = next(&mut stream);
    assert_eq!((code, failed.0.release.is_none()), (5, true));
    let said = text(&mut stream);
    let mut stream = moved!(&raw mut stream.0);
    assert_eq!(text(&mut stream), said, "asking for the text does not free it");
    // SAFETY: no other callback was called since.
    assert_eq!(unsafe { CStr::from_ptr(said) }, c"no more");
    // A call after an error fails again, so the consumer does not take the stream for complete.
    let (code, last) = next(&mut stream);
    assert_eq!((code, last.0.release.is_none()), (5, true));
    // SAFETY: no other callback was called since.
    assert_eq!(unsafe { CStr::from_ptr(text(&mut stream)) }, c"no more");
    release!(stream);
    assert_eq!(first.0.n_children, 1, "what a stream has given outlives it");
    release!(first);
}

/// An array without slots has one offset. This crate does not check it, but consumers may read it.
#[test]
fn arrays_without_slots_have_an_offset_of_zero() {
    let items = testing_support::ints([7, 8, 9]);
    let parts = ArrayParts::new(testing_support::list_of_ints(), 0);
    let buffers = [Buffer::from(vec![-1_i32]), Buffer::new()];
    let list = ArrayData::try_new(ArrayParts { buffers, children: Some([items].into()), ..parts });
    let structure = exported(&list.expect("a sound structure"));
    // SAFETY: lists have two buffers.
    let second = unsafe { structure.0.buffers.add(1) };
    // SAFETY: it is within the array of pointers.
    let offsets = unsafe { second.read() }.cast::<i32>();
    // SAFETY: the second buffer of a list has at least one offset.
    assert_eq!(unsafe { offsets.read() }, 0);
    release!(structure);
}

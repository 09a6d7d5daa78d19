//! Tests types of the greatest depth that readers allow, on a thread with Rust's default stack.

use std::{sync::Arc, thread};

use arrow_buffer::Bitmap;
use arrow_data::{ArrayData, ArrayParts, Comparer};
use arrow_schema::{DataType, Field, FieldPath, IndexType, RunEndType, UnionMode};
use arrow_select::{GrowingArray, ReferredBytes, Select, ValueBytes, concat};

use testing_support::make::{array, dictionary, int32, list, list_view, nulls, runs, struct_};

const STACK_BYTES: usize = 2 << 20;
/// Without optimisation, stack frames are large, so the depth is the default limit of readers. Otherwise it is the
/// highest limit.
const DEPTH: usize = if cfg!(debug_assertions) { 64 } else { 512 };

type Wrapper = (&'static str, usize, fn(ArrayData) -> ArrayData);

const WRAPS: &[Wrapper] = &[
    ("list", 1, |child| list(&DataType::list(item(&child)), &[0, 1, 2], child)),
    ("list view", 1, |child| list_view(&DataType::list_view(item(&child)), &[1, 0], &[1, 1], child)),
    ("fixed-size list", 1, |child| {
        let data_type = DataType::fixed_size_list(item(&child), 1).expect("a small size");
        array(ArrayParts { children: Some(Arc::new([child])), ..ArrayParts::new(data_type, 2) })
    }),
    ("struct", 1, |child| nulls(struct_(vec![(item(&child), child)]), "11")),
    ("dictionary of lists", 1, |child| {
        let values = list(&DataType::list(item(&child)), &[0, 1, 2], child);
        let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone());
        dictionary(&data_type.expect("no dictionary"), &[1, 0], values)
    }),
    ("runs", 1, |child| runs(RunEndType::Int16, 2, &[1, 2], child)),
    ("sparse union", 1, |child| union(UnionMode::Sparse, child)),
    ("dense union", 1, |child| union(UnionMode::Dense, child)),
];

fn item(child: &ArrayData) -> Field {
    Field::new("item", child.data_type().clone())
}

fn union(mode: UnionMode, child: ArrayData) -> ArrayData {
    let data_type = DataType::union(mode, [(3, item(&child))]).expect("one id");
    let offsets = if mode == UnionMode::Dense { vec![1_i32, 0] } else { Vec::new() };
    array(ArrayParts {
        buffers: [vec![3_i8, 3].into(), offsets.into()],
        children: Some(Arc::new([child])),
        ..ArrayParts::new(data_type, 2)
    })
}

fn deep(leaf: [i32; 2], wrap: fn(ArrayData) -> ArrayData) -> ArrayData {
    (0..DEPTH).fold(int32(&leaf), |array, _| wrap(array))
}

#[test]
fn deep_types_need_little_stack() {
    for (name, levels, wrap) in WRAPS {
        let work = move || {
            let (left, right) = (deep([1, 2], *wrap), deep([1, 3], *wrap));
            assert_eq!(left.same_values(&deep([1, 2], *wrap)), Ok(true), "{name}");
            assert_eq!(left.logical_null_count(), Ok(0), "{name}");
            let bytes = ValueBytes::try_new(&left).expect("sound content");
            // Values that contain the same items twice at each level are too large, so this may fail.
            let _ = bytes.append(0, &mut Vec::new(), 1 << 16);
            let mut comparer = Comparer::try_new(&left, &right).expect("one type");
            let difference = comparer.first_difference(0..2, 0).expect("inside").expect("one differs");
            let n_steps = if *name == "runs" { 0 } else { DEPTH * levels };
            assert_eq!(difference.path().steps().len(), n_steps, "{name}");
            let joined = concat(&[left.clone(), right.clone()]).expect("they fit");
            assert_eq!(joined.slice(2, 2).same_values(&right), Ok(true), "{name}");
            let growing = GrowingArray::new(left.data_type()).append(&left, u64::MAX);
            let growing = growing.and_then(|growing| growing.append(&right, u64::MAX)).expect("they fit");
            assert_eq!(growing.array().slice(2, 2).same_values(&right), Ok(true), "{name}");
            assert!(joined.n_referred_bytes().expect("sound content") >= 16, "{name}");
            let turned = joined.take(&[3, 0]).and_then(|taken| taken.take(&[1, 0])).expect("inside");
            assert_eq!(turned.slice(0, 1).same_values(&left.slice(0, 1)), Ok(true), "{name}");
            let filtered = joined.filter(&Bitmap::from_iter([true, false, true, true])).expect("four bits");
            assert_eq!(filtered.slice(1, 2).same_values(&right), Ok(true), "{name}");
            let path: FieldPath = difference.path().clone();
            // Whether a path may lead through a type depends on the type. Only the stack matters here.
            let _ = left.at_path(&path).map(|values| values.len());
        };
        let thread = thread::Builder::new().name((*name).to_owned()).stack_size(STACK_BYTES);
        thread.spawn(work).expect("a thread starts").join().expect("all is valid");
    }
}

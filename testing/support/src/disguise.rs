//! Makes arrays with the same values in other layouts.

use std::sync::Arc;

use crate::{Generator, Rng};
use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, ChildLen, Content, layout};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};

use crate::make::{array, dictionary, numbers};

/// An array with the same values and, at random, other widths of offsets, views, indices and runs.
pub fn disguise(generator: &mut Generator, original: &ArrayData) -> ArrayData {
    let rng = generator.rng();
    let mut disguised = other_children(rng, original);
    if rng.one_in(2) {
        disguised = other_layout(&disguised);
    }
    match rng.below(6) {
        0 if disguised.dictionary().is_none() => indexed(&disguised),
        1 => runs_of(rng, &disguised),
        2 => {
            let runs = runs_of(rng, &disguised);
            runs_of(rng, &runs)
        }
        _ => disguised,
    }
}

fn other_children(rng: &mut Rng, original: &ArrayData) -> ArrayData {
    let keeps = matches!(layout(original.data_type()).content(), Content::RunEnds | Content::MapEntries);
    if keeps || original.children().is_empty() {
        return original.clone();
    }
    let mut seeded = Generator::new(rng.bits());
    let children: Vec<ArrayData> =
        original.children().iter().map(|child| disguise(&mut seeded, child)).collect();
    let fields = original.data_type().children().iter().zip(&children);
    let fields = fields.map(|(field, child)| field.clone().with_data_type(child.data_type().clone()));
    let data_type = original.data_type().with_children(fields.collect()).expect("as many children");
    array(ArrayParts { data_type, children: Some(children.into()), ..original.clone().into_parts() })
}

/// Changes the width of offsets, replaces offsets by views, or changes the mode of a union.
fn other_layout(original: &ArrayData) -> ArrayData {
    let parts = original.clone().into_parts();
    let n_slots = parts.n_slots;
    let data_type = original.data_type();
    let is_wide = layout(data_type).data_buffers().first().is_some_and(|spec| spec.bits == 64);
    let number = |k: usize, idx: usize| -> i64 {
        let bytes = original.buffer(k);
        if is_wide {
            bytes.view::<i64>().expect("aligned")[idx]
        } else {
            bytes.view::<i32>().expect("aligned")[idx].into()
        }
    };
    let wide = |k: usize, n: usize| Buffer::from((0..n).map(|idx| number(k, idx)).collect::<Vec<i64>>());
    let item = || data_type.children()[0].clone();
    let offsets = || if original.buffer(0).is_empty() { Buffer::new() } else { wide(0, n_slots + 1) };
    match (layout(data_type).content(), layout(data_type).child_len()) {
        (Content::Text, _) if is_wide => views(original, DataType::Utf8View),
        (Content::Text, _) => {
            let buffers = [offsets(), original.buffer(1).clone()];
            array(ArrayParts { data_type: DataType::LargeUtf8, buffers, ..parts })
        }
        (Content::Offsets, ChildLen::NoChildren) if is_wide => views(original, DataType::BinaryView),
        (Content::Offsets, ChildLen::NoChildren) => {
            let buffers = [offsets(), original.buffer(1).clone()];
            array(ArrayParts { data_type: DataType::LargeBinary, buffers, ..parts })
        }
        (Content::Offsets, _) if is_wide => {
            let starts = (0..n_slots).map(|slot| number(0, slot) as i32).collect::<Vec<i32>>();
            let sizes = (0..n_slots).map(|slot| (number(0, slot + 1) - number(0, slot)) as i32);
            let buffers = [Buffer::from(starts), Buffer::from(sizes.collect::<Vec<i32>>())];
            array(ArrayParts { data_type: DataType::list_view(item()), buffers, ..parts })
        }
        (Content::Offsets, _) => {
            let buffers = [offsets(), Buffer::new()];
            array(ArrayParts { data_type: DataType::large_list(item()), buffers, ..parts })
        }
        (Content::OffsetsAndSizes, _) if !is_wide => {
            let buffers = [wide(0, n_slots), wide(1, n_slots)];
            array(ArrayParts { data_type: DataType::large_list_view(item()), buffers, ..parts })
        }
        (Content::SparseTypeIds, _) => {
            let union = data_type.as_union().expect("a union");
            let fields = union.type_ids().iter().copied().zip(union.fields().iter().cloned());
            let data_type = DataType::union(UnionMode::Dense, fields).expect("the same ids");
            let offsets: Vec<i32> = (0..n_slots as i32).collect();
            let buffers = [original.buffer(0).clone(), Buffer::from(offsets)];
            array(ArrayParts { data_type, buffers, ..parts })
        }
        _ => original.clone(),
    }
}

/// Replaces offsets of 64 bits by views.
fn views(original: &ArrayData, data_type: DataType) -> ArrayData {
    let parts = original.clone().into_parts();
    let offsets = original.buffer(0).view::<i64>().expect("aligned");
    let data = original.buffer(1).clone();
    let view = |slot: usize| {
        if !original.is_valid(slot) {
            return View::from_parts(-1, *b"null", 77, -1);
        }
        let bytes = &data[offsets[slot] as usize..offsets[slot + 1] as usize];
        View::inline(bytes).or_else(|| View::long(bytes, 1, offsets[slot] as i32)).expect("a short buffer")
    };
    let views: Vec<View> = (0..parts.n_slots).map(view).collect();
    let variadic: Option<Arc<[Buffer]>> = Some(Arc::new([Buffer::new(), data.clone()]));
    array(ArrayParts { data_type, buffers: [Buffer::from(views), Buffer::new()], variadic, ..parts })
}

/// A dictionary-encoded array with the values of `original`.
fn indexed(original: &ArrayData) -> ArrayData {
    let data_type =
        DataType::dictionary(IndexType::Int32, original.data_type().clone()).expect("no dictionary");
    let indices: Vec<i64> = (0..original.len() as i64).collect();
    dictionary(&data_type, &indices, original.clone())
}

/// Stores each value as a run. The array may begin inside its first run and end inside its last.
fn runs_of(rng: &mut Rng, original: &ArrayData) -> ArrayData {
    let n_slots = original.len();
    let offset = if n_slots == 0 { 0 } else { rng.below(3) };
    let ends: Vec<i64> =
        (1..=n_slots).map(|end| (end + offset + usize::from(end == n_slots)) as i64).collect();
    let ends_type = DataType::from(RunEndType::Int32);
    let ends = array(ArrayParts {
        buffers: [numbers(&ends_type, 0, &ends), Buffer::new()],
        ..ArrayParts::new(ends_type, n_slots)
    });
    let values = Field::new("values", original.data_type().clone());
    let data_type = DataType::run_end_encoded(RunEndType::Int32, values.data_type().clone());
    let children: Arc<[ArrayData]> = Arc::new([ends, original.clone()]);
    array(ArrayParts { children: Some(children), offset, ..ArrayParts::new(data_type, n_slots) })
}

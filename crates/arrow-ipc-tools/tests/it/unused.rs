//! `explain` finds and counts the bytes to which no slot refers, in files of this writer and of other writers.

use std::fs;

use arrow_array::{DictionaryArray, Int32Array, Utf8ViewArray};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Role};
use arrow_ipc::{Compression, Endianness, FileWriter, UnusedValues, WriteOptions, WrittenContainer};
use arrow_ipc_report::{
    Explanation, explain,
    explain::{Change, FindingKind, Remedy},
};
use arrow_ipc_rewrite::plan::{BatchShape, ColumnShape, PlanBuilder, PlannedData};
use arrow_ipc_tools::{ConvertOptions, Input, convert};
use arrow_schema::{DataType, Field, Schema, UnionMode};
use arrow_select::Select;
use testing_support::Rng;

fn explained(bytes: &[u8]) -> Explanation {
    let input = Input::try_from_buffer("input", bytes.to_vec().into()).unwrap();
    explain(input, None, &mut ()).unwrap().0
}

fn is_of_unused(kind: &FindingKind) -> bool {
    matches!(kind, FindingKind::UnusedBytes { .. })
}

/// The number of bytes that are reported as unused.
fn unused(bytes: &[u8]) -> u64 {
    let explanation = explained(bytes);
    let is_found = explanation.findings.iter().any(|finding| is_of_unused(&finding.kind));
    if is_found { explanation.n_unused_bytes } else { 0 }
}

/// A file whose columns have `n_slots` slots of `shape`. Their 32-bit offsets begin at `first` and grow by `step`.
fn with_offsets(field: DataType, shape: ColumnShape, [n_slots, first, step]: [u64; 3]) -> Vec<u8> {
    let provider = |data: &PlannedData<'_>, to: &mut [u8]| {
        for (to, at) in to.iter_mut().zip(data.range.clone()) {
            let offset = first + at / 4 * step;
            *to = if data.buffer.role == Role::Offsets {
                (offset as u32).to_le_bytes()[at as usize % 4]
            } else {
                b'a'
            };
        }
        Ok(to.len())
    };
    let schema = Schema::new([Field::new("c", field)]);
    let mut plan = PlanBuilder::try_new(schema, WrittenContainer::File).unwrap();
    plan.push(&BatchShape::new(n_slots).with_columns([shape]), 2).unwrap();
    let plan = plan.finish().unwrap();
    plan.read_at(0..plan.len(), &provider).unwrap()
}

#[test]
fn offsets_that_begin_late_or_end_early_are_found() {
    let list = || DataType::list(Field::new("item", DataType::Int32));
    let items = |n| ColumnShape::list(n, ColumnShape::new());
    for (file, expected) in [
        (with_offsets(DataType::Utf8, ColumnShape::bytes(10_000), [10, 0, 1000]), 0),
        (with_offsets(DataType::Utf8, ColumnShape::bytes(10_000), [10, 2000, 300]), 2 * 7000),
        (with_offsets(DataType::Binary, ColumnShape::bytes(10_000), [10, 0, 1]), 2 * 9990),
        (with_offsets(list(), items(1000), [10, 700, 30]), 2 * 4 * 700),
        (with_offsets(list(), items(1000), [10, 0, 0]), 2 * 4 * 1000),
        // Invalid offsets are ignored.
        (with_offsets(DataType::Utf8, ColumnShape::bytes(10_000), [10, 20_000, u64::from(u32::MAX)]), 0),
    ] {
        assert_eq!(unused(&file), expected);
    }
}

fn array(data_type: DataType, buffers: [Buffer; 2], child: ArrayData) -> ArrayData {
    let parts = ArrayParts { buffers, children: Some([child].into()), ..ArrayParts::new(data_type, 3) };
    ArrayData::try_new(parts).unwrap()
}

fn written(column: ArrayData, options: WriteOptions) -> Vec<u8> {
    let batch = RecordBatch::try_from_columns([("c", column)]).unwrap();
    let options = options.with_unused_items(UnusedValues::Keep);
    FileWriter::write_to_vec_with(batch.schema(), &[batch.clone(), batch.clone()], options).unwrap()
}

#[test]
fn what_views_lists_unions_and_indices_do_not_refer_to_is_found() {
    let items = || Int32Array::from_iter(0..1000).into_data();
    let texts = Utf8ViewArray::from_iter((0..1000).map(|row| Some(format!("a text of 24 bytes, {row:04}"))));
    let views = texts.into_data().take(&[0, 5, 5, 340, 341, 999]).unwrap();
    let item = || Field::new("item", DataType::Int32);
    // Two views have two items in common.
    let pair = [vec![0_i32, 1, 997].into(), vec![3_i32, 3, 3].into()];
    let lists = array(DataType::list_view(item()), pair, items());
    let union = DataType::union(UnionMode::Dense, [(7, item())]).unwrap();
    let slots = [vec![7_i8; 3].into(), vec![0_i32, 999, 999].into()];
    let union = array(union, slots, items());
    let words = DictionaryArray::try_new(Int32Array::from_iter([999, 3, 3]), items()).unwrap();
    for (column, expected) in [
        // Each data buffer has its first and its last value.
        (views, 2 * 995 * 24),
        (lists, 2 * 993 * 4),
        (union, 2 * 998 * 4),
        // The dictionary is written once.
        (words.into(), 998 * 4),
    ] {
        let name = column.data_type().to_string();
        for order in [Endianness::Little, Endianness::Big] {
            let file = written(column.clone(), WriteOptions::new().with_endianness(order));
            assert_eq!(unused(&file), expected, "{name}, {order:?}");
        }
        // Compressed bodies are not read.
        let options = WriteOptions::new().with_compression(Some(Compression::lz4()));
        assert_eq!(unused(&written(column.clone(), options)), 0, "{name}");
        // A damaged body causes no error.
        let file = written(column, WriteOptions::new());
        let mut rng = Rng::new(5);
        for _ in 0..500 {
            let (mut damaged, at) = (file.clone(), rng.below(file.len()));
            damaged[at] ^= 1 << rng.below(8);
            if let Ok(input) = Input::try_from_buffer("damaged", damaged.into()) {
                explain(input, None, &mut ()).unwrap();
            }
        }
    }
}

/// Arrays without slots, with the buffers of writers that slice arrays without copying.
#[test]
fn without_a_slot_nothing_is_used() {
    let items = || Int32Array::from_iter(0..1000).into_data();
    let item = || Field::new("item", DataType::Int32);
    let views = || Utf8ViewArray::from_iter((0..3).map(|_| Some("a text".repeat(1000)))).into_data();
    let pair = [vec![0_i32, 1, 997].into(), vec![3_i32, 3, 3].into()];
    let lists = array(DataType::list_view(item()), pair, items());
    let union = DataType::union(UnionMode::Dense, [(7, item())]).unwrap();
    let union = array(union, [vec![7_i8; 3].into(), vec![0_i32, 999, 999].into()], items());
    let nested = DataType::list(Field::new("item", DataType::Utf8View));
    let nested = array(nested, [vec![0_i32, 1, 2, 3].into(), Buffer::new()], views());
    let text = ArrayParts {
        buffers: [vec![0_i32, 0, 0, 4000].into(), Buffer::zeroed(4000)],
        ..ArrayParts::new(DataType::Utf8, 3)
    };
    let text = ArrayData::try_new(text).unwrap();
    for (column, expected) in
        [(views(), 18_000), (lists, 4000), (union, 4000), (nested, 18_000), (text, 4000)]
    {
        let name = column.data_type().to_string();
        let mut file = written(column, WriteOptions::new());
        // Sets all lengths of batches, nodes and buffers that are 3 to 0.
        let lengths = file.as_chunks_mut::<8>().0.iter_mut().filter(|chunk| **chunk == 3_u64.to_le_bytes());
        assert!(lengths.map(|length| *length = [0; 8]).count() >= 4, "{name}");
        let found = unused(&file);
        assert!((2 * expected..=2 * expected + 100).contains(&found), "{name}: {found}");
    }
}

/// A conversion as `explain` advises removes the unused bytes, also in files of other writers.
#[test]
fn what_is_found_goes() {
    let golden = testing_support::corpus_dir().join("golden");
    let mut n_found = 0;
    for path in testing_support::files_below(&golden, "") {
        let Ok(bytes) = fs::read(&path) else { continue };
        let shown = path.display();
        let Ok(input) = Input::try_from_buffer("golden", bytes.clone().into()) else { continue };
        let Ok((before, _)) = explain(input, None, &mut ()) else { continue };
        let found = before.findings.iter().find(|finding| is_of_unused(&finding.kind));
        let Some(Remedy::Convert(changes)) = found.and_then(|found| found.remedy.as_ref()) else { continue };
        if changes.iter().any(|change| matches!(change, Change::Cast { .. })) {
            continue;
        }
        let n_bytes = before.n_unused_bytes;
        let has_dictionaries = changes.contains(&Change::UnifyDictionaries);
        n_found += 1;
        let input = Input::try_from_buffer("golden", bytes.into()).unwrap();
        let options = ConvertOptions::new(WrittenContainer::File);
        let writing = WriteOptions::new()
            .with_unused_items(UnusedValues::Remove)
            .with_unused_values(UnusedValues::Remove);
        let options = ConvertOptions { writing: Some(writing), ..options };
        let options =
            if has_dictionaries { ConvertOptions { unifies_dictionaries: true, ..options } } else { options };
        let (after, _) = convert(input, Vec::new(), &options, &mut ()).unwrap();
        assert_eq!(unused(&after), 0, "{shown}");
        let n_data = |it: &Explanation| it.n_body_bytes - it.n_padding_bytes;
        let (before, after) = (n_data(&before), n_data(&explained(&after)));
        assert!(after + n_bytes <= before + before / 20, "{shown}: {before} to {after} without {n_bytes}");
    }
    assert!(n_found > 30, "{n_found} files");
}

//! For every type, container and option: the image of the plan has the bytes that the writer writes, whichever range of
//! it is read, and its parts are where the written messages have them.

use std::{fs, ops::Range};

use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, Endianness, Feature, Framing, IpcSchema, MetadataVersion, RowCounts, StreamReader,
    WriteOptions, WrittenContainer, error::BlockIndex,
};
use arrow_ipc_rewrite::plan::{BatchShape, Plan, PlanBuilder, PlanSegment, PlannedPart};
use arrow_schema::{DataType, Field, Metadata, Schema};
use testing_support::{Generator, Hunt, Nulls, Rng, all_types, corpus_dir, files_below, schema_of_all_types};

use arrow_ipc::IpcErrorKind::{ChangedDictionary, ReplacedDictionary};

use super::written::{MessageMetadata, Written};

const FOREIGN: Endianness = if cfg!(target_endian = "big") { Endianness::Little } else { Endianness::Big };

/// Plans the same messages.
fn plan(
    container: WrittenContainer,
    schema: &IpcSchema,
    options: &WriteOptions,
    written: &Written,
) -> arrow_ipc::Result<Plan> {
    let mut builder = PlanBuilder::try_new_with(schema, container, options.clone())?;
    for message in &written.messages {
        match message.dictionary_id {
            Some(id) => builder.push_dictionary(id, &message.shape)?,
            None => builder.push(&message.shape, 1)?,
        }
    }
    builder.finish()
}

fn metadata(key: &str) -> Metadata {
    Metadata::from_iter([(key, "value"), ("", "")])
}

/// The options; V4 only if the types allow it.
fn variants() -> Vec<(WriteOptions, MessageMetadata)> {
    let none = || MessageMetadata { batch: Metadata::new(), dictionary: Metadata::new() };
    let v4 = || WriteOptions::new().with_version(MetadataVersion::V4);
    vec![
        (WriteOptions::new(), none()),
        (
            WriteOptions::new(),
            MessageMetadata { batch: metadata("batch"), dictionary: metadata("dictionary") },
        ),
        (
            WriteOptions::new()
                .with_alignment(8)
                .with_dictionaries(DictionaryPolicy::Error)
                .with_row_counts(RowCounts::Written),
            none(),
        ),
        (
            WriteOptions::new()
                .with_alignment(4096)
                .with_file_metadata(metadata("file"))
                .with_row_counts(RowCounts::Written),
            none(),
        ),
        (WriteOptions::new().with_endianness(FOREIGN).with_footer_metadata(metadata("footer")), none()),
        (v4().with_features([Feature::CompressedBody]), none()),
        (
            v4().with_framing(Framing::Legacy).with_alignment(16),
            MessageMetadata { dictionary: metadata("v4"), ..none() },
        ),
    ]
}

/// Everything that is said of an image, compared with what was written.
fn check(plan: &Plan, written: &Written, rng: &mut Rng, n_ranges: usize, name: &str) {
    let len = written.bytes.len() as u64;
    assert_eq!(plan.len(), len, "{name}");
    assert!(plan.read_at(0..len, written).unwrap() == *written.bytes, "{name}: the image differs");
    for _ in 0..n_ranges {
        let [a, b] = [(); 2].map(|()| rng.bits() % (len + 1));
        let range = a.min(b)..a.max(b);
        let read = plan.read_at(range.clone(), written).unwrap();
        assert!(read == written.slice(range.clone()), "{name}: {range:?} differs");
        check_segments(plan, written, range, name);
    }
    let mut n_messages = 0;
    for (message, planned) in written.messages.iter().zip(plan.messages().skip(1)) {
        n_messages += 1;
        let range = planned.position()..planned.position() + planned.n_bytes();
        assert_eq!(range, message.range, "{name}");
        assert_eq!(planned.position() + planned.n_metadata_bytes(), message.body_position, "{name}");
        assert_eq!(plan.message(message.block).unwrap(), planned, "{name}");
        let located = match message.block {
            BlockIndex::RecordBatch(batch_idx) => plan.batch(batch_idx),
            BlockIndex::Dictionary(dictionary_idx) => plan.dictionary(dictionary_idx),
        };
        assert_eq!(located.unwrap(), range, "{name}");
        assert_eq!(plan.at(range.start).unwrap().part, PlannedPart::Header(message.block), "{name}");
        for (field, role, idx, range) in &message.buffers {
            // Of the bitmap of a union there is only the position, and it may be that of another buffer.
            let found = plan.locate_in(message.block, field, *role, *idx).unwrap();
            assert_eq!(found, *range, "{name}: {field} {role}");
            if range.is_empty() {
                continue;
            }
            let piece = plan.at(rng.bits() % (range.end - range.start) + range.start).unwrap();
            let PlannedPart::Buffer(buffer) = piece.part else { panic!("{name}: {piece}") };
            assert_eq!((piece.range, buffer.field, buffer.role), (range.clone(), field, *role), "{name}");
            assert_eq!(
                (buffer.block, buffer.dictionary_id),
                (message.block, message.dictionary_id),
                "{name}"
            );
        }
    }
    assert_eq!(
        (n_messages, plan.message_sizes().count()),
        (written.messages.len(), n_messages + 1),
        "{name}"
    );
    check_pieces(plan, rng, name);
}

/// The segments of a range have its length, and those that are known its bytes.
fn check_segments(plan: &Plan, written: &Written, range: Range<u64>, name: &str) {
    let mut position = range.start;
    for segment in plan.segments(range.clone()).unwrap() {
        let segment = segment.unwrap();
        let end = position + segment.n_bytes();
        let bytes = written.slice(position..end);
        match segment {
            PlanSegment::Bytes(known) => assert!(*known == *bytes, "{name}: {position}..{end}"),
            PlanSegment::Zeros(_) => {
                assert!(bytes.iter().all(|byte| *byte == 0), "{name}: {position}..{end}")
            }
            PlanSegment::Data(data) => {
                let BlockIndex::RecordBatch(batch_idx) = data.buffer.block else {
                    position = end;
                    continue;
                };
                let idx = data.buffer.data_buffer_idx.unwrap_or(0);
                let block = BlockIndex::RecordBatch(batch_idx);
                let buffer = plan.locate_in(block, data.buffer.field, data.buffer.role, idx).unwrap();
                assert_eq!(buffer.start + data.range.start..buffer.start + data.range.end, position..end);
            }
        }
        assert!(end > position, "{name}: an empty segment");
        position = end;
    }
    assert_eq!(position, range.end, "{name}");
}

/// `at` gives the same for each byte of a piece; together they are all bytes. The oracle is a walk over all segments.
fn check_pieces(plan: &Plan, rng: &mut Rng, name: &str) {
    let mut position = 0;
    for segment in plan.segments(0..plan.len()).unwrap() {
        let segment = segment.unwrap();
        let range = position..position + segment.n_bytes();
        for byte in [range.start, range.start + rng.bits() % segment.n_bytes(), range.end - 1] {
            let piece = plan.at(byte).unwrap();
            assert_eq!(piece.range, range, "{name}: {piece}");
            match (&segment, piece.part) {
                (PlanSegment::Data(data), PlannedPart::Buffer(buffer)) => {
                    assert_eq!((data.buffer, data.range.end), (buffer, buffer.n_bytes), "{name}");
                }
                (PlanSegment::Zeros(_), PlannedPart::Padding(_)) => {}
                (PlanSegment::Bytes(_), PlannedPart::Buffer(_) | PlannedPart::Padding(_)) => {
                    panic!("{name}: {piece}")
                }
                (PlanSegment::Bytes(_), _) => {}
                (segment, part) => panic!("{name}: {part} is {segment:?}"),
            }
        }
        position = range.end;
    }
    assert_eq!(position, plan.len(), "{name}");
    assert!(plan.at(position).is_err(), "{name}");
}

fn check_all(schema: impl Into<IpcSchema>, batches: &[RecordBatch], rng: &mut Rng, case: usize, name: &str) {
    let (hunt, schema) = (Hunt::from_env(), schema.into());
    let variants = variants();
    for (options, extra) in hunt.some_of(&variants, 2, case) {
        for container in [WrittenContainer::Stream, WrittenContainer::File] {
            let name = format!("{name}, {container:?}, {options:?}");
            let written = match Written::new(container, &schema, batches, options, extra) {
                Ok(written) => written,
                // The batches have other dictionaries than those before them.
                Err(error)
                    if matches!(error.kind(), ReplacedDictionary { .. } | ChangedDictionary { .. }) =>
                {
                    continue;
                }
                // Some types are younger than V4, and a plan says the same.
                Err(error) => {
                    let planned = PlanBuilder::try_new_with(&schema, container, options.clone()).map(drop);
                    assert_eq!(planned.unwrap_err().to_string(), error.to_string(), "{name}");
                    continue;
                }
            };
            let planned =
                plan(container, &schema, options, &written).unwrap_or_else(|error| panic!("{name}: {error}"));
            check(&planned, &written, rng, hunt.count(4, 10), &name);
            assert_eq!(planned.footer().is_some(), container == WrittenContainer::File);
            if let Some(footer) = planned.footer() {
                assert_eq!(planned.at(footer.start).unwrap().part, PlannedPart::Footer, "{name}");
            }
            if planned.n_dictionaries() <= schema.dictionary_ids().len() {
                check_shapes(batches, &planned, &written, &name);
            }
        }
    }
}

/// The shapes that are found from the arrays equal the written shapes.
fn check_shapes(batches: &[RecordBatch], planned: &Plan, written: &Written, name: &str) {
    let is_batch = |block| matches!(block, BlockIndex::RecordBatch(_));
    let batch_messages = written.messages.iter().filter(|message| is_batch(message.block));
    for (message, batch) in batch_messages.zip(batches) {
        let shape =
            BatchShape::try_from_batch(batch).unwrap().with_metadata(message.shape.metadata().clone());
        let segments = |shape| {
            let schema = planned.ipc_schema();
            let mut builder = PlanBuilder::try_new(schema, WrittenContainer::Stream).unwrap();
            for message in written.messages.iter().filter(|message| !is_batch(message.block)) {
                builder.push_dictionary(message.dictionary_id.unwrap(), &message.shape).unwrap();
            }
            builder.push(shape, 1).unwrap_or_else(|error| panic!("{name}: {error}"));
            let plan = builder.finish().unwrap();
            let segments = plan.segments(plan.batch(0).unwrap()).unwrap();
            segments.map(|segment| format!("{:?}", segment.unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(segments(&shape), segments(&message.shape), "{name}");
    }
}

#[test]
fn every_type() {
    let hunt = Hunt::from_env();
    for (case, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(hunt.seed(7000 + case as u64));
        let schema = Schema::new([Field::new("column", data_type.clone())]);
        let nulls = Nulls::ALL[case % 4];
        let lengths: &[usize] = if hunt.is_on() { &[0, 1, 64, 200] } else { &[0, 65] };
        for n_slots in lengths {
            let array = generator.array(&data_type, *n_slots, nulls);
            let batch = RecordBatch::try_new(schema.clone(), [array]).unwrap();
            // Slices have the same dictionaries.
            let half = n_slots / 2;
            let batches =
                [batch.slice(0, half), batch.clone(), batch.clone(), batch.slice(half, n_slots - half)];
            let mut rng = hunt.rng(case as u64);
            check_all(schema.clone(), &batches, &mut rng, case, &format!("{name} {n_slots} {nulls:?}"));
        }
    }
}

#[test]
fn all_types_in_one_batch() {
    let hunt = Hunt::from_env();
    let schema = schema_of_all_types();
    for case in 0..hunt.count(2, 4) {
        let mut generator = Generator::new(hunt.seed(7500 + case as u64));
        let batch = generator.batch(&schema, 40, Nulls::ALL[case % 4]);
        let batches = [batch.slice(3, 30), batch.clone(), batch.slice(10, 0)];
        check_all(schema.clone(), &batches, &mut hunt.rng(case as u64), case, "all types");
    }
}

#[test]
fn dictionaries_that_change() {
    let hunt = Hunt::from_env();
    let types =
        all_types().into_iter().filter(|(name, _)| name.contains("dictionar") || name.contains("struct"));
    for (case, (name, data_type)) in types.enumerate() {
        let schema = Schema::new([Field::new("column", data_type)]);
        let mut generator = Generator::new(hunt.seed(7700 + case as u64));
        let batches =
            generator.batches(&schema, if hunt.is_on() { &[0, 9, 0, 20, 30, 1] } else { &[0, 9, 20] });
        check_all(schema.clone(), &batches, &mut hunt.rng(case as u64), case, &name);
    }
}

#[test]
fn nothing() {
    let mut rng = Rng::new(1);
    let empty = Schema::default();
    check_all(empty, &[], &mut rng, 0, "no columns");
    check_all(schema_of_all_types(), &[], &mut rng, 0, "no batches");
    let words = DataType::dictionary(arrow_schema::IndexType::Int8, DataType::Utf8).unwrap();
    check_all(Schema::new([Field::new("words", words)]), &[], &mut rng, 5, "no dictionaries");
}

#[test]
fn batches_of_golden_files() {
    let hunt = Hunt::from_env();
    let paths = files_below(&corpus_dir().join("golden"), ".arrows");
    let n_skipped = if hunt.is_on() { 1 } else { 16 };
    for (case, path) in paths.into_iter().enumerate().step_by(n_skipped) {
        let name = path.display().to_string();
        let reader = StreamReader::try_new(fs::File::open(path).unwrap()).unwrap();
        let schema = reader.ipc_schema().clone();
        let batches: arrow_ipc::Result<Vec<RecordBatch>> = reader.collect();
        // Some are compressed by a codec that is not built in.
        let Ok(batches) = batches else { continue };
        check_all(schema, &batches, &mut hunt.rng(case as u64), case, &name);
    }
}

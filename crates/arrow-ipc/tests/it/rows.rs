//! Rows of a batch equal the slice of the batch, for all types and all forms of the file, and only the needed bytes are
//! read.

use std::{
    io,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Compression, Endianness, ErrorClass, FetchCost, FileReader, FileWriter, IpcErrorKind, MetadataVersion,
    Projection, ReadOptions, Source, Validation, WriteOptions,
};
use arrow_schema::{DataType, Field, Schema};
use testing_support::{Generator, Hunt, Nulls, Rng, all_types, rows};

/// Bytes that are not in memory as far as the reader knows, counted.
#[derive(Debug, Clone)]
pub(crate) struct CountedSource {
    pub(crate) bytes: Buffer,
    pub(crate) n_read: Arc<AtomicU64>,
}

impl Source for CountedSource {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_read.fetch_add(range.end - range.start, Ordering::Relaxed);
        // A copy, as a file would give.
        Ok(Buffer::copy_from(&self.bytes.fetch(range)?))
    }
}

impl CountedSource {
    fn take(&self) -> u64 {
        self.n_read.swap(0, Ordering::Relaxed)
    }
}

fn counted(bytes: Buffer) -> CountedSource {
    CountedSource { bytes, n_read: Arc::default() }
}

fn open(source: &CountedSource, validation: Validation) -> arrow_ipc::Result<FileReader<CountedSource>> {
    let options = ReadOptions::new()
        .with_validation(validation)
        .with_tail_bytes(0)
        .with_fetch_cost(FetchCost::FREE_REQUESTS);
    FileReader::try_new_with(source.clone(), options)
}

fn written(batch: &RecordBatch, options: WriteOptions) -> Option<Buffer> {
    let mut writer = FileWriter::try_new_with(Vec::new(), batch.schema(), options).ok()?;
    writer.write(batch).unwrap();
    Some(Buffer::from(writer.finish().unwrap()))
}

fn ways_of_writing() -> Vec<WriteOptions> {
    let foreign = if Endianness::NATIVE == Endianness::Big { Endianness::Little } else { Endianness::Big };
    vec![
        WriteOptions::new(),
        WriteOptions::new().with_endianness(foreign),
        WriteOptions::new().with_compression(Compression::lz4()),
        WriteOptions::new().with_version(MetadataVersion::V4),
    ]
}

const LEVELS: [Validation; 3] = [Validation::Structure, Validation::Content, Validation::Strict];

fn check(reader: &FileReader<CountedSource>, range: Range<usize>, what: &str) {
    let whole = reader.batch(0).unwrap_or_else(|error| panic!("{what}: {error}"));
    let found = reader.batch_rows(0, range.start as u64..range.end as u64);
    let found = found.unwrap_or_else(|error| panic!("{what}, {range:?}: {error}"));
    assert_eq!(found.schema(), whole.schema());
    assert_eq!(found.n_rows(), range.len(), "{what}, {range:?}");
    let found =
        found.validate(arrow_data::Validation::Content).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(rows(&found), rows(&whole.slice(range.start, range.len())), "{what}, {range:?}");
}

#[test]
fn rows_are_the_slice_of_the_batch() {
    const N_ROWS: usize = 70;
    let mut rng = Rng::new(11);
    let mut n_written = 0;
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        for nulls in [Nulls::None, Nulls::Some] {
            let schema = Schema::new([Field::new("column", data_type.clone())]);
            let batch = Generator::new(seed as u64).batch(&schema, N_ROWS, nulls);
            for options in ways_of_writing() {
                // Not every type can be written in every way.
                let Some(bytes) = written(&batch, options) else { continue };
                n_written += 1;
                let reader = open(&counted(bytes), *rng.pick(&LEVELS)).unwrap();
                let (start, end) = (rng.below(N_ROWS), rng.below(N_ROWS));
                let ranges = [0..0, 0..1, N_ROWS - 1..N_ROWS, N_ROWS..N_ROWS, 0..N_ROWS, 8..17];
                for range in ranges.into_iter().chain([start.min(end)..start.max(end), start..start + 1]) {
                    check(&reader, range, &name);
                }
            }
        }
    }
    assert!(n_written > 200, "{n_written} files");
}

#[test]
fn rows_of_projected_columns_are_too() {
    let text = "person: struct<name: utf8_view, born: date32, tags: list<item: struct<word: dictionary<int8, utf8>, n: int32>>>\n\
                boxes: fixed_size_list<item: struct<a: bool, b: float64>; 2>\n\
                views: large_list_view<item: struct<x: binary_view, y: utf8_view>>\n\
                union: dense_union<0=a: int8, 1=b: utf8_view>";
    let schema: Schema = text.parse().unwrap();
    let batch = Generator::new(3).batch(&schema, 90, Nulls::Some);
    for options in ways_of_writing() {
        let Some(bytes) = written(&batch, options) else { continue };
        let reader = open(&counted(bytes), Validation::Content).unwrap();
        for paths in [
            &["person.tags.item.word"][..],
            &["views.item.y", "person.name"],
            &["boxes.item.a", "union"],
            &["person.born"],
            &[],
        ] {
            let reader = reader.project(&Projection::paths(paths.iter().copied())).unwrap();
            for range in [0..1, 13..14, 40..77, 89..90] {
                check(&reader, range, &paths.join(", "));
            }
        }
    }
}

#[test]
fn rows_that_are_not_there_are_refused() {
    let schema: Schema = "id: int64".parse().unwrap();
    let batch = Generator::new(3).batch(&schema, 9, Nulls::Some);
    let reader = open(&counted(written(&batch, WriteOptions::new()).unwrap()), Validation::Content).unwrap();
    #[allow(clippy::reversed_empty_ranges)] // That is one of the wrong ones.
    for range in [0..10, 9..10, 5..4, 0..u64::MAX, u64::MAX..u64::MAX] {
        let error = reader.batch_rows(0, range).unwrap_err();
        assert!(matches!(error.kind(), IpcErrorKind::NoSuchRows { n_rows: 9, .. }), "{error}");
        assert_eq!(error.class(), ErrorClass::Misuse);
    }
    assert!(reader.batch_rows(1, 0..1).is_err());
}

#[test]
fn nulls_in_required_columns_are_refused_where_they_are_read() {
    let (nullable, required): (Schema, Schema) =
        ("id: int64".parse().unwrap(), "id: int64 not null".parse().unwrap());
    let batch = Generator::new(3).batch(&nullable, 60, Nulls::Some);
    let is_null: Vec<bool> = (0..60).map(|row| batch.slice(row, 1).columns()[0].null_count() > 0).collect();
    assert!(is_null.contains(&true) && is_null.contains(&false));
    let batch = RecordBatch::try_new(required, batch.columns().to_vec()).unwrap();
    for options in ways_of_writing() {
        let Some(bytes) = written(&batch, options) else { continue };
        for validation in LEVELS {
            let reader = open(&counted(bytes.clone()), validation).unwrap();
            for (row, is_null) in (0..60).zip(&is_null) {
                let found = reader.batch_rows(0, row..row + 1);
                assert_eq!(found.is_err(), *is_null && validation == Validation::Strict, "row {row}");
            }
        }
    }
}

#[test]
fn buffers_that_unfold_to_more_than_their_slots_need_are_refused() {
    const N_VALUES: usize = 1_000_003;
    let parts = ArrayParts {
        buffers: [Buffer::from(vec![0i64; N_VALUES]), Buffer::new()],
        ..ArrayParts::new(DataType::Int64, N_VALUES)
    };
    let batch = RecordBatch::try_from_columns([("a", ArrayData::try_new(parts).unwrap())]).unwrap();
    let Some(bytes) = written(&batch, WriteOptions::new().with_compression(Compression::lz4())) else {
        return;
    };
    // The metadata says 10 rows of as many bytes.
    let mut bytes = bytes.to_vec();
    let positions =
        bytes.windows(8).enumerate().filter(|(_, word)| **word == (N_VALUES as u64).to_le_bytes());
    let positions: Vec<usize> = positions.map(|(position, _)| position).collect();
    assert_eq!(positions.len(), 2, "the length of the batch, and of its node");
    positions
        .iter()
        .for_each(|position| bytes[*position..position + 8].copy_from_slice(&10u64.to_le_bytes()));
    let reader = open(&counted(Buffer::from(bytes)), Validation::Content).unwrap();
    for found in [reader.batch(0), reader.batch_rows(0, 0..1), reader.batch_rows(0, 9..10)] {
        let error = found.unwrap_err();
        assert_eq!(error.class(), ErrorClass::LimitExceeded, "{error}");
    }
    assert_eq!(reader.stats().n_decompressed_bytes, 0, "nothing is decompressed before it is judged");
}

#[test]
fn one_row_of_many_megabytes_reads_kilobytes() {
    const N_ROWS: usize = 400_000;
    let text = "id: int64\nflag: bool\nname: utf8\nview: utf8_view\nlist: list<item: int32>\nviews: list_view<item: utf8>\n\
                point: struct<x: float64, y: decimal128(20, 2)>\nbox: fixed_size_list<item: int16; 3>";
    let schema: Schema = text.parse().unwrap();
    let batch = Generator::new(1).batch(&schema, N_ROWS / 100, Nulls::Some);
    let arrays = |column: &ArrayData| vec![column.clone(); 100];
    let columns = batch.columns().iter().map(|column| arrow_select::concat(&arrays(column)).unwrap());
    let columns: Vec<ArrayData> = columns.collect();
    let batch = RecordBatch::try_new(schema, columns).unwrap();
    let bytes = written(&batch, WriteOptions::new()).unwrap();
    assert!(bytes.len() > 20_000_000, "{} bytes", bytes.len());
    let source = counted(bytes);
    for validation in LEVELS {
        let options = ReadOptions::new().with_validation(validation);
        let reader = FileReader::try_new_with(source.clone(), options).unwrap();
        assert!(source.take() < 70_000);
        for row in [0, 1, N_ROWS as u64 / 2, N_ROWS as u64 - 1] {
            let found = reader.batch_rows(0, row..row + 1).unwrap();
            let n_read = source.take();
            assert!(n_read < 70_000, "row {row}: {n_read} bytes");
            let slot = usize::try_from(row).unwrap();
            assert_eq!(rows(&found), rows(&batch.slice(slot, 1)));
        }
    }
}

/// For a damaged file, the rows are right, or there is an error. If the whole batch is valid, the rows equal its rows.
#[test]
fn rows_of_damaged_files_are_the_slice_or_an_error() {
    const N_ROWS: usize = 40;
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(0xdead);
    let (mut n_valid, mut n_refused, mut n_rows_alone) = (0, 0, 0);
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = Schema::new([Field::new("column", data_type)]);
        let batch = Generator::new(seed as u64).batch(&schema, N_ROWS, Nulls::Some);
        for options in ways_of_writing() {
            let Some(bytes) = written(&batch, options) else { continue };
            let body = {
                let file = FileReader::try_from_buffer(bytes.clone()).unwrap();
                let block = file.footer().batches()[0];
                let start = block.position() + block.n_metadata_bytes();
                usize::try_from(start).unwrap()..usize::try_from(start + block.n_body_bytes()).unwrap()
            };
            if body.is_empty() {
                continue;
            }
            for _ in 0..hunt.count(6, 300) {
                let mut damaged = bytes.to_vec();
                for _ in 0..1 + rng.below(3) {
                    let position = body.start + rng.below(body.len());
                    let word =
                        *rng.pick(&[0u32, 1, 0x7f, 0xff, 0x4000_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]);
                    let bytes = &mut damaged[position..body.end.min(position + 4)];
                    bytes.iter_mut().zip(word.to_le_bytes()).for_each(|(to, from)| *to = from);
                }
                let source = counted(Buffer::copy_from(&damaged));
                let (start, end) = (rng.below(N_ROWS), 1 + rng.below(N_ROWS));
                let (start, end) = (start.min(end - 1), end.max(start + 1));
                for validation in LEVELS {
                    let Ok(reader) = open(&source, validation) else { continue };
                    let whole = reader.batch(0);
                    let found = reader.batch_rows(0, start as u64..end as u64);
                    match (whole, found, validation) {
                        // Nothing is known of what was not checked, but that it can be checked.
                        (_, found, Validation::Structure) => {
                            if let Ok(found) = found {
                                drop(found.validate(arrow_data::Validation::Strict));
                            }
                        }
                        (Ok(whole), Ok(found), _) => {
                            n_valid += 1;
                            assert_eq!(rows(&found), rows(&whole.slice(start, end - start)), "{name}");
                        }
                        (Ok(_), Err(error), _) => panic!("{name}, {start}..{end}: {error}"),
                        (Err(_), Ok(found), _) => {
                            n_rows_alone += 1;
                            assert_eq!(found.n_rows(), end - start);
                            assert!(!rows(&found).is_empty());
                        }
                        (Err(_), Err(error), _) => {
                            n_refused += 1;
                            assert!(!error.to_string().is_empty());
                        }
                    }
                }
            }
        }
    }
    assert!(n_valid > 100 && n_refused > 100 && n_rows_alone > 20, "{n_valid}, {n_refused}, {n_rows_alone}");
}

/// Batches that are read together have the same rows as batches that are read alone.
#[test]
fn rows_of_several_batches_are_those_of_each() {
    const N_ROWS: usize = 40;
    let types = all_types().into_iter().enumerate();
    let fields = types.step_by(7).map(|(idx, (_, data_type))| Field::new(format!("c{idx}"), data_type));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let batches = Generator::new(5).batches(&schema, &[N_ROWS; 9]);
    let mut rng = Rng::new(5);
    for options in ways_of_writing() {
        let options = options.with_dictionaries(arrow_ipc::DictionaryPolicy::Delta);
        let Ok(mut writer) = FileWriter::try_new_with(Vec::new(), &schema, options) else { continue };
        if batches.iter().try_for_each(|batch| writer.write(batch)).is_err() {
            continue;
        }
        let source = counted(writer.finish().unwrap().into());
        for max_bytes in [0, 3_000, 1 << 20] {
            let options = ReadOptions::new().with_tail_bytes(0).with_prefetch_bytes(max_bytes);
            let reader = FileReader::try_new_with(source.clone(), options).unwrap();
            let part = |batch_idx: usize| {
                let (start, end) = (rng.below(N_ROWS) as u64, rng.below(N_ROWS) as u64);
                (batch_idx, start.min(end)..start.max(end))
            };
            let parts: Vec<(usize, Range<u64>)> = [0, 1, 1, 4, 8, 3, 0].into_iter().map(part).collect();
            let (mut n_read, mut n_calls) = (0, 0);
            while n_read < parts.len() {
                for found in reader.rows_of_each(&parts[n_read..]).unwrap() {
                    let (batch_idx, range) = parts[n_read].clone();
                    let expected = reader.batch_rows(batch_idx, range).unwrap();
                    assert_eq!(rows(&found), rows(&expected), "{:?}", parts[n_read]);
                    n_read += 1;
                }
                n_calls += 1;
            }
            assert_eq!(n_read, parts.len());
            assert!(if max_bytes > 1 << 19 { n_calls == 1 } else { n_calls > 1 }, "{max_bytes}: {n_calls}");
            assert!(reader.rows_of_each(&[]).unwrap().is_empty());
            let outside = reader.rows_of_each(&[(0, 0..1), (9, 0..1)]).unwrap_err();
            assert!(matches!(outside.kind(), IpcErrorKind::NoSuchBatch { .. }), "{outside}");
            assert!(reader.rows_of_each(&[(0, 0..1), (1, 0..N_ROWS as u64 + 1)]).is_err());
        }
    }
}

//! Batches that writers refuse. No part of them is written.

use std::{io, sync::Arc};

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Role, Validation};
use arrow_ipc::{
    AtomicFile, ErrorClass, FileReader, FileWriter, FormatErrorKind, IpcErrorKind, IpcSchema, Limits,
    ReadOptions, StreamEncoder, StreamReader, StreamWriter, WriteOptions,
};
use arrow_schema::{DataType, Field, IndexType, Metadata, RunEndType, Schema, UnionMode};
use testing_support::{Generator, Nulls, all_types, array, batch_of, ints};

use crate::message_sizes::n_batch_bytes;

#[test]
fn unsound_slices_are_errors() {
    let none = Buffer::new;
    let offsets = |offsets: &[i32]| Buffer::from(offsets.to_vec());
    let utf8 = |values: &[i32]| {
        array(DataType::Utf8, values.len() - 1, [offsets(values), Buffer::copy_from(b"abcdef")], vec![])
    };
    let item = || Field::new("item", DataType::Int32);
    let list = |values: &[i32]| {
        array(DataType::list(item()), values.len() - 1, [offsets(values), none()], vec![ints(0..6)])
    };
    let view = |starts: &[i32], sizes: &[i32]| {
        let buffers = [offsets(starts), offsets(sizes)];
        array(DataType::list_view(item()), starts.len(), buffers, vec![ints(0..6)])
    };
    let runs = |n_slots, values: &[i32]| {
        let ends = array(DataType::Int32, values.len(), [offsets(values), none()], vec![]);
        let runs_type = DataType::run_end_encoded(RunEndType::Int32, DataType::Int32);
        array(runs_type, n_slots, Default::default(), vec![ends, ints(0..6)])
    };
    let union = |type_ids: &[i8], values: &[i32]| {
        let fields = [(0, Field::new("a", DataType::Int32)), (7, Field::new("b", DataType::Int32))];
        let buffers = [Buffer::from(type_ids.to_vec()), offsets(values)];
        let union_type = DataType::union(UnionMode::Dense, fields).unwrap();
        array(union_type, type_ids.len(), buffers, vec![ints(0..6), ints(0..6)])
    };
    let views = |views: &[View]| {
        let data = Some(Arc::from([Buffer::copy_from(b"before, some text of a view, after ")]));
        let buffers = [Buffer::from(views.to_vec()), none()];
        let parts =
            ArrayParts { buffers, variadic: data, ..ArrayParts::new(DataType::BinaryView, views.len()) };
        ArrayData::try_new(parts).unwrap()
    };
    let good = View::long(b"some text of a view", 0, 8).unwrap();
    let cases = [
        (views(&[good, View::from_parts(20, *b"some", 1, 8)]), "slot 1: malformed view"),
        (views(&[good, View::from_parts(20, *b"some", i32::MIN, 8)]), "data buffer -2147483648"),
        (views(&[good, View::from_parts(20, *b"some", 0, 16)]), "20 bytes at offset 16 are out of bounds"),
        (views(&[good, View::from_parts(20, *b"some", 0, -8)]), "20 bytes at offset -8 are out of bounds"),
        (
            views(&[good, View::from_parts(-1, *b"some", 0, 8)]),
            "the length of the view is -1, which is negative",
        ),
        (views(&[good, View::from_parts(13, *b"Some", 0, 8)]), "the prefix in the view differs"),
        (views(&[good, View::from_parts(2, *b"some", 0, 0)]), "the padding of the short value is not zero"),
        (utf8(&[0, 7]), "offset 7 is out of bounds; the bytes or items end at 6"),
        (utf8(&[3, 2]), "offset 2 is less than the preceding offset 3"),
        (utf8(&[0, 2, -1]), "-1"),
        (utf8(&[-5, 2]), "offset -5 is negative"),
        (utf8(&[1, 5, 2, 6]), "offset 2 is less than the preceding offset 5"),
        (utf8(&[1, i32::MAX, 2]), "slot 0: offset 2147483647 is out of bounds; the bytes or items end at 6"),
        (list(&[1, 7]), "offset 7 is out of bounds; the bytes or items end at 6"),
        (list(&[2, 1, 3]), "offset 1 is less than the preceding offset 2"),
        (view(&[0, 6], &[1, 1]), "offset 6 and size 1 are out of bounds; the child has 6 slots"),
        (view(&[0, -1], &[1, 1]), "offset -1 is negative"),
        (view(&[0, 1], &[1, i32::MIN]), "the size is -2147483648, which is negative"),
        (view(&[i32::MAX], &[i32::MAX]), "are out of bounds; the child has 6 slots"),
        (view(&[7], &[0]), "offset 7 and size 0 are out of bounds"),
        (runs(5, &[3, 2, 5]).slice(1, 3), "run end 2 is not greater than the start of its run, 3"),
        (runs(5, &[0, 2, 5]).slice(1, 3), "run end 0 is not greater than the start of its run, 0"),
        (runs(5, &[-3, 2, 5]).slice(1, 3), "run end -3 is not greater than the start of its run, 0"),
        (runs(5, &[1, 2, 3]), "the last run ends at 3; the array needs runs up to 5"),
        (
            runs(5, &[1, 2, i32::MIN]).slice(1, 1),
            "run end -2147483648 is not greater than the start of its run, 2",
        ),
        (union(&[0, 0], &[1, 6]), "offset 6 is out of bounds; the union's child has 6 slots"),
        (union(&[0, 7], &[1, -1]), "slot 1: offset -1 is out of bounds; the union's child has 6 slots"),
        (union(&[0, 1], &[1, 1]), "the union has no type id 1"),
        (union(&[0, -1], &[1, 1]), "the union has no type id -1"),
        (union(&[7, i8::MIN], &[5, 1]), "(type ids), slot 1: the union has no type id -128"),
    ];
    for (array, expected) in cases {
        assert!(array.clone().validate(Validation::Content).is_err());
        let batch = batch_of(array);
        let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
        encoder.start().unwrap();
        let position = encoder.position();
        let error = encoder.encode(&batch).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}\nexpected: {expected}");
        let field = error.location().field.as_ref().map(ToString::to_string);
        let (_, role) = error.location().buffer.unwrap_or_else(|| panic!("{error}"));
        // Run ends are a child.
        let expected_field = if role == Some(Role::Values) { "c.run_ends" } else { "c" };
        assert_eq!((field.as_deref(), role.is_some()), (Some(expected_field), true), "{error}");
        assert!(n_batch_bytes(&batch).is_err());
        // As if it had not been called.
        assert_eq!(encoder.position(), position);
        let good = batch_of(ArrayData::new_empty(batch.columns()[0].data_type()));
        let good = good.with_schema(Arc::clone(batch.schema())).unwrap();
        assert_eq!(encoder.encode(&good).unwrap().messages()[0].position(), position);
    }
}

/// Slicing and writing unchecked arrays with any content may return an error, but never panics, and never reads out of
/// bounds.
#[test]
fn damaged_arrays_never_panic() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        let (mut n_errors, mut n_written) = (0, 0);
        for round in 0..40 {
            let array = generator.array(&data_type, 40, Nulls::Some);
            let damaged = damage(&array, &mut generator, 1 + round % 3);
            let batch = batch_of(damaged);
            for batch in [batch.clone(), batch.slice(0, 20), batch.slice(11, 20), batch.slice(39, 1)] {
                let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
                match encoder.encode(&batch) {
                    Ok(encoded) => {
                        n_written += 1;
                        assert_eq!(encoded.to_bytes().len() as u64, encoded.n_bytes());
                    }
                    Err(error) => {
                        n_errors += 1;
                        assert_eq!(error.class(), ErrorClass::Malformed, "{name}: {error}");
                    }
                }
            }
        }
        assert_eq!(n_errors + n_written, 160);
    }
}

/// The same structure with some bytes of one in `one_in` buffers changed.
fn damage(array: &ArrayData, generator: &mut Generator, one_in: usize) -> ArrayData {
    let mut parts = array.clone().into_parts();
    for buffer in &mut parts.buffers {
        let mut bytes = buffer.to_vec();
        for _ in 0..3 {
            let n_bytes = bytes.len();
            if n_bytes > 0 && generator.rng().one_in(one_in) {
                let at = generator.rng().below(n_bytes);
                bytes[at] = generator.rng().bits() as u8;
            }
        }
        *buffer = Buffer::copy_from(&bytes);
    }
    let children: Option<Vec<ArrayData>> = parts
        .children
        .map(|children| children.iter().map(|child| damage(child, generator, one_in)).collect());
    parts.children = children.map(Arc::from);
    parts.dictionary = parts.dictionary.map(|values| Arc::new(damage(&values, generator, one_in)));
    ArrayData::try_new(parts).unwrap()
}

#[test]
fn other_columns_are_refused_and_other_metadata_is_not() {
    let fields = [
        Field::new("a", DataType::Int32),
        Field::new("b", DataType::list(Field::new("item", DataType::Int32))),
    ];
    let schema = Arc::new(Schema::new(fields));
    let column = |data_type: &DataType| ArrayData::new_empty(data_type);
    let make = |fields: Vec<Field>| {
        let columns: Vec<ArrayData> = fields.iter().map(|field| column(field.data_type())).collect();
        RecordBatch::try_new(Schema::new(fields), columns).unwrap()
    };
    let a = || Field::new("a", DataType::Int32);
    let b = |item: Field| Field::new("b", DataType::list(item));
    let item = || Field::new("item", DataType::Int32);
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    let before = writer.position();
    for (fields, expected) in [
        (vec![a()], "expected 2 fields, found 1"),
        (vec![a().required(), b(item())], "field a: expected nullable, found not null"),
        (vec![a(), b(item()).with_name("B")], "field b: expected the name \"b\", found \"B\""),
        (vec![a().with_data_type(DataType::UInt32), b(item())], "field a: expected type int32, found uint32"),
        (
            vec![a(), b(item().with_data_type(DataType::Utf8))],
            "field b.item: expected type int32, found utf8",
        ),
    ] {
        let error = writer.write(&make(fields)).unwrap_err();
        assert_eq!(error.class(), ErrorClass::Misuse);
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert_eq!(writer.position(), before);
    let noted = Metadata::from_iter([("k", "v")]);
    writer.write(&make(vec![a().with_metadata(noted.clone()), b(item().with_metadata(noted))])).unwrap();
    writer.write(&make(vec![a(), b(item())])).unwrap();
    let stream = writer.finish().unwrap();
    assert_eq!(StreamReader::try_new(stream.as_slice()).unwrap().count(), 2);
}

#[test]
fn dictionaries_inside_themselves_are_refused() {
    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let pairs = DataType::struct_([Field::new("word", words.clone())]);
    let outer = DataType::dictionary(IndexType::Int8, pairs).unwrap();
    for (ids, expected) in [
        ([4, 4, 5], "dictionary with id 4 contains itself"),
        ([4, 5, 4], "the dictionary with id 4 is shared by fields of"),
    ] {
        let schema = Schema::new([Field::new("outer", outer.clone()), Field::new("words", words.clone())]);
        let schema = IpcSchema::try_with_dictionary_ids(schema, ids).unwrap();
        let error = StreamEncoder::try_new(&schema).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn schemas_larger_than_readers_accept_are_refused() {
    let fields = |n: usize, data_type: &DataType| -> Arc<[Field]> {
        (0..n).map(|idx| Field::new(format!("f{idx}"), data_type.clone())).collect()
    };
    // Each column has 1,000 fields: itself, and those inside it.
    let column = DataType::struct_(fields(999, &DataType::Null));
    let wide = |n: usize| Schema::new(fields(n, &column));
    let refused = |schema: Schema| {
        let stream = StreamWriter::try_new(Vec::new(), schema.clone());
        let file = FileWriter::try_new(Vec::new(), schema);
        [stream.map(drop), file.map(drop)].map(|made| made.unwrap_err().to_string())
    };
    assert!(StreamEncoder::try_new(wide(1000)).is_ok());
    assert_eq!(refused(wide(1001)), ["1000001 or more fields exceed the limit of 1000000"; 2]);

    let text: Arc<str> = "x".repeat(1 << 20).into();
    let metadata = Metadata::from_pairs(vec![(None, Some(text)); 257]);
    let schema = Schema::new([Field::new("a", DataType::Int8)]).with_metadata(metadata);
    let error = StreamWriter::try_new(Vec::new(), schema).unwrap_err().to_string();
    assert!(error.ends_with("bytes of metadata exceed the limit of 268435456"), "{error}");
}

#[test]
fn writers_have_a_limit_of_fields_that_can_be_set() {
    let schema: Schema = "a: int8\nb: struct<c: int8, d: list<item: int8>>".parse().unwrap();
    let options = |max_fields| WriteOptions::new().with_max_fields(max_fields);
    let limits = |max_fields| ReadOptions::new().with_limits(Limits::new().with_max_fields(max_fields));
    for max_fields in [5, 6, 1_000_001, u64::MAX] {
        let file =
            FileWriter::try_new_with(Vec::new(), &schema, options(max_fields)).unwrap().finish().unwrap();
        let file = Buffer::from(file);
        assert!(FileReader::try_new_with(file.clone(), limits(5)).is_ok());
        let error = FileReader::try_new_with(file, limits(4)).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                IpcErrorKind::Format(FormatErrorKind::TooManyFields { found: Some(5), limit: 4 })
            ),
            "{error}"
        );
    }
    for max_fields in [0, 4] {
        let expected = format!("{} or more fields exceed the limit of {max_fields}", max_fields + 1);
        let stream = StreamWriter::try_new_with(Vec::new(), &schema, options(max_fields)).unwrap_err();
        let file = FileWriter::try_new_with(Vec::new(), &schema, options(max_fields)).unwrap_err();
        for error in [stream, file] {
            assert_eq!(error.to_string(), expected);
            assert!(
                matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::TooManyFields { found: None, limit }) if *limit == max_fields)
            );
            assert_eq!(error.class(), ErrorClass::LimitExceeded);
        }
    }
    assert!(StreamWriter::try_new_with(Vec::new(), Schema::default(), options(0)).is_ok());

    // Appending also reads the file with this limit.
    let file = FileWriter::try_new_with(Vec::new(), &schema, options(5)).unwrap().finish().unwrap();
    let source = Buffer::from(file);
    let appended = |max_fields| FileWriter::append_to(&source, Vec::new(), options(max_fields));
    assert!(appended(5).unwrap().finish().is_ok());
    let error = appended(4).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            IpcErrorKind::Format(FormatErrorKind::TooManyFields { found: Some(5), limit: 4 })
        ),
        "{error}"
    );

    // Columns may share their fields. Counting ends where metadata would end.
    let fields = |n: usize, data_type: &DataType| -> Vec<Field> {
        (0..n).map(|idx| Field::new(format!("f{idx}"), data_type.clone())).collect()
    };
    let schema = Schema::new(fields(4000, &DataType::struct_(fields(3000, &DataType::Null))));
    let error = StreamWriter::try_new_with(Vec::new(), schema, options(u64::MAX)).unwrap_err();
    assert_eq!(error.to_string(), "11184811 or more fields exceed the limit of 11184810");
}

#[test]
fn types_deeper_than_readers_go_are_refused() {
    let nested = |depth: usize, leaf: DataType| {
        (1..depth).fold(leaf, |data_type, _| DataType::list(Field::new("item", data_type)))
    };
    // A dictionary is as deep as its values.
    let words = |depth| DataType::dictionary(IndexType::Int8, nested(depth, DataType::Utf8)).unwrap();
    for (depth, is_written) in [(1, true), (64, true), (65, false), (100, false), (300, false)] {
        for deep in [nested(depth, DataType::Int32), words(depth)] {
            let fields = [Field::new("flat", DataType::Int32), Field::new("deep", deep)];
            let columns = fields.iter().map(|field| ArrayData::new_empty(field.data_type()));
            let columns: Vec<ArrayData> = columns.collect();
            let batch = RecordBatch::try_new(Schema::new(fields), columns).unwrap();
            let written = StreamWriter::try_new(Vec::new(), batch.schema());
            let file = FileWriter::try_new(Vec::new(), batch.schema());
            assert_eq!(n_batch_bytes(&batch).is_ok(), is_written, "{depth}");
            match (written, file) {
                (Ok(mut stream), Ok(mut file)) if is_written => {
                    stream.write(&batch).unwrap();
                    file.write(&batch).unwrap();
                    let stream = stream.finish().unwrap();
                    assert_eq!(StreamReader::try_new(stream.as_slice()).unwrap().count(), 1);
                    let file = Buffer::from(file.finish().unwrap());
                    assert_eq!(FileReader::try_from_buffer(file).unwrap().batch(0).unwrap().n_columns(), 2);
                }
                (Err(stream), Err(file)) if !is_written => {
                    for error in [stream, file] {
                        assert!(
                            matches!(
                                error.kind(),
                                IpcErrorKind::Format(FormatErrorKind::TooDeep { limit: 64 })
                            ),
                            "{error}"
                        );
                        assert_eq!(error.location().field.as_ref().unwrap().to_string(), "deep");
                    }
                }
                results => panic!("{depth}: {results:?}"),
            }
        }
    }
}

/// Fails after some bytes.
#[derive(Debug)]
struct LimitedSink {
    n_left: usize,
}

impl io::Write for LimitedSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_bytes = bytes.len().min(self.n_left);
        self.n_left -= n_bytes;
        if n_bytes == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(n_bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_failed_sink_is_not_written_to_again() {
    let batch = batch_of(ints(0..1000));
    let error = StreamWriter::try_new(LimitedSink { n_left: 100 }, batch.schema()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Io);
    let mut writer = FileWriter::try_new(LimitedSink { n_left: 2000 }, batch.schema()).unwrap();
    assert_eq!(writer.write(&batch).unwrap_err().class(), ErrorClass::Io);
    assert!(
        writer.write(&batch).unwrap_err().to_string().contains("cannot continue after its earlier error")
    );
    assert_eq!(writer.finish().map(|_| ()).unwrap_err().class(), ErrorClass::Misuse);
    // An error before anything is written leaves the writer as it was.
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    assert!(writer.write(&batch_of(ArrayData::new_empty(&DataType::Utf8))).is_err());
    writer.write(&batch).unwrap();
    assert_eq!(StreamReader::try_new(writer.finish().unwrap().as_slice()).unwrap().count(), 1);
}

#[test]
fn an_encoder_that_has_finished_stays_so() {
    let batch = batch_of(ints(0..3));
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    assert_eq!(encoder.finish().unwrap().messages().len(), 1);
    for error in
        [encoder.start().map(|_| ()), encoder.encode(&batch).map(|_| ()), encoder.finish().map(|_| ())]
    {
        assert!(error.unwrap_err().to_string().contains("is finished"));
    }
}

#[test]
fn atomic_files_appear_when_they_are_complete() {
    let folder = std::env::temp_dir().join(format!("arrow-ipc-atomic-{}", std::process::id()));
    // An earlier process of this number may have failed.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let names = || {
        let mut names: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let path = folder.join("a.arrow");
    let batch = batch_of(ints(0..10));
    let mut first = FileWriter::create_atomic(&path, batch.schema()).unwrap();
    let second = FileWriter::create_atomic(&path, batch.schema()).unwrap();
    first.write(&batch).unwrap();
    assert!(!path.exists());
    assert_eq!(names().len(), 2);
    drop(second);
    assert_eq!(names().len(), 1);
    let mut file = first.finish().unwrap();
    file.commit().unwrap();
    assert_eq!(file.path(), path);
    drop(file);
    assert_eq!(names(), ["a.arrow"]);
    assert_eq!(FileReader::open(&path).unwrap().n_batches(), 1);

    // What is there stays until something complete takes its place.
    let replacement = FileWriter::create_atomic(&path, batch.schema()).unwrap();
    assert_eq!(FileReader::open(&path).unwrap().n_batches(), 1);
    replacement.finish().unwrap();
    assert_eq!(FileReader::open(&path).unwrap().n_batches(), 0);

    let mut plain = FileWriter::create(&path, batch.schema()).unwrap();
    plain.write(&batch).unwrap();
    drop(plain);
    // Dropping writes nothing, so the file is not complete.
    assert!(FileReader::open(&path).is_err());
    assert_eq!(names(), ["a.arrow"]);

    let error = FileWriter::create(folder.join("no/such"), batch.schema()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Io);
    assert!(AtomicFile::create(folder.join("no/such")).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_refused_batch_leaves_no_trace_in_the_dictionaries() {
    let words = |values: &[i32], words: &'static [u8]| {
        let values_of =
            array(DataType::Utf8, 1, [Buffer::from(vec![0i32, 1]), Buffer::from_static(words)], vec![]);
        let parts = ArrayParts {
            buffers: [Buffer::from(values.to_vec()), Buffer::new()],
            dictionary: Some(Arc::new(values_of)),
            ..ArrayParts::new(DataType::dictionary(IndexType::Int32, DataType::Utf8).unwrap(), values.len())
        };
        ArrayData::try_new(parts).unwrap()
    };
    let bytes = |offsets: &[i32]| {
        let buffers = [Buffer::from(offsets.to_vec()), Buffer::copy_from(b"abcdef")];
        array(DataType::Binary, offsets.len() - 1, buffers, vec![])
    };
    let batch = |offsets: &[i32]| {
        RecordBatch::try_from_columns([("w", words(&[0, 0], b"x")), ("b", bytes(offsets))]).unwrap()
    };
    let (bad, good) = (batch(&[3, 2, 1]), batch(&[0, 2, 3]));
    let mut encoder = StreamEncoder::try_new(good.schema()).unwrap();
    let mut stream = Vec::new();
    encoder.encode(&bad).unwrap_err();
    encoder.start().unwrap().write_to(&mut stream).unwrap();
    encoder.encode(&good).unwrap().write_to(&mut stream).unwrap();
    encoder.encode(&bad).unwrap_err();
    encoder.encode(&good).unwrap().write_to(&mut stream).unwrap();
    encoder.finish().unwrap().write_to(&mut stream).unwrap();
    let read: Vec<_> = StreamReader::try_new(&*stream).unwrap().map(Result::unwrap).collect();
    let rows: Vec<_> = read.iter().map(testing_support::rows).collect();
    assert_eq!(rows, [testing_support::rows(&good), testing_support::rows(&good)]);
}

#[test]
fn more_slots_than_the_wire_can_hold_are_refused() {
    let nothing = |n_slots| ArrayData::try_new(ArrayParts::new(DataType::Null, n_slots)).unwrap();
    let most = usize::try_from(i64::MAX).unwrap();
    for (n_slots, fits) in [(most, true), (most + 1, false), (usize::MAX, false)] {
        let without_columns = RecordBatch::try_new_with_rows(Schema::default(), Vec::new(), n_slots).unwrap();
        for batch in [batch_of(nothing(n_slots)), without_columns] {
            let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
            let written = writer.write(&batch).map_err(|error| error.class());
            assert_eq!(written, if fits { Ok(()) } else { Err(ErrorClass::LimitExceeded) }, "{n_slots}");
        }
    }
}

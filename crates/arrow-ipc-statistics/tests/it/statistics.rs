//! Statistics in footers: no batch with a matching row is skipped, the writer follows the specification, and hostile
//! statistics do no harm.

use std::{io, sync::Arc};

use arrow_array::{
    BinaryArray, DictionaryArray, Float64Array, Int32Array, Int64Array, Scalar, StructArray, Utf8Array,
};
use arrow_buffer::Buffer;
use arrow_compute::{ComparisonOperator, Matches, Predicate};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Compression, DictionaryPolicy, FileReader, FileWriter, StreamReader, StreamWriter, WriteOptions,
};
use arrow_ipc_statistics::{FileStatistics, StatisticsBuilder, WrongStatistics};
use arrow_schema::{DataType, Field, IndexType, Schema, UnionMode};
use arrow_select::concat_batches;
use testing_support::{Generator, Hunt, Nulls, all_types};

type FileBytes = Buffer;

/// Writes a file with statistics; `None` if a file cannot have these dictionaries.
fn file_with(batches: &[RecordBatch], max_bytes: u64) -> Option<FileBytes> {
    let schema = batches[0].schema();
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut writer = FileWriter::try_new_with(Vec::new(), schema, options).unwrap();
    let mut statistics = StatisticsBuilder::new(schema);
    for batch in batches {
        writer.write(batch).ok()?;
        statistics.add(batch).unwrap();
    }
    if let Some(stream) = statistics.finish(max_bytes).unwrap() {
        writer.set_statistics(&stream).unwrap();
    }
    Some(writer.finish().unwrap().into())
}

/// Writes a file with the first batches, and appends the others; `None` if it cannot have their dictionaries.
fn continued(batches: &[RecordBatch], n_before: usize) -> Option<FileBytes> {
    let before = file_with(&batches[..n_before], u64::MAX)?;
    let reader = FileReader::try_from_buffer(before.clone()).unwrap();
    let mut statistics = StatisticsBuilder::continuing(reader.footer()).unwrap().unwrap();
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut writer = FileWriter::append_to(&before, Vec::new(), options).unwrap();
    for batch in &batches[n_before..] {
        writer.write(batch).ok()?;
        statistics.add(batch).unwrap();
    }
    writer.set_statistics(&statistics.finish(u64::MAX).unwrap()?).unwrap();
    Some(writer.finish().unwrap().into())
}

fn file(batches: &[RecordBatch]) -> FileBytes {
    file_with(batches, u64::MAX).unwrap()
}

fn known(file: FileBytes) -> FileStatistics {
    let reader = FileReader::try_from_buffer(file).unwrap();
    FileStatistics::from_footer(reader.footer()).unwrap()
}

/// The indices in `file` of the rows that match, read from some batches.
fn rows_matching(
    batches: &[RecordBatch],
    read: impl Iterator<Item = usize>,
    condition: &Predicate,
) -> Vec<usize> {
    let bound = condition.bind(batches[0].schema()).unwrap();
    let starts: Vec<usize> =
        batches.iter().scan(0, |sum, batch| Some(std::mem::replace(sum, *sum + batch.n_rows()))).collect();
    let rows = |idx: usize| {
        let matching = bound.matches(&batches[idx]).unwrap();
        matching.iter_set().map(|row| starts[idx] + row).collect::<Vec<_>>()
    };
    read.flat_map(rows).collect()
}

/// Random batches of each type, in columns and structs. Conditions compare with each value of one batch, and with the
/// values next to it.
#[test]
fn no_batch_is_left_out_in_which_a_row_matches() {
    let hunt = Hunt::from_env();
    let mut generator = Generator::new(hunt.seed(71));
    let (mut n_omitted, mut n_retained) = (0, 0);
    for _ in 0..hunt.count(1, 50) {
        for (name, data_type) in all_types() {
            let inside = Field::new("x", data_type.clone());
            let schema = Schema::new([
                Field::new("c", data_type.clone()),
                Field::new("s", DataType::struct_([Field::new("other", DataType::Int8), inside])),
            ]);
            let batch = |generator: &mut Generator| {
                let n_rows = [0, 1, 2, 5][generator.rng().below(4)];
                let nulls = Nulls::ALL[generator.rng().below(Nulls::ALL.len())];
                let columns = schema
                    .fields()
                    .iter()
                    .map(|field| generator.sliced_array(field.data_type(), n_rows, nulls));
                RecordBatch::try_new_with_rows(Arc::new(schema.clone()), columns.collect::<Vec<_>>(), n_rows)
                    .unwrap()
            };
            let batches: Vec<RecordBatch> = (0..4).map(|_| batch(&mut generator)).collect();
            let n_before = generator.rng().below(5);
            let file = match n_before {
                0 => file_with(&batches, u64::MAX),
                n_before => continued(&batches, n_before),
            };
            let Some(file) = file else { continue };
            let known = known(file);
            assert_eq!(known.n_batches(), 4);
            for (idx, batch) in batches.iter().enumerate() {
                assert_eq!(known.n_rows(idx), Some(batch.n_rows() as u64));
                known.check(idx, batch).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            let values = &batches[generator.rng().below(4)];
            for column in ["c", "s.x"] {
                let path = schema.column_or_path(column).unwrap();
                let Ok(array) = values.at_path(&path) else { continue };
                for slot in 0..array.len() {
                    let value = Scalar::try_from_slot(&array, slot).unwrap();
                    for comparison in ComparisonOperator::ALL {
                        let condition = Predicate::compare(column, comparison, value.clone());
                        let Ok(bound) = condition.bind(&schema) else { continue };
                        // Some types cannot be read where a parent is null.
                        if batches.iter().any(|batch| bound.matches(batch).is_err()) {
                            continue;
                        }
                        let all = rows_matching(&batches, 0..4, &condition);
                        let read: Vec<usize> = known.batches_matching(&bound).collect();
                        assert_eq!(
                            rows_matching(&batches, read.iter().copied(), &condition),
                            all,
                            "{name}: {condition}"
                        );
                        for (idx, batch) in batches.iter().enumerate() {
                            if known.matches(idx, &bound) == Matches::All {
                                assert_eq!(bound.matches(batch).unwrap().count_set(), batch.n_rows());
                            }
                        }
                        (n_omitted, n_retained) = (n_omitted + 4 - read.len(), n_retained + read.len());
                    }
                }
            }
        }
    }
    assert!(n_omitted > 500 && n_retained > 500, "{n_omitted} {n_retained}");
}

fn sorted_and_random(n_batches: i64) -> Vec<RecordBatch> {
    let batch = |idx: i64| {
        let ids = Int64Array::from_iter((0..2_000).map(|row| idx * 2_000 + row)).into_data();
        let random =
            Float64Array::from_iter((0..2_000).map(|row| f64::from((row * 7919) % 2_000))).into_data();
        let names =
            Utf8Array::try_from_iter((0..2_000).map(|row| format!("{:04} of {idx}", row * 31 % 2_000)))
                .unwrap();
        let columns = [("random", random), ("name", names.into_data()), ("id", ids)];
        RecordBatch::try_from_columns(columns).unwrap()
    };
    (0..n_batches).map(batch).collect()
}

/// The columns that skip most batches come first, and the stream is not longer than allowed.
#[test]
fn columns_are_left_out_if_the_footer_is_too_short() {
    let batches = sorted_and_random(20);
    let n_bytes = |max_bytes: u64| {
        let file = file_with(&batches, max_bytes).unwrap();
        let reader = FileReader::try_from_buffer(file).unwrap();
        let n_bytes =
            reader.footer_metadata().iter().map(|(_, value)| value.map_or(0, str::len)).sum::<usize>() as u64;
        let known = FileStatistics::from_footer(reader.footer());
        let columns = ["random", "name", "id"].map(|name| {
            let path = reader.schema().column_or_path(name).unwrap();
            known.as_ref().is_some_and(|known| known.bounds(7, &path).min.is_some())
        });
        assert!(n_bytes <= max_bytes, "{n_bytes} {max_bytes}");
        (n_bytes, columns)
    };
    let (n_all, columns) = n_bytes(u64::MAX);
    assert_eq!(columns, [true, true, true]);
    assert_eq!(n_bytes(n_all + 8).1, [true, true, true]);
    let found: Vec<[bool; 3]> = (0..40).map(|part| n_bytes(n_all * part / 40).1).collect();
    assert_eq!(found[0], [false, false, false]);
    assert!(found.contains(&[false, false, true]), "{found:?}");
    assert!(found.is_sorted_by_key(|columns| columns.iter().filter(|is_there| **is_there).count()));
}

/// The stream has the statistics schema of the specification.
#[test]
fn the_stream_is_as_the_specification_has_it() {
    let schema: Schema = "n: int32\ns: struct<t: utf8, u: float64>".parse().unwrap();
    let text = Utf8Array::try_from_iter([Some("b"), None, Some("a long text that is cut after 32 bytes")])
        .unwrap()
        .into_data();
    let floats = Float64Array::from_iter([Some(f64::NAN), Some(-1.5), None]).into_data();
    let nested =
        StructArray::try_new(schema.fields()[1].children().to_vec(), vec![text, floats], None).unwrap();
    let numbers = Int32Array::from_iter([5, -7, 5]).into_data();
    let batch = RecordBatch::try_new(Arc::new(schema), vec![numbers, nested.into_data()]).unwrap();
    let mut statistics = StatisticsBuilder::new(batch.schema());
    statistics.add(&batch).unwrap();
    let stream = statistics.finish(1 << 20).unwrap().unwrap();
    let reader = StreamReader::try_new(&*stream).unwrap();
    assert_eq!(
        reader.schema().to_string(),
        "column: int32\nstatistics: map<entries: struct<key: dictionary<int32, utf8> not null, items: dense_union<0=int64: int64, 1=int32: int32, 2=utf8: utf8, 3=float64: float64> not null> not null> not null"
    );
    let read: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    let mut lines: Vec<String> = (0..read[0].n_rows())
        .map(|row| {
            read[0]
                .columns()
                .iter()
                .map(|column| Scalar::try_from_slot(column, row).unwrap().to_string())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    lines[1..].sort();
    assert_eq!(
        lines,
        [
            r#"null [["ARROW:row_count:exact",{"int64":3}]]"#,
            r#"0 [["ARROW:null_count:exact",{"int64":0}],["ARROW:min_value:exact",{"int32":-7}],["ARROW:max_value:exact",{"int32":5}]]"#,
            r#"1 [["ARROW:null_count:exact",{"int64":0}]]"#,
            r#"2 [["ARROW:null_count:exact",{"int64":1}],["ARROW:min_value:approximate",{"utf8":"a long text that is cut after 32"}],["ARROW:max_value:exact",{"utf8":"b"}]]"#,
            r#"3 [["ARROW:null_count:exact",{"int64":1}],["ARROW:min_value:exact",{"float64":-1.5}]]"#,
        ]
    );
}

/// Reading ignores invalid content of the footer, and statistics that contradict the file.
#[test]
fn what_is_no_stream_of_statistics_is_ignored() {
    let batches = sorted_and_random(3);
    let of_two = {
        let mut statistics = StatisticsBuilder::new(batches[0].schema());
        batches[..2].iter().for_each(|batch| statistics.add(batch).unwrap());
        statistics.finish(1 << 20).unwrap().unwrap()
    };
    let other = StreamWriter::write_to_buffer(batches[0].schema(), &batches).unwrap();
    let right = {
        let mut statistics = StatisticsBuilder::new(batches[0].schema());
        batches.iter().for_each(|batch| statistics.add(batch).unwrap());
        statistics.finish(1 << 20).unwrap().unwrap()
    };
    let read = |stream: &[u8]| {
        let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.set_statistics(stream).unwrap();
        let reader = FileReader::try_from_buffer(writer.finish().unwrap().into()).unwrap();
        FileStatistics::from_footer(reader.footer())
    };
    assert!(read(&right).is_some());
    assert!(read(&of_two).is_none() && read(&other).is_none() && read(b"").is_none());
    let mut rng = testing_support::Rng::new(5);
    let condition: Predicate = "id > 3 and random < 7.5 and name like 'a%'".parse().unwrap();
    let bound = condition.bind(batches[0].schema()).unwrap();
    let mut n_read = 0;
    for _ in 0..Hunt::from_env().count(300, 20_000) {
        let mut mutant = right.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(mutant.len());
            mutant[at] = rng.below(256) as u8;
        }
        let Some(known) = read(&mutant) else { continue };
        n_read += 1;
        // The check finds wrong statistics, or they are harmless.
        let is_right = (0..3).all(|idx| known.check(idx, &batches[idx]).is_ok());
        let found: Vec<usize> = known.batches_matching(&bound).collect();
        if is_right {
            assert_eq!(
                rows_matching(&batches, found.into_iter(), &condition),
                rows_matching(&batches, 0..3, &condition)
            );
        }
    }
    assert!(n_read > 10, "{n_read}");
}

#[test]
fn wrong_statistics_are_found() {
    let batches = sorted_and_random(2);
    let swapped = known(file(&[batches[1].clone(), batches[0].clone()]));
    let error = swapped.check(0, &batches[0]).unwrap_err();
    assert!(matches!(&error, WrongStatistics::Less { path, .. } if path.to_string() == "name"), "{error}");
    let shorter = batches[0].slice(0, 1_999);
    let error = known(file(&batches)).check(0, &shorter).unwrap_err();
    assert_eq!(error.to_string(), "the statistics state 2000 rows, but 1999 were found");
}

/// Such values are valid unless the strict rules are asked for.
#[test]
fn decimals_of_more_digits_than_their_precision_have_right_statistics() {
    let data_type: DataType = "decimal32(9, 0)".parse().unwrap();
    let parts =
        ArrayParts { buffers: [[i32::MAX, 5].into(), Buffer::new()], ..ArrayParts::new(data_type, 2) };
    let batch = RecordBatch::try_from_columns([("c", ArrayData::try_new(parts).unwrap())]).unwrap();
    let known = known(file(std::slice::from_ref(&batch)));
    known.check(0, &batch).unwrap();
    for (text, expected) in [
        ("c < 1500000000", Matches::Some),
        ("c > 1500000000", Matches::Some),
        ("c = 2147483647", Matches::Some),
        ("c > 2147483647", Matches::None),
        ("c < 3000000000", Matches::All),
    ] {
        let condition: Predicate = text.parse().unwrap();
        assert_eq!(known.matches(0, &condition.bind(batch.schema()).unwrap()), expected, "{text}");
    }
}

/// Statistics of one batch with the column `x`, as another writer may write them: pairs of a key and a value.
fn stated(statements: &[(&str, Scalar)]) -> Buffer {
    let types: Vec<DataType> = statements.iter().map(|(_, value)| value.data_type().clone()).collect();
    let children = (0..).zip(&types).map(|(id, value)| (id, Field::new(format!("{id}"), value.clone())));
    let items = Field::new("items", DataType::union(UnionMode::Dense, children).unwrap()).required();
    let n_claims = i32::try_from(statements.len()).unwrap();
    let keys = Utf8Array::try_from_iter(statements.iter().map(|(key, _)| *key)).unwrap();
    let key_type = DataType::dictionary(IndexType::Int32, DataType::Utf8).unwrap();
    let map = DataType::map(Field::new("key", key_type.clone()).required(), items.clone());
    let keys = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from((0..n_claims).collect::<Vec<i32>>()), Buffer::new()],
        dictionary: Some(Arc::new(keys.into_data())),
        ..ArrayParts::new(key_type, statements.len())
    });
    let ids: Vec<i8> = (0..).take(statements.len()).collect();
    let values: Vec<ArrayData> =
        statements.iter().map(|(_, value)| value.to_array(1).unwrap().into_data()).collect();
    let values = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(ids), Buffer::from(vec![0_i32; statements.len()])],
        children: Some(values.into()),
        ..ArrayParts::new(items.data_type().clone(), statements.len())
    });
    let entries = ArrayData::try_new(ArrayParts {
        children: Some([keys.unwrap(), values.unwrap()].into()),
        ..ArrayParts::new(map.children()[0].data_type().clone(), statements.len())
    });
    let map_data = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0, n_claims]), Buffer::new()],
        children: Some([entries.unwrap()].into()),
        ..ArrayParts::new(map.clone(), 1)
    });
    let columns = [("column", Int32Array::from_iter([0]).into_data()), ("statistics", map_data.unwrap())];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    StreamWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch)).unwrap()
}

/// Each call for a column reads all entries of its row.
#[test]
fn rows_of_many_entries_are_ignored() {
    let batch = RecordBatch::try_from_columns([("x", Int64Array::from_iter([7]).into_data())]).unwrap();
    for (n_entries, expected) in [(1, true), (64, true), (65, false), (120, false)] {
        let statements = vec![("ARROW:min_value:approximate", Scalar::from(5_i64)); n_entries];
        let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.set_statistics(&stated(&statements)).unwrap();
        let file = FileReader::try_from_buffer(writer.finish().unwrap().into()).unwrap();
        assert_eq!(FileStatistics::from_footer(file.footer()).is_some(), expected, "{n_entries}");
    }
}

/// Statistics of other writers are checked or ignored: a batch with statistics that pass the check loses no row.
#[test]
fn claims_of_others_are_compared_or_ignored() {
    let text = |values: &[&str]| Utf8Array::try_from_iter(values.iter().copied()).unwrap().into_data();
    let bytes = |value: &[u8]| BinaryArray::try_from_iter([value]).unwrap().into_data();
    let (min, max) = ("ARROW:min_value:exact", "ARROW:max_value:exact");
    let (lower, upper) = ("ARROW:min_value:approximate", "ARROW:max_value:approximate");
    let long = "a".repeat(1_500);
    let nan = Scalar::from(f64::NAN);
    let numbers = |values: &[f64]| Float64Array::from_iter(values.iter().copied()).into_data();
    type Statement<'a> = (&'a str, Scalar);
    let cases: [(ArrayData, &[Statement<'_>], &str, bool); 9] = [
        (
            text(&["aa", "ab"]),
            &[(lower, (&[0xaa][..]).into()), (upper, (&[0xff][..]).into())],
            "x = 'aa'",
            false,
        ),
        (bytes(b"zzz"), &[(lower, "0".into()), (upper, "8".into())], "x = x'7a7a7a'", false),
        (text(&[&long]), &[(min, long.as_str().into()), (max, long.as_str().into())], "x like 'a%'", true),
        (text(&[&long]), &[(min, "a".into())], "x like 'a%'", false),
        (text(&[&long]), &[(lower, "a".into())], "x like 'a%'", true),
        (numbers(&[1.0, f64::NAN]), &[(min, 1.0.into()), (upper, nan.clone())], "x = 'NaN'", true),
        (numbers(&[1.0, f64::NAN]), &[(upper, 1.0.into())], "x = 'NaN'", false),
        (numbers(&[f64::NAN]), &[(lower, 1.0.into())], "x = 'NaN'", true),
        (numbers(&[1.5]), &[(upper, Scalar::from(2_i64))], "x = 1.5", false),
    ];
    for (values, statements, condition, is_true) in cases {
        let batch = RecordBatch::try_from_columns([("x", values)]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.set_statistics(&stated(statements)).unwrap();
        let known = known(writer.finish().unwrap().into());
        assert_eq!(known.check(0, &batch).is_ok(), is_true, "{statements:?}");
        let condition: Predicate = condition.parse().unwrap();
        let is_left_out = known.batches_matching(&condition.bind(batch.schema()).unwrap()).count() == 0;
        // Bounds of another type do not count.
        assert!(
            !is_left_out || !is_true && batch.columns()[0].data_type().is_floating_point(),
            "{statements:?}"
        );
    }
}

/// A NaN that no row has is ignored, and a check in several steps has the same result.
#[test]
fn each_part_of_a_batch_is_compared_with_the_whole() {
    let values = Float64Array::from_iter([f64::NAN, 2.0, 1.0]).into_data();
    let of = |indices: [i32; 4]| {
        let indices = Int32Array::from_iter(indices).into_data();
        DictionaryArray::try_new(indices, values.clone()).unwrap().into_data()
    };
    let batch = |indices| RecordBatch::try_from_columns([("x", of(indices))]).unwrap();
    for (indices, has_max) in [([1, 2, 1, 2], true), ([0, 0, 0, 2], false)] {
        let batch = batch(indices);
        let known = known(file(std::slice::from_ref(&batch)));
        let path = batch.schema().column_or_path("x").unwrap();
        assert_eq!(known.bounds(0, &path).max.is_some(), has_max);
        for part_rows in 1..=4 {
            let mut check = known.begin_check(0);
            for start in (0..4).step_by(part_rows) {
                check.add(&batch.slice(start, part_rows.min(4 - start))).unwrap();
            }
            check.finish().unwrap();
        }
    }
}

/// Statistics are ignored if they need more than 64 times their length in memory, or have more rows than columns.
#[test]
fn statistics_take_memory_in_proportion_to_the_footer() {
    let batch = RecordBatch::try_from_columns([("x", Int32Array::from_iter([1]).into_data())]).unwrap();
    let right = stated(&[("ARROW:min_value:exact", Scalar::from(1_i32))]);
    let rows: Vec<RecordBatch> = StreamReader::try_new(&*right).unwrap().map(Result::unwrap).collect();
    let read = |n_rows: usize| {
        let rows = concat_batches(rows[0].schema().clone(), &vec![rows[0].clone(); n_rows]).unwrap();
        let options = WriteOptions::new().with_compression(Compression::lz4());
        let stream =
            StreamWriter::write_to_buffer_with(rows.schema(), std::slice::from_ref(&rows), options).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.set_statistics(&stream).unwrap();
        let reader = FileReader::try_from_buffer(writer.finish().unwrap().into()).unwrap();
        FileStatistics::from_footer(reader.footer()).is_some()
    };
    assert!(read(1) && read(2));
    assert!(!read(3) && !read(1 << 20));
}

#[test]
fn statistics_are_of_the_batches_before_them() {
    let batches = sorted_and_random(2);
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    let mut statistics = StatisticsBuilder::new(batches[0].schema());
    statistics.add(&batches[0]).unwrap();
    writer.write(&batches[0]).unwrap();
    writer.set_statistics(&statistics.finish(u64::MAX).unwrap().unwrap()).unwrap();
    writer.write(&batches[1]).unwrap();
    let reader = FileReader::try_from_buffer(writer.finish().unwrap().into()).unwrap();
    assert!(reader.footer().statistics().is_none());
}

/// Statistics are left out if metadata leaves them no bytes of the footer, or if the footer may not differ from the schema
/// message. They are no reason to lose the file.
#[test]
fn statistics_that_do_not_fit_the_footer_are_left_out() {
    let batch =
        RecordBatch::try_from_columns([("x", Int64Array::from_iter(0..100_000).into_data())]).unwrap();
    let with_long = |n_left: usize| {
        let metadata = [("long", "x".repeat((256 << 20) - n_left))].into_iter().collect();
        WriteOptions::new().with_footer_metadata(metadata)
    };
    for (options, is_written) in [
        (with_long(1024), false),
        (with_long(1 << 20), true),
        (WriteOptions::new(), true),
        (WriteOptions::new().with_same_metadata(), false),
    ] {
        let mut writer = FileWriter::try_new_with(io::sink(), batch.schema(), options).unwrap();
        let mut statistics = StatisticsBuilder::new(batch.schema());
        writer.write(&batch).unwrap();
        statistics.add(&batch).unwrap();
        assert_eq!(statistics.put_into(&mut writer).unwrap(), is_written);
    }
}

/// Statistics that an append continues equal those of a file that is written at once.
#[test]
fn statistics_are_continued() {
    let batches = sorted_and_random(6);
    let footer = |file: FileBytes| {
        let reader = FileReader::try_from_buffer(file).unwrap();
        reader.footer().statistics().unwrap()
    };
    let at_once = footer(file(&batches));
    for n_before in 1..=6 {
        assert_eq!(footer(continued(&batches, n_before).unwrap()), at_once, "{n_before}");
    }
    // Only columns with statistics in the first batches are continued.
    let n_available_bytes = footer(file(&batches[..3])).len() as u64;
    let reader = FileReader::try_from_buffer(file_with(&batches[..3], n_available_bytes).unwrap()).unwrap();
    let mut statistics = StatisticsBuilder::continuing(reader.footer()).unwrap().unwrap();
    batches[3..].iter().for_each(|batch| statistics.add(batch).unwrap());
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.set_statistics(&statistics.finish(u64::MAX).unwrap().unwrap()).unwrap();
    let known = known(writer.finish().unwrap().into());
    let path = |name: &str| batches[0].schema().column_or_path(name).unwrap();
    for (idx, batch) in batches.iter().enumerate() {
        known.check(idx, batch).unwrap();
        let has_min = |name: &str| known.bounds(idx, &path(name)).min.is_some();
        assert!(has_min("id") && !has_min("random"));
    }
}

/// Bounds of another type than the first bounds are ignored, and unreadable statistics are not continued.
#[test]
fn statistics_of_others_are_continued_as_far_as_they_can_be_read() {
    let batch = |id: i32| RecordBatch::try_from_columns([("x", Int32Array::from_iter([id]).into_data())]);
    let batches = [batch(1).unwrap(), batch(2).unwrap()];
    let (min, max) = ("ARROW:min_value:exact", "ARROW:max_value:exact");
    let cases: [(Buffer, &[Option<i32>]); 5] = [
        (stated(&[(min, 1_i32.into()), (max, 1_i32.into())]), &[Some(1), Some(2)]),
        // The statistics are not compared with the batches.
        (stated(&[(min, 7_i32.into())]), &[Some(7), Some(2)]),
        (stated(&[(min, "1".into()), (max, "1".into())]), &[None, None]),
        (stated(&[("ARROW:distinct_count:exact", 1_i64.into())]), &[]),
        (Buffer::from(b"no stream".to_vec()), &[]),
    ];
    for (statements, expected) in cases {
        let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
        writer.write(&batches[0]).unwrap();
        writer.set_statistics(&statements).unwrap();
        let before = Buffer::from(writer.finish().unwrap());
        let reader = FileReader::try_from_buffer(before.clone()).unwrap();
        let stream = StatisticsBuilder::continuing(reader.footer()).unwrap().and_then(|mut statistics| {
            statistics.add(&batches[1]).unwrap();
            statistics.finish(u64::MAX).unwrap()
        });
        assert_eq!(stream.is_some(), !expected.is_empty(), "{expected:?}");
        let Some(stream) = stream else { continue };
        let mut writer = FileWriter::append_to(&before, Vec::new(), WriteOptions::new()).unwrap();
        writer.write(&batches[1]).unwrap();
        writer.set_statistics(&stream).unwrap();
        let known = known(writer.finish().unwrap().into());
        let path = batches[0].schema().column_or_path("x").unwrap();
        for (idx, expected) in expected.iter().enumerate() {
            let min = known.bounds(idx, &path).min.filter(|min| *min.data_type() == DataType::Int32);
            assert_eq!(min, expected.map(Scalar::from));
        }
        assert_eq!([known.n_rows(0), known.n_rows(1)], [None, Some(1)]);
    }
}

//! The rows of queries.

use std::{fs, panic::AssertUnwindSafe, sync::Arc};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_datafusion::IpcOptions;
use arrow_ipc::{Compression, FileReader, FileWriter, Projection, RowCounts, StreamWriter, WriteOptions};
use arrow_rs_adapter::v59::{FromArrowRs, ToArrowRs};
use arrow_schema::Schema;
use datafusion::{
    arrow::{
        array::{
            Array, ArrayRef, AsArray, DictionaryArray, FixedSizeListArray, Int32Array,
            Int64Array as RsInt64Array, RecordBatch as RsRecordBatch, StringArray, StringViewArray,
            StructArray,
        },
        compute::cast,
        datatypes::{DataType as RsDataType, Field, Int32Type, Int64Type, Schema as RsSchema, TimeUnit},
        ipc::writer::{FileWriter as RsFileWriter, StreamWriter as RsStreamWriter},
    },
    datasource::{file_format::arrow::ArrowFormat, listing::ListingOptions},
    error::Result,
    prelude::SessionContext,
};
use futures_util::FutureExt;
use testing_support::{arrow_test_data, corpus_dir, files_below};

use crate::support::{
    CountingStore, URL, batch, batches, file, n_scan_partitions, number, register, rows, session,
};

/// The batches with rows of a file or stream, by our reader. `None` if it cannot be read, or arrow-rs has no such rows.
fn by_our_reader(bytes: &[u8]) -> Option<Vec<RsRecordBatch>> {
    let reader = FileReader::try_from_buffer(bytes.to_vec().into()).ok()?;
    let batches = reader.batches().collect::<arrow_ipc::Result<Vec<RecordBatch>>>().ok()?;
    reader.check_end().ok()?;
    let batches = batches.iter().filter(|batch| batch.n_rows() > 0);
    let batches = batches.map(|batch| batch.to_arrow_rs().ok()).collect::<Option<Vec<_>>>()?;
    // Columns of a table have different names.
    let fields = reader.schema().fields();
    let names: std::collections::HashSet<_> = fields.iter().map(|field| field.name()).collect();
    (names.len() == fields.len() && !fields.is_empty()).then_some(batches)
}

/// Columns, without what a table does not have: metadata and nullability of fields.
fn columns(batch: &RsRecordBatch) -> (usize, Vec<ArrayRef>) {
    (batch.num_rows(), batch.columns().to_vec())
}

/// The columns of batches of as many rows as DataFusion passes on at once.
fn parts(batches: &[RsRecordBatch]) -> Vec<(usize, Vec<ArrayRef>)> {
    const N_ROWS: usize = 8_192;
    let of_batch = |batch: &RsRecordBatch| {
        let batch = batch.clone();
        let firsts = (0..batch.num_rows()).step_by(N_ROWS);
        firsts.map(move |first| columns(&batch.slice(first, N_ROWS.min(batch.num_rows() - first))))
    };
    batches.iter().flat_map(of_batch).collect()
}

#[tokio::test]
async fn files_of_others_have_the_same_rows() -> Result<()> {
    let mut folders = vec![corpus_dir().join("golden"), corpus_dir().join("compressed")];
    folders.extend(arrow_test_data("files of released libraries in queries"));
    let mut n_compared = 0;
    let mut n_by_both = 0;
    for folder in folders {
        for suffix in [".arrow", ".arrow_file", ".stream", ".arrows"] {
            for path in files_below(&folder, suffix) {
                let bytes = fs::read(&path)?;
                let Some(expected) = by_our_reader(&bytes) else { continue };
                let expected = parts(&expected);
                let path_text = path.display();
                let store = Arc::new(CountingStore::default());
                store.put("one", bytes);
                for n_partitions in [1, 3] {
                    let session = session(&store, n_partitions);
                    register(&session, "one", IpcOptions::new()).await?;
                    let found = batches(&session, "SELECT * FROM t").await;
                    let found = found.unwrap_or_else(|error| panic!("{path_text}: {error}"));
                    assert!(parts(&found) == expected, "{path_text}");
                }
                n_compared += 1;
                // What it cannot read says nothing about us.
                let theirs = AssertUnwindSafe(async {
                    let session = session(&store, 1);
                    let theirs = ListingOptions::new(Arc::new(ArrowFormat)).with_file_extension("");
                    session.register_listing_table("t", format!("{URL}one"), theirs, None, None).await?;
                    batches(&session, "SELECT * FROM t").await
                });
                let theirs = theirs.catch_unwind().await;
                n_by_both +=
                    usize::from(theirs.is_ok_and(|found| found.is_ok_and(|found| parts(&found) == expected)));
            }
        }
    }
    assert!(n_compared > 100 && n_by_both > 50, "{n_compared} files, {n_by_both} read by both");
    Ok(())
}

/// Batches of the writers of arrow-rs: text, views, dictionaries and structs, with nulls.
fn foreign(first: i32) -> RsRecordBatch {
    let names: Vec<Option<String>> =
        (first..first + 500).map(|id| (id % 7 != 0).then(|| format!("name {id}"))).collect();
    let keys = (first..first + 500).map(|id| (id % 5 != 0).then_some(id % 3));
    let colors = StringArray::from(vec!["red", "green", "blue"]);
    let colors = DictionaryArray::<Int32Type>::new(Int32Array::from_iter(keys), Arc::new(colors));
    let ids: ArrayRef = Arc::new(Int32Array::from_iter_values(first..first + 500));
    let views: ArrayRef = Arc::new(StringViewArray::from_iter(names.iter().map(Option::as_deref)));
    let point = StructArray::from(vec![
        (Arc::new(Field::new("x", ids.data_type().clone(), false)), Arc::clone(&ids)),
        (Arc::new(Field::new("label", views.data_type().clone(), true)), Arc::clone(&views)),
    ]);
    RsRecordBatch::try_from_iter_with_nullable([
        ("id", ids, false),
        ("name", Arc::new(StringArray::from_iter(names)) as ArrayRef, true),
        ("view", views, true),
        ("color", Arc::new(colors), true),
        ("point", Arc::new(point), false),
    ])
    .unwrap()
}

#[tokio::test]
async fn files_of_arrow_rs_answer_like_its_own_scan() -> Result<()> {
    let batches: Vec<_> = (0..6).map(|idx| foreign(idx * 500)).collect();
    let schema = batches[0].schema();
    let mut in_file = RsFileWriter::try_new(Vec::new(), &schema)?;
    let mut in_stream = RsStreamWriter::try_new(Vec::new(), &schema)?;
    for batch in &batches {
        in_file.write(batch)?;
        in_stream.write(batch)?;
    }
    let store = Arc::new(CountingStore::default());
    // DataFusion's own format does not find the schema of such files in other stores than the file system.
    let local = tempfile::tempdir()?;
    for (folder, bytes) in [("file/", in_file.into_inner()?), ("stream/", in_stream.into_inner()?)] {
        fs::create_dir(local.path().join(folder))?;
        fs::write(local.path().join(folder).join("one.arrow"), &bytes)?;
        store.put(&format!("{folder}one.arrow"), bytes);
    }
    let queries = [
        "SELECT * FROM t ORDER BY id",
        "SELECT color, count(*), min(name), max(view) FROM t GROUP BY color ORDER BY color",
        "SELECT get_field(point, 'x'), get_field(point, 'label') FROM t WHERE id BETWEEN 998 AND 1003 ORDER BY id",
        "SELECT id, name FROM t WHERE name IS NULL ORDER BY id DESC LIMIT 10",
        "SELECT count(*) FROM t WHERE color = 'red' AND view LIKE 'name 1%'",
        "SELECT sum(get_field(point, 'x')) FROM t",
        "SELECT name, 7 AS seven, id + 1 FROM t ORDER BY id LIMIT 3",
    ];
    for folder in ["file/", "stream/"] {
        let theirs = session(&store, 2);
        let options = ListingOptions::new(Arc::new(ArrowFormat));
        let folder_url = format!("{}/{folder}", local.path().display());
        theirs.register_listing_table("t", folder_url, options, None, None).await?;
        for n_partitions in [1, 2, 5] {
            let ours = session(&store, n_partitions);
            register(&ours, folder, IpcOptions::new()).await?;
            for sql in queries {
                let found = rows(&ours, sql).await?;
                assert_eq!(columns(&found), columns(&rows(&theirs, sql).await?), "{folder} {sql}");
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn partitions_have_each_batch_once() -> Result<()> {
    let batches: Vec<_> = (0..13).map(|idx| batch(idx * 700, 700)).collect();
    let store = Arc::new(CountingStore::default());
    let zstd = WriteOptions::new().with_compression(Compression::zstd());
    store.put("file", file(&batches, WriteOptions::new()));
    store.put("stream", StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap());
    store.put("compressed", file(&batches, zstd));
    for path in ["file", "stream", "compressed"] {
        let expected = rows(
            &{
                let session = session(&store, 1);
                register(&session, path, IpcOptions::new()).await?;
                session
            },
            "SELECT * FROM t",
        )
        .await?;
        assert_eq!(expected.num_rows(), 9_100);
        for n_partitions in [2, 3, 4, 7, 16, 40] {
            let session = session(&store, n_partitions);
            register(&session, path, IpcOptions::new()).await?;
            let plan = session.sql("SELECT * FROM t").await?.create_physical_plan().await?;
            assert_eq!(n_scan_partitions(&plan), n_partitions, "{path}");
            assert_eq!(rows(&session, "SELECT * FROM t").await?, expected, "{path}, {n_partitions}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn dictionaries_grow() -> Result<()> {
    let batches: Vec<_> = (0..6)
        .map(|idx| {
            let keys = (0..100).map(|row| format!("value {}", row % (10 * (idx + 1))));
            let values: DictionaryArray<Int32Type> =
                keys.collect::<Vec<_>>().iter().map(|key| Some(key.as_str())).collect();
            RsRecordBatch::try_from_iter([("d", Arc::new(values) as ArrayRef)]).unwrap()
        })
        .map(|batch| RecordBatch::try_from_arrow_rs(&batch).unwrap())
        .collect();
    let store = Arc::new(CountingStore::default());
    store.put("file", FileWriter::write_to_vec(batches[0].schema(), &batches).unwrap());
    store.put("stream", StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap());
    for path in ["file", "stream"] {
        for n_partitions in [1, 4] {
            let session = session(&store, n_partitions);
            register(&session, path, IpcOptions::new()).await?;
            assert_eq!(number(&session, "SELECT count(DISTINCT d) FROM t").await?, 60, "{path}");
            assert_eq!(number(&session, "SELECT count(*) FROM t WHERE d = 'value 0'").await?, 26, "{path}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn files_may_lack_columns_and_folders_are_columns() -> Result<()> {
    let column = |name: &str, values: Vec<i64>| (name.to_owned(), Int64Array::from_iter(values).into_data());
    let one = RecordBatch::try_from_columns([column("a", vec![1, 2]), column("b", vec![10, 20])]).unwrap();
    let two = RecordBatch::try_from_columns([column("c", vec![7]), column("a", vec![3])]).unwrap();
    let store = Arc::new(CountingStore::default());
    store.put("set/day=1/x.arrow", file(&[one], WriteOptions::new()));
    store.put(
        "set/day=2/x.arrow",
        StreamWriter::write_to_vec(two.schema(), std::slice::from_ref(&two)).unwrap(),
    );
    for options in [IpcOptions::new(), IpcOptions::new().with_trusted_statistics()] {
        let session = session(&store, 2);
        arrow_datafusion::register_with(&session, options)?;
        let create =
            format!("CREATE EXTERNAL TABLE t STORED AS ARROW PARTITIONED BY (day) LOCATION '{URL}set/'");
        session.sql(&create).await?.collect().await?;
        let found = rows(&session, "SELECT a, b, c, day FROM t ORDER BY a").await?;
        let text = datafusion::arrow::util::pretty::pretty_format_batches(&[found])?.to_string();
        let expected = "\
+---+----+---+-----+
| a | b  | c | day |
+---+----+---+-----+
| 1 | 10 |   | 1   |
| 2 | 20 |   | 1   |
| 3 |    | 7 | 2   |
+---+----+---+-----+";
        assert_eq!(text, expected);
        store.take();
        assert_eq!(number(&session, "SELECT sum(a) FROM t WHERE day = '2'").await?, 3);
        assert!(store.take().iter().all(|(path, _)| path.contains("day=2")));
        assert_eq!(number(&session, "SELECT count(*) FROM t WHERE b IS NULL").await?, 1);
        assert_eq!(number(&session, "SELECT count(*) FROM t WHERE c > 6 AND b IS NULL").await?, 1);
        assert_eq!(number(&session, "SELECT count(b) FROM t").await?, 2);
    }
    Ok(())
}

/// Fields inside of structs, metadata and the order of dictionaries may differ, too.
#[tokio::test]
async fn files_may_lack_fields_and_describe_them_otherwise() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    let put = |path: &str, unit: &str, inner: Vec<(&str, ArrayRef)>, is_ordered: bool, x: i64| {
        let required = |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), false);
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) =
            inner.iter().map(|member| (required(member), Arc::clone(&member.1))).unzip();
        let structs = StructArray::new(fields.into(), arrays, None);
        let words: DictionaryArray<Int32Type> = ["word"].into_iter().collect();
        let item = Field::new("item", RsDataType::Int64, false)
            .with_metadata([("unit".to_owned(), unit.to_owned())].into());
        let pairs = FixedSizeListArray::new(item.into(), 2, Arc::new(RsInt64Array::from(vec![x, x])), None);
        let metadata =
            [("unit", unit), ("source", "sensor")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        let schema = RsSchema::new(vec![
            Field::new("x", RsDataType::Int64, false).with_metadata(metadata.into()),
            Field::new("s", structs.data_type().clone(), false),
            Field::new("d", words.data_type().clone(), false).with_dict_is_ordered(is_ordered),
            Field::new("f", pairs.data_type().clone(), false),
        ]);
        let columns: Vec<ArrayRef> =
            vec![Arc::new(RsInt64Array::from(vec![x])), Arc::new(structs), Arc::new(words), Arc::new(pairs)];
        let batch = RsRecordBatch::try_new(Arc::new(schema), columns).unwrap();
        let mut writer = RsFileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        store.put(path, writer.into_inner().unwrap());
    };
    let number = |value: i64| -> ArrayRef { Arc::new(RsInt64Array::from(vec![value])) };
    put("set/a.arrow", "m", vec![("a", number(2))], true, 1);
    put("set/b.arrow", "km", vec![("b", number(6)), ("a", number(7))], false, 5);
    let session = session(&store, 1);
    arrow_datafusion::register(&session)?;
    let create = format!("CREATE EXTERNAL TABLE t STORED AS ARROW LOCATION '{URL}set/'");
    session.sql(&create).await?.collect().await?;
    let found = rows(&session, "SELECT x, s, d, f FROM t ORDER BY x").await?;
    let text =
        datafusion::arrow::util::pretty::pretty_format_batches(std::slice::from_ref(&found))?.to_string();
    let expected = "\
+---+--------------+------+--------+
| x | s            | d    | f      |
+---+--------------+------+--------+
| 1 | {a: 2, b: }  | word | [1, 1] |
| 5 | {a: 7, b: 6} | word | [5, 5] |
+---+--------------+------+--------+";
    assert_eq!(text, expected);
    let schema = found.schema();
    let metadata = schema.field_with_name("x")?.metadata();
    assert_eq!(metadata.get("source").map(String::as_str), Some("sensor"));
    assert_eq!(metadata.get("unit"), None);
    Ok(())
}

/// The bounds of a column are no bounds of what a cast makes of it, if the cast does not keep the order of values.
#[tokio::test]
async fn casts_that_change_the_order_leave_out_no_batches() -> Result<()> {
    let batch = |values: [i64; 3]| {
        RecordBatch::try_from_columns([("a", Int64Array::from_iter(values).into_data())]).unwrap()
    };
    let store = Arc::new(CountingStore::default());
    store.put("one.arrow", file(&[batch([-1, 0, 1]), batch([5, 6, 7])], WriteOptions::new()));
    let session = session(&store, 1);
    register(&session, "one.arrow", IpcOptions::new().with_trusted_statistics()).await?;
    for (condition, expected) in [
        ("CAST(a AS BOOLEAN) = false", 1),
        ("CAST(a AS BOOLEAN) = false AND a < 5", 1),
        ("CAST(a AS VARCHAR) < '0'", 1),
        ("CAST(a AS INT) > 5", 2),
        ("CAST(CAST(a AS TIMESTAMP) AS TIME) >= '00:00:05'", 4),
    ] {
        let sql = format!("SELECT count(*) FROM t WHERE {condition}");
        let found = number(&session, &sql).await?;
        let all = number(&session, &sql.replace("FROM t", "FROM (SELECT a + 0 AS a FROM t)")).await?;
        assert_eq!(found, all, "{condition}");
        if !condition.contains("TIME") {
            assert_eq!(found, expected, "{condition}");
        }
    }
    Ok(())
}

/// A footer of a few bytes may claim any number of rows; values are made of it in pieces.
#[tokio::test]
async fn declared_rows_take_no_memory() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    let many = RecordBatch::try_new_with_rows(Arc::new(Schema::default()), Vec::new(), 1 << 40).unwrap();
    for row_counts in [RowCounts::Written, RowCounts::NotWritten] {
        let options = WriteOptions::new().with_row_counts(row_counts);
        let mut writer = FileWriter::try_new_with(Vec::new(), many.schema(), options).unwrap();
        writer.write(&many).unwrap();
        store.put("rows.arrow", writer.finish().unwrap());
        let session = session(&store, 1);
        register(&session, "rows.arrow", IpcOptions::new()).await?;
        let found = batches(&session, "SELECT 1 AS one FROM t LIMIT 100000").await?;
        assert_eq!(found.iter().map(|batch| batch.num_rows()).sum::<usize>(), 100_000);
        // Without row counts, DataFusion would count the rows of each of its small batches for hours.
        let count = number(&session, "SELECT count(*) FROM t").await;
        match row_counts {
            RowCounts::Written => assert_eq!(count?, 1 << 40),
            _ => assert!(count.unwrap_err().to_string().contains("claim more than 67108864 rows")),
        }
    }
    // Each piece of these rows takes time in expressions.
    for name in ["batch-null-2e62", "fsl-size-zero-2e62", "ree-length-2e40"] {
        store.put("rows.arrow", fs::read(corpus_dir().join(format!("hostile/{name}.stream")))?);
        let session = session(&store, 1);
        register(&session, "rows.arrow", IpcOptions::new()).await?;
        let count = number(&session, "SELECT count(*) FROM t WHERE c IS NULL").await;
        assert!(count.unwrap_err().to_string().contains("claim more than 67108864 rows"), "{name}");
    }
    Ok(())
}

/// A file with one column, which has these numbers in a type.
fn cast_numbers(name: &str, numbers: &[Option<i64>], data_type: &RsDataType) -> Vec<u8> {
    let numbers: ArrayRef = Arc::new(RsInt64Array::from(numbers.to_vec()));
    let column = cast(&numbers, data_type).unwrap();
    let batch = RsRecordBatch::try_from_iter_with_nullable([(name, column, true)]).unwrap();
    file(&[RecordBatch::try_from_arrow_rs(&batch).unwrap()], WriteOptions::new())
}

/// A dynamic filter of a join on a dictionary of integers would make DataFusion join by the integers, and fail.
#[tokio::test]
async fn keys_of_all_types_are_joined() -> Result<()> {
    use RsDataType::*;
    let dictionary = |index, value| Dictionary(Box::new(index), Box::new(value));
    for key in [
        Int64,
        dictionary(Int32, Int64),
        dictionary(Int8, UInt16),
        dictionary(Int32, Utf8),
        dictionary(Int16, Decimal128(9, 2)),
        Utf8View,
        Float64,
        Decimal128(9, 2),
        Date64,
        Time64(TimeUnit::Microsecond),
        Timestamp(TimeUnit::Second, None),
        Duration(TimeUnit::Second),
    ] {
        let store = Arc::new(CountingStore::default());
        store.put("one.arrow", cast_numbers("key", &[Some(5), Some(6), None, Some(8), Some(5)], &key));
        for options in [IpcOptions::new(), IpcOptions::new().with_trusted_statistics()] {
            let session = session(&store, 2);
            register(&session, "one.arrow", options).await?;
            let joined = number(&session, "SELECT count(*) FROM t a JOIN t b ON a.key = b.key").await;
            assert_eq!(joined.unwrap_or_else(|error| panic!("{key}: {error}")), 6, "{key}");
        }
    }
    Ok(())
}

/// The planner casts bounds without a check for overflow, so those are not taken that overflow.
#[tokio::test]
async fn extreme_bounds_of_dates_and_times_are_planned() -> Result<()> {
    const DAY: i64 = 86_400_000;
    let last_day = i64::MAX / DAY * DAY;
    let cases = [
        (RsDataType::Date64, [253_402_214_400_000, last_day], "timestamp '2024-01-02'"),
        (
            RsDataType::Date64,
            [-last_day, last_day],
            "arrow_cast('2024-01-02', 'Timestamp(Microsecond, None)')",
        ),
        (
            RsDataType::Time64(TimeUnit::Microsecond),
            [0, i64::MAX],
            "arrow_cast('00:00:01', 'Time64(Nanosecond)')",
        ),
        (RsDataType::Timestamp(TimeUnit::Second, None), [i64::MIN, i64::MAX], "timestamp '2024-01-02'"),
        (
            RsDataType::Duration(TimeUnit::Second),
            [i64::MIN, i64::MAX],
            "arrow_cast(1, 'Duration(Nanosecond)')",
        ),
    ];
    for (data_type, [least, greatest], other) in cases {
        let store = Arc::new(CountingStore::default());
        store.put("one.arrow", cast_numbers("c", &[Some(least), Some(greatest)], &data_type));
        let session = session(&store, 1);
        register(&session, "one.arrow", IpcOptions::new().with_trusted_statistics()).await?;
        for sql in [
            format!("EXPLAIN SELECT * FROM t WHERE c > {other}"),
            format!("EXPLAIN SELECT * FROM t a JOIN t b ON a.c = b.c WHERE a.c <= {other}"),
        ] {
            assert!(
                rows(&session, &sql).await.unwrap_or_else(|error| panic!("{sql}: {error}")).num_rows() > 0
            );
        }
    }
    Ok(())
}

#[tokio::test]
async fn columns_get_the_types_of_the_table() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    store.put("one.arrow", file(&[batch(0, 5)], WriteOptions::new()));
    let session = session(&store, 1);
    arrow_datafusion::register(&session)?;
    let create = format!(
        "CREATE EXTERNAL TABLE t (name VARCHAR, id INT, more DOUBLE) STORED AS ARROW LOCATION '{URL}one.arrow'"
    );
    session.sql(&create).await?.collect().await?;
    let found = rows(&session, "SELECT id, more, name FROM t WHERE id > 2").await?;
    assert_eq!(found.column(0).as_primitive::<Int32Type>().values().to_vec(), [3, 4]);
    assert_eq!(found.column(1).null_count(), 2);
    Ok(())
}

#[tokio::test]
async fn empty_files_have_no_rows() -> Result<()> {
    let empty = batch(0, 0);
    let store = Arc::new(CountingStore::default());
    let none: [RecordBatch; 0] = [];
    store.put("none", FileWriter::write_to_vec(empty.schema(), &none).unwrap());
    store.put("empty", FileWriter::write_to_vec(empty.schema(), std::slice::from_ref(&empty)).unwrap());
    store.put("stream", StreamWriter::write_to_vec(empty.schema(), &none).unwrap());
    for path in ["none", "empty", "stream"] {
        for n_partitions in [1, 3] {
            let session = session(&store, n_partitions);
            register(&session, path, IpcOptions::new()).await?;
            assert_eq!(rows(&session, "SELECT * FROM t").await?.num_rows(), 0, "{path}");
            assert_eq!(number(&session, "SELECT count(*) FROM t").await?, 0, "{path}");
            assert_eq!(number(&session, "SELECT count(*) FROM t WHERE id > 3").await?, 0, "{path}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn statements_have_options() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    store.put("one.arrow", file(&[batch(0, 5)], WriteOptions::new()));
    let session = session(&store, 1);
    arrow_datafusion::register(&session)?;
    let create = |options: &str| {
        format!(
            "CREATE OR REPLACE EXTERNAL TABLE t STORED AS ARROW LOCATION '{URL}one.arrow' OPTIONS ({options})"
        )
    };
    session.sql(&create("'trusted_statistics' 'true'")).await?.collect().await?;
    let plan = rows(&session, "EXPLAIN SELECT * FROM t WHERE id = 3").await?;
    let plan = datafusion::arrow::util::pretty::pretty_format_batches(&[plan])?.to_string();
    assert!(plan.contains("pruned by id@0 = 3"), "{plan}");
    for wrong in ["'trusted_statistics' 'perhaps'", "'statistics' 'true'"] {
        let error = session.sql(&create(wrong)).await;
        let error = match error {
            Ok(found) => found.collect().await.unwrap_err(),
            Err(error) => error,
        };
        assert!(error.to_string().contains("trusted_statistics"), "{error}");
    }
    Ok(())
}

#[tokio::test]
async fn what_datafusion_writes_is_read() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    store.put("one.arrow", file(&[batch(0, 500), batch(500, 500)], WriteOptions::new()));
    let session = session(&store, 2);
    arrow_datafusion::register(&session)?;
    register(&session, "one.arrow", IpcOptions::new()).await?;
    let copy = format!("COPY (SELECT id, name FROM t) TO '{URL}out/' STORED AS ARROW");
    assert_eq!(session.sql(&copy).await?.collect().await?[0].num_rows(), 1);
    let create = format!("CREATE EXTERNAL TABLE copy STORED AS ARROW LOCATION '{URL}out/'");
    session.sql(&create).await?.collect().await?;
    session.sql("INSERT INTO copy VALUES (1000, 'more')").await?.collect().await?;
    assert_eq!(number(&session, "SELECT sum(id) FROM copy").await?, 1_000 * 1_001 / 2);
    assert_eq!(number(&session, "SELECT count(DISTINCT name) FROM copy").await?, 1_001);
    Ok(())
}

#[tokio::test]
async fn files_of_the_file_system_are_read() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let batches: Vec<_> = (0..20).map(|idx| batch(idx * 5_000, 5_000)).collect();
    fs::write(folder.path().join("one.arrow"), file(&batches, WriteOptions::new()))?;
    fs::write(
        folder.path().join("two.arrow"),
        StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap(),
    )?;
    let session = SessionContext::new();
    arrow_datafusion::register(&session)?;
    let create = format!("CREATE EXTERNAL TABLE t STORED AS ARROW LOCATION '{}/'", folder.path().display());
    session.sql(&create).await?.collect().await?;
    assert_eq!(number(&session, "SELECT count(*) FROM t").await?, 200_000);
    assert_eq!(number(&session, "SELECT sum(id) FROM t").await?, 100_000 * 99_999);
    assert_eq!(
        number(&session, "SELECT sum(a.id) FROM t a JOIN t b ON a.id = b.id WHERE b.name = 'name 00000123'")
            .await?,
        492
    );
    let top = rows(&session, "SELECT id FROM t ORDER BY id DESC LIMIT 1").await?;
    assert_eq!(top.column(0).as_primitive::<Int64Type>().value(0), 99_999);
    Ok(())
}

#[tokio::test]
async fn expected_columns_are_projected() -> Result<()> {
    // Readers of some columns and of all columns agree.
    let bytes = file(&[batch(0, 100)], WriteOptions::new());
    let store = Arc::new(CountingStore::default());
    store.put("one", bytes.clone());
    let session = session(&store, 1);
    register(&session, "one", IpcOptions::new()).await?;
    let reader = FileReader::try_from_buffer(bytes.into()).unwrap();
    let some =
        reader.project(&Projection::names(["first", "id"])).unwrap().batch(0).unwrap().to_arrow_rs().unwrap();
    let found = rows(&session, "SELECT first, id FROM t").await?;
    assert_eq!(columns(&found), columns(&some));
    Ok(())
}

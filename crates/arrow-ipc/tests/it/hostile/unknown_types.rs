//! Columns of a type that the format does not know: the other columns are read, wherever these are. Reading all columns is
//! refused.

use std::io::Cursor;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, Endianness, ErrorClass, FetchCost, FileReader, FileWriter, IpcSchema, Limits,
    MetadataVersion, Projection, ReadOptions, Result, SeekSource, StreamReader, StreamWriter, WriteOptions,
};
use arrow_schema::{DataType, Field, IndexType, Schema, UnionMode};
use arrow_text::JsonRows;
use bindings::flatbuf as fb;
use testing_support::{Generator, Rng, rows};

use super::wire::{Batch, Message, entry, field, follow, int32, schema, stream, utf8_view, words};

const UNKNOWN: u8 = 200;

/// The position of the type number of the field at a path, in a flatbuffer whose root has the schema in the given slot.
fn type_number(flatbuffer: &[u8], schema_slot: usize, path: &[usize]) -> usize {
    const FIELDS: usize = 1;
    const TYPE_NUMBER: usize = 2;
    const CHILDREN: usize = 5;
    let mut table = follow(flatbuffer, entry(flatbuffer, follow(flatbuffer, 0), schema_slot).1);
    for (depth, position) in path.iter().enumerate() {
        let list = entry(flatbuffer, table, if depth == 0 { FIELDS } else { CHILDREN }).1;
        table = follow(flatbuffer, follow(flatbuffer, list) + 4 + 4 * position);
    }
    entry(flatbuffer, table, TYPE_NUMBER).1
}

fn patched_stream(mut bytes: Vec<u8>, paths: &[&[usize]]) -> Vec<u8> {
    for path in paths {
        let position = 8 + type_number(&bytes[8..], 2, path);
        bytes[position] = UNKNOWN;
    }
    bytes
}

/// The file with the types at these paths unknown, in its footer and in the schema message.
fn patched_file(mut bytes: Vec<u8>, paths: &[&[usize]]) -> Vec<u8> {
    let tail = bytes.len() - 10;
    let footer = tail - u32::from_le_bytes(*bytes[tail..].first_chunk().unwrap()) as usize;
    for path in paths {
        for position in
            [16 + type_number(&bytes[16..], 2, path), footer + type_number(&bytes[footer..], 1, path)]
        {
            bytes[position] = UNKNOWN;
        }
    }
    bytes
}

fn read_stream(bytes: &[u8], projection: Projection) -> Result<Vec<RecordBatch>> {
    StreamReader::try_new_with(bytes, ReadOptions::new().with_projection(projection))?.collect()
}

/// From memory, by ranges, and row by row.
fn read_file(bytes: &[u8], projection: Projection) -> Result<Vec<RecordBatch>> {
    let options = ReadOptions::new().with_projection(projection);
    let whole = FileReader::try_new_with(Buffer::from(bytes.to_vec()), options.clone())?;
    let batches = whole.batches().collect::<Result<Vec<_>>>()?;
    let options = options.with_tail_bytes(0).with_fetch_cost(FetchCost::FREE_REQUESTS);
    let ranges = FileReader::try_new_with(SeekSource::new(Cursor::new(bytes.to_vec())), options)?;
    for (batch_idx, batch) in batches.iter().enumerate() {
        assert_eq!(rows(&ranges.batch(batch_idx)?), rows(batch));
        let n_rows = batch.n_rows();
        for part in [0..n_rows, n_rows / 3..n_rows / 2] {
            let found = ranges.batch_rows(batch_idx, part.start as u64..part.end as u64)?;
            assert_eq!(rows(&found), rows(&batch.slice(part.start, part.len())));
        }
    }
    Ok(batches)
}

fn refused<T>(result: Result<T>, class: ErrorClass, message: &str) {
    let error = result.err().unwrap_or_else(|| panic!("read, in spite of: {message}"));
    assert_eq!(error.class(), class, "{error}");
    assert!(error.to_string().contains(message), "{error} has no {message}");
}

/// Columns of many layouts; some are of this type of text.
fn columns(text: &DataType) -> Schema {
    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let parts = [(0, Field::new("n", DataType::Int16)), (1, Field::new("s", DataType::Utf8))];
    let union = DataType::union(UnionMode::Sparse, parts);
    let pair = DataType::struct_([Field::new("x", DataType::Int8), Field::new("y", words.clone())]);
    Schema::new([
        Field::new("c0", text.clone()),
        Field::new("c1", union.clone().unwrap()),
        Field::new("c2", pair),
        Field::new("c3", text.clone()),
        Field::new("c4", DataType::list(Field::new("item", text.clone()))),
        Field::new("c5", union.unwrap()),
        Field::new("c6", words),
        Field::new("c7", DataType::Int32),
    ])
}

fn written(batches: &[RecordBatch], options: &WriteOptions) -> (Vec<u8>, Vec<u8>) {
    let schema = batches[0].schema();
    let mut stream = StreamWriter::try_new_with(Vec::new(), schema, options.clone()).unwrap();
    let mut file = FileWriter::try_new_with(Vec::new(), schema, options.clone()).unwrap();
    for batch in batches {
        stream.write(batch).unwrap();
        file.write(batch).unwrap();
    }
    (stream.finish().unwrap(), file.finish().unwrap())
}

fn ways_of_writing() -> [(WriteOptions, DataType); 4] {
    let compression = cfg!(feature = "lz4").then(Compression::lz4);
    let foreign = if Endianness::NATIVE == Endianness::Big { Endianness::Little } else { Endianness::Big };
    [
        (WriteOptions::new(), DataType::Utf8View),
        (WriteOptions::new().with_endianness(foreign), DataType::Utf8View),
        (WriteOptions::new().with_compression(compression), DataType::Utf8View),
        (WriteOptions::new().with_version(MetadataVersion::V4), DataType::Utf8),
    ]
}

/// Columns of unknown types, by the path to the type; first, in the middle, last, inside of another, and several.
const UNKNOWN_PATHS: [&[&[usize]]; 9] = [
    &[&[0]],
    &[&[1]],
    &[&[2, 1]],
    &[&[4, 0]],
    &[&[6]],
    &[&[7]],
    &[&[1], &[2]],
    &[&[1, 0], &[5]],
    &[&[0], &[7]],
];

#[test]
fn other_columns_are_read() {
    for (options, text) in ways_of_writing() {
        let mut generator = Generator::new(7);
        // Parts of one batch, so that files have one dictionary of each.
        let [batch] = &*generator.batches(&columns(&text), &[53]) else { panic!("one batch") };
        let batches = [batch.slice(0, 20), batch.slice(20, 0), batch.slice(20, 33)];
        let (stream, file) = written(&batches, &options);
        for paths in UNKNOWN_PATHS {
            let (first, last) = (paths[0][0], paths[paths.len() - 1][0]);
            let (stream, file) = (patched_stream(stream.clone(), paths), patched_file(file.clone(), paths));
            let all = || Projection::All;
            refused(
                read_stream(&stream, all()),
                ErrorClass::Unsupported,
                &format!("type {UNKNOWN} in the metadata"),
            );
            refused(read_file(&file, all()), ErrorClass::Unsupported, &format!("c{first}"));
            let mut readable = Vec::new();
            for position in 0..8 {
                let name = format!("c{position}");
                let reads = [
                    (Projection::names([name.as_str()]), position..=position),
                    (Projection::paths([name.as_str()]), position..=position),
                ];
                for (projection, range) in reads {
                    let results = [read_stream(&stream, projection.clone()), read_file(&file, projection)];
                    for result in results {
                        if paths.iter().any(|path| path[0] == position) {
                            refused(result, ErrorClass::Unsupported, "in the metadata");
                        } else if (first..last).contains(&position) {
                            refused(result, ErrorClass::Unsupported, "between two columns of unknown types");
                        } else {
                            let positions: Vec<usize> = range.clone().collect();
                            same(&result.unwrap(), &batches, &positions);
                        }
                    }
                }
                if position < first || position > last {
                    readable.push(position);
                }
            }
            readable.reverse();
            let names = || Projection::names(readable.iter().map(|position| format!("c{position}")));
            same(&read_stream(&stream, names()).unwrap(), &batches, &readable);
            same(&read_file(&file, names()).unwrap(), &batches, &readable);
        }
    }
}

fn same(found: &[RecordBatch], batches: &[RecordBatch], positions: &[usize]) {
    assert_eq!(found.len(), batches.len());
    for (found, batch) in found.iter().zip(batches) {
        let expected = batch.project(positions).unwrap();
        assert_eq!(found.schema(), expected.schema());
        assert_eq!(rows(found), rows(&expected));
    }
}

#[test]
fn the_schema_says_what_it_leaves_out() {
    let batches = Generator::new(1).batches(&columns(&DataType::Utf8View), &[5]);
    let stream = patched_stream(written(&batches, &WriteOptions::new()).0, &[&[2, 1]]);
    refused(
        IpcSchema::try_from_message(stream.clone(), &Limits::default()).map_err(arrow_ipc::IpcError::from),
        ErrorClass::Unsupported,
        "c2.y",
    );
    let nothing = ReadOptions::new().with_projection(Projection::Positions(Vec::new()));
    let mut reader = StreamReader::try_new_with(&*stream, nothing).unwrap();
    let schema = reader.ipc_schema().clone();
    assert_eq!(schema.schema().fields().len(), 7);
    assert_eq!(schema.dictionary_ids(), [1]);
    let [column] = schema.unsupported_columns() else { panic!("{:?}", schema.unsupported_columns()) };
    assert_eq!((column.position(), column.name(), column.path().to_string().as_str()), (2, "c2", "c2.y"));
    assert_eq!(column.reason().to_string(), "type 200 in the metadata");
    // Nothing is left out silently.
    refused(StreamWriter::try_new(Vec::new(), &schema), ErrorClass::Unsupported, "c2.y");
    refused(FileWriter::try_new(Vec::new(), &schema), ErrorClass::Unsupported, "c2.y");
    refused(reader.project(&Projection::All), ErrorClass::Unsupported, "c2.y");
    refused(reader.project(&Projection::paths(["c2.x"])), ErrorClass::Unsupported, "c2.y");
    refused(reader.project(&Projection::Positions(vec![7])), ErrorClass::Misuse, "7");
    // Positions are those of the schema.
    reader.project(&Projection::Positions(vec![2])).unwrap();
    assert_eq!(reader.schema().fields()[0].name(), "c3");
    same(&reader.collect::<Result<Vec<_>>>().unwrap(), &batches, &[3]);
}

const ROWS: [i32; 2] = [1, 2];

/// `a: int32`, something unknown with these nodes, buffers and variadic counts, and `z: utf8_view`.
fn around(n_nodes: usize, n_buffers: usize, variadic: &[i64]) -> Vec<u8> {
    let fields = [field("a", int32(), []), field("u", int32(), [words("w", 9)]), field("z", utf8_view(), [])];
    let mut batch = Batch::new(2).node(2, 0).buffer(&[]).i32s(&ROWS);
    for _ in 0..n_nodes {
        batch = batch.node(2, 0);
    }
    for _ in 0..n_buffers {
        batch = batch.buffer(&[0xff; 3]);
    }
    let short = [&[1, 0, 0, 0, b'x'][..], &[0; 11], &[1, 0, 0, 0, b'y'], &[0; 11]].concat();
    let mut batch = batch.node(2, 0).buffer(&[]).buffer(&short).buffer(&[7; 8]);
    batch.variadic_counts = Some(variadic.to_vec());
    // Values of a dictionary that only the unknown column has: they are not read, so that they have no node is no error.
    let dictionary = Batch::new(1).into_dictionary(9);
    patched_stream(stream([Message::schema(schema(fields)), dictionary, batch.into_message()]), &[&[1]])
}

#[test]
fn lists_have_to_be_long_enough() {
    let read = |bytes: &[u8]| read_stream(bytes, Projection::names(["z", "a"]));
    // The unknown column may have any number of buffers and variadic counts.
    for (n_buffers, variadic) in [(0, &[1][..]), (1, &[1]), (5, &[1]), (5, &[0, 1]), (5, &[2, 3, 1])] {
        let batches = read(&around(2, n_buffers, variadic)).unwrap();
        let expected = [r#"{"z":"x","a":1}"#, r#"{"z":"y","a":2}"#];
        let found = JsonRows::try_new(&batches[0]).unwrap();
        assert_eq!(found.iter().map(|row| row.to_string()).collect::<Vec<_>>(), expected);
    }
    let malformed: [(usize, usize, &[i64], &str); 6] = [
        (1, 5, &[1], "3 field nodes"),
        (3, 5, &[1], "5 field nodes"),
        (2, 5, &[], "0 variadic"),
        (2, 1, &[2, 1], "buffers"),
        (2, 1, &[-1, 1], "-1"),
        (2, 0, &[i64::MAX, 1], "buffers"),
    ];
    for (n_nodes, n_buffers, variadic, message) in malformed {
        refused(read(&around(n_nodes, n_buffers, variadic)), ErrorClass::Malformed, message);
    }
    let other = [Message::schema(schema([field("a", int32(), [])])), Batch::new(1).into_dictionary(9)];
    refused(read_stream(&stream(other), Projection::names(["a"])), ErrorClass::Malformed, "dictionary");
}

/// The columns after a column of an unknown type are found from the end of the lists, which must be long enough.
#[test]
fn lists_have_all_that_follows_unknown_columns() {
    let wide = fb::Type::Int(Box::new(fb::Int { bit_width: 128, is_signed: true }));
    let fields = || {
        [
            field("a", int32(), []),
            field("u", int32(), []),
            field("d", int32(), []),
            field("w", wide.clone(), []),
        ]
    };
    let read = |n_unknown: usize, n_wide: usize| {
        let batch = Batch::new(2).node(2, 0).node(2, 0).node(2, 0).node(2, 0);
        let mut batch = batch.buffer(&[]).i32s(&ROWS.map(|row| row + 7));
        for _ in 0..n_unknown {
            batch = batch.buffer(&[0xff; 8]);
        }
        batch = batch.buffer(&[]).i32s(&ROWS);
        for _ in 0..n_wide {
            batch = batch.buffer(&[9; 32]);
        }
        let bytes = stream([Message::schema(schema(fields())), batch.into_message()]);
        read_stream(&patched_stream(bytes, &[&[1]]), Projection::names(["d"]))
    };
    for n_unknown in [0, 1, 5] {
        let rows = JsonRows::try_new(&read(n_unknown, 2).unwrap()[0]).unwrap();
        assert_eq!(rows.iter().map(|row| row.to_string()).collect::<Vec<_>>(), [r#"{"d":1}"#, r#"{"d":2}"#]);
    }
    for (n_unknown, n_wide, found) in [(0, 0, "4 buffers"), (1, 0, "5 buffers"), (0, 1, "5 buffers")] {
        refused(read(n_unknown, n_wide), ErrorClass::Malformed, found);
    }
}

/// Wide integers of polars have a bitmap and values, so the columns between them are known; columns between other
/// unknown types are not.
#[test]
fn columns_between_wide_integers_are_read() {
    let wide = || fb::Type::Int(Box::new(fb::Int { bit_width: 128, is_signed: true }));
    let short =
        |letters: [u8; 2]| letters.map(|letter| [&[1, 0, 0, 0, letter][..], &[0; 11]].concat()).concat();
    let text = |batch: Batch, letters| batch.node(2, 0).buffer(&[]).buffer(&short(letters)).buffer(&[7; 8]);
    let number = |batch: Batch, numbers: &[i32; 2]| batch.node(2, 0).buffer(&[]).i32s(numbers);
    let wide_values = |batch: Batch| batch.node(2, 0).buffer(&[]).buffer(&[9; 32]);
    let fields = || {
        let names = ["w0", "a", "w1", "b", "u", "c", "w2", "d", "w3"];
        names.map(|name| match name {
            "w0" | "w1" | "w2" | "w3" => field(name, wide(), []),
            "b" | "c" => field(name, utf8_view(), []),
            _ => field(name, int32(), []),
        })
    };
    let written = |paths: &[&[usize]]| {
        let mut batch = text(wide_values(number(wide_values(Batch::new(2)), &[1, 2])), *b"xy").node(2, 0);
        for _ in 0..3 {
            batch = batch.buffer(&[0xff; 3]);
        }
        let mut batch = wide_values(number(wide_values(text(batch, *b"zt")), &[3, 4]));
        batch.variadic_counts = Some(vec![1, 1]);
        patched_stream(stream([Message::schema(schema(fields())), batch.into_message()]), paths)
    };
    let columns = |names: &[&str], bytes: &[u8]| {
        let batches = read_stream(bytes, Projection::names(names.iter().copied()))?;
        let rows = JsonRows::try_new(&batches[0]).unwrap();
        Ok(rows.iter().map(|row| row.to_string()).collect::<Vec<_>>().join(" "))
    };
    let bytes = written(&[&[4]]);
    for (names, expected) in [
        (&["a"][..], r#"{"a":1} {"a":2}"#),
        (&["b", "c"], r#"{"b":"x","c":"z"} {"b":"y","c":"t"}"#),
        (&["d", "c", "b", "a"], r#"{"d":3,"c":"z","b":"x","a":1} {"d":4,"c":"t","b":"y","a":2}"#),
    ] {
        assert_eq!(columns(names, &bytes).unwrap(), expected);
    }
    refused(columns(&["w1"], &bytes), ErrorClass::Unsupported, "int128");
    // The type of `w1` is not known either.
    let bytes = written(&[&[2], &[4]]);
    assert_eq!(columns(&["a", "c"], &bytes).unwrap(), r#"{"a":1,"c":"z"} {"a":2,"c":"t"}"#);
    refused(columns(&["b"], &bytes), ErrorClass::Unsupported, "between two columns of unknown types");
}

#[test]
fn what_is_malformed_is_not_merely_unknown() {
    let fields = || [field("a", int32(), []), field("u", int32(), [field("bad", bad_int(), [])])];
    let bytes = patched_stream(stream([Message::schema(schema(fields()))]), &[&[1]]);
    refused(read_stream(&bytes, Projection::names(["a"])), ErrorClass::Malformed, "7");
    let mut absent = stream([Message::schema(schema([field("a", int32(), []), field("u", int32(), [])]))]);
    let position = 8 + type_number(&absent[8..], 2, &[1]);
    absent[position] = 0;
    refused(read_stream(&absent, Projection::names(["a"])), ErrorClass::Malformed, "type");
}

fn bad_int() -> fb::Type {
    fb::Type::Int(Box::new(fb::Int { bit_width: 7, is_signed: true }))
}

#[test]
fn mutations_do_not_panic() {
    let batches = Generator::new(3).batches(&columns(&DataType::Utf8View), &[6]);
    let (stream, file) = written(&batches, &WriteOptions::new());
    let (stream, file) = (patched_stream(stream, &[&[1], &[5]]), patched_file(file, &[&[1], &[5]]));
    let mut rng = Rng::new(11);
    let mut n_read = 0;
    for _ in 0..3_000 {
        let (mut stream, mut file) = (stream.clone(), file.clone());
        for bytes in [&mut stream, &mut file] {
            let position = rng.below(bytes.len());
            bytes[position] ^= 1 << rng.below(8);
        }
        let names = || Projection::names(["c0", "c6", "c7"]);
        n_read += usize::from(read_stream(&stream, names()).is_ok());
        let options = ReadOptions::new().with_projection(names()).with_tail_bytes(0);
        if let Ok(reader) = FileReader::try_new_with(SeekSource::new(Cursor::new(file)), options) {
            n_read += usize::from(reader.batch(0).is_ok());
            let _ = reader.batch_rows(0, 1..3);
        }
    }
    assert!((100..6_000).contains(&n_read), "{n_read} were read");
}

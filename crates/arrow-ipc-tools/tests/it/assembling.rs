//! Concatenates inputs and selects parts of an input. A simple reader gives the expected rows and batches, for all
//! methods.

use std::{num::NonZero, ops::Range, sync::Arc};

use arrow_array::{DictionaryArray, Int8Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, FileWriter, IpcSchema, MessageKind, StreamWriter, WriteOptions,
    WrittenContainer,
};
use arrow_ipc_tensor::{Tensor, WriteTensor as _};
use arrow_ipc_tools::{
    Conversion, ConvertOptions, Input, Loss, Reshaping, RowWindow, Rows, ToolError, ToolErrorKind,
    convert::MetadataChange,
    cursor::{StreamItem, Streams},
};
use arrow_schema::{DataType, Metadata, Schema};
use testing_support::{Generator, Hunt, Nulls, Value, rows};

use crate::samples::{file, ids, stream};

type Row = Vec<Value>;

fn input(name: &str, bytes: &[u8]) -> Input {
    Input::try_from_buffer(name, bytes.to_vec().into()).unwrap()
}

/// Makes an input that reads `bytes` as from a pipe.
fn pipe(name: &str, bytes: &[u8]) -> Input {
    Input::try_from_reader(name, std::io::Cursor::new(bytes.to_vec())).unwrap()
}

fn assemble(inputs: Vec<Input>, options: &ConvertOptions) -> Result<(Vec<u8>, Vec<Loss>), ToolError> {
    let conversion = Conversion::open(inputs, options, &mut ())?;
    let (bytes, losses) = conversion.write_to(Vec::new(), &mut ())?;
    Ok((bytes, losses.into_iter().map(|(_, loss)| loss).collect()))
}

fn batches(bytes: &[u8]) -> Vec<RecordBatch> {
    fn all(mut streams: Box<Streams>) -> Vec<RecordBatch> {
        std::iter::from_fn(|| streams.next_batch().unwrap()).collect()
    }
    match Rows::open(input("output", bytes)).unwrap() {
        Rows::Streams(streams) => all(streams),
        Rows::File { reader } => reader.batches().map(Result::unwrap).collect(),
    }
}

/// The rows of each batch.
fn read(bytes: &[u8]) -> Vec<Vec<Row>> {
    batches(bytes).iter().map(rows).collect()
}

fn written(
    container: WrittenContainer,
    batches: &[RecordBatch],
    compression: Option<Compression>,
) -> Vec<u8> {
    let options = WriteOptions::new().with_compression(compression);
    match container {
        WrittenContainer::Stream => {
            let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap()
        }
        WrittenContainer::File => {
            let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap()
        }
    }
}

/// The batches that the output must have. Rows are selected and divided one by one.
fn expected(
    batches: &[Vec<Row>],
    selected: Option<&Range<u64>>,
    n_batch_rows: Option<usize>,
) -> Vec<Vec<Row>> {
    let mut n_before = 0;
    let selected_rows = batches.iter().map(|batch| {
        let rows = (n_before..).zip(batch);
        n_before += batch.len() as u64;
        let selected_rows = rows.filter(|(row_idx, _)| selected.is_none_or(|rows| rows.contains(row_idx)));
        selected_rows.map(|(_, row)| row.clone()).collect::<Vec<Row>>()
    });
    let selected_rows: Vec<Vec<Row>> = selected_rows.collect();
    match n_batch_rows {
        None => selected_rows.into_iter().filter(|batch| selected.is_none() || !batch.is_empty()).collect(),
        Some(n) => selected_rows.concat().chunks(n).map(<[Row]>::to_vec).collect(),
    }
}

/// Converts columns of many types, in batches of several sizes, with and without dictionaries.
#[test]
fn rows_and_batches_are_those_of_a_plain_reading() {
    let hunt = Hunt::from_env();
    let plain = "a: int64\nb: utf8\nc: list<item: bool>\nd: utf8_view\ne: struct<x: int8, y: binary>";
    let schemas = [plain.to_owned(), format!("{plain}\nf: dictionary<int16, utf8>")];
    let selections = [None, Some(0..8), Some(3..10), Some(9..9), Some(5..u64::MAX)];
    let containers = [WrittenContainer::Stream, WrittenContainer::File];
    for (case, schema) in schemas.iter().enumerate() {
        let schema = Arc::new(schema.parse::<Schema>().unwrap());
        let whole = Generator::new(hunt.seed(case as u64)).batch(&schema, 30, Nulls::Some);
        let parts = [whole.slice(0, 4), whole.slice(4, 0), whole.slice(7, 5), whole.slice(12, 1)];
        let of_input: Vec<Vec<Row>> = parts.iter().map(rows).collect();
        let of_two = [of_input.clone(), of_input.clone()].concat();
        for from in containers {
            for compression in [None, Some(Compression::zstd())] {
                let bytes = written(from, &parts, compression);
                for target in containers {
                    for selected in &selections {
                        for n_batch_rows in [None, Some(1), Some(5), Some(100)] {
                            let mut options = ConvertOptions::copying(target);
                            if let Some(rows) = selected {
                                options =
                                    ConvertOptions { rows: RowWindow::from_rows(rows.clone()), ..options };
                            }
                            if let Some(n_rows) = n_batch_rows {
                                options = ConvertOptions {
                                    n_batch_rows: Some(NonZero::new(n_rows as u64).unwrap()),
                                    ..options
                                };
                            }
                            let expected_batches = expected(&of_two, selected.as_ref(), n_batch_rows);
                            for of in [input, pipe] {
                                let inputs = vec![of("a", &bytes), of("b", &bytes)];
                                let (output, losses) = assemble(inputs, &options).unwrap();
                                assert!(losses.is_empty(), "{losses:?}");
                                let found = read(&output);
                                assert!(
                                    found == expected_batches,
                                    "{from:?} {options:?}: {found:?}\n{expected_batches:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The numbers go on over inputs, and batches without rows count, too.
#[test]
fn batches_are_selected_by_number() {
    let batches = [ids([1]), ids([2, 3]), ids([]), ids([4])];
    let whole = read(&stream(&[&batches[..], &batches[..]].concat()));
    let cases =
        [(0..2, 0..2), (1..3, 1..3), (2..6, 2..6), (6..7, 6..7), (4..100, 4..8), (1..1, 1..1), (9..9, 8..8)];
    let all = [(0..u64::MAX, 0..8)];
    for (range, expected) in cases.into_iter().chain(all) {
        for options in [ConvertOptions::copying, ConvertOptions::new] {
            let options = ConvertOptions { batches: Some(range.clone()), ..options(WrittenContainer::File) };
            for (first, second) in [(stream as fn(&_) -> _, file as fn(&_) -> _), (file, file)] {
                for of in [input, pipe] {
                    let inputs = vec![of("a", &first(&batches)), of("b", &second(&batches))];
                    let (output, _) = assemble(inputs, &options).unwrap();
                    assert_eq!(read(&output), whole[expected.clone()], "{range:?}");
                }
            }
        }
    }
}

/// A stream gets the tensors only if nothing is left out.
#[test]
fn tensors_are_written_if_all_batches_are_selected() {
    let mut writer = StreamWriter::try_new(Vec::new(), ids([1]).schema()).unwrap();
    let tensor = Tensor::try_new(DataType::Int8, [2], vec![1, 2].into()).unwrap();
    writer.write_tensor(&tensor, &Metadata::new()).unwrap();
    writer.write(&ids([1])).unwrap();
    let bytes = writer.finish().unwrap();
    for (range, is_unchanged) in [(0..u64::MAX, true), (0..1, false)] {
        let options = ConvertOptions::copying(WrittenContainer::Stream);
        for options in [
            ConvertOptions { batches: Some(range.clone()), ..options.clone() },
            ConvertOptions { rows: RowWindow::from_rows(range), ..options },
        ] {
            for of in [input, pipe] {
                let (output, losses) = assemble(vec![of("a", &bytes)], &options).unwrap();
                assert_eq!(
                    (output == bytes, losses.is_empty()),
                    (is_unchanged, is_unchanged),
                    "{options:?}: {losses:?}"
                );
            }
        }
    }
}

/// A range is an error if its first batch or row does not exist, unless the range begins at 0. It may end after the
/// last one.
#[test]
fn ranges_that_begin_past_the_end_are_refused() {
    let (bytes, none) = (stream(&[ids([1]), ids([2, 3])]), stream(&[ids([])]));
    let all = ConvertOptions::copying(WrittenContainer::File);
    let (batches, rows) = (
        |range| ConvertOptions { batches: Some(range), ..all.clone() },
        |range| ConvertOptions { rows: RowWindow::from_rows(range), ..all.clone() },
    );
    for of in [input, pipe] {
        let cases = [
            (batches(2..9), "x: no batch 2: there are 2 batches, counted from 0"),
            (batches(5..u64::MAX), "x: no batch 5: there are 2 batches, counted from 0"),
            (rows(3..4), "x: no row 3: there are 3 rows, counted from 0"),
            (rows(9..u64::MAX), "x: no row 9: there are 3 rows, counted from 0"),
        ];
        for (options, expected) in cases {
            let error = assemble(vec![of("x", &bytes)], &options).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        for options in [batches(1..9), rows(2..9), rows(9..9), batches(9..9)] {
            assemble(vec![of("x", &bytes)], &options).unwrap();
        }
        for options in [batches(0..9), rows(0..9), rows(0..u64::MAX)] {
            assert_eq!(
                read(&assemble(vec![of("x", &none)], &options).unwrap().0).concat(),
                Vec::<Row>::new()
            );
        }
    }
}

/// Batches keep their codec, unless an option sets another codec. New batches get the codec of the first batch.
#[test]
fn messages_are_copied_as_they_are() {
    let numbers = [ids(0..5_000), ids(0..5_000)];
    let compressed = written(WrittenContainer::File, &numbers, Some(Compression::lz4()));
    let plain = file(&numbers);
    let sizes = |bytes: &[u8]| {
        let scan = arrow_ipc::MessageScan::try_from_file(
            arrow_buffer::Buffer::from(bytes.to_vec()),
            arrow_ipc::Limits::default(),
        );
        let mut scan = scan.unwrap();
        let messages = std::iter::from_fn(|| scan.next_message().unwrap());
        let batches = messages.filter(|message| message.kind() == MessageKind::RecordBatch);
        batches.map(|message| message.n_body_bytes()).collect::<Vec<_>>()
    };
    let (lz4, raw) = (sizes(&compressed)[0], sizes(&plain)[0]);
    assert!(lz4 < raw);
    let inputs = || vec![input("a", &compressed), input("b", &plain)];
    let options = ConvertOptions::copying(WrittenContainer::File);
    let (output, _) = assemble(inputs(), &options).unwrap();
    assert_eq!(sizes(&output), [lz4, lz4, raw, raw]);
    let (output, _) =
        assemble(inputs(), &ConvertOptions { rows: RowWindow::from_rows(0..15_001), ..options.clone() })
            .unwrap();
    assert_eq!(sizes(&output)[..3], [lz4, lz4, raw]);
    // An option for dictionaries does not change the codec, although it makes the conversion decode all batches.
    let (output, _) = assemble(
        inputs(),
        &ConvertOptions { dictionaries: Some(DictionaryPolicy::Delta), ..options.clone() },
    )
    .unwrap();
    assert_eq!(sizes(&output), [lz4; 4]);
    let (output, _) =
        assemble(inputs(), &ConvertOptions { writing: Some(WriteOptions::new()), ..options }).unwrap();
    assert_eq!(sizes(&output), [raw; 4]);
}

/// A copied batch is not checked. A batch that is divided is decoded, and so checked.
#[test]
fn invalid_values_are_found_where_batches_are_cut() {
    let text = Utf8Array::try_from_iter(["some", "text"]).unwrap();
    let batch = RecordBatch::try_from_columns([("t", text.into())]).unwrap();
    let mut bytes = stream(&[batch]);
    let at = bytes.windows(8).position(|bytes| bytes == b"sometext").unwrap();
    bytes[at] = 0xff;
    let options = ConvertOptions::copying(WrittenContainer::Stream);
    let (assembled, _) = assemble(vec![input("a", &bytes)], &options).unwrap();
    assert!(Rows::open(input("kept", &assembled)).is_ok());
    let error =
        assemble(vec![input("a", &bytes)], &ConvertOptions { rows: RowWindow::from_rows(0..1), ..options })
            .unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Input(_)), "{error}");
    assert!(error.to_string().starts_with("a: message 1 at byte 128, field `t`"), "{error}");
}

#[test]
fn other_columns_are_refused_by_name() {
    let other = RecordBatch::try_from_columns([("name", Int8Array::from_iter([1]).into_data())]).unwrap();
    let inputs = vec![input("first", &stream(&[ids([1])])), input("second", &file(&[other]))];
    let error = assemble(inputs, &ConvertOptions::copying(WrittenContainer::File)).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::OtherInput { .. }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("second: has other columns than first: ") && text.contains("name"), "{text}");
    let error = assemble(Vec::new(), &ConvertOptions::copying(WrittenContainer::File)).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Empty), "{error}");
}

#[test]
fn other_metadata_is_said_to_be_lost() {
    let with = |value: &str| {
        let metadata = [("unit", value)].into_iter().collect();
        let options = WriteOptions::new().with_file_metadata(metadata);
        let batch = ids([1]);
        let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap()
    };
    for of in [input, pipe] {
        let inputs = || vec![of("a", &with("cm")), of("b", &with("mm"))];
        let (output, losses) = assemble(inputs(), &ConvertOptions::copying(WrittenContainer::File)).unwrap();
        assert!(matches!(losses[..], [Loss::OtherMetadata]), "{losses:?}");
        assert_eq!(Rows::open(input("made", &output)).unwrap().metadata().get("unit"), Some("cm"));
    }
}

/// A batch with a dictionary of these words.
fn words(words: [&str; 2]) -> RecordBatch {
    let values = Utf8Array::try_from_iter(words).unwrap();
    let column = DictionaryArray::try_new(Int8Array::from_iter([0, 1, 0]), values).unwrap();
    RecordBatch::try_from_columns([("w", column.into())]).unwrap()
}

/// In a stream, a dictionary replaces the one before. In a file, dictionaries are joined, unless a policy refuses that.
#[test]
fn dictionaries_of_inputs_may_differ() {
    let [first, second] = [["a", "b"], ["c", "a"]].map(|pair| file(&[words(pair)]));
    let inputs = || vec![input("a", &first), input("b", &second), input("c", &first), input("d", &first)];
    let expected = [&first, &second, &first, &first].map(|bytes| read(bytes)).concat();
    let (output, losses) = assemble(inputs(), &ConvertOptions::copying(WrittenContainer::Stream)).unwrap();
    assert!(read(&output) == expected && losses.is_empty());

    let to_file = ConvertOptions::copying(WrittenContainer::File);
    let refusing = ConvertOptions { dictionaries: Some(DictionaryPolicy::Error), ..to_file.clone() };
    let error = assemble(inputs(), &refusing).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Output(_)), "{error}");
    for unifies_dictionaries in [false, true] {
        let (output, _) =
            assemble(inputs(), &ConvertOptions { unifies_dictionaries, ..to_file.clone() }).unwrap();
        assert!(read(&output) == expected);
    }
    // Inputs with equal dictionaries: the output has one dictionary.
    let (output, _) = assemble(vec![input("a", &first), input("b", &first)], &to_file).unwrap();
    let Rows::File { reader } = Rows::open(input("made", &output)).unwrap() else { panic!() };
    assert_eq!(reader.dictionaries().unwrap().len(), 1);
    assert!(read(&output) == [read(&first), read(&first)].concat());
}

/// A stream of batches of columns with dictionaries of two words, which have these ids.
fn words_with_ids(ids: &[i64], all: &[&[[&str; 2]]]) -> Vec<u8> {
    let batches = all.iter().map(|columns| {
        let columns = columns.iter().enumerate().map(|(n, pair)| {
            let mut column = words(*pair).column_at(0).unwrap().clone();
            column = column.slice(n, 2);
            (format!("w{n}"), column)
        });
        RecordBatch::try_from_columns(columns).unwrap()
    });
    let batches: Vec<RecordBatch> = batches.collect();
    let schema = IpcSchema::try_with_dictionary_ids(Arc::clone(batches[0].schema()), ids).unwrap();
    StreamWriter::write_to_vec(&schema, &batches).unwrap()
}

/// A change of metadata keeps the ids of dictionaries. Unified dictionaries have the same ids.
#[test]
fn dictionaries_are_unified_when_metadata_changes() {
    let reshaping = Reshaping::new().with_metadata(MetadataChange::set("unit", "m"));
    let to_file =
        ConvertOptions { reshaping: Some(reshaping), ..ConvertOptions::new(WrittenContainer::File) };
    let [ab, bc, xy] = [["a", "b"], ["b", "c"], ["x", "y"]];
    let one = words_with_ids(&[7], &[&[ab], &[bc]]);
    let swapped = words_with_ids(&[1, 0], &[&[ab, xy], &[bc, ab]]);
    let shared = words_with_ids(&[0, 0], &[&[ab, ab], &[bc, bc]]);
    let apart = words_with_ids(&[0, 1], &[&[ab, xy]]);
    for (ids, streams) in [
        (&[7][..], vec![&one]),
        (&[7], vec![&one, &one]),
        (&[1, 0], vec![&swapped]),
        (&[1, 0], vec![&swapped, &apart]),
        (&[0, 0], vec![&shared]),
        // Columns that share a dictionary get the values of both columns.
        (&[0, 0], vec![&shared, &apart]),
    ] {
        let expected = streams.iter().map(|bytes| read(bytes)).collect::<Vec<_>>().concat();
        for unifies_dictionaries in [false, true] {
            let inputs = streams.iter().map(|bytes| input("in", bytes)).collect();
            let options = ConvertOptions { unifies_dictionaries, ..to_file.clone() };
            let (output, losses) = assemble(inputs, &options).unwrap();
            assert!(read(&output) == expected && losses.is_empty(), "{ids:?}");
            let Rows::File { reader } = Rows::open(input("made", &output)).unwrap() else { panic!() };
            assert_eq!(reader.ipc_schema().dictionary_ids(), ids);
            assert_eq!(reader.schema().metadata().get("unit"), Some("m"));
        }
    }
}

fn tag(value: &str) -> Metadata {
    [("tag", value)].into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// A batch and its dictionary, with a tag in the metadata of each message. An empty tag is not written.
fn tagged(container: WrittenContainer, dictionary: &str, batch: &str) -> Vec<u8> {
    let rows = words(["a", "b"]);
    match container {
        WrittenContainer::Stream => {
            let mut writer = StreamWriter::try_new(Vec::new(), rows.schema()).unwrap();
            writer.set_dictionary_metadata(0, tag(dictionary)).unwrap();
            writer.write_with_metadata(&rows, &tag(batch)).unwrap();
            writer.finish().unwrap()
        }
        WrittenContainer::File => {
            let mut writer = FileWriter::try_new(Vec::new(), rows.schema()).unwrap();
            writer.set_dictionary_metadata(0, tag(dictionary)).unwrap();
            writer.write_with_metadata(&rows, &tag(batch)).unwrap();
            writer.finish().unwrap()
        }
    }
}

/// The metadata of the dictionary messages and of the batches.
fn tags(bytes: &[u8]) -> (Vec<Metadata>, Vec<Metadata>) {
    let (mut dictionaries, mut batches) = (Vec::new(), Vec::new());
    match Rows::open(input("made", bytes)).unwrap() {
        Rows::File { reader } => {
            dictionaries.extend(reader.dictionaries().unwrap().into_iter().map(|found| found.metadata));
            batches
                .extend((0..reader.n_batches()).map(|idx| reader.batch_with_metadata(idx).unwrap().metadata));
        }
        Rows::Streams(mut streams) => {
            while let Some(item) = streams.next_item().unwrap() {
                match item {
                    StreamItem::Dictionary { metadata, .. } => dictionaries.push(metadata),
                    StreamItem::Batch(next) => batches.push(next.metadata),
                    StreamItem::Large(batch) => batches.push(batch.metadata().clone()),
                    StreamItem::Tensor(..) => {}
                }
            }
        }
    }
    (dictionaries, batches)
}

/// Inputs with equal metadata of dictionary messages: it is written once. Each loss is counted, for all methods.
#[test]
fn metadata_of_dictionary_messages_is_copied_or_counted() {
    let cases: [(&[&str], &str, usize); 7] = [
        (&["x"], "x", 0),
        (&["x", "x"], "x", 0),
        (&["x", ""], "x", 0),
        (&["x", "y"], "x", 1),
        (&["", "y"], "", 1),
        (&["x", "y", "z"], "x", 2),
        (&["", ""], "", 0),
    ];
    for container in [WrittenContainer::Stream, WrittenContainer::File] {
        for target in [WrittenContainer::Stream, WrittenContainer::File] {
            for of in [input, pipe] {
                for (dictionaries, expected, n_lost) in cases {
                    let inputs = dictionaries.iter().map(|tag| of("a", &tagged(container, tag, "batch")));
                    let options = ConvertOptions::copying(target);
                    let (output, losses) = assemble(inputs.collect(), &options).unwrap();
                    let lost: usize = losses
                        .iter()
                        .map(|loss| match loss {
                            Loss::DictionaryMetadata { n_dictionaries } => *n_dictionaries,
                            other => panic!("{other:?}"),
                        })
                        .sum();
                    let found = tags(&output);
                    let batches = vec![tag("batch"); dictionaries.len()];
                    let case = format!("{container:?} {target:?} {dictionaries:?}");
                    assert_eq!((found, lost), ((vec![tag(expected)], batches), n_lost), "{case}");
                }
            }
        }
    }
}

/// Inputs without selected rows lose no metadata. The written dictionary has the metadata of its own input.
#[test]
fn metadata_of_dictionaries_that_are_left_out_is_not_lost() {
    let inputs = || ["x", "y", "z"].map(|tag| pipe("a", &tagged(WrittenContainer::Stream, tag, ""))).into();
    for (rows, expected, n_losses) in [(0..3, "x", 0), (3..6, "y", 0), (3..7, "y", 1), (6..9, "z", 0)] {
        let options = ConvertOptions {
            rows: RowWindow::from_rows(rows.clone()),
            ..ConvertOptions::copying(WrittenContainer::File)
        };
        let (output, losses) = assemble(inputs(), &options).unwrap();
        assert_eq!((tags(&output).0, losses.len()), (vec![tag(expected)], n_losses), "{rows:?}");
    }
}

/// A batch that is joined from several batches has the metadata of the first. The lost metadata of the others is
/// counted.
#[test]
fn metadata_of_joined_batches_is_counted() {
    let with = |value: &str| {
        let batch = ids([1, 2]);
        let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
        writer.write_with_metadata(&batch, &tag(value)).unwrap();
        writer.finish().unwrap()
    };
    for of in [input, pipe] {
        let cases = [
            (["x", "x", ""], 6, 0),
            (["x", "y", "z"], 6, 2),
            (["x", "y", "z"], 2, 0),
            // The second batch begins with rows of `y`.
            (["x", "y", "z"], 3, 1),
        ];
        for (tags_of, n_rows, n_lost) in cases {
            let inputs = tags_of.map(|value| of("a", &with(value)));
            let options = ConvertOptions {
                n_batch_rows: Some(NonZero::new(n_rows).unwrap()),
                ..ConvertOptions::copying(WrittenContainer::File)
            };
            let (output, losses) = assemble(inputs.into(), &options).unwrap();
            let lost: usize = losses
                .iter()
                .map(|loss| if let Loss::BatchMetadata { n_batches } = loss { *n_batches } else { 0 })
                .sum();
            assert_eq!((&tags(&output).1[0], lost), (&tag("x"), n_lost), "{tags_of:?} {n_rows}");
        }
    }
}

//! Recovery of inputs that other writers made, and of ordered dictionaries that change.

use std::{fs, sync::Arc};

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    DictionaryPolicy, FileReader, IpcSchema, Limits, MessageKind, MessageScan, MetadataVersion, StreamReader,
    StreamWriter, WriteOptions, WrittenContainer, message::Message,
};
use arrow_ipc_tools::{Input, RecoverOptions, RecoverReport, ToolError, recover};
use arrow_schema::{DataType, DictionaryOrder, DictionaryType, IndexType, Schema};
use testing_support::{Generator, Value, corpus_dir, files_below, ints, rows};

fn recovered(bytes: &[u8], container: WrittenContainer) -> Result<(Vec<u8>, RecoverReport), ToolError> {
    let input = Input::from_damaged("input", Buffer::copy_from(bytes));
    recover(input, Vec::new(), &RecoverOptions::new(container), &mut ())
}

/// The schema and the rows.
fn read(bytes: &[u8]) -> (IpcSchema, Vec<Vec<Value>>) {
    let (schema, batches): (_, Vec<RecordBatch>) = match bytes.starts_with(b"ARROW1") {
        true => {
            let reader = FileReader::try_from_buffer(Buffer::copy_from(bytes)).unwrap();
            (reader.ipc_schema().clone(), reader.batches().map(Result::unwrap).collect())
        }
        false => {
            let mut reader = StreamReader::try_new(bytes).unwrap();
            (reader.ipc_schema().clone(), reader.by_ref().map(Result::unwrap).collect())
        }
    };
    (schema, batches.iter().flat_map(rows).collect())
}

/// Inputs with validity buffers that the format does not have. In metadata V4, some of them have run-end encoded columns,
/// which only V5 allows: the output is V5.
#[test]
fn inputs_with_extra_validity_are_recovered() {
    let folder = corpus_dir().join("extra-validity");
    let mut n_inputs = 0;
    for suffix in [".arrows", ".arrow", ".feather"] {
        for path in files_below(&folder.join("as-written"), suffix) {
            let name = path.file_name().unwrap().to_str().unwrap();
            let bytes = fs::read(&path).unwrap();
            let specified = folder.join("as-specified").join(name);
            let (_, expected) = read(&fs::read(specified).unwrap_or_else(|_| bytes.clone()));
            for container in [WrittenContainer::File, WrittenContainer::Stream] {
                let (output, report) =
                    recovered(&bytes, container).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(report.losses.is_empty(), "{name}: {:?}", report.losses);
                let (schema, found) = read(&output);
                assert!(found == expected, "{name}, {container:?}");
                if name.contains("runs") || name.contains("many") {
                    assert_eq!(schema.version(), MetadataVersion::V5, "{name}");
                }
                n_inputs += 1;
            }
        }
    }
    assert_eq!(n_inputs, 38);
}

fn ordered(numbers: &[i32], indices: &[i8]) -> RecordBatch {
    let data_type =
        DictionaryType::try_new(IndexType::Int8, DataType::Int32, DictionaryOrder::Ordered).unwrap();
    let column = ArrayData::try_new(ArrayParts {
        validity: Some(indices.iter().map(|index| *index >= 0).collect::<Bitmap>()),
        buffers: [Buffer::from(indices.to_vec()), Buffer::new()],
        dictionary: Some(Arc::new(ints(numbers.iter().copied()))),
        ..ArrayParts::new(DataType::Dictionary(Arc::new(data_type)), indices.len())
    });
    RecordBatch::try_from_columns([("size", column.unwrap())]).unwrap()
}

/// A stream replaces an ordered dictionary. A file has one: in the only order that agrees with both.
#[test]
fn ordered_dictionaries_that_change_are_recovered_to_a_file() {
    type Case<'a> = ([&'a [i32]; 2], Result<(), &'a str>);
    let cases: [Case<'_>; 4] = [
        ([&[1, 3], &[1, 2, 3]], Ok(())),
        ([&[2, 3], &[1, 2]], Ok(())),
        ([&[1, 2], &[2, 1]], Err("1 comes before 2")),
        ([&[1, 2], &[1, 3]], Err("which comes first, 2 or 3")),
    ];
    for (dictionaries, expected) in cases {
        let batches = dictionaries.map(|numbers| ordered(numbers, &[1, -1, 0]));
        let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Replace);
        let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        let mut stream = writer.finish().unwrap();
        stream.extend(b"damaged");
        let all: Vec<_> = batches.iter().flat_map(rows).collect();
        match (recovered(&stream, WrittenContainer::File), expected) {
            (Ok((file, report)), Ok(())) => {
                assert_eq!((report.n_batches, report.losses.len()), (2, 1), "{dictionaries:?}");
                assert!(read(&file).1 == all, "{dictionaries:?}");
                let file = FileReader::try_from_buffer(file.into()).unwrap();
                assert_eq!(file.footer().dictionaries().len(), 1);
            }
            (Err(error), Err(expected)) => {
                assert!(error.to_string().contains(expected), "{dictionaries:?}: {error}");
                let (other, _) = recovered(&stream, WrittenContainer::Stream).unwrap();
                assert!(read(&other).1 == all, "{dictionaries:?}");
                // What cannot be a file, as the input is one, becomes a stream.
                let sound = stream.strip_suffix(b"damaged").unwrap();
                let file = Buffer::from([b"ARROW1\0\0", sound].concat());
                let input = Input::from_damaged("input", file);
                let (other, report) =
                    recover(input, Vec::new(), &RecoverOptions::as_input(), &mut ()).unwrap();
                assert_eq!(report.n_batches, 2, "{dictionaries:?}");
                assert!(!other.starts_with(b"ARROW1") && read(&other).1 == all, "{dictionaries:?}");
            }
            (found, expected) => panic!("{dictionaries:?}: {found:?}, expected {expected:?}"),
        }
    }
}

/// A column of numbers, and one of dictionary indices, all null.
fn all_null(data_type: &str) -> RecordBatch {
    let schema: Schema = format!("id: int32\nsize: {data_type}").parse().unwrap();
    let data_type = schema.fields()[1].data_type();
    let DataType::Dictionary(dictionary) = data_type else { panic!("{data_type}") };
    let size = ArrayData::try_new(ArrayParts {
        validity: Some([false; 3].into_iter().collect::<Bitmap>()),
        buffers: [Buffer::from(vec![0_i8; 3]), Buffer::new()],
        dictionary: Some(Arc::new(ArrayData::new_empty(dictionary.value()))),
        ..ArrayParts::new(data_type.clone(), 3)
    })
    .unwrap();
    RecordBatch::try_new(Arc::new(schema), vec![ints(0..3), size]).unwrap()
}

/// Other readers need a message for each dictionary of the schema, also where all indices are null.
#[test]
fn lost_dictionaries_that_no_batch_needs_have_no_values() {
    for data_type in ["dictionary<int8, utf8>", "dictionary<int8, list<item: dictionary<int16, utf8>>>"] {
        let batch = all_null(data_type);
        for n_batches in 0..3 {
            let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
            (0..n_batches).for_each(|_| writer.write(&batch).unwrap());
            let mut damaged = writer.finish().unwrap();
            let n_ids = read(&damaged).0.dictionary_ids().len();
            let lost = dictionaries(&damaged);
            assert_eq!(lost.is_empty(), n_batches == 0);
            lost.iter().for_each(|message| damage(&mut damaged, message));
            for container in [WrittenContainer::File, WrittenContainer::Stream] {
                let what = format!("{n_batches} batches of {data_type}, {container:?}");
                let (output, report) = recovered(&damaged, container).unwrap();
                assert_eq!(report.n_batches, n_batches, "{what}: {:?}", report.losses);
                assert!(read(&output).1 == vec![rows(&batch); n_batches as usize].concat(), "{what}");
                let found = match container {
                    WrittenContainer::File => {
                        let file = FileReader::try_from_buffer(output.into()).unwrap();
                        file.footer().dictionaries().len()
                    }
                    WrittenContainer::Stream => dictionaries(&output).len(),
                };
                assert_eq!(found, if n_batches == 0 { 0 } else { n_ids }, "{what}");
            }
        }
    }
}

/// A dictionary may come after batches that do not need it. A file has it once.
#[test]
fn dictionaries_that_come_late_are_recovered() {
    let batch = all_null("dictionary<int8, utf8>");
    let later = Generator::new(2).batches(batch.schema(), &[5]);
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&later[0]).unwrap();
    let mut damaged = writer.finish().unwrap();
    // The first dictionary is empty. The second one replaces it.
    let first = dictionaries(&damaged).swap_remove(0);
    damage(&mut damaged, &first);
    let expected = [rows(&batch), rows(&later[0])].concat();
    for container in [WrittenContainer::File, WrittenContainer::Stream] {
        let (output, report) = recovered(&damaged, container).unwrap();
        assert_eq!(report.n_batches, 2, "{:?}", report.losses);
        assert!(read(&output).1 == expected, "{container:?}");
        if container == WrittenContainer::File {
            let file = FileReader::try_from_buffer(output.into()).unwrap();
            assert_eq!(file.footer().dictionaries().len(), 1);
        }
    }
}

fn dictionaries(bytes: &[u8]) -> Vec<Message> {
    let mut scan = MessageScan::try_new(Buffer::copy_from(bytes), 0..u64::MAX, Limits::default()).unwrap();
    let messages = std::iter::from_fn(|| scan.next_message().unwrap());
    messages.filter(|message| message.kind() == MessageKind::DictionaryBatch).collect()
}

/// Overwrites the beginning of a message.
fn damage(bytes: &mut [u8], message: &Message) {
    bytes[message.position() as usize..][..16].fill(0xab);
}

//! The data that a conversion keeps and loses, and the input that an error names.

use std::io::{self, Write};

use arrow_array::{DictionaryArray, Int8Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{
    DictionaryPolicy, ErrorClass, FileReader, FileWriter, IpcError, IpcSchema, Limits, Step, StreamReader,
    StreamWriter, WrittenContainer,
};
use arrow_ipc_tools::{
    Conversion, ConvertOptions, DiffOptions, Difference, Input, Loss, ToolErrorKind, convert, diff,
};
use arrow_schema::{Metadata, Schema};

use crate::samples::{file, ids, stream};

fn input(bytes: Vec<u8>) -> Input {
    Input::try_from_buffer("memory", bytes.into()).unwrap()
}

fn is_same(a: Vec<u8>, b: Vec<u8>) -> bool {
    let mut found: Vec<Difference> = Vec::new();
    diff(input(a), input(b), &DiffOptions::new(), &mut found).unwrap().is_same == Some(true)
}

#[test]
fn streams_become_files_and_files_streams() {
    let batches = [ids([1, 2]), ids([3])];
    let two_streams = [stream(&batches), stream(&batches)].concat();
    for from in [stream(&batches), file(&batches), two_streams] {
        for (container, start) in [(WrittenContainer::Stream, [0xff; 4]), (WrittenContainer::File, *b"ARRO")]
        {
            let options = ConvertOptions::new(container);
            let (to, losses) = convert(input(from.clone()), Vec::new(), &options, &mut ()).unwrap();
            assert!(to.starts_with(&start) && losses.is_empty(), "{losses:?}");
            assert!(is_same(from.clone(), to));
        }
    }
}

#[test]
fn losses_are_data() {
    let bytes = [&stream(&[ids([1])])[..], b"words"].concat();
    let (_, losses) =
        convert(input(bytes), Vec::new(), &ConvertOptions::new(WrittenContainer::File), &mut ()).unwrap();
    assert!(matches!(&losses[..], [Loss::TrailingBytes(rest)] if rest.n_bytes() == 5), "{losses:?}");

    let with_metadata = |value: &str| {
        let schema = Schema::default().with_metadata([("unit", value)].into_iter().collect());
        StreamWriter::try_new(Vec::new(), schema).unwrap().finish().unwrap()
    };
    let bytes = [with_metadata("cm"), with_metadata("mm")].concat();
    let (_, losses) =
        convert(input(bytes), Vec::new(), &ConvertOptions::new(WrittenContainer::File), &mut ()).unwrap();
    assert!(matches!(losses[..], [Loss::LaterMetadata]), "{losses:?}");
}

fn word(word: &str) -> RecordBatch {
    let values = Utf8Array::try_from_iter([word]).unwrap();
    let words = DictionaryArray::try_new(Int8Array::from_iter([0]), values).unwrap();
    RecordBatch::try_from_columns([("w", words.into())]).unwrap()
}

/// A stream with a replaced dictionary, which the file format does not allow.
fn replaced_dictionaries() -> Vec<u8> {
    stream(&["a", "b"].map(word))
}

/// The metadata of a dictionary message belongs to its values. A conversion writes it with these values, or reports
/// its loss.
#[test]
fn metadata_of_a_dictionary_that_is_not_repeated_goes_to_no_other() {
    let tag = |tag: &str| if tag.is_empty() { Metadata::new() } else { Metadata::from_iter([("tag", tag)]) };
    /// The value and the tag of each stream, the tags of the output, and the number of losses.
    type Case = (&'static [(&'static str, &'static str)], &'static [&'static str], usize);
    const CASES: [Case; 5] = [
        (&[("a", "1"), ("b", "2")], &["1", "2"], 0),
        (&[("a", "1"), ("a", "2"), ("b", "")], &["1", ""], 1),
        (&[("a", "1"), ("a", "1"), ("b", "")], &["1", ""], 0),
        (&[("a", ""), ("a", "2"), ("a", "3")], &[""], 2),
        (&[("a", "1"), ("a", ""), ("b", ""), ("b", "4"), ("a", "5")], &["1", "", "5"], 1),
    ];
    for (streams, expected, n_lost) in CASES {
        let streams = streams.iter().map(|(value, metadata)| {
            let batch = word(value);
            let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
            writer.set_dictionary_metadata(0, tag(metadata)).unwrap();
            writer.write(&batch).unwrap();
            writer.finish().unwrap()
        });
        let streams = streams.collect::<Vec<_>>().concat();
        // The messages of a pipe are decoded, not copied.
        let pipe = Input::try_from_reader("pipe", io::Cursor::new(streams)).unwrap();
        let options = ConvertOptions::new(WrittenContainer::Stream);
        let (output, losses) = convert(pipe, Vec::new(), &options, &mut ()).unwrap();
        let mut reader = StreamReader::try_new(&*output).unwrap();
        let mut found = Vec::new();
        loop {
            match reader.next_step().unwrap() {
                Step::Dictionary { metadata, .. } => found.push(metadata),
                Step::End => break,
                _ => {}
            }
        }
        assert_eq!(found, expected.iter().map(|value| tag(value)).collect::<Vec<_>>(), "{expected:?}");
        let is_reported = match losses[..] {
            [] => n_lost == 0,
            [Loss::DictionaryMetadata { n_dictionaries }] => n_dictionaries == n_lost,
            _ => false,
        };
        assert!(is_reported, "{expected:?}: {losses:?}");
    }
}

/// Other ids stay. Fields that share an id still share it, and the metadata of a dictionary stays with it.
#[test]
fn negative_ids_of_dictionaries_are_replaced() {
    let words = |words: [&str; 2]| {
        let values = Utf8Array::try_from_iter(words).unwrap();
        DictionaryArray::try_new(Int8Array::from_iter([0, 1, 0]), values).unwrap().into_data()
    };
    let [a, b, c] = [["a", "b"], ["c", "d"], ["e", "f"]].map(words);
    let batch = RecordBatch::try_from_columns([("p", a.clone()), ("q", b), ("r", c), ("s", a)]).unwrap();
    let tag = Metadata::from_iter([("tag", "1")]);
    let schema = IpcSchema::try_with_dictionary_ids(batch.schema().clone(), [-1, 0, -5, -1]).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), schema.clone()).unwrap();
    stream.set_dictionary_metadata(-1, tag.clone()).unwrap();
    stream.write(&batch).unwrap();
    let stream = stream.finish().unwrap();
    let mut file = FileWriter::try_new(Vec::new(), schema).unwrap();
    file.set_dictionary_metadata(-1, tag.clone()).unwrap();
    file.write(&batch).unwrap();
    let file = file.finish().unwrap();
    for bytes in [stream, file] {
        for container in [WrittenContainer::Stream, WrittenContainer::File] {
            for unifies_dictionaries in [false, true] {
                let pipe = Input::try_from_reader("pipe", io::Cursor::new(bytes.clone())).unwrap();
                for from in [input(bytes.clone()), pipe] {
                    let options = ConvertOptions { unifies_dictionaries, ..ConvertOptions::new(container) };
                    let (to, losses) = convert(from, Vec::new(), &options, &mut ()).unwrap();
                    assert!(losses.is_empty(), "{losses:?}");
                    let reader = FileReader::try_from_buffer(to.clone().into()).unwrap();
                    assert_eq!(reader.ipc_schema().dictionary_ids(), [1, 0, 2, 1]);
                    let found = reader.dictionaries().unwrap().into_iter();
                    let mut found: Vec<_> = found.map(|found| (found.id, found.metadata)).collect();
                    found.sort_by_key(|(id, _)| *id);
                    assert_eq!(found, [(0, Metadata::new()), (1, tag.clone()), (2, Metadata::new())]);
                    assert!(is_same(bytes.clone(), to));
                }
            }
        }
    }
}

#[test]
fn what_the_target_cannot_hold_is_an_error_of_the_output() {
    let bytes = replaced_dictionaries();
    let options = ConvertOptions::new(WrittenContainer::File);
    let refusing = ConvertOptions { dictionaries: Some(DictionaryPolicy::Error), ..options.clone() };
    let error = convert(input(bytes.clone()), Vec::new(), &refusing, &mut ()).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Output(_)), "{error}");

    // By default, a file gets one dictionary.
    for unifies_dictionaries in [false, true] {
        let options = ConvertOptions { unifies_dictionaries, ..options.clone() };
        let (to, losses) = convert(input(bytes.clone()), Vec::new(), &options, &mut ()).unwrap();
        assert!(losses.is_empty());
        let reader = FileReader::try_from_buffer(to.clone().into()).unwrap();
        assert_eq!((reader.n_batches(), reader.dictionaries().unwrap().len()), (2, 1));
        assert!(is_same(bytes.clone(), to));
    }
}

/// An output that refuses the first byte.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn failed_outputs_differ_from_failed_inputs() {
    let options = ConvertOptions::new(WrittenContainer::Stream);
    let conversion = Conversion::open(vec![input(stream(&[ids([1])]))], &options, &mut ()).unwrap();
    let error = conversion.write_to(Full, &mut ()).err().expect("the output is full");
    assert!(matches!(error.kind(), ToolErrorKind::Output(_)), "{error}");

    let mut cut = stream(&[ids([1])]);
    cut.truncate(cut.len() - 20);
    let error = convert(input(cut), Vec::new(), &options, &mut ()).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Input(_)), "{error}");
}

#[test]
fn limits_hold_for_what_is_read() {
    let bytes = stream(&[ids(0..1_000)]);
    for options in [
        ConvertOptions::new(WrittenContainer::File),
        ConvertOptions { unifies_dictionaries: true, ..ConvertOptions::new(WrittenContainer::File) },
    ] {
        let convert = |limits| {
            let input = Input::try_from_buffer("memory", bytes.clone().into()).unwrap();
            convert(input.with_limits(limits), Vec::new(), &options, &mut ())
        };
        assert!(convert(Limits::new().with_max_slots(1_000)).is_ok());
        let error = convert(Limits::new().with_max_slots(999)).unwrap_err();
        assert_eq!(error.ipc_error().map(IpcError::class), Some(ErrorClass::LimitExceeded), "{error}");
    }
}

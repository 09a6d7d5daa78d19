//! Errors of `validate` have an input, a kind and a position.

use std::{fs, num::NonZeroUsize};

use arrow_array::{Int64Array, TypedBatch};
use arrow_buffer::Buffer;
use arrow_ipc::{
    Endianness, ErrorClass, FileReader, FileWriter, IpcError, Limits, RowCounts, StreamReader, StreamWriter,
    Validation, WriteOptions, WrittenContainer,
    file::{Block, Footer},
};
use arrow_ipc_tools::{
    Contradiction, ConvertOptions, Input, Note, NoteKind, Observer, ToolError, ToolErrorKind,
    ValidateOptions, convert, validate,
};
use arrow_schema::Schema;

use crate::samples::{file, ids, stream};

fn error_of(bytes: Vec<u8>) -> ToolError {
    let input = Input::try_from_buffer("memory", bytes.into()).unwrap();
    validate(input, &ValidateOptions::new(), &mut ()).unwrap_err()
}

#[test]
fn errors_say_where_they_are() {
    let one = stream(&[ids([1, 2, 3])]);
    let n_bytes = one.len() as u64;

    let cut = error_of(one[..one.len() - 20].to_vec());
    assert_eq!(cut.ipc_error().map(|error| error.class()), Some(ErrorClass::Truncated), "{cut}");

    let trailing = error_of([&one[..], b"words"].concat());
    assert!(matches!(trailing.kind(), ToolErrorKind::TrailingBytes(rest) if rest.n_bytes() == 5));
    assert_eq!(trailing.position(), Some(n_bytes));

    let later = error_of([&one[..], &one[..one.len() - 20]].concat());
    assert!(matches!(later.kind(), ToolErrorKind::LaterStream { position, .. } if *position == n_bytes));
    assert!(later.position() >= Some(n_bytes), "{later}");
}

#[test]
fn a_footer_that_contradicts_the_stream_is_an_error() {
    let corpus = testing_support::corpus_dir().join("hostile/file-footer-schema-differs.arrow_file");
    let error = error_of(std::fs::read(corpus).unwrap());
    assert!(matches!(error.kind(), ToolErrorKind::Contradiction(Contradiction::Columns(_))), "{error}");
}

/// A valid file can be read as a stream from byte 8 on. The test inverts each byte before the first batch, and sets
/// the prefix of the schema message to zero.
#[test]
fn a_damaged_schema_message_is_an_error() {
    let sound = file(&[ids([1, 2, 3])]);
    let footer = Footer::read(&Buffer::from(sound.clone()), &Limits::default()).unwrap();
    let start = usize::try_from(footer.batches()[0].position()).unwrap();
    let inverted = (8..start).map(|at| {
        let mut bytes = sound.clone();
        bytes[at] = !bytes[at];
        (format!("byte {at}"), bytes)
    });
    let mut zeros = sound.clone();
    zeros[8..12].fill(0);
    let mut n_refused = 0;
    for (case, bytes) in inverted.chain([("zeros".to_owned(), zeros)]) {
        let input = Input::try_from_buffer("memory", bytes.clone().into()).unwrap();
        let found = validate(input, &ValidateOptions::new(), &mut ());
        let rows = StreamReader::try_new(&bytes[8..])
            .and_then(|stream| stream.map(|batch| Ok(batch?.n_rows())).sum::<Result<usize, IpcError>>());
        n_refused += usize::from(found.is_err());
        assert!(found.is_err() || rows.is_ok_and(|rows| rows == 3), "{case}: {found:?}");
    }
    // The other bytes are padding, or belong to values that no reader uses.
    assert_eq!((n_refused, start - 8), (109, 184));
}

/// A file with zeros as its schema message, and a file of polars, whose schema message has no prefix. If a byte of
/// the message is inverted, the file is refused, or the message still agrees with the footer.
#[test]
fn a_schema_message_without_prefix_is_compared_with_the_footer() {
    let refused = |bytes: Vec<u8>| {
        let input = Input::try_from_buffer("memory", bytes.into()).unwrap();
        validate(input, &ValidateOptions::new(), &mut ()).map_err(|error| error.to_string()).err()
    };
    let first_block = |bytes: &[u8]| {
        let footer = Footer::read(&Buffer::copy_from(bytes), &Limits::default()).unwrap();
        let blocks = footer.dictionaries().iter().chain(footer.batches());
        usize::try_from(blocks.map(Block::position).min().unwrap_or(footer.position())).unwrap()
    };
    let polars = testing_support::corpus_dir().join("golden/polars-2.1.0/names.arrow");
    let polars = std::fs::read(polars).unwrap();
    let writer = FileWriter::try_new(Vec::new(), ids([1]).schema());
    let without_batches = writer.and_then(FileWriter::finish).unwrap();
    for mut sound in [file(&[ids([1, 2, 3])]), without_batches, polars.clone()] {
        assert_eq!(refused(sound.clone()), None);
        let first = first_block(&sound);
        sound[8..first].fill(0);
        assert_eq!(
            refused(sound).unwrap(),
            format!(
                "memory: no schema message is between byte 8 and byte {first}, where the first block or the footer begins"
            )
        );
    }
    let first = first_block(&polars);
    let inverted = |at: usize| {
        let mut bytes = polars.clone();
        bytes[at] = !bytes[at];
        bytes
    };
    let n_refused = (8..first).filter(|at| refused(inverted(*at)).is_some()).count();
    // The other bytes are padding, or belong to values that no reader uses.
    assert_eq!((n_refused, first - 8), (480, 592));
}

/// A file of polars 2.1.0 with 60 columns of nine types and no rows. The tables of its schema are far apart, and four
/// bytes look like the marker of a message.
#[test]
fn a_long_schema_message_without_prefix_is_found() {
    let bytes = include_bytes!("../files/polars-wide.arrow").to_vec();
    let input = Input::try_from_buffer("wide", bytes.into()).unwrap();
    validate(input, &ValidateOptions::new(), &mut ()).unwrap();
}

/// pyarrow 26.0.1 wrote a null struct and a fixed-size list of null structs, in which a dictionary without values has an index.
#[test]
fn null_structs_over_a_dictionary_without_values_are_valid() {
    let bytes = include_bytes!("../files/pyarrow-null-structs.arrow").to_vec();
    let input = Input::try_from_buffer("null structs", bytes.clone().into()).unwrap();
    let options = ValidateOptions { validation: Validation::Strict, ..ValidateOptions::new() };
    validate(input, &options, &mut ()).unwrap();
    let reader = FileReader::try_from_buffer(bytes.clone().into()).unwrap();
    let batch = reader.batch(0).unwrap();
    assert_eq!(batch.columns()[0].null_count(), 2);
    // Rows of a part of the batch are checked in the same way.
    assert!(reader.batch_rows(0, 1..2).unwrap().same_values(&batch.slice(1, 1)).unwrap());
}

/// The bytes of a block in the footer.
fn wire(block: &Block) -> Vec<u8> {
    let n_metadata_bytes = u32::try_from(block.n_metadata_bytes()).unwrap();
    let lengths = [&n_metadata_bytes.to_le_bytes()[..], &[0; 4], &block.n_body_bytes().to_le_bytes()];
    [&block.position().to_le_bytes()[..], &lengths.concat()].concat()
}

/// A footer may list blocks in any order, and more than once. The reader returns the listed batches. `validate`
/// reports the first entry of `Footer::irregularities`.
#[test]
fn irregular_footers_are_one_rule_for_readers_and_validate() {
    const BLOCK_BYTES: usize = 24;
    let regular = file(&[ids([0]), ids([1]), ids([2])]);
    let footer = Footer::read(&Buffer::from(regular.clone()), &Limits::default()).unwrap();
    let blocks: Vec<Vec<u8>> = footer.batches().iter().map(wire).collect();
    let position = |block: &Vec<u8>| regular.windows(BLOCK_BYTES).rposition(|found| found == block).unwrap();
    let positions: Vec<usize> = blocks.iter().map(position).collect();
    let (mut n_regular, mut n_irregular) = (0, 0);
    for case in 0..27 {
        let listed = [case / 9, case / 3 % 3, case % 3];
        let mut bytes = regular.clone();
        for (position, batch) in positions.iter().zip(listed) {
            bytes[*position..][..BLOCK_BYTES].copy_from_slice(&blocks[batch]);
        }
        let reader = FileReader::try_from_buffer(bytes.clone().into()).unwrap();
        let read: Vec<i64> = reader
            .batches()
            .map(|batch| batch.unwrap().column_as::<Int64Array>("id").unwrap().value(0))
            .collect();
        assert_eq!(read, listed.map(|batch| batch as i64));

        let found = reader.footer().irregularities();
        let input = Input::try_from_buffer("footer", bytes.into()).unwrap();
        match (validate(input, &ValidateOptions::new(), &mut ()), found.first()) {
            (Ok(_), None) => n_regular += 1,
            (Err(error), Some(first)) => {
                let ToolErrorKind::Contradiction(Contradiction::Footer(reported)) = error.kind() else {
                    panic!("{listed:?}: {error}");
                };
                assert_eq!(reported, first, "{listed:?}");
                n_irregular += 1;
            }
            (validated, first) => panic!("{listed:?}: {validated:?}, {first:?}"),
        }
    }
    assert_eq!((n_regular, n_irregular), (1, 26));
}

/// Several threads have the same result as one thread for any damage: equal counts, or the first error.
#[test]
fn several_threads_agree_with_one() {
    let sound = file(&[3, 0, 5, 1, 4, 2, 6, 7].map(|n| ids(0..n)));
    let footer = Footer::read(&Buffer::from(sound.clone()), &Limits::default()).unwrap();
    let check = |bytes: &[u8], n_threads| {
        let options =
            ValidateOptions { n_threads: NonZeroUsize::new(n_threads).unwrap(), ..ValidateOptions::new() };
        let input = Input::try_from_buffer("memory", Buffer::copy_from(bytes)).unwrap();
        validate(input, &options, &mut ()).map_err(|error| error.to_string())
    };
    let found = check(&sound, 1).unwrap();
    assert_eq!((found.n_rows, found.n_batches, found.n_tensors), (28, 8, 0));
    let mut n_broken = 0;
    for damaged in 0..1 << footer.batches().len() {
        let mut bytes = sound.clone();
        for (batch_idx, block) in footer.batches().iter().enumerate() {
            if damaged >> batch_idx & 1 == 1 {
                // Moves the root of the metadata out of bounds.
                let root = usize::try_from(block.position()).unwrap() + 8;
                bytes[root..root + 4].fill(0xff);
            }
        }
        let expected = check(&bytes, 1);
        n_broken += usize::from(expected.is_err());
        for n_threads in [2, 5] {
            assert_eq!(check(&bytes, n_threads), expected, "{damaged:b}");
        }
    }
    assert_eq!(n_broken, 255);
}

#[test]
fn what_others_do_not_read_is_reported_with_its_field() {
    let words = |endianness, schema: &str| {
        let schema: Schema = schema.parse().unwrap();
        let options = WriteOptions::new().with_endianness(endianness);
        let streams =
            StreamWriter::try_new_with(Vec::new(), schema.clone(), options.clone()).unwrap().finish();
        let files = FileWriter::try_new_with(Vec::new(), schema, options).unwrap().finish();
        let [stream, file] = [streams, files].map(|bytes| {
            let input = Input::try_from_buffer("memory", bytes.unwrap().into()).unwrap();
            let found = validate(input, &ValidateOptions::new(), &mut ()).unwrap();
            found.portability.iter().map(arrow_ipc_report::portability_note).collect::<Vec<_>>()
        });
        assert_eq!(stream, file);
        stream
    };
    let (little, big) = (Endianness::Little, Endianness::Big);
    assert_eq!(words(little, "a: int64\nb: dictionary<int8, utf8>"), [""; 0]);
    let nested = "a: int8\nb: struct<x: list<item: dictionary<int8, utf8_view>>>";
    assert_eq!(words(little, nested), ["nanoarrow 0.9 does not read views, as field b.x.item"]);
    let swapped = words(big, nested);
    assert_eq!(swapped.len(), 3);
    assert!(swapped[0].starts_with("pyarrow 26 does not read views in big-endian bodies"), "{swapped:?}");
    let intervals = words(little, "a: interval(day_time)");
    assert_eq!(intervals, ["polars 2.1 does not read intervals, as field a"]);
}

/// What is written again has none of the forms that others refuse, but ids of dictionaries are kept.
#[test]
fn forms_that_others_refuse_are_noted_and_mended() {
    let notes_of = |bytes: Vec<u8>| {
        let input = Input::try_from_buffer("memory", bytes.into()).unwrap();
        let found = validate(input, &ValidateOptions::new(), &mut ()).unwrap();
        found.portability.iter().map(arrow_ipc_report::portability_note).collect::<Vec<_>>()
    };
    let maps = "does not read maps whose entries or keys are nullable, as field m";
    let cases: [(&str, &[&str], &str); 5] = [
        ("map-entries-nullable", &["pyarrow 26", "nanoarrow 0.9"], maps),
        ("map-keys-nullable", &["pyarrow 26", "nanoarrow 0.9"], maps),
        (
            "no-index-type",
            &["pyarrow 26", "polars 2.1"],
            "does not read dictionaries without an index type, as field d",
        ),
        (
            "no-fields-vector",
            &["pyarrow 26", "polars 2.1"],
            "does not read a schema without a list of fields",
        ),
        ("dictionary-id-minus-1", &["pyarrow 26"], "does not read the dictionary id -1, as field d"),
    ];
    for (name, readers, text) in cases {
        let bytes =
            std::fs::read(testing_support::corpus_dir().join(format!("oddities/{name}.arrows"))).unwrap();
        let expected: Vec<String> = readers.iter().map(|reader| format!("{reader} {text}")).collect();
        assert_eq!(notes_of(bytes.clone()), expected, "{name}");
        let mut reader = StreamReader::try_new(&bytes[..]).unwrap();
        let mut writer = StreamWriter::try_new(Vec::new(), reader.ipc_schema().clone()).unwrap();
        for batch in reader.by_ref() {
            writer.write(&batch.unwrap()).unwrap();
        }
        let expected_notes = if name == "dictionary-id-minus-1" { expected } else { Vec::new() };
        assert_eq!(notes_of(writer.finish().unwrap()), expected_notes, "{name}");
    }
}

/// A note, which changes nothing else, names what only the footer has. Converted with the option, it is in both places.
#[test]
fn metadata_of_the_footer_alone_is_noted() {
    struct Keys(Vec<Option<String>>);

    impl Observer for Keys {
        fn note(&mut self, note: &Note) {
            if let NoteKind::FooterMetadata { keys } = &note.kind {
                self.0.extend(keys.iter().cloned());
            }
        }
    }

    let keys_of = |bytes: Vec<u8>| {
        let mut keys = Keys(Vec::new());
        let input = Input::try_from_buffer("file", bytes.into()).unwrap();
        validate(input, &ValidateOptions::new(), &mut keys).unwrap();
        keys.0.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>()
    };
    let counts = Footer::ROW_COUNTS_KEY;
    let golden = testing_support::corpus_dir().join("golden");
    let cases: [(&str, &[&str]); 4] = [
        ("pyarrow-26.0.1/metadata-footer.arrow", &["only"]),
        ("pyarrow-26.0.1/metadata.arrow", &["z", "a", "z"]),
        ("pyarrow-26.0.1/rows-300.arrow", &[]),
        // A file of polars has no schema message.
        ("polars-2.1.0/row-counts.arrow", &[counts]),
    ];
    for (name, expected) in cases {
        let bytes = fs::read(golden.join(name)).unwrap();
        assert_eq!(keys_of(bytes.clone()), expected, "{name}");
        let counted = WriteOptions::new().with_row_counts(RowCounts::Written);
        for (writing, added) in [(counted.clone(), true), (counted.with_same_metadata(), false)] {
            let options =
                ConvertOptions { writing: Some(writing), ..ConvertOptions::new(WrittenContainer::File) };
            let input = Input::try_from_buffer("file", bytes.clone().into()).unwrap();
            let mut out = Vec::new();
            convert(input, &mut out, &options, &mut ()).unwrap();
            let expected_notes = expected.iter().filter(|key| added && **key != counts).copied();
            let expected: Vec<&str> = expected_notes.chain(added.then_some(counts)).collect();
            assert_eq!(keys_of(out), expected, "{name}");
        }
    }
}

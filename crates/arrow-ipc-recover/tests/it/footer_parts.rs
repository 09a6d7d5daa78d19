//! Footers with one unreadable part. Each part is judged alone: the others are used, and the error names the part.

use arrow_array::{DictionaryBuilder, Int64Array, Utf8Builder};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, Limits, MessageKind, WriteOptions, error::FooterPart, file::Footer};
use arrow_ipc_recover::{LostCause, LostContent, LostPart};
use arrow_schema::{IndexType, Metadata};

use super::harness::{RecoveryResult, read, recover, same};

fn batches() -> Vec<RecordBatch> {
    let batch = |nth: i64| {
        let mut words = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new()).unwrap();
        (0..30).for_each(|row| words.append(["a", "bc", "def"][row % 3]));
        let columns = [
            ("id", Int64Array::from_iter(nth * 1_000..nth * 1_000 + 30).into()),
            ("word", words.finish().unwrap().into()),
        ];
        RecordBatch::try_from_columns(columns).unwrap()
    };
    (1..6).map(batch).collect()
}

fn file() -> Vec<u8> {
    let all = batches();
    let metadata: Metadata = [("key".to_owned(), "value".to_owned())].into_iter().collect();
    let options = WriteOptions::new().with_file_metadata(metadata);
    let mut writer = FileWriter::try_new_with(Vec::new(), all[0].schema(), options).unwrap();
    all.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().unwrap()
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(number(bytes, at)) as usize
}

/// The position of a field of a table.
fn field(bytes: &[u8], table: usize, slot: usize) -> usize {
    let vtable = table.wrapping_add_signed(-(i32::from_le_bytes(number(bytes, table)) as isize));
    let offset = u16::from_le_bytes(number(bytes, vtable + 4 + 2 * slot));
    assert_ne!(offset, 0, "field {slot} is absent");
    table + usize::from(offset)
}

/// The position to which an offset points.
fn target(bytes: &[u8], offset_at: usize) -> usize {
    offset_at + u32_at(bytes, offset_at)
}

/// Files whose footer is damaged in one part, with a name for each.
fn damaged(file: &[u8]) -> Vec<(String, FooterPart, Vec<u8>)> {
    use FooterPart::{Batches, Dictionaries, Metadata, Schema, Version};
    let footer = Footer::read(&Buffer::copy_from(file), &Limits::default()).unwrap();
    let position = footer.position() as usize;
    let table = target(file, position);
    let [version, schema, dictionaries, batches, metadata] =
        [0, 1, 2, 3, 4].map(|slot| field(file, table, slot));
    let schema_table = target(file, schema);
    let fields = target(file, field(file, schema_table, 1));
    let first_field = target(file, fields + 4);
    let pairs = target(file, metadata);
    let far = 0x7fff_0000_u32.to_le_bytes();
    let mut edits: Vec<(&str, FooterPart, usize, Vec<u8>)> = vec![
        ("unknown", Version, version, 99_i16.to_le_bytes().into()),
        ("negative", Version, version, (-1_i16).to_le_bytes().into()),
        ("offset", Metadata, metadata, far.into()),
        ("length", Metadata, pairs, far.into()),
        ("offset of a pair", Metadata, pairs + 4, far.into()),
        ("offset", Schema, schema, far.into()),
        ("vtable", Schema, schema_table, far.into()),
        ("number of fields", Schema, fields, far.into()),
        ("offset of a field", Schema, fields + 4, far.into()),
        ("unknown type", Schema, field(file, first_field, 2), vec![0xee]),
        ("zeros", Schema, schema_table, vec![0; 24]),
    ];
    for (part, at, blocks) in
        [(Dictionaries, dictionaries, footer.dictionaries()), (Batches, batches, footer.batches())]
    {
        let list = target(file, at);
        edits.push(("offset", part, at, far.into()));
        edits.push(("length", part, list, far.into()));
        for idx in [0, blocks.len() - 1] {
            let block = list + 4 + 24 * idx;
            edits.push(("negative position", part, block, (-8_i64).to_le_bytes().into()));
            edits.push(("position in the magic", part, block, 3_i64.to_le_bytes().into()));
            edits.push(("position after the file", part, block, 1_000_000_i64.to_le_bytes().into()));
            edits.push(("greatest position", part, block, i64::MAX.to_le_bytes().into()));
            edits.push(("no metadata", part, block + 8, 0_i32.to_le_bytes().into()));
            edits.push(("negative metadata", part, block + 8, (-1_i32).to_le_bytes().into()));
            edits.push(("negative body", part, block + 16, (-64_i64).to_le_bytes().into()));
            edits.push(("greatest body", part, block + 16, i64::MAX.to_le_bytes().into()));
        }
    }
    let damage = |(what, part, at, bytes): (&str, FooterPart, usize, Vec<u8>)| {
        let mut damaged = file.to_vec();
        damaged[at..at + bytes.len()].copy_from_slice(&bytes);
        assert_ne!(damaged, file, "{part}: {what}");
        (format!("{part}: {what} (byte {at})"), part, damaged)
    };
    edits.into_iter().map(damage).collect()
}

/// Whether the footer is reported as damaged. A block at another position may be of a file that lacks bytes, so that is
/// reported only without other damage.
fn is_footer_reported(found: &RecoveryResult, (what, part): (&str, FooterPart)) -> bool {
    let is_elsewhere = what.contains("after the file");
    let is_reported = |lost: &LostPart| match lost.cause() {
        LostCause::FooterPart(error) => {
            lost.what() == LostContent::Footer
                && error.location().footer_part == Some(part)
                && lost.to_string().contains("the footer is damaged: at byte ")
                && lost.to_string().contains(&part.to_string())
        }
        LostCause::OtherPositions | LostCause::Irregular(_) => is_elsewhere,
        _ => false,
    };
    found.lost.iter().any(is_reported)
}

/// Without any footer, the batches are found as well: see `both_schemas_are_needed_by_nobody_and_one_by_everybody`. What
/// the other parts add is their content: the custom metadata, the order and the schema.
#[test]
fn all_batches_of_a_file_with_one_bad_part_of_its_footer_are_recovered() {
    let (file, all) = (file(), batches());
    for (what, part, damaged) in damaged(&file) {
        let error = read(&damaged).unwrap_err();
        // A file with an unknown type can be opened, and its other columns read.
        if !what.contains("unknown type") {
            assert_eq!(error.location().footer_part, Some(part), "{what}: {error}");
            assert!(error.to_string().contains(&part.to_string()), "{what}: {error}");
        }
        let found = recover(&damaged).unwrap_or_else(|error| panic!("{what}: {error}"));
        // The last block has no next one, so its lengths cannot be guessed.
        let is_nothing = |lost: &LostPart| {
            let is_doubt = matches!(lost.what(), LostContent::Certainty { number: Some(4), .. });
            lost.what() == LostContent::Footer || is_doubt && part == FooterPart::Batches
        };
        assert!(same(&found.batches, &all), "{what}: {:?}", found.lost_text());
        assert_eq!(found.n_dictionaries(), 1, "{what}: {:?}", found.lost_text());
        assert_eq!(found.schema.as_ref().unwrap().schema(), all[0].schema(), "{what}");
        assert!(found.lost.iter().all(is_nothing), "{what}: {:?}", found.lost_text());
        assert!(is_footer_reported(&found, (&what, part)), "{what}: {:?}", found.lost_text());
    }
}

/// The schema message is destroyed, so the schema of the footer is needed, whatever else is wrong with the footer.
#[test]
fn the_schema_of_a_footer_is_used_although_another_part_is_bad() {
    let (file, all) = (file(), batches());
    for (what, part, mut damaged) in damaged(&file) {
        damaged[8..100].fill(0xff);
        if part == FooterPart::Schema {
            recover(&damaged).unwrap_err();
            continue;
        }
        let found = recover(&damaged).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(same(&found.batches, &all), "{what}: {:?}", found.lost_text());
        let is_elsewhere = what.contains("after the file");
        assert!(is_elsewhere || is_footer_reported(&found, (&what, part)), "{what}: {:?}", found.lost_text());
        let is_schema = |lost: &LostPart| lost.what() == LostContent::SchemaMessage;
        assert!(found.lost.iter().any(is_schema), "{what}: {:?}", found.lost_text());
    }
}

/// The blocks of a footer tell what zeros were, although its schema or its metadata is bad.
#[test]
fn the_blocks_of_a_footer_are_used_although_another_part_is_bad() {
    let (file, all) = (file(), batches());
    let footer = Footer::read(&Buffer::copy_from(&file), &Limits::default()).unwrap();
    let lost = footer.batches()[2].range();
    for (what, part, mut damaged) in damaged(&file) {
        if what.contains("after the file") {
            // As in a file that lacks bytes, so the zeros may be of any block.
            continue;
        }
        damaged[lost.start as usize..lost.end as usize].fill(0);
        let found = recover(&damaged).unwrap_or_else(|error| panic!("{what}: {error}"));
        let others = [&all[..2], &all[3..]].concat();
        assert!(same(&found.batches, &others), "{what}: {:?}", found.lost_text());
        let is_batch = |found: &LostPart| {
            found.range() == lost && found.what() == LostContent::Message(MessageKind::RecordBatch)
        };
        // With bad blocks, it is uncertain what the zeros were.
        let has_blocks = matches!(part, FooterPart::Version | FooterPart::Metadata | FooterPart::Schema);
        assert!(!has_blocks || found.lost.iter().any(is_batch), "{what}: {:?}", found.lost_text());
    }
}

/// The blocks are those of another file, but the schema is needed: it is judged by the batches.
#[test]
fn the_schema_of_a_footer_with_blocks_of_another_file_is_used() {
    let (file, all) = (file(), batches());
    let footer = Footer::read(&Buffer::copy_from(&file), &Limits::default()).unwrap();
    let table = target(&file, footer.position() as usize);
    let mut damaged = file.clone();
    for slot in [2, 3] {
        let list = target(&file, field(&file, table, slot));
        for block in damaged[list + 4..].chunks_exact_mut(24).take(u32_at(&file, list)) {
            block[..8].copy_from_slice(&800_i64.to_le_bytes());
            block[8..12].copy_from_slice(&72_i32.to_le_bytes());
            block[16..].copy_from_slice(&8_i64.to_le_bytes());
        }
    }
    damaged[8..100].fill(0xff);
    let found = recover(&damaged).unwrap();
    assert!(same(&found.batches, &all), "{:?}", found.lost_text());
    assert!(
        found.lost_text().iter().any(|lost| lost.contains("the footer is damaged")),
        "{:?}",
        found.lost_text()
    );
}

#[test]
fn a_sound_footer_names_no_part() {
    let file = file();
    assert!(same(&read(&file).unwrap(), &batches()));
    assert!(recover(&file).unwrap().lost.is_empty());
}

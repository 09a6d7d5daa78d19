//! Oddities of footers whose blocks can be read.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    FileReader, FileWriter, Limits, WriteOptions,
    file::{Block, Footer},
};
use arrow_schema::{DataType, Metadata};

/// Three batches with the numbers 0, 1 and 2, and metadata of the file.
fn file() -> Vec<u8> {
    let batch = |number: i64| {
        let buffers = [Buffer::from(vec![number]), Buffer::new()];
        let numbers =
            ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int64, 1) }).unwrap();
        RecordBatch::try_from_columns([("number", numbers)]).unwrap()
    };
    let options = WriteOptions::new()
        .with_file_metadata(Metadata::from_iter([("of", "the schema message")]))
        .with_footer_metadata(Metadata::from_iter([("of", "the footer")]));
    let mut writer = FileWriter::try_new_with(Vec::new(), batch(0).schema(), options).unwrap();
    (0..3).for_each(|number| writer.write(&batch(number)).unwrap());
    writer.finish().unwrap()
}

/// A block as it lies in the footer.
pub(crate) fn wire(block: &Block) -> Vec<u8> {
    let metadata_bytes = u32::try_from(block.n_metadata_bytes()).unwrap();
    let parts = [
        &block.position().to_le_bytes()[..],
        &metadata_bytes.to_le_bytes(),
        &[0; 4],
        &block.n_body_bytes().to_le_bytes(),
    ];
    parts.concat()
}

/// The file with these blocks instead of its three.
fn with_blocks(blocks: [Vec<u8>; 3]) -> Buffer {
    let mut bytes = file();
    let footer = Footer::read(&Buffer::from(bytes.clone()), &Limits::default()).unwrap();
    let positions: Vec<usize> = footer
        .batches()
        .iter()
        .map(|block| {
            bytes.windows(24).rposition(|found| found == wire(block)).expect("a block of the footer")
        })
        .collect();
    for (position, block) in positions.into_iter().zip(blocks) {
        bytes[position..position + 24].copy_from_slice(&block);
    }
    Buffer::from(bytes)
}

#[test]
fn blocks_that_are_listed_oddly_are_reported() {
    let bytes = Buffer::from(file());
    let footer = Footer::read(&bytes, &Limits::default()).unwrap();
    let [a, b, c] = footer.batches() else { panic!("three batches") };
    let moved = |block: &Block, n_bytes: u64| {
        let position = (block.position() + n_bytes).to_le_bytes();
        [&position[..], &wire(block)[8..]].concat()
    };
    for (blocks, numbers, expected) in [
        ([wire(a), wire(b), wire(c)], Some([0, 1, 2]), &[][..]),
        (
            [wire(a), wire(c), wire(b)],
            Some([0, 2, 1]),
            &["the footer lists record batch 2 after record batch 1, but the file has it before"],
        ),
        (
            [wire(a), wire(b), wire(b)],
            Some([0, 1, 1]),
            &["the footer lists record batch 1 again as record batch 2"],
        ),
        (
            [wire(c), wire(b), wire(c)],
            Some([2, 1, 2]),
            &[
                "the footer lists record batch 1 after record batch 0, but the file has it before",
                "the footer lists record batch 0 again as record batch 2",
            ],
        ),
        (
            [wire(a), moved(a, 8), wire(c)],
            None,
            &["the footer lists record batch 1 inside the bytes of record batch 0"],
        ),
    ] {
        let bytes = with_blocks(blocks);
        let file = FileReader::try_from_buffer(bytes).unwrap();
        let found: Vec<String> = file.footer().irregularities().iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
        // The batches are those that the footer lists, in its order.
        let read: arrow_ipc::Result<Vec<RecordBatch>> = file.batches().collect();
        match numbers {
            None => assert!(read.is_err()),
            Some(numbers) => {
                let value = |batch: RecordBatch| batch.columns()[0].buffer(0).view::<i64>().unwrap()[0];
                assert_eq!(read.unwrap().into_iter().map(value).collect::<Vec<_>>(), numbers);
            }
        }
    }
}

#[test]
fn metadata_of_schema_message_and_footer_are_two_things() {
    let file = FileReader::try_from_buffer(Buffer::from(file())).unwrap();
    assert_eq!(file.footer_metadata().get("of"), Some("the footer"));
    assert_eq!(file.schema_message_metadata().unwrap().unwrap().get("of"), Some("the schema message"));
    assert_eq!(file.dictionaries().unwrap(), []);
}

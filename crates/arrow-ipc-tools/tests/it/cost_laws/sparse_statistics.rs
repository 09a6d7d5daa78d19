//! The cost of statistics in a footer that lists many columns and many batches, if they describe few of them.

use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, StreamReader, StreamWriter};
use arrow_ipc_report::{ByteMap, explain};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_ipc_tools::{InspectOptions, append::AppendTarget, inspect};
use arrow_schema::work_done;
use testing_support::ints;

use super::{Bytes, MAX_GROWTH};

fn columns(n: usize) -> RecordBatch {
    RecordBatch::try_from_columns((0..n).map(|idx| (format!("column {idx}"), ints([1])))).unwrap()
}

/// Statistics of `n` batches. Those of the last batch describe `n` columns, and the others one column.
fn statistics(n: usize) -> Vec<u8> {
    let of = |columns: &RecordBatch, n_batches: usize| {
        let mut builder = StatisticsBuilder::new(columns.schema());
        (0..n_batches).for_each(|_| builder.add(columns).unwrap());
        let stream = builder.finish(u64::MAX).unwrap().unwrap();
        StreamReader::try_new(&*stream).unwrap().map(Result::unwrap).collect::<Vec<RecordBatch>>()
    };
    let batches = [of(&columns(1), n - 1), of(&columns(n), 1)].concat();
    StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap()
}

/// A file of `n` columns whose footer lists `n` blocks of one byte.
fn file(n: usize) -> Vec<u8> {
    let batch = columns(n);
    let mut writer = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.set_statistics(&statistics(n)).unwrap();
    with_small_blocks(&writer.finish().unwrap(), n)
}

/// Puts another list of batches after the tables of the footer.
fn with_small_blocks(file: &[u8], n_blocks: usize) -> Vec<u8> {
    const TAIL_BYTES: usize = 10;
    const LIST_OF_BATCHES: usize = 3;
    let number = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = file.len() - TAIL_BYTES;
    let start = end - number(file, end);
    let mut footer = file[start..end].to_vec();
    let table = number(&footer, 0);
    let vtable = table.wrapping_sub(number(&footer, table) as i32 as usize);
    let slot = vtable + 4 + 2 * LIST_OF_BATCHES;
    let field = table + usize::from(u16::from_le_bytes([footer[slot], footer[slot + 1]]));
    // The blocks are aligned to 8 bytes, after the length of the list.
    footer.resize(footer.len().next_multiple_of(8) + 4, 0);
    let to_list = u32::try_from(footer.len() - field).unwrap();
    footer[field..field + 4].copy_from_slice(&to_list.to_le_bytes());
    footer.extend(u32::try_from(n_blocks).unwrap().to_le_bytes());
    // The position, the length of the metadata, and the length of the body.
    let block = [8u64, 1, 0].map(u64::to_le_bytes).concat();
    footer.extend(block.repeat(n_blocks));
    let length = u32::try_from(footer.len()).unwrap().to_le_bytes();
    [&file[..start], &footer, &length, &file[end + 4..]].concat()
}

type Operation = (&'static str, fn(&Bytes, usize));

const OPERATIONS: [Operation; 3] = [
    ("explain", |bytes, n| {
        let (explained, _) = explain(bytes.input(), None, &mut ()).unwrap();
        assert_eq!(explained.statistics.unwrap().n_columns, Some(n as u64));
    }),
    ("a map of bytes", |bytes, _| {
        let input = bytes.input();
        let mut map = ByteMap::new(input.name());
        let inspected = inspect(input, &InspectOptions::new(), &mut map, &mut ()).unwrap();
        assert!(map.into_json(&inspected).contains("column 0"));
    }),
    ("append", |bytes, _| {
        let mut file = FileWriter::try_new(Vec::new(), columns(1).schema()).unwrap();
        let continued = AppendTarget::continue_statistics(bytes, &mut file, |_| Ok::<(), ()>(()));
        assert!(continued.is_ok());
    }),
];

#[test]
fn columns_are_not_looked_up_in_batches_that_do_not_describe_them() {
    let mut broken = Vec::new();
    for (name, run) in OPERATIONS {
        let [few, many] = [200, 400].map(|n| {
            let bytes = Bytes::new(file(n));
            let before = work_done();
            run(&bytes, n);
            (work_done() - before) as f64
        });
        if many > MAX_GROWTH * few {
            broken.push(format!("{name}: {few}, then {many}"));
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}

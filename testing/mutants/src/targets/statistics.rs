//! Tests statistics in footers. Rows may only be missing if statistics were trusted and are wrong.

use std::sync::LazyLock;

use arrow_array::{Float64Array, Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_compute::Predicate;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter};
use arrow_ipc_statistics::{FileStatistics, StatisticsBuilder};

const CONDITIONS: [&str; 6] = [
    "id > 30",
    "id in (7, 45) or name is null",
    "x >= 2.5 and name like 'a%'",
    "not (name < 'm' or x is null)",
    "x = 'NaN'",
    "id between -5 and 21",
];

static BATCHES: LazyLock<Vec<RecordBatch>> = LazyLock::new(|| {
    let batch = |first: i64| {
        let ids = Int64Array::from_iter(first..first + 12).into_data();
        let names = (first..first + 12)
            .map(|n| (n % 5 > 0).then(|| format!("{}-{n}", ["a", "k", "z"][n as usize % 3])));
        let names = Utf8Array::try_from_iter(names).expect("names").into_data();
        let numbers = (first..first + 12).map(|n| if n == 20 { f64::NAN } else { n as f64 / 4.0 });
        let columns = [("id", ids), ("name", names), ("x", Float64Array::from_iter(numbers).into_data())];
        RecordBatch::try_from_columns(columns).expect("a batch")
    };
    (0..4).map(|idx| batch(idx * 12)).collect()
});

/// The conditions, and the rows of each batch that match.
static MATCHING: LazyLock<Vec<(Predicate, Vec<usize>)>> = LazyLock::new(|| {
    let matching = CONDITIONS.iter().map(|condition| {
        let condition: Predicate = condition.parse().expect("a condition");
        let bound = condition.bind(BATCHES[0].schema()).expect("it fits");
        let n_matching = BATCHES.iter().map(|batch| bound.matches(batch).expect("it fits").count_set());
        (condition, n_matching.collect())
    });
    matching.collect()
});

/// A file with these statistics.
fn file_with(batches: &[RecordBatch], statistics: &[u8]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).expect("a file");
    batches.iter().for_each(|batch| writer.write(batch).expect("a batch"));
    writer.set_statistics(statistics).expect("statistics of any bytes");
    writer.finish().expect("a file")
}

fn own_statistics(batches: &[RecordBatch]) -> Vec<u8> {
    let mut own = StatisticsBuilder::new(batches[0].schema());
    batches.iter().for_each(|batch| own.add(batch).expect("statistics"));
    own.finish(u64::MAX).expect("memory").expect("there are some")
}

/// Uses the bytes as the statistics of a file.
pub(super) fn statistics(bytes: &[u8]) {
    let file = Buffer::from(file_with(&BATCHES, bytes));
    let reader = FileReader::try_from_buffer(file).expect("a file");
    let _ = StatisticsBuilder::continuing(reader.footer()).map(|more| more.map(|more| more.finish(u64::MAX)));
    let Some(known) = FileStatistics::from_footer(reader.footer()) else { return };
    known.columns().for_each(|path| drop(known.bounds_of_all(path)));
    let is_true = BATCHES.iter().enumerate().all(|(idx, batch)| known.check(idx, batch).is_ok());
    for (condition, n_matching) in MATCHING.iter() {
        let bound = condition.bind(reader.schema()).expect("it fits");
        let found: Vec<usize> = known.batches_matching(&bound).collect();
        if !is_true {
            continue;
        }
        for (idx, n_rows) in n_matching.iter().enumerate() {
            assert!(
                *n_rows == 0 || found.contains(&idx),
                "{condition}: {n_rows} rows of batch {idx} are lost"
            );
        }
    }
}

/// Statistics of all batches, of other batches, and of too few batches.
pub(super) fn statistics_seeds() -> Vec<Vec<u8>> {
    let others: Vec<RecordBatch> = BATCHES.iter().rev().cloned().collect();
    [&BATCHES[..], &others, &BATCHES[1..]].into_iter().map(own_statistics).collect()
}

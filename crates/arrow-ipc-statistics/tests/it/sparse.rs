//! Statistics that describe some columns of some batches.

use arrow_array::{Int32Array, Scalar};
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, StreamReader, StreamWriter};
use arrow_ipc_statistics::{FileStatistics, StatisticsBuilder};
use arrow_schema::{FieldPath, Schema};

const N_BATCHES: usize = 5;

fn batch(value: i32) -> RecordBatch {
    let column = || Int32Array::from_iter([value]).into_data();
    RecordBatch::try_from_columns(["a", "b", "c"].map(|name| (name, column()))).unwrap()
}

/// A file. Its statistics describe the first column in all batches, the second in the first three, and the third in the
/// first two.
fn file() -> FileReader<arrow_buffer::Buffer> {
    let statistics_of = |batch: &RecordBatch, n_columns: usize| {
        let columns = ["a", "b", "c"].iter().zip(batch.columns()).take(n_columns);
        let some =
            RecordBatch::try_from_columns(columns.map(|(name, array)| (*name, array.clone()))).unwrap();
        let mut builder = StatisticsBuilder::new(some.schema());
        builder.add(&some).unwrap();
        let stream = builder.finish(u64::MAX).unwrap().unwrap();
        StreamReader::try_new(&*stream).unwrap().next().unwrap().unwrap()
    };
    let batches: Vec<RecordBatch> = (0..).take(N_BATCHES).map(batch).collect();
    let statistics = batches.iter().zip([3, 3, 2, 1, 1]).map(|(batch, n)| statistics_of(batch, n));
    let statistics: Vec<RecordBatch> = statistics.collect();
    let stream = StreamWriter::write_to_vec(statistics[0].schema(), &statistics).unwrap();
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.set_statistics(&stream).unwrap();
    FileReader::try_from_buffer(writer.finish().unwrap().into()).unwrap()
}

fn path(schema: &Schema, name: &str) -> FieldPath {
    schema.column_or_path(name).unwrap()
}

#[test]
fn a_column_is_known_where_it_is_described() {
    let file = file();
    let known = FileStatistics::from_footer(file.footer()).unwrap();
    for (name, n_described) in [("a", N_BATCHES), ("b", 3), ("c", 2)] {
        let path = path(file.schema(), name);
        let minima: Vec<(usize, Option<Scalar>)> =
            known.described_bounds(&path).map(|(batch_idx, bounds)| (batch_idx, bounds.min)).collect();
        let expected = (0..n_described).map(|batch_idx| (batch_idx, Some((batch_idx as i32).into())));
        assert_eq!(minima, expected.collect::<Vec<_>>());
        for batch_idx in 0..N_BATCHES {
            let bounds = known.bounds(batch_idx, &path);
            assert_eq!(bounds.n_rows, Some(1));
            assert_eq!(bounds.min, (batch_idx < n_described).then(|| (batch_idx as i32).into()));
        }
        let all = known.bounds_of_all(&path);
        let is_known = n_described == N_BATCHES;
        assert_eq!((all.n_rows, all.null_count), (Some(5), is_known.then_some(0)));
        assert_eq!([all.min, all.max], [0, 4].map(|bound| is_known.then(|| bound.into())));
    }
    for (batch_idx, batch) in file.batches().enumerate() {
        known.check(batch_idx, &batch.unwrap()).unwrap();
    }
}

#[test]
fn columns_that_are_described_in_half_of_the_batches_are_continued() {
    let file = file();
    let mut builder = StatisticsBuilder::continuing(file.footer()).unwrap().unwrap();
    builder.add(&batch(5)).unwrap();
    let stream = builder.finish(u64::MAX).unwrap().unwrap();
    let mut writer = FileWriter::try_new(Vec::new(), file.schema()).unwrap();
    (0..=5).for_each(|value| writer.write(&batch(value)).unwrap());
    writer.set_statistics(&stream).unwrap();
    let continued = FileReader::try_from_buffer(writer.finish().unwrap().into()).unwrap();
    let known = FileStatistics::from_footer(continued.footer()).unwrap();
    let described = |name: &str| {
        let bounds = known.described_bounds(&path(file.schema(), name));
        bounds.filter(|(_, known)| known.min.is_some()).map(|(idx, _)| idx).collect::<Vec<usize>>()
    };
    assert_eq!(["a", "b", "c"].map(described), [vec![0, 1, 2, 3, 4, 5], vec![0, 1, 2, 5], vec![]]);
}

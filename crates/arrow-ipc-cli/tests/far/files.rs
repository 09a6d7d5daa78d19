//! The input files.

use std::path::{Path, PathBuf};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::{Codec, Compression, FileReader, FileWriter, WriteOptions};

const N_COLUMNS: usize = 8;

/// Files with 8 columns of numbers. `small` has 300 batches of 50 rows, `packed` has the same batches compressed, and
/// `large` has two batches of 9 MB.
pub(super) struct Files {
    folder: PathBuf,
    small: PathBuf,
    packed: PathBuf,
    large: PathBuf,
}

impl Files {
    pub(super) fn write(folder: &Path) -> Files {
        let write = |name: &str, (n_batches, n_rows): (usize, usize), codec: Option<Codec>| {
            let path = folder.join(name);
            let options = WriteOptions::new().with_compression(codec.map(Compression::with_codec));
            let mut writer = FileWriter::create_with(&path, batch(0, 0).schema(), options).expect("a file");
            for first in (0..n_batches * n_rows).step_by(n_rows) {
                writer.write(&batch(first, n_rows)).expect("a batch is written");
            }
            writer.finish().expect("a file is complete");
            path
        };
        Files {
            folder: folder.to_owned(),
            small: write("small.arrow", (300, 50), None),
            packed: write("packed.arrow", (300, 50), Some(Codec::Zstd)),
            large: write("large.arrow", (2, 140_000), None),
        }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn first(&self) -> &Path {
        &self.small
    }

    pub(super) fn small_batches(&self) -> impl Iterator<Item = &Path> {
        [&self.small, &self.packed].into_iter().map(PathBuf::as_path)
    }

    /// The position of a byte in the metadata of a batch.
    pub(super) fn metadata_of(path: &Path, batch_idx: usize) -> u64 {
        let reader = FileReader::open(path).expect("a file");
        reader.footer().batches()[batch_idx].position() + 16
    }

    pub(super) fn large_batches(&self) -> &Path {
        &self.large
    }
}

fn batch(first: usize, n_rows: usize) -> RecordBatch {
    let column = |column: usize| {
        let numbers =
            (first..first + n_rows).map(|row| (row.wrapping_mul(7_919 + column) % 1_000_003) as i64);
        (format!("c{column}"), Int64Array::from_iter(numbers).into())
    };
    RecordBatch::try_from_columns((0..N_COLUMNS).map(column).collect::<Vec<_>>()).expect("a batch")
}

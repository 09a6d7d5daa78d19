//! `compact`: joins the small files of a data set.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use arrow_ipc::{Compression, WriteOptions};
use arrow_ipc_dataset::{CompactOptions, ExpireOptions};
use arrow_ipc_tools::{codec_of_last, compact_set};
use pyo3::{exceptions::PyNotADirectoryError, prelude::*, types::PyDict};

use super::report;
use crate::{
    calls::stoppable,
    error::{Failure, Result, raised},
    options::{self, n_threads},
    sink::refuse_url,
};

/// Joins the small files of the data set in `folder`, and commits the result. The order of rows in each folder does not
/// change. In a folder without a manifest, all Arrow files first become parts of a data set.
///
/// Files of about `target_bytes` bytes are made; files with more than half of that stay unchanged. `compression` is the
/// codec of new files, by default that of the first one; "none" compresses nothing. The old files stay for readers of
/// earlier versions. Programs that do not read manifests, such as pyarrow and polars, see the joined rows twice then.
/// With `expire`, all earlier versions are removed afterwards, with the files that only these have, and files of writers
/// that have written nothing for 7 days; who still reads a removed file gets an error. `threads` is the number of
/// threads that write. Ctrl-C takes effect between two batches: the data set is as before, or all small files are joined.
///
/// Returns a report: `n_before` and `n_after` count the files of the data set before and after the call, and `n_removed`
/// the removed files; `version` is the number of the newest version. If the files have metadata other than that of the
/// first schema, it is lost: `n_lost_metadata` counts it, and nothing is removed.
///
/// >>> writer = arrow_ipc.DatasetWriter("people", {"id": "int64"})
/// >>> writer.commit([writer.write(task, {"id": [task]}) for task in range(3)])
/// 1
/// >>> arrow_ipc.compact("people", expire=True)
/// <arrow_ipc.CompactReport>
/// 3 parts became 1 part in version 2
/// removed 1 earlier version and 3 files
#[pyfunction]
#[pyo3(signature = (folder, *, target_bytes = 268_435_456, compression = None, expire = false, threads = None))]
pub(crate) fn compact<'py>(
    py: Python<'py>,
    folder: PathBuf,
    #[pyo3(from_py_with = options::number_from_0)] target_bytes: u64,
    #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
    #[pyo3(from_py_with = options::flag)] expire: bool,
    #[pyo3(from_py_with = options::number_from_0)] threads: Option<usize>,
) -> Result<Bound<'py, PyAny>> {
    refuse_url(&folder)?;
    if let Err(error) = fs::metadata(&folder) {
        return Err(Failure::of_path(folder, error));
    }
    if folder.is_file() {
        let text = format!("{}: the folder of a data set is compacted, found a file", folder.display());
        return Err(raised::<PyNotADirectoryError>(text).into());
    }
    let compression = match compression {
        Some(compression) => options::compression(&compression)?,
        None => py.detach(|| codec_of_last(&folder)).map(Compression::with_codec),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let joining = CompactOptions {
        target_bytes,
        writing: WriteOptions::new().with_compression(compression),
        n_threads: n_threads(threads).get(),
        stop: Some(Arc::clone(&stop)),
    };
    let expiring = expire.then(ExpireOptions::default);
    let done = stoppable(py, Some(&stop), move || compact_set(&folder, &joining, expiring.as_ref()))??;
    let said = PyDict::new(py);
    said.set_item("n_before", done.joined.n_before)?;
    said.set_item("n_after", done.joined.n_after)?;
    said.set_item("n_removed", done.expired.map_or(0, |expired| expired.n_files))?;
    said.set_item("n_lost_metadata", done.joined.n_lost_metadata)?;
    said.set_item("version", done.joined.version)?;
    let text = done.lines().join("\n");
    let text = text
        .replace("you run `compact --expire`", "compact(folder, expire=True) runs")
        .replace("`append` adds their rows", "DatasetWriter(folder, schema, mode=\"append\") adds rows")
        .replace("`count` names them", "dataset(folder) names them");
    report("CompactReport", said, text)
}

//! If the system refuses memory, there is an error, but no abort, and no file is left. This also holds where rows are
//! joined, cast or compressed.

use std::{
    fs,
    process::{Command, Stdio},
};

use arrow_array::{DictionaryArray, Int8Array, Int64Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{Compression, FileWriter, WriteOptions};
use testing_support::Hunt;

use crate::program::temporary_folder;

/// Limits of the address space: from what the program needs to start, up to enough for each command.
const MEBIBYTES: [u64; 11] = [32, 45, 60, 80, 100, 130, 160, 200, 250, 400, 800];

#[test]
fn refused_memory_is_status_4() {
    const N: i64 = 40_000;
    let folder = temporary_folder();
    let long = Utf8Array::try_from_iter(["x".repeat(1_000)]).unwrap();
    let long = DictionaryArray::try_new(Int8Array::from_iter((0..N).map(|_| 0)), long).unwrap();
    let texts = Utf8Array::try_from_iter((0..N).map(|n| format!("{n:0200}"))).unwrap();
    let columns =
        [("long", long.into_data()), ("text", texts.into()), ("n", Int64Array::from_iter(0..N).into())];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let write = |name: &str, batches: &[RecordBatch], options: WriteOptions| {
        fs::write(
            folder.path().join(name),
            FileWriter::write_to_buffer_with(batch.schema(), batches, options).unwrap(),
        )
        .unwrap();
    };
    write(
        "one.arrow",
        std::slice::from_ref(&batch),
        WriteOptions::new().with_compression(Compression::zstd()),
    );
    let parts: Vec<RecordBatch> = (0..40).map(|part| batch.slice(part * 1_000, 1_000)).collect();
    write("many.arrow", &parts, WriteOptions::new());
    let hunt = Hunt::from_env();
    let lines = [
        "convert --max-cast-bytes 1000000000 --cast long=utf8 one.arrow out.arrow",
        "convert --max-cast-bytes 1000000000 --cast long=large_utf8 one.arrow out.arrow",
        "convert --max-cast-bytes 1000000000 --cast long=utf8_view one.arrow out.arrow",
        "convert --max-cast-bytes 1000000000 --cast long=binary one.arrow out.arrow",
        "convert --batch-rows 40000 many.arrow out.arrow",
        "concat --batch-rows 80000 many.arrow many.arrow out.arrow",
    ];
    for (line_idx, line) in lines.into_iter().enumerate() {
        let mut statuses = Vec::new();
        for (idx, n_mebibytes) in MEBIBYTES.into_iter().enumerate() {
            // A short run uses the first and last limit, and every third between them.
            let is_between = idx > 0 && idx + 1 < MEBIBYTES.len();
            if !hunt.is_on() && is_between && !(line_idx + idx).is_multiple_of(3) {
                continue;
            }
            let limited = format!("ulimit -v {} && exec \"$0\" \"$@\"", n_mebibytes << 10);
            let mut command = Command::new("bash");
            command
                .args(["-c", &limited])
                .arg(env!("CARGO_BIN_EXE_arrow-ipc"))
                .args(line.split(' '))
                .args(["--threads", "1"]);
            command.current_dir(folder.path()).stdin(Stdio::null());
            let output = command.output().expect("bash starts");
            let status = output.status.code();
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(status, Some(0 | 4)), "{line}: {n_mebibytes} MiB: {status:?}: {error}");
            let is_left = |name: String| name.starts_with("out") || name.contains(".tmp");
            let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
            let left: Vec<String> =
                names.map(|name| name.into_string().unwrap()).filter(|name| is_left(name.clone())).collect();
            assert_eq!(left.is_empty(), status == Some(4), "{line}: {n_mebibytes} MiB: {left:?}");
            drop(fs::remove_file(folder.path().join("out.arrow")));
            statuses.push(status);
        }
        assert_eq!(
            (statuses.first(), statuses.last()),
            (Some(&Some(4)), Some(&Some(0))),
            "{line}: {statuses:?}"
        );
    }
}

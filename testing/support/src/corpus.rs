//! Finds test data.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// The folder `testing/corpus` of this project.
pub fn corpus_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// The folder `data` of Apache Arrow's public test data, from the environment variable `ARROW_TEST_DATA`.
///
/// If the variable is not set, the result is `None`, and a line says that `what` was skipped.
pub fn arrow_test_data(what: &str) -> Option<PathBuf> {
    match std::env::var_os("ARROW_TEST_DATA").filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(folder.into()),
        None => {
            // What `eprintln!` writes is captured and, in a test that passes, never seen.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {what}: ARROW_TEST_DATA is not set");
            None
        }
    }
}

/// Maps a file into memory. Test data does not change while tests run.
///
/// # Panics
/// If the file cannot be mapped.
pub fn map_file(path: &Path) -> arrow_buffer::Buffer {
    let map = std::fs::File::open(path).and_then(|file| {
        // SAFETY: test data is not written to or cut while tests run.
        unsafe { memmap2::Mmap::map(&file) }
    });
    arrow_buffer::Buffer::from_owner(map.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// All files below a folder whose names end in `suffix`, sorted.
///
/// # Panics
/// If the folder cannot be read. A test must not pass because it finds no files.
pub fn files_below(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

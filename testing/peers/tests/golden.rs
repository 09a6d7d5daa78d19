//! We and arrow-rs read golden files as their text says.

use std::process::Command;

use peers::content::Content;
use peers::format::Format::{self, File, Stream};
use peers::golden_folder::listed_files;
use peers::{ours, theirs};

/// The folders, and the least numbers of their streams and files.
const FOLDERS: [(&str, usize); 5] = [
    ("apache-arrow-js-21.2.0", 90),
    ("arrow-rs-60.1.0", 190),
    ("nanoarrow-0.9.0", 30),
    ("polars-2.1.0", 70),
    ("pyarrow-26.0.1", 200),
];

/// Files that arrow-rs refuses: folder, case, format and a part of its error. All of them are valid.
const REFUSED: [(&str, &str, Format, &str); 9] = [
    // A list without rows whose only offset is 1, over a child without values.
    ("pyarrow-26.0.1", "empty-slices", Stream, "First offset 1 of List(Int8) is larger than values length 0"),
    ("pyarrow-26.0.1", "empty-slices", File, "First offset 1 of List(Int8) is larger than values length 0"),
    // What lies beneath nulls is checked, too.
    ("pyarrow-26.0.1", "null-garbage", Stream, "Invalid UTF8 sequence at string index 1"),
    ("pyarrow-26.0.1", "null-garbage", File, "Invalid UTF8 sequence at string index 1"),
    ("pyarrow-26.0.1", "view-buffers", Stream, "Invalid buffer index at 6"),
    ("pyarrow-26.0.1", "view-buffers", File, "Invalid buffer index at 6"),
    // The footer says V5, the messages V4.
    ("pyarrow-26.0.1", "legacy-framing", File, "metadata versions mismatch"),
    ("pyarrow-26.0.1", "metadata-v4", File, "metadata versions mismatch"),
    ("pyarrow-26.0.1", "dictionary-deltas-legacy", File, "metadata versions mismatch"),
];

#[test]
fn files_of_arrow_rs_are_what_their_program_writes() {
    let check = Command::new(env!("CARGO_BIN_EXE_write-golden")).arg("--check").output().unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

#[test]
fn both_read_the_same() {
    let golden = testing_support::corpus_dir().join("golden");
    let mut n_refused = 0;
    for (folder, n_least) in FOLDERS {
        let files = listed_files(&golden.join(folder)).unwrap();
        assert!(files.len() >= n_least, "{folder}: {} files", files.len());
        for file in files {
            let location = file.path.display();
            let bytes = file.read().unwrap();
            let (schema, batches) =
                ours::read(&bytes, file.format).unwrap_or_else(|error| panic!("{location}: {error}"));
            Content::of_ours(&schema, &batches).assert_is(&file.expected, &location);
            let stored = Content::of_ours_as_stored(&schema, &batches);

            let is_this = |row: &&(&str, &str, Format, &str)| {
                (row.0, row.1, row.2) == (folder, &file.case, file.format)
            };
            let theirs = theirs::read(&bytes, file.format);
            match (REFUSED.iter().find(is_this), theirs) {
                (None, Ok((schema, batches))) => {
                    Content::of_theirs(&schema, &batches).assert_is(&stored, &location);
                }
                (Some((.., message)), Err(error)) => {
                    assert!(error.to_string().contains(message), "{location}: {error}");
                    n_refused += 1;
                }
                (None, Err(error)) => panic!("{location}: arrow-rs: {error}"),
                (Some(_), Ok(_)) => panic!("{location}: arrow-rs has learned to read it"),
            }
        }
    }
    assert_eq!(n_refused, REFUSED.len(), "a row of the table fits no file");
}

#[test]
fn arrow_rs_reads_what_we_rewrite() {
    // Nothing is left of other versions, framings and offsets, nor of garbage in text. Views below nulls do not refer to
    // buffers that are left out.
    let golden = testing_support::corpus_dir().join("golden");
    for (folder, _) in FOLDERS {
        for file in listed_files(&golden.join(folder)).unwrap() {
            let location = file.path.display();
            let (schema, batches) = ours::read(&file.read().unwrap(), file.format).unwrap();
            // Files may hold dictionaries that grow, which are written as streams again.
            let format = if file.case.contains("dictionary-deltas") { Stream } else { file.format };
            let rewritten =
                ours::write(&schema, &batches, format).unwrap_or_else(|error| panic!("{location}: {error}"));
            // The test above compares what we read with the text of the file.
            let expected = Content::of_ours_as_stored(&schema, &batches);
            match theirs::read(&rewritten, format) {
                Ok((schema, batches)) => {
                    Content::of_theirs(&schema, &batches).assert_is(&expected, &location);
                }
                Err(error) => panic!("{location}: {error}"),
            }
        }
    }
}

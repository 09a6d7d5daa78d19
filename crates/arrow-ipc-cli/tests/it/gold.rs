//! Reads files of released versions of other libraries. Needs `ARROW_TEST_DATA`.

use std::path::{Path, PathBuf};

use testing_support::Hunt;

use crate::program::run;

const GOLD: [&str; 7] = [
    "0.14.1",
    "0.17.1",
    "1.0.0-littleendian",
    "1.0.0-bigendian",
    "2.0.0-compression",
    "4.0.0-shareddict",
    "cpp-21.0.0",
];

/// A short run uses one of these commands for each file.
const COMMANDS: [&[&str]; 3] = [&["cat"], &["cat", "--format", "table"], &["inspect", "--buffers"]];

#[test]
fn gold_files_are_valid_and_shown() {
    let Some(data) = testing_support::arrow_test_data("the program over gold files") else { return };
    let hunt = Hunt::from_env();
    for folder in GOLD {
        let folder = data.join("arrow-ipc-stream/integration").join(folder);
        let mut files = testing_support::files_below(&folder, ".stream");
        files.extend(testing_support::files_below(&folder, ".arrow_file"));
        assert!(!files.is_empty(), "{}", folder.display());
        let valid = run([PathBuf::from("validate")].into_iter().chain(files.clone()));
        assert_eq!(valid.expect(&[0]).stderr, "");
        for (position, file) in files.into_iter().enumerate() {
            for command in hunt.some_of(&COMMANDS, 1, position) {
                run(command.iter().map(Path::new).chain([file.as_path()])).expect(&[0]);
            }
        }
    }
}

/// Both files have the same rows.
#[test]
fn gold_files_of_either_byte_order_are_equal() {
    let Some(data) = testing_support::arrow_test_data("files of both byte orders") else { return };
    let folder = |name: &str| data.join("arrow-ipc-stream/integration").join(name);
    let (big, little) = (folder("1.0.0-bigendian"), folder("1.0.0-littleendian"));
    let files = testing_support::files_below(&big, ".arrow_file");
    assert!(files.len() > 10, "{files:?}");
    for file in files {
        let stream = little.join(file.file_name().unwrap()).with_extension("stream");
        let outcome = run([Path::new("diff"), &file, &stream]);
        assert_eq!((outcome.status, &outcome.stderr[..]), (0, ""), "{}", file.display());
        assert!(outcome.text().starts_with("equal: "), "{}: {}", file.display(), outcome.text());
    }
}

//! Files of released versions of other libraries. Needs `ARROW_TEST_DATA`.

use std::path::Path;

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

#[test]
fn gold_files_are_valid() {
    let Some(data) = testing_support::arrow_test_data("the program over gold files") else { return };
    for folder in GOLD {
        let folder = data.join("arrow-ipc-stream/integration").join(folder);
        let mut files = testing_support::files_below(&folder, ".stream");
        files.extend(testing_support::files_below(&folder, ".arrow_file"));
        assert!(!files.is_empty(), "{}", folder.display());
        for file in files {
            let valid = run([Path::new("validate"), &file]);
            assert_eq!(valid.expect(&[0]).stderr, "");
            run([Path::new("cat"), &file]).expect(&[0]);
            run([Path::new("cat"), Path::new("--format"), Path::new("table"), &file]).expect(&[0]);
            // Messages can be seen whatever their bodies are like.
            run([Path::new("inspect"), Path::new("--buffers"), &file]).expect(&[0]);
        }
    }
}

/// Both were made of the same rows.
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
        assert_eq!((outcome.status, outcome.text(), &outcome.stderr[..]), (0, "", ""), "{}", file.display());
    }
}

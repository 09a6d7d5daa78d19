//! Files of released versions of other libraries. Needs `ARROW_TEST_DATA`.

use std::path::Path;

use crate::program::run;

const GOLD: [(&str, i32); 7] = [
    ("0.14.1", 0),
    ("0.17.1", 0),
    ("1.0.0-littleendian", 0),
    ("4.0.0-shareddict", 0),
    ("cpp-21.0.0", 0),
    ("2.0.0-compression", 0),
    ("1.0.0-bigendian", 5),
];

#[test]
fn gold_files_are_valid_or_refused_by_name() {
    let Some(data) = testing_support::arrow_test_data("the program over gold files") else { return };
    for (folder, status) in GOLD {
        let folder = data.join("arrow-ipc-stream/integration").join(folder);
        let mut files = testing_support::files_below(&folder, ".stream");
        files.extend(testing_support::files_below(&folder, ".arrow_file"));
        assert!(!files.is_empty(), "{}", folder.display());
        for file in files {
            let valid = run([Path::new("validate"), &file]);
            let n_lines = valid.expect(&[status]).stderr.lines().count();
            assert_eq!(n_lines, usize::from(status != 0), "{valid:?}");
            run([Path::new("cat"), &file]).expect(&[status]);
            run([Path::new("cat"), Path::new("--format"), Path::new("table"), &file]).expect(&[status]);
            // Messages can be seen whatever their bodies are like.
            run([Path::new("inspect"), Path::new("--buffers"), &file]).expect(&[0]);
        }
    }
}

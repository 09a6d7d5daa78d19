//! Runs the program on S3. `testing/remote/run.sh` starts `moto` on this machine, and sets its credentials in the
//! environment.

use std::io::Write;

use crate::program::run;

#[test]
fn objects_of_s3_are_read() {
    if std::env::var_os("ARROW_TEST_S3").is_none() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: the program and S3: ARROW_TEST_S3 is not set");
        return;
    }
    // The script has uploaded files of the corpus.
    let url = "s3://arrow/golden/integers-full.arrow";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/golden/pyarrow-26.0.1/integers-full.arrow");
    for command in ["cat", "schema", "count"] {
        let [here, there] = [path, url].map(|name| run(&[command, name]).without_headline());
        assert_eq!(here, there, "{command}");
        assert_eq!((here.status, here.stdout.is_empty()), (0, false), "{here:?}");
    }
    let missing = run(&["cat", "s3://arrow/missing"]);
    assert_eq!(missing.status, 4, "{missing:?}");
}

//! Tensors between the batches of a stream.

use std::{fs, path::Path};

use crate::program::{corpus, run, temporary_folder};

const MARK: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// The batches of a golden stream, then a tensor.
fn stream(tensor: &str) -> Vec<u8> {
    let batches = fs::read(corpus().join("golden/pyarrow-26.0.1/integers-full.arrows")).unwrap();
    let batches = batches.strip_suffix(&MARK).expect("the end is marked");
    let tensor = fs::read(corpus().join("tensors/pyarrow-26.0.1").join(tensor)).unwrap();
    [batches, &tensor, &MARK].concat()
}

#[test]
fn they_are_checked_kept_in_streams_and_missed_in_files() {
    let folder = temporary_folder();
    let [input, output] = ["in.arrows", "out"].map(|name| folder.path().join(name));
    let [input, output] = [&input, &output].map(|path| path.to_str().unwrap());
    for (tensor, shown) in [
        ("dense-int32.tensor", "int32 [row: 3, column: 4], in the order of rows"),
        ("sparse-coo-64.tensor", "float64 [5, 7], COO of int64, canonical, 4 values"),
    ] {
        fs::write(input, stream(tensor)).unwrap();
        run(["validate", input]).expect(&[0]);
        let convert = |to| run(["convert", input, output, "--to", to]);
        assert!(convert("stream").expect(&[0]).stderr.is_empty());
        let inspected = run(["inspect", output]);
        assert!(inspected.expect(&[0]).text().contains(shown), "{inspected:?}");
        let to_file = convert("file");
        assert!(to_file.expect(&[3]).stderr.contains("a tensor between the batches is lost"), "{to_file:?}");
        let shown = run(["cat", input]);
        assert!(shown.expect(&[5]).stderr.contains("a tensor among record batches"), "{shown:?}");
    }
}

#[test]
fn their_indices_are_validated() {
    let folder = temporary_folder();
    let path = folder.path().join("in.arrows");
    let mut bytes = stream("sparse-coo-64.tensor");
    // The last coordinate, before four values of eight bytes and the mark.
    let last = bytes.len() - MARK.len() - 4 * 8 - 8;
    assert_eq!(bytes[last], 1);
    bytes[last] = 7;
    fs::write(&path, bytes).unwrap();
    let outcome = run([Path::new("validate"), &path]);
    let words = "coordinate 3 of dimension 1 is 7, outside of its size 7";
    assert!(outcome.expect(&[1]).stderr.contains(words), "{outcome:?}");
}

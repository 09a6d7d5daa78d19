//! Inputs of tensors, and streams with tensors between batches.

use std::{fs, path::Path};

use crate::program::{corpus, run, run_with_input, temporary_folder};

const MARK: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// A golden stream, followed by a tensor.
fn stream(tensor: &str) -> Vec<u8> {
    let batches = fs::read(corpus().join("golden/pyarrow-26.0.1/integers-full.arrows")).unwrap();
    let batches = batches.strip_suffix(&MARK).expect("the end is marked");
    let tensor = fs::read(corpus().join("tensors/pyarrow-26.0.1").join(tensor)).unwrap();
    [batches, &tensor, &MARK].concat()
}

#[test]
fn they_are_checked_copied_in_streams_and_missed_in_files() {
    let folder = temporary_folder();
    let [input, output] = ["in.arrows", "out"].map(|name| folder.path().join(name));
    let [input, output] = [&input, &output].map(|path| path.to_str().unwrap());
    for (tensor, shown) in [
        ("dense-int32.tensor", "int32 [row: 3, column: 4], row-major"),
        ("sparse-coo-64.tensor", "float64 [5, 7], COO of int64, canonical, 4 values"),
    ] {
        fs::write(input, stream(tensor)).unwrap();
        run(["validate", input]).expect(&[0]);
        let convert = |to| run(["convert", input, "-o", output, "--to", to]);
        assert!(convert("stream").expect(&[0]).stderr.is_empty());
        let inspected = run(["inspect", output]);
        assert!(inspected.expect(&[0]).text().contains(shown), "{inspected:?}");
        let to_file = convert("file");
        assert!(to_file.expect(&[3]).stderr.contains("a tensor between the batches is lost"), "{to_file:?}");
        let appended = run(["append", output, input]);
        assert!(
            appended.expect(&[3]).stderr.contains("a tensor between the batches is lost"),
            "{appended:?}"
        );
        let rows = run(["cat", "golden/pyarrow-26.0.1/integers-full.arrows"]);
        let shown = run(["cat", input]);
        assert_eq!(shown.expect(&[3]).text(), rows.text());
        assert!(shown.stderr.contains("1 tensor is not shown"), "{shown:?}");
        for command in ["tail", "sample"] {
            let some = run([command, "-n", "2", input]);
            assert_eq!(some.expect(&[3]).stderr, shown.stderr);
        }
        for (command, words) in [("count", "1 tensor is not counted"), ("stats", "1 tensor is not described")]
        {
            let output = run([command, input]);
            assert!(output.expect(&[3]).stderr.contains(words), "{output:?}");
        }
        for command in ["convert", "split"] {
            let some = run([command, input, "-o", output, "--rows", "1..", "--to", "stream"]);
            assert!(
                some.expect(&[3])
                    .stderr
                    .contains("is left out, because only rows were selected, and tensors are not rows"),
                "{some:?}"
            );
        }
        // Rows of several inputs with the columns of all have no place for them.
        let union = run(["concat", input, input, "-o", output, "--to", "stream", "--union"]);
        assert!(union.expect(&[3]).stderr.contains("because only rows were selected"), "{union:?}");
        let compared = run(["diff", input, "golden/pyarrow-26.0.1/integers-full.arrows"]);
        assert!(compared.expect(&[0]).stderr.contains("1 tensor is not compared"), "{compared:?}");
    }
}

/// Data after tensors without end marker is tested in `tests/cases/tensors.txt`.
#[test]
fn nothing_else_follows_them() {
    let folder = temporary_folder();
    let path = folder.path().join("in.arrows");
    let tensor = fs::read(corpus().join("tensors/pyarrow-26.0.1/dense-int32.tensor")).unwrap();
    let stream = fs::read(corpus().join("golden/pyarrow-26.0.1/integers-full.arrows")).unwrap();
    let n_schema_bytes = 8 + u32::from_le_bytes(stream[4..8].try_into().unwrap()) as usize;
    let (after_mark, n_bytes) = (tensor.len() + MARK.len(), tensor.len());
    let cases = [
        (
            5,
            [&tensor[..], &MARK, &stream],
            format!("a stream begins at byte {after_mark}; pass each as its own input"),
        ),
        (
            1,
            [&tensor, &stream[n_schema_bytes..], &[]],
            format!("message 1 at byte {n_bytes}: expected a tensor, found a record batch message"),
        ),
    ];
    for (status, parts, words) in cases {
        for command in ["schema", "validate", "cat"] {
            let bytes = parts.concat();
            fs::write(&path, &bytes).unwrap();
            let from_file = run([Path::new(command), &path]);
            for refused in [run_with_input([command, "-"], &bytes), from_file] {
                assert!(refused.expect(&[status]).stderr.contains(&words), "{command}: {refused:?}");
            }
        }
    }
}

#[test]
fn their_indices_are_validated() {
    let folder = temporary_folder();
    let path = folder.path().join("in.arrows");
    let mut bytes = stream("sparse-coo-64.tensor");
    // The last coordinate precedes four values of eight bytes and the end marker.
    let last = bytes.len() - MARK.len() - 4 * 8 - 8;
    assert_eq!(bytes[last], 1);
    bytes[last] = 7;
    fs::write(&path, bytes).unwrap();
    let outcome = run([Path::new("validate"), &path]);
    let words = "coordinate 3 of dimension 1 is 7; the size of the dimension is 7";
    assert!(outcome.expect(&[1]).stderr.contains(words), "{outcome:?}");
}

/// `tests/cases/tensors.txt` tests the whole output for some tensors.
#[test]
fn alone_they_are_shown_and_checked() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrows");
    let tensors = testing_support::files_below(&corpus().join("tensors"), ".tensor");
    assert!(tensors.len() > 30, "{tensors:?}");
    for tensor in tensors {
        let text = fs::read_to_string(tensor.with_extension("json")).unwrap();
        let described = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let described: Vec<_> = described.collect();
        let n_values: usize = described.iter().map(|tensor| tensor["values"].as_array().unwrap().len()).sum();
        run([Path::new("validate"), &tensor]).expect(&[0]);
        let shown = run([Path::new("cat"), &tensor]);
        assert_eq!(shown.expect(&[0]).text().lines().count(), n_values, "{}", tensor.display());
        let schema = run([Path::new("schema"), &tensor]);
        let schema = schema.expect(&[0]).text();
        for described in &described {
            assert!(schema.contains(described["type"].as_str().unwrap()), "{schema}");
        }
        let bytes = fs::read(&tensor).unwrap();
        let piped = run_with_input(["cat", "-"], &bytes);
        assert_eq!(piped.expect(&[0]).text(), shown.text());
        // Tensors have no rows.
        for args in [["convert", "IN", "OUT"], ["diff", "IN", "IN"]] {
            let args = args.map(|arg| match arg {
                "IN" => tensor.as_path(),
                "OUT" => &out,
                _ => Path::new(arg),
            });
            let refused = run(args);
            assert!(refused.expect(&[5]).stderr.contains("contains only tensors"), "{refused:?}");
        }
        // A truncated tensor is invalid.
        if let Some(cut) = bytes.len().checked_sub(65) {
            run_with_input(["validate", "-"], &bytes[..cut.max(4)]).expect(&[1]);
        }
    }
}

//! Compares the output of `plan` with written files of batches with the same shapes.

use arrow_array::{Int64Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, WriteOptions};
use serde_json::Value;

use crate::program::{run, run_with_input};

const SHAPES: &str = r#"{
  "schema": "id: int64\nname: utf8",
  "batches": [{"rows": 3, "count": 2, "columns": {"name": {"bytes": 80, "nulls": 1}}},
              {"rows": 3, "columns": {"name": {"bytes": 80, "nulls": 1}}}, {"rows": 0}]
}"#;

fn plan(args: &[&str]) -> crate::program::Outcome {
    run_with_input([&["plan", "--shapes", "-"], args].concat(), SHAPES.as_bytes())
}

#[test]
fn shows_messages_and_places() {
    let shown = plan(&["--locate", "2", "name", "bytes", "--locate", "0", "id", "validity", "--at", "0"]);
    let expected = "\
an Arrow IPC file of 2,162 bytes

      count         position  kind                      metadata             body
          1                8  schema                         184                0
          3              192  record batch 0                 256              192
          1             1536  record batch 3                 256               64
                        1856  end of stream                    8
                        1864  footer                         288
                        2152  length of the footer             4
                        2156  magic at the end                 6
bytes of `name` in record batch 2: bytes 1408..1488
validity of `id` in record batch 0: no bytes
byte 0: magic, bytes 0..6
";
    assert_eq!((shown.text(), &*shown.stderr, shown.status), (expected, "", 0));
}

#[test]
fn says_the_same_as_json_as_inspect_of_a_file() {
    let names = Utf8Array::try_from_iter([Some("a".repeat(40)), None, Some("b".repeat(40))]).unwrap();
    let columns = [("id", Int64Array::from_iter([1, 2, 3]).into()), ("name", names.into())];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let mut file = FileWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default()).unwrap();
    for batch in [&batch, &batch, &batch, &batch.slice(0, 0)] {
        file.write(batch).unwrap();
    }
    let file = file.finish().unwrap();
    let inspected = run_with_input(["inspect", "--json", "-"], &file);
    let lines =
        |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let inspected = lines(inspected.expect(&[0]).text());
    let messages: Vec<&Value> = inspected.iter().filter(|line| line["what"] == "message").collect();

    let shown = plan(&["--json", "--at", "1408", "--locate", "2", "name", "bytes"]);
    let shown = lines(shown.expect(&[0]).text());
    assert_eq!((&shown[0]["what"], &shown[0]["n_bytes"]), (&Value::from("plan"), &Value::from(file.len())));
    let mut n_messages = 0;
    for run in shown.iter().filter(|line| line["what"] == "messages") {
        for member in ["position", "kind", "n_metadata_bytes", "n_body_bytes"] {
            assert_eq!(run[member], messages[n_messages][member], "{run}");
        }
        n_messages += run["count"].as_u64().unwrap() as usize;
    }
    assert_eq!(n_messages, messages.len());
    for line in &shown[shown.len() - 2..] {
        assert_eq!((&line["position"], &line["n_bytes"]), (&Value::from(1_408), &Value::from(80)), "{line}");
    }
    let footer = shown.iter().find(|line| line["part"] == "footer").unwrap();
    assert_eq!(footer["position"], inspected.last().unwrap()["position"]);
}

#[test]
fn failures_have_a_status_and_say_where() {
    let wrong_document =
        run_with_input(["plan", "--shapes", "-"], b"{\"schema\": \"a: int8\",\n\"batches\": 1}");
    let cases: [(crate::program::Outcome, i32, &str); 11] = [
        (wrong_document, 1, "error: standard input: line 2, batches: expected an array, found 1"),
        (run_with_input(["plan", "--shapes", "-"], b"\xff"), 1, "standard input: not UTF-8 from byte 0 on"),
        (run(["plan", "--shapes", "no such file"]), 4, "no such file: "),
        (run(["plan"]), 2, "--shapes <SHAPES>"),
        (plan(&["--locate", "4", "id", "values"]), 2, "batch 4 is out of bounds; the file has 4 batches"),
        (plan(&["--locate", "0", "nobody", "values"]), 2, "no field is named \"nobody\""),
        (plan(&["--locate", "0", "id", "offsets"]), 2, "field `id`: "),
        (plan(&["--locate", "0", "id", "data"]), 2, "--locate: expected validity, values, offsets,"),
        (
            plan(&["--locate", "first", "id", "values"]),
            2,
            "expected the position of a batch, from 0, found \"first\"",
        ),
        (plan(&["--at", "2162"]), 2, "2162"),
        (plan(&["--legacy-framing"]), 2, "--legacy-framing needs --metadata-version 4"),
    ];
    for (outcome, status, text) in cases {
        assert_eq!(outcome.status, status, "{outcome:?}");
        assert!(outcome.stderr.contains(text) && outcome.stdout.is_empty(), "{outcome:?}");
    }
    let legacy =
        plan(&["--legacy-framing", "--metadata-version", "4", "--alignment", "8", "--endian", "big"]);
    assert!(legacy.expect(&[0]).text().starts_with("an Arrow IPC file of "));
}

#[test]
fn the_shapes_of_a_file_are_those_of_its_plan() {
    let file = crate::program::corpus().join("golden/pyarrow-26.0.1/dictionary-nested.arrow");
    let file = file.to_str().unwrap();
    let shapes = run(["plan", "--of", file, "--print-shapes"]);
    let shapes = shapes.expect(&[0]).text().to_owned();
    for options in [&["--json"][..], &["--to", "stream", "--locate", "0", "0", "validity"], &["--layouts"]] {
        let planned = run([&["plan", "--of", file], options].concat());
        let again = run_with_input([&["plan", "--shapes", "-"], options].concat(), shapes.as_bytes());
        assert_eq!((planned.text(), planned.status), (again.text(), again.status), "{options:?}");
    }
    // What shapes cannot express is reported.
    let trailing = run(["plan", "--of", "hostile/framing-message-after-eos.stream"]);
    assert!(trailing.expect(&[3]).stderr.contains("not read"), "{trailing:?}");
    assert!(trailing.text().contains("an Arrow IPC file"), "{trailing:?}");
    run(["plan"]).expect(&[2]);
    run(["plan", "--of", file, "--shapes", "-"]).expect(&[2]);
}

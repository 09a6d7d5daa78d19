//! Columns of unknown types. Reading them fails with status 5, other columns can be read, and `schema` and `inspect`
//! show them.

use std::{fs, path::Path};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field};
use serde_json::json;
use testing_support::{array, ints};

use crate::program::{run, run_with_input, temporary_folder};

/// A stream and a file with three columns, the middle one of this type.
fn written(data_type: DataType) -> [Vec<u8>; 2] {
    written_with(words(data_type))
}

fn words(data_type: DataType) -> ArrayData {
    array(data_type, 2, [Buffer::from(vec![0, 1, 2]), Buffer::from(b"ab".to_vec())], Vec::new())
}

fn written_with(words: ArrayData) -> [Vec<u8>; 2] {
    let columns = [("a", ints([1, 2])), ("u", words), ("z", ints([3, 4]))];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    stream.write(&batch).unwrap();
    let mut file = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    file.write(&batch).unwrap();
    [stream.finish().unwrap(), file.finish().unwrap()]
}

/// Writes files with an unknown type: two known types differ only in their number, which is changed.
pub(crate) fn write_unknown(folder: &Path) -> [String; 2] {
    let pairs = written(DataType::Binary).into_iter().zip(written(DataType::Utf8));
    let mut names = ["unknown.arrows", "unknown.arrow"].into_iter();
    let files = pairs.zip([1, 2]).map(|((binary, text), n_schemas)| {
        let numbers = binary.iter().zip(&text).filter(|(binary, text)| binary != text).count();
        assert_eq!((numbers, binary.len()), (n_schemas, text.len()));
        let path = folder.join(names.next().unwrap());
        fs::write(&path, merged(&binary, &text)).unwrap();
        path.to_str().unwrap().to_owned()
    });
    files.collect::<Vec<_>>().try_into().unwrap()
}

/// Writes another number at the position where the two files differ.
fn merged(binary: &[u8], text: &[u8]) -> Vec<u8> {
    let merge = |(binary, text): (&u8, &u8)| if binary == text { *binary } else { 200 };
    binary.iter().zip(text).map(merge).collect()
}

#[test]
fn schemas_are_shown_with_it() {
    let folder = temporary_folder();
    for file in &write_unknown(folder.path()) {
        let text = run(["schema", file]);
        let (headline, columns) = text.expect(&[5]).text().split_once('\n').unwrap();
        assert!(headline.starts_with("# ") && headline.contains("batch"), "{headline}");
        assert_eq!(columns, "a: int32\nu: unsupported type 200 in the metadata\nz: int32\n");
        assert!(text.stderr.contains("field `u`: unsupported type 200 in the metadata"), "{text:?}");
        let json = run(["schema", "--json", file]);
        let json: serde_json::Value = serde_json::from_str(json.expect(&[5]).text()).unwrap();
        let names: Vec<_> = json["fields"].as_array().unwrap().iter().map(|field| &field["name"]).collect();
        assert_eq!(names, ["a", "u", "z"]);
        let unsupported = json!({"name": "u", "type": null, "error": "unsupported type 200 in the metadata"});
        assert_eq!(json["fields"][1], unsupported);
        let shown = run(["inspect", file]);
        let text = shown.expect(&[5]).text();
        assert!(text.contains("V5, unsupported: field `u`: unsupported type 200 in the metadata"), "{text}");
        assert_eq!(text.contains("3 columns, 1 unsupported"), file.ends_with(".arrow"), "{text}");
        assert_eq!(shown.stderr.lines().count(), 1, "{shown:?}");
    }
}

#[test]
fn schemas_name_the_field_inside_of_a_column() {
    let [binary, text] = [DataType::Binary, DataType::Utf8].map(|data_type| {
        let inside = DataType::struct_([Field::new("x.y", data_type.clone())]);
        let [stream, _] =
            written_with(array(inside, 2, [Buffer::new(), Buffer::new()], vec![words(data_type)]));
        stream
    });
    let shown = run_with_input(["schema", "-"], &merged(&binary, &text));
    let words = "a: int32\nu: unsupported type 200 in the metadata of field u.\"x.y\"\nz: int32\n";
    assert_eq!(shown.expect(&[5]).text(), words);
}

/// Only the footer has an unknown type.
#[test]
fn message_and_footer_may_disagree_about_it() {
    let folder = temporary_folder();
    let file = folder.path().join("footer.arrow");
    let [_, mut bytes] = written(DataType::Binary);
    let [_, text] = written(DataType::Utf8);
    // The last difference is the number in the footer.
    let at = (0..bytes.len()).rfind(|at| bytes[*at] != text[*at]).unwrap();
    bytes[at] = 200;
    fs::write(&file, bytes).unwrap();
    let shown = run([Path::new("inspect"), &file]);
    let words =
        "disagree about the columns of unknown types: the message has none, the footer \"u\" at position 1";
    assert!(shown.expect(&[5]).stderr.contains(words), "{shown:?}");
    let text = shown.text();
    assert!(text.contains("V5, 3 columns\n") && text.contains("bytes, 3 columns, 1 unsupported\n"), "{text}");
}

#[test]
fn it_is_refused_only_where_it_is_requested() {
    let folder = temporary_folder();
    for file in &write_unknown(folder.path()) {
        let rows = run(["cat", file, "--columns", "z,a"]);
        assert_eq!(rows.expect(&[0]).text(), "{\"z\":3,\"a\":1}\n{\"z\":4,\"a\":2}\n");
        assert_eq!(rows.stderr, "");
        run(["diff", file, file, "--columns", "a"]).expect(&[0]);
        let refused: [&[&str]; 7] = [
            &["cat", file],
            &["cat", file, "--columns", "a,u"],
            &["cat", file, "--columns", "\"u\""],
            &["cat", file, "--columns", "u.x"],
            &["validate", file],
            &["diff", file, file],
            &["convert", file, "-", "--to", "stream"],
        ];
        for args in refused {
            let outcome = run(args);
            outcome.expect(&[5]);
            assert!(
                outcome.stderr.contains("field `u`: unsupported type 200 in the metadata"),
                "{args:?}: {outcome:?}"
            );
            assert!(outcome.stdout.is_empty(), "{args:?}: {outcome:?}");
        }
        run(["cat", file, "--columns", "nothing"]).expect(&[2]);
    }
}

/// The messages, buffers and bytes of other columns can be selected, like their rows in `cat`. Polars wrote the
/// columns `x`, `w` and `s`.
#[test]
fn messages_around_wide_integers_are_shown() {
    for extension in ["stream", "arrow_file"] {
        let path = &*format!("hostile/int-bits-128-polars.{extension}");
        for args in [&["inspect", path][..], &["explain", path], &["inspect", "--json", path]] {
            let all = run(args);
            assert!(all.expect(&[5]).stderr.contains("field `w`: unsupported type int128"), "{all:?}");
            for columns in ["w", "x,w", "*"] {
                let outcome = run([args, &["--columns", columns]].concat());
                assert!(
                    outcome.expect(&[5]).stderr.contains("field `w`: unsupported type int128"),
                    "{outcome:?}"
                );
            }
        }
        let messages = run(["inspect", "--json", "--columns", "s,x", path]);
        let lines = messages.expect(&[0]).text().lines().map(|line| serde_json::from_str(line).unwrap());
        let lines: Vec<serde_json::Value> = lines.collect();
        let fields = &lines.iter().find_map(|line| line.get("schema")).unwrap()["fields"];
        let error = "unsupported type int128, which polars writes and the format does not have";
        assert_eq!((&fields[1]["error"], &fields[2]["type"]), (&json!(error), &json!("utf8_view")));
        let buffers = lines.iter().filter_map(|line| line["buffers"].as_array()).flatten();
        let ranges = buffers.map(|buffer| json!([buffer["field"], buffer["position"], buffer["n_bytes"]]));
        let values = json!([["x", 480, 0], ["x", 480, 24], ["s", 608, 0], ["s", 608, 48]]);
        assert_eq!(json!(ranges.collect::<Vec<_>>()), values);
        let explained = run(["explain", "--json", "--columns", "s,x", path]);
        let explained: serde_json::Value = serde_json::from_str(explained.expect(&[0]).text()).unwrap();
        let columns = explained["columns"].as_array().unwrap().iter();
        let columns = columns.map(|column| json!([column["name"], column["n_bytes"]]));
        assert_eq!(json!(columns.collect::<Vec<_>>()), json!([["s", 48], ["x", 24]]));
        assert_eq!((&explained["n_unknown_bytes"], &explained["n_columns"]), (&json!(0), &json!(3)));
    }
}

/// No finding names `convert`, which would fail with status 5.
#[test]
fn no_command_is_named_that_rewrites_them() {
    let folder = temporary_folder();
    let path = folder.path().join("unmarked.arrows");
    let bytes = fs::read(testing_support::corpus_dir().join("hostile/int-bits-128-polars.stream")).unwrap();
    let end = bytes.strip_suffix(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]).expect("the end marker");
    fs::write(&path, end).unwrap();
    let explained = run(["explain", "--json", "--columns", "s,x", path.to_str().unwrap()]);
    let explained: serde_json::Value = serde_json::from_str(explained.expect(&[0]).text()).unwrap();
    let finding = &explained["findings"][0];
    assert_eq!((&finding["finding"], &finding["remedy"]), (&json!("no_end_marker"), &json!(null)));
}

/// An array of two slots with these zero bytes.
fn zeros(data_type: DataType, n_bytes: usize) -> ArrayData {
    array(data_type, 2, [Buffer::from(vec![0; n_bytes]), Buffer::new()], vec![])
}

/// The buffers of a column between two structs with 128-bit integers cannot be found, so the column is not offered.
#[test]
fn columns_that_cannot_be_found_are_not_offered() {
    let inside = |data_type: DataType, n_bytes| {
        let pair = DataType::struct_([Field::new("w", data_type.clone())]);
        array(pair, 2, [Buffer::new(), Buffer::new()], vec![zeros(data_type, n_bytes)])
    };
    let stream = |data_type: DataType, n_bytes, names: &[&'static str]| {
        let columns = names.iter().map(|name| match *name {
            "s" | "t" => (*name, inside(data_type.clone(), n_bytes)),
            _ => (*name, ints([1, 2])),
        });
        let batch = RecordBatch::try_from_columns(columns).unwrap();
        StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap()
    };
    let cases: [(&[&'static str], &str, &[&str]); 5] = [
        (&["s", "a", "t"], "; no other column can be read\n  hint: `arrow-ipc schema -` shows", &[]),
        (&["s", "t"], "; no other column can be read\n  hint: `arrow-ipc schema -` shows", &[]),
        (&["b", "s", "a", "t"], "; select the other column to read it\n  hint: `arrow-ipc cat -", &["b"]),
        (
            &["b", "s", "a", "t", "c", "d"],
            "; select the 3 other columns to read them\n  hint: ",
            &["b", "c", "d"],
        ),
        (&["b", "s", "a"], "; select the 2 other columns to read them\n  hint: ", &["b", "a"]),
    ];
    for (names, words, readable) in cases {
        let (mut bytes, narrow) = (stream(DataType::Int64, 32, names), stream(DataType::Int16, 32, names));
        let at: Vec<usize> = (0..narrow.len()).filter(|at| (bytes[*at], narrow[*at]) == (64, 16)).collect();
        assert!(!at.is_empty());
        at.iter().for_each(|at| bytes[*at] = 128);
        let refused = run_with_input(["cat", "-"], &bytes);
        assert!(refused.expect(&[5]).stderr.contains(words), "{names:?}: {refused:?}");
        for name in names {
            let status = if readable.contains(name) { 0 } else { 5 };
            run_with_input(["cat", "-", "--columns", name], &bytes).expect(&[status]);
        }
    }
}

/// Polars writes 128-bit integers as an integer type with a bit width that the format does not allow.
#[test]
fn wide_integers_are_named_and_passed_over() {
    let folder = temporary_folder();
    let [wide, narrow] = [(DataType::Int64, 16), (DataType::Int16, 4)]
        .map(|(data_type, n_bytes)| written_with(zeros(data_type, n_bytes)).into_iter().next().unwrap());
    // The schemas differ only in the bit width, because these fields do not share a table with others.
    let n_schema_bytes = wide.windows(4).skip(1).position(|bytes| bytes == [0xff; 4]).unwrap() + 1;
    let at: Vec<usize> = (0..n_schema_bytes).filter(|at| wide[*at] != narrow[*at]).collect();
    let [at] = at[..] else { panic!("{at:?}") };
    let mut bytes = wide;
    assert_eq!(std::mem::replace(&mut bytes[at], 128), 64);
    let path = folder.path().join("a.arrows");
    fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    let rows = run(["cat", path, "--columns", "z,a"]);
    assert_eq!(rows.expect(&[0]).text(), "{\"z\":3,\"a\":1}\n{\"z\":4,\"a\":2}\n");
    // Buffers cannot be assigned to columns, so the sizes of all columns are unknown.
    let stats = run(["stats", path, "--columns", "z,a"]);
    assert!(!stats.expect(&[0]).text().contains("bytes  "), "{}", stats.text());
    let schema = run(["schema", path]);
    assert!(schema.expect(&[5]).text().contains("u: unsupported type int128, which polars "), "{schema:?}");
    let refused = run(["cat", path]);
    let words = "which polars writes and the format does not have; select the 2 other columns to read them\n  hint: `arrow-ipc cat ";
    assert!(refused.expect(&[5]).stderr.contains(words), "{refused:?}");
    assert!(refused.stderr.contains("--columns A,B` shows columns that can be read"), "{refused:?}");
    // Without other columns, none are offered.
    let alone = |data_type, n_bytes| {
        let batch = RecordBatch::try_from_columns([("u", zeros(data_type, n_bytes))]).unwrap();
        StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap()
    };
    let (wide, narrow) = (alone(DataType::Int64, 32), alone(DataType::Int16, 32));
    let at = (0..wide.len()).find(|at| wide[*at] == 64 && narrow[*at] == 16).unwrap();
    let bytes: Vec<u8> =
        (0..wide.len()).map(|position| if position == at { 128 } else { wide[position] }).collect();
    let refused = run_with_input(["cat", "-"], &bytes);
    let words = "does not have; no other column can be read\n  hint: `arrow-ipc schema -` shows";
    assert!(refused.expect(&[5]).stderr.contains(words), "{refused:?}");
}

#[test]
fn it_can_be_left_out() {
    let folder = temporary_folder();
    for file in &write_unknown(folder.path()) {
        for left_out in ["u", "u*", "\"u\""] {
            let shown = run(["cat", file, "--exclude", left_out]);
            assert_eq!(shown.expect(&[0]).text(), "{\"a\":1,\"z\":3}\n{\"a\":2,\"z\":4}\n", "{left_out}");
        }
        let shown = run(["cat", file, "--exclude", "u,z", "--where", "z = 4"]);
        assert_eq!(shown.expect(&[0]).text(), "{\"a\":2}\n");
        run(["cat", file, "--exclude", "a"]).expect(&[5]);
    }
}

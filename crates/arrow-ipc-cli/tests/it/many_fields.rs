//! `--max-fields`: how many fields the program reads and writes.

use std::fs;

use arrow_ipc::{FileReader, StreamWriter, WriteOptions};
use arrow_schema::{DataType, Field, Schema};

use crate::program::{Outcome, corpus, run, temporary_folder};

const FILE: &str = "golden/pyarrow-26.0.1/structs-nulls.arrow";
const STREAM: &str = "golden/pyarrow-26.0.1/structs-nulls.arrows";
const HINT: &str = "hint: --max-fields N allows more";

fn expect_refusal(outcome: &Outcome, error: &str) {
    let text = outcome.expect(&[5]).stderr.as_str();
    assert!(text.contains(error) && text.contains(HINT), "{text}");
}

#[test]
fn every_command_has_the_limit() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(path("set")).unwrap();
    for name in ["set/part.arrow", "end.arrow"] {
        fs::copy(corpus().join(FILE), path(name)).unwrap();
    }
    fs::write(path("few.csv"), "a,b,c,d\n1,2,3,4\n").unwrap();
    let (out, set, end, csv) = (path("out.arrow"), path("set"), path("end.arrow"), path("few.csv"));
    let parts = path("parts/");
    let commands: [&[&str]; 18] = [
        &["schema", FILE],
        &["cat", STREAM],
        &["head", FILE],
        &["stats", FILE],
        &["count", FILE],
        &["inspect", STREAM],
        &["explain", FILE],
        &["validate", STREAM],
        &["diff", FILE, STREAM],
        &["convert", STREAM, "-o", &out],
        &["concat", FILE, FILE, "-o", &out],
        &["split", FILE, &parts, "--batch-rows", "2"],
        &["append", &end, FILE],
        &["recover", STREAM, "-o", &out],
        &["cat", &set],
        &["count", &set],
        &["validate", &set],
        &["convert", &csv, "-o", &out],
    ];
    for command in commands {
        let error = if command.contains(&&*csv) { "4 or more fields exceed" } else { "fields exceed" };
        expect_refusal(&run([command, &["--max-fields", "3"]].concat()), &format!("{error} the limit of 3"));
        assert!(!fs::exists(&out).unwrap(), "{command:?}");
    }
    for command in commands {
        run([&["--max-fields", "18446744073709551615"], command].concat()).expect(&[0]);
    }
    // The limit is the largest number that is allowed.
    let n_fields = FileReader::open(corpus().join(FILE)).unwrap().schema().fields_in_pre_order().count();
    let less = (n_fields - 1).to_string();
    let args = |n_fields: &str| ["convert", FILE, "-o", &out, "--max-fields", n_fields].map(str::to_owned);
    fs::remove_file(&out).unwrap();
    expect_refusal(&run(args(&less)), &format!("fields exceed the limit of {less}"));
    run(args(&n_fields.to_string())).expect(&[0]);
    for wrong in ["0", "-1", "18446744073709551616", "many"] {
        run(["count", FILE, "--max-fields", wrong]).expect(&[2]);
    }
}

#[test]
fn more_fields_than_by_default_are_read_and_written() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Each column has 1,000 fields: itself, and those inside it.
    let fields = |n: usize, data_type: &DataType| -> Vec<Field> {
        (0..n).map(|idx| Field::new(format!("f{idx}"), data_type.clone())).collect()
    };
    let schema = Schema::new(fields(1001, &DataType::struct_(fields(999, &DataType::Null))));
    let options = WriteOptions::new().with_max_fields(1_001_000);
    let stream = StreamWriter::try_new_with(Vec::new(), schema, options).unwrap().finish().unwrap();
    let (input, output) = (path("in.arrows"), path("out.arrow"));
    fs::write(&input, &stream).unwrap();

    let convert = |options: &[&str]| run([&["convert", &input, "-o", &output], options].concat());
    expect_refusal(&convert(&[]), "fields exceed the limit of 1000000");
    convert(&["--max-fields", "1001000"]).expect(&[0]);
    expect_refusal(&run(["count", &output]), "fields exceed the limit of 1000000");
    let counted = run(["count", &output, "--max-fields", "1001000"]);
    assert_eq!(counted.expect(&[0]).text(), "0\n");
}

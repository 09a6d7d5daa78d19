//! Folders and patterns as inputs, which have the rows of all their files, and partition columns.

use std::{fs, path::Path};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::FileWriter;
use arrow_schema::{DataType, Field, Metadata, Schema};

use crate::program::{run, run_with_input, temporary_folder};

/// Writes a file with two rows.
fn put(folder: &Path, path: &str, first: u32) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = format!("{{\"id\":{first},\"name\":\"n{first}\"}}\n{{\"id\":{},\"name\":null}}\n", first + 1);
    let args = ["convert", "--from", "jsonl", "-", path.to_str().unwrap()];
    run_with_input(args, text.as_bytes()).expect(&[0]);
}

fn set() -> tempfile::TempDir {
    let folder = temporary_folder();
    put(folder.path(), "data/day=2024-02-28/a.arrow", 1);
    put(folder.path(), "data/day=2024-02-29/a.arrow", 3);
    put(folder.path(), "data/day=2024-02-29/b b.arrow", 5);
    put(folder.path(), "data/day=2024-02-29/_part.arrow", 7);
    folder
}

#[test]
fn conditions_on_nested_columns_are_those_of_files() {
    let folder = temporary_folder();
    let path = folder.path().join("data/a.arrow");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = "{\"id\":1,\"tags\":[1,2]}\n{\"id\":2,\"tags\":[3]}\n";
    let args = ["convert", "--from", "jsonl", "-", path.to_str().unwrap()];
    run_with_input(args, text.as_bytes()).expect(&[0]);
    for (condition, n_rows) in
        [("tags = '[1,2]'", "1\n"), ("tags != '[1,2]'", "1\n"), ("tags = '[4]'", "0\n")]
    {
        for input in ["{}/data", "{}/data/a.arrow", "{}/data/*.arrow"] {
            let outcome = run(args_in(folder.path(), &["count", input, "--where", condition]));
            assert_eq!(outcome.expect(&[0]).text(), n_rows, "{input}: {condition}");
        }
    }
}

/// The numbers count all rows of the data set, also those that do not match.
#[test]
fn rows_that_match_have_their_numbers() {
    let folder = set();
    let numbers = |args: &[&str]| {
        let outcome = run(args_in(folder.path(), args));
        let lines = outcome.expect(&[0]).text().lines();
        lines.filter(|line| line.contains("row ")).map(str::to_owned).collect::<Vec<String>>().join(",")
    };
    let file = "{}/data/day=2024-02-28/a.arrow";
    let rest = ["--where", "id in (2, 6)", "--vertical", "--columns", "id"];
    for (inputs, expected) in [(&["{}/data"][..], [1, 5].as_slice()), (&["{}/data", file], &[1, 5, 7])] {
        let shown = [&["cat"], inputs, &rest].concat();
        let found = numbers(&shown);
        assert_eq!(found.matches("row ").count(), expected.len(), "{found}");
        for number in expected {
            assert!(found.contains(&format!("row {number}")), "{number}: {found}");
        }
        for command in ["head", "tail"] {
            assert_eq!(numbers(&[&[command], &shown[1..]].concat()), found, "{command}");
        }
    }
}

/// A data set has fewer columns than its files if only some are read. A name that no file has is still an error.
#[test]
fn unknown_columns_are_errors() {
    let folder = set();
    for command in ["cat", "head", "tail", "sample"] {
        for rest in [&["--columns", "id,idd"][..], &["--columns", "idd"], &["--exclude", "idd"]] {
            let condition = &["--where", "id in (2, 6)", "--vertical"][..];
            for condition in [condition, &["--vertical"]] {
                let args = [&[command, "{}/data"], condition, rest].concat();
                let outcome = run(args_in(folder.path(), &args));
                assert!(outcome.expect(&[2]).stderr.contains("idd"), "{args:?}");
            }
        }
    }
}

/// Files have types of a column without a common one: each command that reads the column refuses them with a hint that helps, and
/// commands that read other columns do not.
#[test]
fn conflicts_count_only_where_columns_are_read_and_casts_resolve_them() {
    let folder = temporary_folder();
    fs::create_dir(folder.path().join("data")).unwrap();
    for (name, data_type, row) in [("a", "a=int64", "7,1"), ("b", "a=utf8", "x,2")] {
        let path = folder.path().join(format!("data/{name}.arrow"));
        let args = ["convert", "-", path.to_str().unwrap(), "--from", "csv", "--type", data_type];
        run_with_input(args, format!("a,b\n{row}\n").as_bytes()).expect(&[0]);
    }
    let on = |args: &[&str]| run(args_in(folder.path(), args));
    for (args, expected) in [
        (&["cat", "{}/data", "--columns", "b"][..], "{\"b\":1}\n{\"b\":2}\n"),
        (&["cat", "{}/data", "--exclude", "a", "--where", "b = 2"], "{\"b\":2}\n"),
        (&["tail", "{}/data/*.arrow", "--exclude", "a*", "-n", "1"], "{\"b\":2}\n"),
        (&["count", "{}/data"], "2\n"),
        (&["count", "{}/data", "--where", "b > 1"], "1\n"),
        (&["schema", "{}/data", "--columns", "b"], "b: int64\n"),
        (&["validate", "{}/data", "--columns", "b"], ""),
        (&["convert", "{}/data", "{}/out.arrow", "--columns", "b"], ""),
        (&["cat", "{}/out.arrow"], "{\"b\":1}\n{\"b\":2}\n"),
    ] {
        assert_eq!(on(args).expect(&[0]).text(), expected, "{args:?}");
    }
    on(&["stats", "{}/data", "--columns", "b"]).expect(&[0]);

    on(&["convert", "{}/data", "{}/all.arrow", "--cast", "a=utf8"]).expect(&[0]);
    let rows = "{\"a\":\"7\",\"b\":1}\n{\"a\":\"x\",\"b\":2}\n";
    for (args, expected) in [
        (&["cat", "{}/data"][..], rows),
        (&["head", "{}/data"], rows),
        (&["tail", "{}/data", "--columns", "*"], rows),
        (&["sample", "{}/data", "--where", "a = 'x'", "--columns", "b"], "{\"b\":2}\n"),
        (&["count", "{}/data", "--where", "a = '7'"], "1\n"),
        (&["schema", "{}/data"], "a: utf8\nb: int64\n"),
        (&["validate", "{}/data"], ""),
        (&["diff", "{}/data", "{}/all.arrow", "--quiet"], ""),
    ] {
        let refused = on(args);
        let hint = format!(
            "hint: `arrow-ipc {}` with --cast a=utf8 gives the column this type in all files",
            args[0]
        );
        assert!(refused.expect(&[5]).stderr.contains(&hint), "{args:?}: {}", refused.stderr);
        assert_eq!(on(&[args, &["--cast", "a=utf8"]].concat()).expect(&[0]).text(), expected, "{args:?}");
    }
    on(&["stats", "{}/data", "--cast", "a=utf8"]).expect(&[0]);

    // A value without the type, no such column, an input without files, and what is no type of Arrow.
    for (input, cast, status, text) in [
        ("{}/data", "a=int64", 5, "b.arrow: "),
        ("{}/data", "nope=int64", 2, "nope"),
        ("{}/all.arrow", "a=int64", 2, "--cast needs a folder or pattern"),
        ("{}/data", "a=uuid", 2, "expected a type of Arrow"),
        ("{}/data", "a=dictionary", 2, "expected a type of Arrow"),
    ] {
        let refused = on(&["cat", input, "--cast", cast]);
        assert!(refused.expect(&[status]).stderr.contains(text), "{cast}: {}", refused.stderr);
    }
}

/// The files of a folder or pattern have one type for each column: the first that has the values of all, or a wider one.
#[test]
fn files_with_other_encodings_are_one_input() {
    let folder = temporary_folder();
    fs::create_dir(folder.path().join("data")).unwrap();
    let put = |name: &str, types: [&str; 2], text: &str| {
        let path = folder.path().join(name);
        let types = [format!("c={}", types[0]), format!("n={}", types[1])];
        let args = [
            "convert",
            "-",
            path.to_str().unwrap(),
            "--from",
            "csv",
            "--type",
            &types[0],
            "--type",
            &types[1],
        ];
        run_with_input(args, format!("c,n\n{text}\n").as_bytes()).expect(&[0]);
    };
    put("data/a.arrow", ["utf8", "int32"], "ada,1");
    put("data/b.arrow", ["utf8_view", "int64"], "bob,9007199254740993");
    put("data/c.arrow", ["dictionary<int8, utf8>", "int8"], "cyd,-3");
    let listed = args_in(folder.path(), &["concat", "{}/data/a.arrow", "{}/data/b.arrow", "{}/data/c.arrow"]);
    let all = "{\"c\":\"ada\",\"n\":1}\n{\"c\":\"bob\",\"n\":9007199254740993}\n{\"c\":\"cyd\",\"n\":-3}\n";
    let out = args_in(folder.path(), &["-o", "{}/out.arrow", "--union"]);
    run([listed, out].concat()).expect(&[0]);
    for (args, expected) in [
        (&["cat", "{}/out.arrow"][..], all),
        (&["cat", "{}/data"], all),
        (&["cat", "{}/data/*.arrow"], all),
        (&["schema", "{}/data"], "c: utf8\nn: int64\n"),
        (&["count", "{}/data", "--where", "c >= 'b' and n > 0"], "1\n"),
        (&["head", "-n", "1", "{}/data", "--columns", "n"], "{\"n\":1}\n"),
        (&["tail", "-n", "1", "{}/data/[ab].arrow", "--columns", "c"], "{\"c\":\"bob\"}\n"),
        (&["validate", "{}/data"], ""),
        (&["diff", "--quiet", "{}/data", "{}/out.arrow"], ""),
        (&["concat", "{}/data", "-o", "{}/set.arrow"], ""),
        (&["diff", "--quiet", "{}/set.arrow", "{}/out.arrow"], ""),
        (&["concat", "--union", "{}/data/*.arrow", "{}/out.arrow", "-o", "{}/set.arrow"], ""),
        (&["count", "{}/set.arrow"], "6\n"),
        (&["convert", "{}/data", "-o", "{}/set.arrow"], ""),
        (&["count", "{}/set.arrow"], "3\n"),
    ] {
        let outcome = run(args_in(folder.path(), args));
        let text = outcome.expect(&[0]).text();
        assert!(args[0] == "validate" || text == expected, "{args:?}: {text}");
    }
    run(args_in(folder.path(), &["stats", "{}/data"])).expect(&[0]);

    // A type that has not all values is an error that names the file, and what its hint says helps.
    put("data/d.arrow", ["int64", "int64"], "7,4");
    for args in [
        &["cat", "{}/data"][..],
        &["count", "{}/data/*.arrow", "--where", "c = '7'"],
        &["validate", "{}/data"],
        &["concat", "{}/data", "-o", "{}/set.arrow"],
        &["concat", "--union", "{}/data", "-o", "{}/set.arrow"],
        &["concat", "--union", "{}/data/*.arrow", "{}/out.arrow", "-o", "{}/set.arrow"],
    ] {
        let outcome = run(args_in(folder.path(), args));
        let text = &outcome.expect(&[5]).stderr;
        assert!(
            text.contains("d.arrow: ") && text.contains("the type is int64; preceding schemas say utf8"),
            "{text}"
        );
        let hint = format!("`arrow-ipc {}` with --cast c=utf8 gives the column this type", args[0]);
        assert!(text.contains(&hint), "{args:?}: {text}");
    }
    let replace = |name: &str, cast: &[&str], status: i32| {
        let input = format!("{{}}/data/{name}");
        run(args_in(folder.path(), &[&["convert", &input, "{}/OUT.arrow"], cast].concat())).expect(&[status]);
        fs::rename(folder.path().join("OUT.arrow"), folder.path().join("data").join(name)).unwrap();
    };
    replace("d.arrow", &["--cast", "c=utf8"], 0);
    assert_eq!(
        run(args_in(folder.path(), &["count", "{}/data", "--where", "c = '7'"])).expect(&[0]).text(),
        "1\n"
    );

    // So is a value that the wider type lacks.
    put("data/e.arrow", ["utf8", "float64"], "eve,0.5");
    assert_eq!(
        run(args_in(folder.path(), &["count", "{}/data", "--where", "c = 'bob'"])).expect(&[0]).text(),
        "1\n"
    );
    for args in [&["cat", "{}/data"][..], &["concat", "--union", "{}/data", "-o", "{}/set.arrow"]] {
        let outcome = run(args_in(folder.path(), args));
        let text = &outcome.expect(&[5]).stderr;
        assert!(text.contains("b.arrow: batch 0: column \"n\": the value 9007199254740993"), "{text}");
        assert!(
            text.contains("b.arrow OUT.arrow --cast n=float64 --lossy` rounds the column before"),
            "{text}"
        );
    }
    replace("b.arrow", &["--cast", "n=float64", "--lossy"], 3);
    assert_eq!(
        run(args_in(folder.path(), &["count", "{}/data", "--where", "n > 1e15"])).expect(&[0]).text(),
        "1\n"
    );
}

/// Replaces `{}` in arguments by the folder.
fn args_in(folder: &Path, args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| arg.replace("{}", folder.to_str().unwrap())).collect()
}

#[test]
fn a_data_set_is_one_input() {
    let folder = set();
    let (cat_where, names) = ("day = '2024-02-29' and id > 3", "name,day");
    let cases: [(&[&str], &str); 21] = [
        (&["cat", "{}/data", "--exclude", "day", "--rows", "0..1"], "{\"id\":1,\"name\":\"n1\"}\n"),
        (&["cat", "{}/data/*/a.arrow", "--exclude", "n*,d*", "-n", "1"], "{\"id\":1}\n"),
        (&["cat", "{}/data", "--columns", "id,name", "--exclude", "name", "-n", "1"], "{\"id\":1}\n"),
        (&["cat", "{}/data", "--exclude", "id,name", "--where", "id = 6"], "{\"day\":\"2024-02-29\"}\n"),
        (&["count", "{}/data"], "6\n"),
        (&["count", "{}/data/**/*.arrow", "--where", "id > 2"], "4\n"),
        (&["count", "{}/data", "--where", "day is null or day = '2024-02-28'"], "2\n"),
        (
            &["count", "{}/data/*/[ab].arrow", "{}/data/day=2024-02-29/a.arrow"],
            "           4  {}/data/*/[ab].arrow\n           2  {}/data/day=2024-02-29/a.arrow\n           6  total\n",
        ),
        (&["count", "--json", "{}/data"], "{\"input\":\"{}/data\",\"n_rows\":6,\"n_batches\":3}\n"),
        (
            &["cat", "{}/data", "--where", cat_where, "--columns", names],
            "{\"name\":null,\"day\":\"2024-02-29\"}\n{\"name\":\"n5\",\"day\":\"2024-02-29\"}\n{\"name\":null,\"day\":\"2024-02-29\"}\n",
        ),
        (
            &["cat", "{}/data", "--columns", "d*,i*", "--rows", "1..3"],
            "{\"day\":\"2024-02-28\",\"id\":2}\n{\"day\":\"2024-02-29\",\"id\":3}\n",
        ),
        (&["head", "-n", "1", "{}/data/day=2024-02-29", "--format", "csv"], "id,name,day\n3,n3,2024-02-29\n"),
        (&["tail", "-n", "1", "{}/data", "--columns", "id"], "{\"id\":6}\n"),
        (&["tail", "-n", "1", "{}/data", "--where", "name is not null", "--columns", "id"], "{\"id\":5}\n"),
        (
            &["sample", "-n", "6", "{}/data", "--columns", "id"],
            "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n{\"id\":4}\n{\"id\":5}\n{\"id\":6}\n",
        ),
        (
            &["sample", "-n", "9", "{}/data", "--columns", "day", "--where", "id = 1"],
            "{\"day\":\"2024-02-28\"}\n",
        ),
        (&["schema", "{}/data"], "id: int64\nname: utf8\nday: date32\n"),
        (&["convert", "{}/data", "{}/made.arrow", "--columns", "day,id", "--where", "id < 4"], ""),
        (&["cat", "{}/made.arrow", "--format", "csv"], "day,id\n2024-02-28,1\n2024-02-28,2\n2024-02-29,3\n"),
        (&["concat", "{}/data", "{}/data/*/a.arrow", "{}/made2.arrow", "--columns", "id"], ""),
        (&["diff", "--quiet", "{}/data", "{}/data/**"], ""),
    ];
    for (args, expected) in cases {
        let outcome = run(args_in(folder.path(), args));
        outcome.expect(&[0]);
        // `**` matches the same files here.
        assert_eq!(outcome.text(), expected.replace("{}", folder.path().to_str().unwrap()), "{args:?}");
    }
    let stats = run(args_in(folder.path(), &["stats", "--json", "{}/data", "--where", "day > '2024-02-28'"]));
    assert!(stats.text().contains("\"n_rows\":4"), "{stats:?}");
    // Batches are skipped by trusted statistics.
    let command = ["convert", "{}/data", "{}/known/all.arrow", "--statistics", "--batch-rows", "1"];
    fs::create_dir(folder.path().join("known")).unwrap();
    run(args_in(folder.path(), &command)).expect(&[0]);
    for command in ["count", "cat"] {
        let args = [command, "{}/known", "--where", "id in (2, 5)", "--trust-statistics"];
        let outcome = run(args_in(folder.path(), &args));
        outcome.expect(&[0]);
        assert!(outcome.text() == "2\n" || outcome.text().lines().count() == 2, "{outcome:?}");
    }
    let counted = run(args_in(folder.path(), &["count", "{}/made2.arrow"]));
    assert_eq!(counted.text(), "10\n");
}

#[test]
fn each_file_is_validated_and_explained() {
    let folder = set();
    let validated = run(args_in(folder.path(), &["validate", "-v", "{}/data"]));
    validated.expect(&[0]);
    assert_eq!(validated.text().lines().filter(|line| line.contains(": ok: 2 rows")).count(), 3);
    for command in ["inspect", "explain"] {
        let shown = run(args_in(folder.path(), &[command, "{}/data/*/a.arrow"]));
        shown.expect(&[0]);
        assert!(
            ["28", "29"].iter().all(|day| shown.text().contains(&format!("day=2024-02-{day}"))),
            "{shown:?}"
        );
    }
}

/// Different metadata of files in a data set is reported as for the inputs of `concat`.
#[test]
fn metadata_of_files_that_differs_is_reported() {
    let folder = temporary_folder();
    let run_in = |args: &[&str]| run(args_in(folder.path(), args));
    fs::create_dir(folder.path().join("data")).unwrap();
    for (name, unit) in [("a", "kg"), ("b", "lb")] {
        let field = Field::new("w", DataType::Int64).with_metadata(Metadata::new().with("unit", unit));
        let schema = Schema::new([field, Field::new("n", DataType::Int64)]);
        let column = Int64Array::from_iter([1, 2]).into_data();
        let batch = RecordBatch::try_new(schema, vec![column.clone(), column]).unwrap();
        let file = FileWriter::write_to_buffer(batch.schema().clone(), std::slice::from_ref(&batch)).unwrap();
        fs::write(folder.path().join(format!("data/{name}.arrow")), &file[..]).unwrap();
    }
    let cases: [(&[&str], i32); 9] = [
        (&["concat", "{}/data/a.arrow", "{}/data/b.arrow", "{}/concat.arrow"], 3),
        (&["concat", "{}/data", "{}/data/a.arrow", "{}/both.arrow"], 3),
        (&["convert", "{}/data", "{}/all.arrow"], 3),
        (&["convert", "{}/data/*", "{}/some.arrow", "--where", "w = 1"], 3),
        (&["convert", "{}/data", "{}/n.arrow", "--columns", "n"], 0),
        (&["convert", "{}/data", "{}/first.arrow", "--rows", "0..1"], 0),
        (&["split", "{}/data", "{}/parts/", "--by", "n"], 3),
        (&["cat", "{}/data"], 0),
        (&["convert", "{}/data", "{}/text.csv"], 0),
    ];
    for (args, status) in cases {
        let done = run_in(args);
        done.expect(&[status]);
        assert_eq!(done.stderr.contains("metadata"), status == 3, "{args:?}: {done:?}");
    }
}

#[test]
fn errors_name_the_file() {
    let folder = set();
    fs::create_dir(folder.path().join("none")).unwrap();
    put(folder.path(), "other/a.arrow", 1);
    fs::write(folder.path().join("other/b.arrow"), "{\"id\": \"text\"}").unwrap();
    put(folder.path(), "cut/a.arrow", 1);
    let cut = folder.path().join("cut/b.arrow");
    fs::copy(folder.path().join("cut/a.arrow"), &cut).unwrap();
    fs::write(&cut, &fs::read(&cut).unwrap()[..200]).unwrap();
    run_with_input(
        ["convert", "--from", "jsonl", "-", folder.path().join("types.arrow").to_str().unwrap()],
        b"{\"id\":\"a\"}",
    )
    .expect(&[0]);
    let cases: [(&[&str], i32, &str); 9] = [
        (&["cat", "{}/none"], 4, "{}/none: no files"),
        (&["count", "{}/none/*.arrow"], 4, "{}/none/*.arrow: no files"),
        (&["validate", "{}/none"], 4, "{}/none: no files"),
        (&["cat", "{}/other"], 1, "{}/other/b.arrow: "),
        (&["count", "{}/cut"], 1, "{}/cut/b.arrow: "),
        (&["validate", "{}/cut"], 1, "{}/cut/b.arrow: "),
        (&["cat", "{}/data", "--where", "nope = 1"], 2, "{}/data: no field is named \"nope\""),
        (&["cat", "{}/data", "--columns", "nope"], 2, "{}/data: no field is named \"nope\""),
        (&["stats", "{}/nothing-*"], 4, "{}/nothing-*: no files"),
    ];
    for (args, status, expected) in cases {
        let outcome = run(args_in(folder.path(), args));
        outcome.expect(&[status]);
        let expected = expected.replace("{}", folder.path().to_str().unwrap());
        assert!(outcome.stderr.contains(&expected), "{args:?}: {outcome:?}");
    }
    let outcome = run(args_in(folder.path(), &["cat", "{}/[dt]*"]));
    outcome.expect(&[5]);
    assert!(outcome.stderr.contains("types.arrow: the schema does not fit"), "{outcome:?}");
}

#[test]
fn no_output_becomes_a_file_of_the_set_that_is_read() {
    let folder = set();
    let cases: [&[&str]; 5] = [
        &["concat", "{}/data", "{}/data/all.arrow"],
        &["convert", "{}/data", "{}/data/day=2024-02-28/all.arrow"],
        &["convert", "{}/data", "{}/data/"],
        &["split", "{}/data", "{}/data/all.arrow", "--rows", "0..1"],
        &["convert", "{}/data/*/a.arrow", "{}/data/day=2024-02-29/a.arrow"],
    ];
    for args in cases {
        let outcome = run(args_in(folder.path(), args));
        outcome.expect(&[2]);
        assert!(outcome.stderr.contains(": choose a name outside of it"), "{args:?}: {outcome:?}");
    }
    assert_eq!(run(args_in(folder.path(), &["count", "{}/data"])).text(), "6\n");
    run(args_in(folder.path(), &["concat", "{}/data", "{}/all.arrow"])).expect(&[0]);
}

/// A data set is a folder of files: `convert` adds a file.
#[test]
fn append_refuses_folders() {
    let folder = set();
    let run_in = |args: &[&str]| run(args_in(folder.path(), args));
    put(folder.path(), "more.arrow", 7);
    for to in [&[][..], &["--to", "{}/out.arrow"]] {
        let refused = run_in(&[&["append", "{}/data", "{}/more.arrow"], to].concat());
        refused.expect(&[2]);
        assert!(refused.stderr.contains("append needs a file to append to, not a folder"), "{refused:?}");
        assert!(refused.stderr.contains("hint: `arrow-ipc convert IN FOLDER/NEW.arrow` adds"), "{refused:?}");
    }
    run_in(&["convert", "{}/more.arrow", "{}/data/day=2024-02-29/new.arrow"]).expect(&[0]);
    assert_eq!(run_in(&["count", "{}/data"]).text(), "8\n");
}

/// A column may be named like the pattern for all.
#[test]
fn what_is_left_does_not_depend_on_a_column_named_like_a_pattern() {
    let folder = temporary_folder();
    fs::write(folder.path().join("a.csv"), "a,*,b\n1,2,3\n").unwrap();
    fs::write(folder.path().join("b.csv"), "a,*,b\n1,2,4\n").unwrap();
    let shown = run(args_in(folder.path(), &["cat", "{}/a.csv", "--exclude", "a"]));
    assert_eq!(shown.expect(&[0]).text(), "{\"*\":2,\"b\":3}\n");
    let shown = run(args_in(folder.path(), &["cat", "{}/a.csv", "--columns", "*"]));
    assert_eq!(shown.expect(&[0]).text(), "{\"*\":2}\n");
    run(args_in(folder.path(), &["diff", "{}/a.csv", "{}/b.csv", "--exclude", "a"])).expect(&[1]);
}

/// The rows of a file inside of a file are in no batch of its footer.
#[test]
fn what_the_files_of_a_set_hide_is_reported() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name);
    put(folder.path(), "one.arrow", 1);
    put(folder.path(), "set/day=1/sound.arrow", 3);
    let one = fs::read(path("one.arrow")).unwrap();
    let words = "; the batches that the footer lists were written";
    for (n_files, rest) in [(1, "\n"), (2, "; the footer of 1 more file disagrees\n")] {
        fs::create_dir_all(path("set/day=2")).unwrap();
        fs::write(path(&format!("set/day=2/{n_files}.arrow")), one.repeat(2)).unwrap();
        for args in [
            &["convert", "{}/set", "-o", "{}/out.arrow"][..],
            &["convert", "{}/set", "-o", "{}/out.arrows"],
            &["convert", "{}/set/**/*.arrow", "-o", "{}/out.csv"],
            &["concat", "{}/set", "{}/set", "-o", "{}/out.arrow"],
            &["concat", "{}/set", "{}/set/day=1", "-o", "{}/out.arrow", "--union"],
            &["split", "{}/set", "{}/parts", "--into", "2"],
            &["convert", "{}/set", "-o", "{}/out.arrow", "--rows", "0..1"],
            &["convert", "{}/set", "-o", "{}/out.arrow", "--where", "day = 2"],
        ] {
            let _ = fs::remove_dir_all(path("parts"));
            let outcome = run(args_in(folder.path(), args));
            let note = format!("{words}{rest}");
            assert!(outcome.expect(&[3]).stderr.contains(&note), "{args:?}: {outcome:?}");
            assert!(outcome.stderr.contains("set/day=2/1.arrow: a second file begins"), "{outcome:?}");
            let n_notes = if args.iter().filter(|arg| **arg == "{}/set").count() > 1 { 2 } else { 1 };
            assert_eq!(outcome.stderr.matches(words).count(), n_notes, "{args:?}: {outcome:?}");
        }
        // Files whose folders do not match are not read.
        let args = ["convert", "{}/set", "-o", "{}/out.arrow", "--where", "day = 1"];
        assert!(run(args_in(folder.path(), &args)).expect(&[0]).stderr.is_empty());
    }
}

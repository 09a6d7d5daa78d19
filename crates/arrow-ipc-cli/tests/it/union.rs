//! `concat` of text, and of inputs with different columns.

use std::{fs, path::PathBuf};

use crate::program::{Outcome, run, run_with_input, temporary_folder};

struct Folder(tempfile::TempDir);

impl Folder {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn concat(&self, inputs: &[&str], options: &[&str]) -> Outcome {
        let paths = inputs.iter().map(|name| self.path(name)).chain(["-o".into(), self.path("out.arrow")]);
        run(["concat".into()].into_iter().chain(paths).chain(options.iter().map(Into::into)))
    }

    fn rows(&self) -> String {
        run(["cat".into(), self.path("out.arrow")]).expect(&[0]).text().to_owned()
    }
}

#[test]
fn texts_become_one_file_with_the_columns_of_all() {
    let folder = Folder(temporary_folder());
    folder.write("months/1.csv", "id,name,x\n1,ada,1\n2,bob,2\n");
    folder.write("months/2.csv", "city,id,x\nOslo,3,2.5\n");
    folder.write("months/3.jsonl", "{\"id\":4,\"tags\":[\"a\"]}\n{\"id\":null}\n");
    folder.write("months/4.csv", "id,x\n5,\n");
    let expected = "\
        {\"id\":1,\"name\":\"ada\",\"x\":1.0,\"city\":null}\n\
        {\"id\":2,\"name\":\"bob\",\"x\":2.0,\"city\":null}\n\
        {\"id\":3,\"name\":null,\"x\":2.5,\"city\":\"Oslo\"}\n\
        {\"id\":5,\"name\":null,\"x\":null,\"city\":null}\n";
    folder.concat(&["months/*.csv"], &["--union"]).expect(&[0]);
    assert_eq!(folder.rows(), expected);

    // Arrow data and text, some columns and rows of all.
    fs::copy(folder.path("out.arrow"), folder.path("first.arrow")).unwrap();
    folder
        .concat(&["first.arrow", "months/3.jsonl"], &["--union", "--columns", "id,tags", "--where", "id > 2"])
        .expect(&[0]);
    assert_eq!(
        folder.rows(),
        "{\"id\":3,\"tags\":null}\n{\"id\":5,\"tags\":null}\n{\"id\":4,\"tags\":[\"a\"]}\n"
    );

    let outcome = folder.concat(&["months/1.csv", "months/2.csv"], &[]);
    assert!(
        outcome.status == 5 && outcome.stderr.contains("--union writes the columns of all inputs\n"),
        "{outcome:?}"
    );
    // The same columns need no option.
    folder.write("months/5.csv", "id,x\n6,\n");
    folder.concat(&["months/4.csv", "months/5.csv"], &[]).expect(&[0]);
    assert_eq!(folder.rows(), "{\"id\":5,\"x\":null}\n{\"id\":6,\"x\":null}\n");
    // What the hint of `convert` shows.
    let converted =
        run(["convert".into(), folder.path("months/*.csv"), "-o".into(), folder.path("out.arrow")]);
    assert!(
        converted.status != 0 && converted.stderr.contains("months/*.csv' OUT.arrow --union` joins"),
        "{converted:?}"
    );
}

#[test]
fn types_are_widened_or_refused() {
    let folder = Folder(temporary_folder());
    let write = |name: &str, text: &str, data_type: &str| {
        folder.write("rows.csv", text);
        let (input, output) = (folder.path("rows.csv"), folder.path(name));
        let paths = [input, "-o".into(), output];
        let given = ["--type".into(), format!("a={data_type}").into()];
        run(["convert".into()].into_iter().chain(paths).chain(given)).expect(&[0]);
    };
    for (left, right, wide, values) in [
        ("int8", "uint8", "int16", ["1", "200"]),
        ("int64", "float64", "float64", ["1", "2.5"]),
        ("utf8", "dictionary<int8, utf8>", "utf8", ["a", "b"]),
        ("date32", "date64", "date64", ["2024-01-01", "2024-01-02"]),
    ] {
        write("left.arrow", &format!("a\n{}\n", values[0]), left);
        write("right.arrow", &format!("a,b\n{},1\n", values[1]), right);
        let outcome = folder.concat(&["left.arrow", "right.arrow"], &["--union"]);
        assert_eq!(outcome.status, 0, "{left}, {right}: {outcome:?}");
        let schema = run(["schema".into(), folder.path("out.arrow")]);
        assert!(schema.expect(&[0]).text().contains(&format!("a: {wide}\nb: int64\n")), "{schema:?}");
        assert_eq!(folder.rows().lines().count(), 2);
    }
    // An extension type that only one input has is none of all rows.
    write("left.arrow", "a\n6df35a38-1e4c-4a52-8a4f-4d1f4a3c1c0e\n", "uuid");
    write("right.arrow", "a\n00ff\n", "binary");
    folder.concat(&["left.arrow", "right.arrow"], &["--union"]).expect(&[0]);
    let schema = run(["schema".into(), folder.path("out.arrow")]);
    let text = schema.expect(&[0]).text();
    assert!(text.contains("a: binary\n") && !text.contains("uuid"), "{text}");
    folder.concat(&["left.arrow", "left.arrow"], &["--union"]).expect(&[0]);
    assert!(run(["schema".into(), folder.path("out.arrow")]).text().contains("arrow.uuid"));
    write("left.arrow", "a\nx\n", "utf8");
    write("right.arrow", "a\n1\n", "int64");
    let outcome = folder.concat(&["left.arrow", "right.arrow"], &["--union"]);
    assert!(outcome.status != 0 && outcome.stderr.contains("right.arrow: "), "{outcome:?}");
    assert!(outcome.stderr.contains("the type is int64; preceding schemas say utf8"), "{outcome:?}");
    // A number that the wider type would round, and what the hint shows.
    write("left.arrow", "a\n9007199254740993\n", "int64");
    write("right.arrow", "a\n0.5\n", "float64");
    let outcome = folder.concat(&["left.arrow", "right.arrow"], &["--union"]);
    assert!(outcome.status == 5 && outcome.stderr.contains("9007199254740993"), "{outcome:?}");
    assert!(outcome.stderr.contains("left.arrow OUT.arrow --cast a=float64 --lossy` rounds"), "{outcome:?}");
    let rounded = [folder.path("left.arrow"), folder.path("rounded.arrow")];
    let cast = ["--cast", "a=float64", "--lossy"].map(Into::into);
    run(["convert".into()].into_iter().chain(rounded).chain(cast)).expect(&[3]);
    folder.concat(&["rounded.arrow", "right.arrow"], &["--union"]).expect(&[0]);
    // Two columns of one name, and what the hint shows.
    folder.write("twice.csv", "a,a\n1,2\n");
    run(["convert".into(), folder.path("twice.csv"), folder.path("twice.arrow")]).expect(&[0]);
    let outcome = folder.concat(&["twice.arrow", "right.arrow"], &["--union"]);
    assert!(
        outcome.status == 5 && outcome.stderr.contains("--rename a=NEW --rename a=OTHER` gives"),
        "{outcome:?}"
    );
    let renamed = [folder.path("twice.arrow"), folder.path("renamed.arrow")];
    let names = ["--rename", "a=NEW", "--rename", "a=OTHER"].map(Into::into);
    run(["convert".into()].into_iter().chain(renamed).chain(names)).expect(&[0]);
    folder.concat(&["renamed.arrow", "right.arrow"], &["--union"]).expect(&[0]);
}

/// In text, the columns that one input does not know have the types of the others, however late their first value is.
#[test]
fn texts_without_values_take_the_types_of_others() {
    let folder = Folder(temporary_folder());
    folder.write("header.csv", "id,note\n");
    folder.write("nulls.csv", "id,note\n1,NULL\n2,\"\"\n");
    folder.write("late.csv", &format!("id,note\n{}3,late\n", "123456789012345678,\n".repeat(450_000)));
    folder.write(
        "late.jsonl",
        &format!("{}{{\"note\":\"late\"}}\n", format!("{{\"note\":null{:200}}}\n", "").repeat(45_000)),
    );
    folder.write("numbers.csv", "id,note\n5,7\n");
    folder.write("texts.csv", "note,id\nx,9\n");
    for (inputs, data_type, last) in [
        (&["header.csv", "numbers.csv"][..], "int64", "{\"id\":5,\"note\":7}"),
        (&["numbers.csv", "nulls.csv"], "int64", "{\"id\":2,\"note\":null}"),
        (&["texts.csv", "nulls.csv"], "utf8", "{\"note\":\"\",\"id\":2}"),
        (&["header.csv", "nulls.csv"], "utf8", "{\"id\":2,\"note\":\"\"}"),
        (&["header.csv", "texts.csv", "late.csv"], "utf8", "{\"id\":3,\"note\":\"late\"}"),
        (&["texts.csv", "late.jsonl"], "utf8", "{\"note\":\"late\",\"id\":null}"),
    ] {
        folder.concat(inputs, &["--union"]).expect(&[0]);
        let schema = run(["schema".into(), folder.path("out.arrow")]);
        assert!(
            schema.expect(&[0]).text().contains(&format!("note: {data_type}\n")),
            "{inputs:?} {schema:?}"
        );
        let tail = run(["tail".into(), "-n".into(), "1".into(), folder.path("out.arrow")]);
        assert_eq!(tail.expect(&[0]).text(), format!("{last}\n"), "{inputs:?}");
    }
    // A value that does not have the type of the others is an error, with its line.
    let outcome = folder.concat(&["numbers.csv", "late.csv"], &["--union"]);
    assert!(
        outcome.status == 1 && outcome.stderr.contains("late.csv: line 450002: field `note`"),
        "{outcome:?}"
    );

    // So it is where all have the same columns. Hints for others keep the texts.
    folder.concat(&["header.csv", "nulls.csv", "numbers.csv"], &[]).expect(&[0]);
    assert_eq!(folder.rows().lines().last(), Some("{\"id\":5,\"note\":7}"));
    folder.write("halves.csv", "id,note\n1.5,\n");
    let outcome = folder.concat(&["header.csv", "numbers.csv", "halves.csv"], &[]);
    assert!(
        outcome.status == 5 && outcome.stderr.contains("hint: --union gives each column a type"),
        "{outcome:?}"
    );
    folder.concat(&["header.csv", "numbers.csv", "halves.csv"], &["--union"]).expect(&[0]);
    assert_eq!(folder.rows(), "{\"id\":5.0,\"note\":7}\n{\"id\":1.5,\"note\":null}\n");
    folder.write("one.csv", "v\n1.10\n");
    folder.write("two.csv", "v\n1.10.2\n");
    for option in [&[][..], &["--union"]] {
        let outcome = folder.concat(&["one.csv", "two.csv"], option);
        assert!(outcome.status == 5 && outcome.stderr.contains("hint: --type v=utf8 reads "), "{outcome:?}");
    }
    // Standard input has no name that says that it is text.
    let from_pipe = |options: &[&str]| {
        let paths = [folder.path("numbers.csv"), "-".into(), "-o".into(), folder.path("out.arrow")];
        let args: Vec<PathBuf> =
            ["concat".into()].into_iter().chain(paths).chain(options.iter().map(Into::into)).collect();
        run_with_input(&args, b"id,note\n,1\n,2.50\n")
    };
    let outcome = from_pipe(&["--from", "csv"]);
    assert!(outcome.status == 5 && outcome.stderr.contains("hint: --union gives each"), "{outcome:?}");
    from_pipe(&["--from", "csv", "--union"]).expect(&[0]);
    // There is no type of booleans and numbers but text.
    folder.write("yes.csv", "v\ntrue\n");
    let outcome = folder.concat(&["one.csv", "yes.csv"], &[]);
    assert!(outcome.status == 5 && outcome.stderr.contains("hint: --type v=utf8 reads "), "{outcome:?}");
    folder.concat(&["one.csv", "two.csv"], &["--type", "v=utf8"]).expect(&[0]);
    assert_eq!(folder.rows(), "{\"v\":\"1.10\"}\n{\"v\":\"1.10.2\"}\n");

    // A type may be given for a column that some texts do not have, but not for one that none has.
    folder.write("more.csv", "id,price\n1,2\n");
    folder.concat(&["numbers.csv", "more.csv"], &["--union", "--type", "price=float32"]).expect(&[0]);
    assert_eq!(
        folder.rows(),
        "{\"id\":5,\"note\":7,\"price\":null}\n{\"id\":1,\"note\":null,\"price\":2.0}\n"
    );
    let outcome = folder.concat(&["numbers.csv", "more.csv"], &["--union", "--type", "prise=float32"]);
    assert!(outcome.status == 2 && outcome.stderr.contains("no field is named \"prise\""), "{outcome:?}");
    assert!(outcome.stderr.contains("did you mean price?"), "{outcome:?}");
}

/// A shell gives the files of a pattern one by one.
#[test]
fn losses_of_files_of_a_data_set_are_reported() {
    let folder = Folder(temporary_folder());
    folder.write("rows.csv", "id\n1\n");
    for part in ["part/year=2024/month=1", "part/year=2024/month=2"] {
        fs::create_dir_all(folder.path(part)).unwrap();
        run(["convert".into(), folder.path("rows.csv"), folder.path(&format!("{part}/x.arrow"))])
            .expect(&[0]);
    }
    let files = ["part/year=2024/month=1/x.arrow", "part/year=2024/month=2/x.arrow"];
    let outcome = folder.concat(&files, &[]);
    assert!(
        outcome.expect(&[0]).stderr.contains("no columns of the output: year, month; a folder"),
        "{outcome:?}"
    );
    assert_eq!(folder.rows(), "{\"id\":1}\n{\"id\":1}\n");
    for input in ["part", "part/**/*.arrow"] {
        assert_eq!(folder.concat(&[input], &[]).expect(&[0]).stderr, "");
        assert_eq!(folder.rows().lines().next(), Some("{\"id\":1,\"year\":2024,\"month\":1}"));
    }
}

/// A column without values says nothing about its type.
#[test]
fn columns_of_nulls_take_the_types_of_others() {
    let folder = Folder(temporary_folder());
    folder.write("nulls.schema", "a: null\n");
    folder.write("nulls.jsonl", "{\"a\":null}\n");
    let schema = ["--schema".into(), folder.path("nulls.schema")];
    let nulls = [folder.path("nulls.jsonl"), folder.path("nulls.arrow")];
    run(["convert".into()].into_iter().chain(nulls).chain(schema)).expect(&[0]);
    folder.write("rows.csv", "a\n6df35a38-1e4c-4a52-8a4f-4d1f4a3c1c0e\n");
    for (given, shown) in [
        ("uuid", "\"arrow.uuid\""),
        ("dictionary<int8, utf8>", "a: dictionary<int8, utf8>"),
        ("utf8", "a: utf8"),
    ] {
        let rows = [folder.path("rows.csv"), "-o".into(), folder.path("rows.arrow")];
        let given = ["--type".into(), format!("a={given}").into()];
        run(["convert".into()].into_iter().chain(rows).chain(given)).expect(&[0]);
        for inputs in [["rows.arrow", "nulls.arrow"], ["nulls.arrow", "rows.arrow"]] {
            folder.concat(&inputs, &["--union"]).expect(&[0]);
            let schema = run(["schema".into(), folder.path("out.arrow")]);
            assert!(schema.expect(&[0]).text().contains(shown), "{inputs:?}: {schema:?}");
            assert_eq!(folder.rows().lines().count(), 2);
        }
    }
}

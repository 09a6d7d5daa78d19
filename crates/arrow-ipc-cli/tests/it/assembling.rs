//! The output and the exit status of `concat` and `split`.

use std::{fs, path::Path};

use crate::program::{corpus, run, run_with_input, temporary_folder};

const FILE: &str = "golden/pyarrow-26.0.1/binary-text-nulls.arrow";
const STREAM: &str = "golden/pyarrow-26.0.1/binary-text-nulls.arrows";
const DICTIONARY: &str = "golden/pyarrow-26.0.1/dictionary-nested.arrows";

fn lines(path: &str) -> Vec<String> {
    run(["cat", "--format", "json", path]).expect(&[0]).text().lines().map(str::to_owned).collect()
}

#[test]
fn inputs_follow_one_another() {
    let folder = temporary_folder();
    for (first, second) in [(FILE, STREAM), (STREAM, STREAM), (DICTIONARY, DICTIONARY)] {
        let expected = [lines(first), lines(second)].concat();
        for to in ["out.arrows", "out.arrow"] {
            let out = folder.path().join(to);
            let name = out.to_str().unwrap();
            let how: &[&str] = if first == DICTIONARY { &["--dictionaries", "unify"] } else { &[] };
            let output = run(["concat", first, second, "-o", name].iter().chain(how));
            assert_eq!(output.expect(&[0]).stderr, "");
            assert_eq!(lines(name), expected, "{first} {second} {to}");
            run(["validate", name]).expect(&[0]);
        }
    }
    let bytes = fs::read(corpus().join(STREAM)).unwrap();
    let piped = run_with_input(["concat", "-", FILE, "-"], &bytes);
    let counted = run_with_input(["count", "-"], &piped.expect(&[0]).stdout);
    assert_eq!(counted.text(), format!("{}\n", 2 * lines(FILE).len()));
}

#[test]
fn parts_are_written_and_joined() {
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (all, n_rows) = (lines(FILE), lines(FILE).len());
    assert!(n_rows > 4);
    let rows = [format!("..{}", n_rows / 2), format!("{}..", n_rows / 2)];
    let parts = [path("a.arrow"), path("b.arrows")];
    for (rows, part) in rows.iter().zip(&parts) {
        assert_eq!(run(["split", FILE, "-o", part, "--rows", rows]).expect(&[0]).stderr, "");
    }
    assert_eq!([lines(&parts[0]), lines(&parts[1])].concat(), all);
    let whole = path("whole.arrow");
    run(["concat", &parts[0], &parts[1], "-o", &whole, "--batch-rows", "2", "--compression", "zstd"])
        .expect(&[0]);
    assert_eq!(lines(&whole), all);
    let inspected = run(["inspect", &whole]);
    let batches = inspected
        .text()
        .lines()
        .filter(|line| line.contains("record batch") && line.contains("block "))
        .count();
    assert_eq!(batches, n_rows.div_ceil(2));
    assert!(inspected.text().contains("compressed with ZSTD"), "{inspected:?}");
    // The output may be the input.
    run(["split", &whole, &whole, "--batches", "1..2"]).expect(&[0]);
    assert_eq!(lines(&whole), all[2..4]);
}

#[test]
fn refusals_have_statuses_and_say_why() {
    let folder = temporary_folder();
    let out = folder.path().join("out.arrow");
    let out = out.to_str().unwrap();
    let other = "golden/pyarrow-26.0.1/integers-full.arrow";
    let cases: [(&[&str], i32, &str); 11] = [
        (&["concat", FILE, other, "-o", out], 5, "has other columns than golden/"),
        (&["concat", FILE, "no/such/file", "-o", out], 4, "no/such/file"),
        (&["concat", out], 2, "<OUT>"),
        (&["concat", "-", "-", "-o", out], 2, "standard input is given 2 times"),
        (&["split", FILE, out, "--rows", "3"], 2, "expected a range"),
        (&["split", FILE, out, "--rows", "3..1"], 2, "before its start"),
        (&["split", FILE, out, "--rows", "..3", "--batches", "..1"], 2, "cannot be used with"),
        (&["split", FILE, out, "--batches", "90..99"], 2, "no batch 90: there are "),
        (&["split", FILE, out, "--rows", "9999.."], 2, "no row 9999: there are "),
        (&["split", FILE, out, "--batch-rows", "0"], 2, "--batch-rows"),
        (&["split", FILE, "out"], 2, "--to stream or --to file"),
    ];
    for (args, status, words) in cases {
        let outcome = run(args);
        assert!(outcome.expect(&[status]).stderr.contains(words), "{args:?}: {outcome:?}");
        assert!(outcome.stdout.is_empty() && !Path::new(out).exists(), "{args:?}");
    }
    // A file has one dictionary, also of inputs whose dictionaries change.
    let replaced = "hostile/dict-replace-stream.stream";
    run(["concat", replaced, "-o", out]).expect(&[0]);
    run(["concat", replaced, "-o", out, "--dictionaries", "unify"]).expect(&[0]);
    // Trailing bytes are not in the output.
    let trailing = run(["concat", "hostile/framing-message-after-eos.stream", "-o", out]);
    assert!(trailing.expect(&[3]).stderr.contains("not read"), "{trailing:?}");
}

/// Changing columns gives the same output as changing the inputs with `convert` first.
#[test]
fn columns_change_on_the_way_as_convert_changes_them() {
    const FULL: &str = "golden/pyarrow-26.0.1/integers-full.arrow";
    const NULLS: &str = "golden/pyarrow-26.0.1/integers-nulls.arrows";
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let cases: [([&str; 2], &[&str]); 4] = [
        ([FULL, NULLS], &["--columns", "uint8,int8,int64", "--rename", "int8=small", "--cast", "int8=int32"]),
        ([FULL, NULLS], &["--cast", "int16=dictionary<int32, int16>", "--cast", "int64=decimal128(20, 1)"]),
        ([DICTIONARY, DICTIONARY], &["--columns", "lists"]),
        ([FILE, STREAM], &["--rename", "utf8=text", "--columns", "utf8,*"]),
    ];
    let same = |a: &str, b: &str, options: &[&str]| {
        let compared = run(["diff", a, b]);
        assert!(compared.expect(&[0]).stderr.is_empty(), "{options:?}: {compared:?}");
    };
    for (inputs, options) in cases {
        let with = |args: &[&str]| run([args, options].concat()).expect(&[0]).clone();
        let [a, b] = [0, 1].map(|idx| {
            let changed = path(&format!("{idx}.arrows"));
            with(&["convert", inputs[idx], "-o", &changed]);
            changed
        });
        let [expected, found] = ["expected.arrows", "found.arrows"].map(path);
        run(["concat", &a, &b, "-o", &expected]).expect(&[0]);
        with(&["concat", inputs[0], inputs[1], "-o", &found]);
        same(&expected, &found, options);
        run(["split", &a, "-o", &expected, "--rows", "1..7", "--batch-rows", "2"]).expect(&[0]);
        with(&["split", inputs[0], "-o", &found, "--rows", "1..7", "--batch-rows", "2"]);
        same(&expected, &found, options);
        let [expected, found] = ["expected.arrow", "found.arrow"].map(path);
        for base in [&expected, &found] {
            run(["split", &a, "-o", base, "--dictionaries", "delta"]).expect(&[0]);
        }
        run(["append", &expected, &b, "--dictionaries", "delta"]).expect(&[0]);
        with(&["append", &found, inputs[1], "--dictionaries", "delta"]);
        same(&expected, &found, options);
    }
    // Columns that differ may be left out, or cast to the same type.
    let [other, swapped, out, appended] =
        ["other.arrow", "swapped.arrow", "out.arrow", "appended.arrow"].map(path);
    run(["convert", FULL, "-o", &appended, "--columns", "int16"]).expect(&[0]);
    run(["convert", FULL, &other, "--rename", "int8=x", "--cast", "int16=int64"]).expect(&[0]);
    let renamed = path("renamed.arrow");
    run(["convert", FULL, &renamed, "--rename", "int8=x"]).expect(&[0]);
    let outcome = run(["concat", FULL, &renamed, "-o", &out]);
    let (named, advice) =
        (format!("the field is named \"int8\" in {FULL}, \"x\""), "--rename x=int8` makes both equal");
    let says = outcome.stderr.contains(&named) && outcome.stderr.contains(advice);
    assert!(outcome.status == 5 && says, "{outcome:?}");
    // If another column has the name, the hint is to reorder columns, not to rename them.
    run(["convert", FULL, &swapped, "--columns", "int16,int8"]).expect(&[0]);
    run(["convert", FULL, "-o", &appended, "--columns", "int8,int16"]).expect(&[0]);
    for command in [&["concat", &appended, &swapped, "-o", &out][..], &["append", &appended, &swapped]] {
        let refused = run(command);
        let advice = "\n  hint: --columns A,B takes columns by their names, in that order, from each input";
        assert!(refused.expect(&[5]).stderr.contains(advice), "{refused:?}");
        run([command, &["--columns", "int8,int16"]].concat()).expect(&[0]);
    }
    fs::remove_file(&out).unwrap();
    run(["convert", FULL, "-o", &appended, "--columns", "int16"]).expect(&[0]);
    // All inputs get the wider type, but a file that exists keeps its type.
    for (command, columns, hint) in [
        (&["concat", FULL, &other, "-o", &out][..], "int32,int16", "int64"),
        (&["concat", &other, FULL, "-o", &out], "int32,int16", "int64"),
        (&["append", &appended, &other], "int16", "int16"),
    ] {
        let outcome = run([command, &["--columns", columns]].concat());
        let hint = format!("\n  hint: --cast int16={hint} makes both equal\n");
        assert!(outcome.expect(&[5]).stderr.ends_with(&hint), "{outcome:?}");
    }
    run(["concat", FULL, &other, "-o", &out, "--columns", "int32,int16", "--cast", "int16=int64"])
        .expect(&[0]);
    assert_eq!(lines(&out).len(), 2 * lines(FULL).len());
    fs::remove_file(&out).unwrap();
    let refused: [(&[&str], i32, &str); 3] = [
        (&["--cast", "int64=int8"], 5, "column `int64`: the value"),
        (&["--columns", "no"], 2, "no field is named"),
        (&["--cast", "int64=int8", "--dictionaries", "unify"], 5, "column `int64`: the value"),
    ];
    for (options, status, text) in refused {
        for command in [&["concat", FULL, NULLS, "-o", &out][..], &["split", FULL, &out]] {
            let outcome = run([command, options].concat());
            assert!(outcome.expect(&[status]).stderr.contains(text), "{options:?}: {outcome:?}");
            assert!(!Path::new(&out).exists());
        }
    }
}

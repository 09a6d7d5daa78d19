//! Columns of other types, and numbers within a tolerance.

use std::{fs, path::Path};

use crate::program::{Outcome, run, temporary_folder};

fn write(folder: &Path, name: &str, csv: &str, types: &str) {
    let text = folder.join("rows.csv");
    fs::write(&text, csv).unwrap();
    let mut args = vec!["convert".into(), text, "-o".into(), folder.join(name)];
    types.split(',').for_each(|of_column| args.extend(["--type".into(), of_column.into()]));
    run(args).expect(&[0]);
}

fn diff(folder: &Path, args: &[&str]) -> Outcome {
    let files = [folder.join("a.arrow"), folder.join("b.arrow")];
    run(["diff".into()].into_iter().chain(files).chain(args.iter().map(Into::into)))
}

#[test]
fn values_of_other_types_are_compared_in_a_wider_type() {
    let folder = temporary_folder();
    let folder = folder.path();
    let [a, b] = [
        "n,t,x\n1,2024-01-01,1\n2,2024-01-02,0.5\n,,\n",
        "n,t,x\n1,2024-01-01T00:00:00,1\n3,2024-01-02T00:00:00,0.5\n,,\n",
    ];
    write(folder, "a.arrow", a, "n=int32,t=date32,x=float64");
    write(folder, "b.arrow", b, "n=int64,t=timestamp(us),x=utf8");
    let outcome = diff(folder, &[]);
    assert_eq!(outcome.status, 1, "{outcome:?}");
    assert_eq!(
        outcome.text(),
        "differ: 3 differences of schema; 1 of 3 rows in 2 of 3 columns, in column n (1)\n\
         field n: int32 in A, int64 in B, compared as int64\n\
         field t: date32 in A, timestamp(us) in B, compared as timestamp(us)\n\
         field x: float64 in A, utf8 in B\n\
         field x: values of these types are not compared\n\
         row 1, field n: 2 in A, 3 in B\n"
    );
    let same = diff(folder, &["--columns", "t"]);
    assert_eq!(
        (same.status, same.text().lines().next()),
        (1, Some("differ: 1 difference of schema; none of 3 rows"))
    );

    // Keys of other types pair the rows, and rows that were added are found.
    let by_key = diff(folder, &["--columns", "t", "--key", "n"]);
    let expected = "differ: 2 differences of schema; none of 2 rows with a key in both; 1 row only in A; 1 row only in B";
    assert_eq!(by_key.text().lines().next(), Some(expected), "{by_key:?}");
    write(folder, "b.arrow", "n\n0\n1\n2\n\"\"\n", "n=int64");
    let added = diff(folder, &["--columns", "n"]);
    assert!(added.text().contains("row 0: 1 row, only in B"), "{added:?}");

    // Numbers that are equal only after they were rounded.
    write(folder, "a.arrow", "n,k\n9007199254740992,1\n9007199254740993,2\n", "n=int64");
    write(folder, "b.arrow", "n,k\n9007199254740992,1\n9007199254740992,2\n", "n=float64");
    for options in [&["--key", "k"][..], &["--key", "n"], &[]] {
        let outcome = diff(folder, options);
        assert!(
            outcome.status > 1 && outcome.stderr.contains("9007199254740993"),
            "{options:?}: {outcome:?}"
        );
        assert!(
            outcome.stderr.contains("hint: no value of the other input is equal to it; --exclude n "),
            "{outcome:?}"
        );
    }
    diff(folder, &["--exclude", "n"]).expect(&[0]);
    // An instant that the finer unit cannot store.
    write(folder, "a.arrow", "t\n9999-01-01T00:00:00\n", "t=timestamp(s)");
    write(folder, "b.arrow", "t\n2000-01-01T00:00:00\n", "t=timestamp(ns)");
    let outcome = diff(folder, &[]);
    assert!(outcome.status != 0 && outcome.stderr.contains("does not fit timestamp(ns)"), "{outcome:?}");
}

#[test]
fn numbers_within_a_tolerance_are_equal() {
    let folder = temporary_folder();
    let folder = folder.path();
    let types = "id=int64,x=float64,f=float32";
    write(folder, "a.arrow", "id,x,f\n1,1.0,0.1\n2,nan,2\n3,,3\n4,inf,4\n", types);
    write(folder, "b.arrow", "id,x,f\n1,1.0005,0.1004\n2,nan,2\n3,,3\n4,inf,4\n", types);
    assert_eq!(diff(folder, &["--quiet"]).status, 1);
    assert_eq!(diff(folder, &["--tolerance", "0.001"]).text(), "equal: 4 rows in 1 batch\n");
    assert_eq!(diff(folder, &["--tolerance", "0.001", "--key", "id", "--quiet"]).status, 0);
    let outcome = diff(folder, &["--tolerance", "4.5e-4"]);
    assert_eq!(
        outcome.text(),
        "differ: 1 of 4 rows, in column x (1)\nrow 0, field x: 1.0 in A, 1.0005 in B\n",
        "{outcome:?}"
    );
    // Nulls, and rows that were added.
    write(folder, "b.arrow", "id,x,f\n0,1,1\n1,1.0005,0.1004\n2,nan,2\n3,1,3\n4,inf,4\n", types);
    let outcome = diff(folder, &["--tolerance", "0.001"]);
    assert_eq!(
        outcome.text(),
        "differ: 1 of 4 rows, in column x (1); 1 row only in B\nrow 0: 1 row, only in B\nrow 2 (3 in B), field x: null in A, 1.0 in B\n",
        "{outcome:?}"
    );
    for wrong in ["-1", "nan", "x"] {
        let outcome = diff(folder, &["--tolerance", wrong]);
        assert!(outcome.status == 2 && outcome.stderr.contains("not negative"), "{outcome:?}");
    }
}

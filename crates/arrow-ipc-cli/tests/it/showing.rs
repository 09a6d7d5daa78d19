//! `head`, `tail` and `sample` show rows of the output of `cat`.

use std::fs;

use testing_support::Hunt;

use crate::program::{Outcome, corpus, run, run_with_input};

const FILES: [&str; 3] = ["many-batches.arrow", "rows-300.arrows", "structs-nulls.arrow"];

fn path(name: &str) -> String {
    format!("golden/pyarrow-26.0.1/{name}")
}

/// Runs a command by path and from a pipe. Both must have the same output.
fn on(args: &[&str], name: &str) -> Outcome {
    let by_path = run(args.iter().map(|arg| (*arg).to_owned()).chain([path(name)]));
    let bytes = fs::read(corpus().join(path(name))).unwrap();
    let by_pipe = run_with_input(args.iter().copied().chain(["-"]), &bytes);
    assert_eq!(by_path, by_pipe, "{args:?} {name}");
    by_path
}

#[test]
fn the_first_and_last_rows_are_those_of_all() {
    for name in FILES {
        let all = run(["cat".to_owned(), path(name)]);
        let all: Vec<&str> = all.expect(&[0]).text().lines().collect();
        let hunt = Hunt::from_env();
        for n in hunt.some_of(&[0, 1, 2, 5, 10, all.len() - 1, all.len(), 1000], 4, name.len()) {
            let (first, last) = (&all[..all.len().min(*n)], &all[all.len().saturating_sub(*n)..]);
            let text = n.to_string();
            assert!(on(&["head", "-n", &text], name).expect(&[0]).text().lines().eq(first.iter().copied()));
            assert!(on(&["tail", "-n", &text], name).expect(&[0]).text().lines().eq(last.iter().copied()));
            let sampled = on(&["sample", "--seed", "5", "-n", &text], name);
            let sampled: Vec<&str> = sampled.expect(&[0]).text().lines().collect();
            assert_eq!(sampled.len(), all.len().min(*n), "{name}");
            // The sampled rows are in order.
            let mut rest = all.iter();
            assert!(sampled.iter().all(|row| rest.any(|other| other == row)), "{name}: {sampled:?}");
        }
        let ten = on(&["head"], name);
        assert!(ten.expect(&[0]).text().lines().eq(all.iter().copied().take(10)));
    }
}

#[test]
fn several_inputs_are_one_sequence() {
    let [file, stream] = ["many-batches.arrow", "many-batches.arrows"].map(path);
    let bytes = fs::read(corpus().join(&stream)).unwrap();
    let all = run(["cat", &file, &file, &stream]);
    let all: Vec<&str> = all.expect(&[0]).text().lines().collect();
    for n in ["3", "61", "130", "1000"] {
        let last: Vec<&str> = all[all.len().saturating_sub(n.parse().unwrap())..].to_vec();
        let by_path = run(["tail", "-n", n, &file, &file, &stream]);
        assert!(by_path.expect(&[0]).text().lines().eq(last.iter().copied()), "{n}");
        let sampled = run(["sample", "--seed", "9", "-n", n, &file, &file, &stream]);
        for [middle, end] in [["-", &*stream], [&*file, "-"]] {
            let by_pipe = run_with_input(["tail", "-n", n, &file, middle, end], &bytes);
            assert_eq!(by_pipe, by_path, "{n} {middle}");
            let by_pipe = run_with_input(["sample", "--seed", "9", "-n", n, &file, middle, end], &bytes);
            assert_eq!(by_pipe, sampled, "{n} {middle}");
        }
    }
    // Different seeds choose different rows. Without a seed, each run chooses others.
    let [one, two] = ["1", "2"].map(|seed| run(["sample", "--seed", seed, &file]).text().to_owned());
    assert_ne!(one, two);
}

/// The last line of a table, and row numbers that `cat --rows` accepts.
#[test]
fn a_table_says_how_many_rows_there_are() {
    let file = path("rows-300.arrow");
    let last_line = |outcome: &Outcome| outcome.expect(&[0]).text().lines().last().unwrap().to_owned();
    let table = ["--format", "table"];
    for (args, line) in [
        (&["head", "-n", "2"][..], "(2 of 300 rows)"),
        (&["tail", "-n", "1"], "(1 of 300 rows)"),
        (&["sample"], "(10 of 300 rows)"),
        (&["cat", "--rows", "298.."], "(2 of 300 rows)"),
        (&["cat", "--offset", "400"], "(0 of 300 rows)"),
    ] {
        let shown = run(args.iter().chain(&table).copied().chain([&*file]));
        assert_eq!(last_line(&shown), line, "{args:?}");
    }
    let both = run(["head", "-n", "2", "--format", "table", &file, &file]);
    assert_eq!(last_line(&both), "(2 of 600 rows)");
    for args in [&["cat"][..], &["head", "-n", "300"], &["tail", "-n", "300"]] {
        let shown = run(args.iter().chain(&table).copied().chain([&*file]));
        assert!(!last_line(&shown).starts_with('('), "{args:?}");
    }
    // The number of rows in a pipe is unknown before it is read.
    let bytes = fs::read(corpus().join(&file)).unwrap();
    let piped = run_with_input(["head", "-n", "2", "--format", "table", "-"], &bytes);
    assert!(!last_line(&piped).starts_with('('), "{piped:?}");
    // Each row shows its number.
    for command in ["tail", "sample", "head"] {
        let shown = run([command, "--vertical", "-n", "4", &file]);
        let text = shown.expect(&[0]).text();
        let blocks: Vec<&str> = text.split("\n\n").filter(|block| block.starts_with("row ")).collect();
        assert_eq!(blocks.len(), 4, "{shown:?}");
        for block in blocks {
            let number = block.lines().next().unwrap().strip_prefix("row ").unwrap();
            let next = (number.parse::<u64>().unwrap() + 1).to_string();
            let same = run(["cat", "--vertical", "--rows", &format!("{number}..{next}"), &file]);
            assert_eq!(same.expect(&[0]).text().split("\n\n").next(), Some(block));
        }
    }
}

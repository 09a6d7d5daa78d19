//! `recover`: what it copies, and the option that recovers more.

use std::{fs, path::Path};

use crate::program::{corpus, folder_in_memory, run};

struct Case {
    input: &'static str,
    options: &'static [&'static str],
    status: i32,
    rows: &'static [&'static str],
    hint: &'static str,
}

const NO_HINT: &str = "";
const KEEP: &str = "hint: --keep-dictionaries also copies the batches whose dictionary";
const SCHEMA: &str = "hint: --schema FILE takes the schema from a file or stream";

const CASES: &[Case] = &[
    Case {
        input: "one-wrong-value.arrows",
        options: &[],
        status: 3,
        rows: &[
            r#"{"a":"x","s":"a"}"#,
            r#"{"a":"y","s":"b"}"#,
            r#"{"a":"x","s":"e"}"#,
            r#"{"a":"y","s":"f"}"#,
            r#"{"a":"x","s":"g"}"#,
            r#"{"a":"y","s":"h"}"#,
        ],
        hint: NO_HINT,
    },
    Case {
        input: "dictionary-late.arrows",
        options: &[],
        status: 3,
        rows: &[r#"{"a":"x","b":"p"}"#, r#"{"a":"y","b":"q"}"#],
        hint: NO_HINT,
    },
    Case {
        input: "dictionary-replaced.arrow",
        options: &[],
        status: 3,
        rows: &[r#"{"c":"x"}"#, r#"{"c":"y"}"#, r#"{"c":"z"}"#, r#"{"c":"w"}"#],
        hint: NO_HINT,
    },
    Case {
        input: "footer-byte-order.arrow",
        options: &[],
        status: 3,
        rows: &[r#"{"a":1,"s":"x"}"#, r#"{"a":256,"s":"yz"}"#],
        hint: NO_HINT,
    },
    Case { input: "view-without-count.arrow", options: &[], status: 3, rows: &[], hint: SCHEMA },
    Case {
        input: "view-without-count.arrow",
        options: &["--schema", "s: large_utf8"],
        status: 3,
        rows: &[r#"{"s":"A"}"#, r#"{"s":"BBBBBBBBBBBBB"}"#],
        hint: NO_HINT,
    },
    Case { input: "zeros-over-schema.arrows", options: &[], status: 1, rows: &[], hint: SCHEMA },
];

fn rows(path: &Path) -> Vec<String> {
    let outcome = run([Path::new("cat"), path, Path::new("--format"), Path::new("json")]);
    outcome.expect(&[0]).text().lines().map(str::to_owned).collect()
}

#[test]
fn damaged_inputs_give_what_is_certain() {
    let folder = folder_in_memory();
    let schema = folder.path().join("schema.txt");
    for container in ["file", "stream"] {
        let output = folder.path().join(container);
        for case in CASES {
            let input = corpus().join("damaged").join(case.input);
            let mut args =
                vec!["recover".into(), input, "-o".into(), output.clone(), "--to".into(), container.into()];
            if let [option, text] = case.options {
                fs::write(&schema, text).unwrap();
                args.extend([option.into(), schema.clone()]);
            }
            let outcome = run(&args);
            let what = format!("{} as a {container}: {}", case.input, outcome.stderr);
            assert_eq!(outcome.status, case.status, "{what}");
            let hints = outcome.stderr.lines().filter(|line| line.contains("hint: "));
            let hints = hints.collect::<Vec<_>>().join("\n");
            assert!(hints.contains(case.hint) && hints.is_empty() == case.hint.is_empty(), "{what}");
            if case.status == 3 {
                assert_eq!(rows(&output), case.rows, "{what}");
                run([Path::new("validate"), &output]).expect(&[0]);
            } else {
                assert!(!output.exists() || !rows(&output).is_empty(), "nothing is written");
            }
        }
    }
}

/// Batches whose dictionary may have been replaced are lost, and the option that keeps them is named.
#[test]
fn the_option_for_doubtful_dictionaries_is_named() {
    let folder = folder_in_memory();
    let [input, output] = ["in.arrows", "out.arrows"].map(|name| folder.path().join(name));
    let mut bytes = fs::read(corpus().join("damaged/one-wrong-value.arrows")).unwrap();
    // The metadata of the second batch.
    bytes[704..760].fill(0x11);
    fs::write(&input, &bytes).unwrap();
    let recover = |options: &[&str]| {
        let paths = [Path::new("recover"), &input, Path::new("-o"), &output].map(Path::to_owned);
        run(paths.into_iter().chain(options.iter().map(Into::into)))
    };
    let outcome = recover(&[]);
    assert!(outcome.expect(&[3]).stderr.contains(KEEP), "{}", outcome.stderr);
    assert_eq!(rows(&output).len(), 2);
    let outcome = recover(&["--keep-dictionaries"]);
    assert!(!outcome.expect(&[3]).stderr.contains("hint"), "{}", outcome.stderr);
    assert_eq!(rows(&output).len(), 6);
}

/// `validate` names the disagreement that explains invalid values.
#[test]
fn validate_names_the_byte_order() {
    let outcome = run(["validate", "damaged/footer-byte-order.arrow"]);
    assert!(
        outcome
            .expect(&[1])
            .stderr
            .contains("the schema message and the footer disagree about the byte order"),
        "{}",
        outcome.stderr
    );
}

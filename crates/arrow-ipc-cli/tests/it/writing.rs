//! The ways in which `convert` can write the same.

use std::{fs, path::Path};

use crate::program::{corpus, golden_cases, run, run_with_input, temporary_folder};

/// Options, and what `inspect` and `schema` say of all that was written with them: version, legacy framing, byte order.
pub(crate) type Way = (&'static [&'static str], (&'static str, bool, &'static str));

pub(crate) const WAYS: [Way; 5] = [
    (&[], ("V5", false, "little")),
    (&["--endian", "big"], ("V5", false, "big")),
    (&["--endian", "little", "--metadata-version", "5"], ("V5", false, "little")),
    (&["--metadata-version", "4"], ("V4", false, "little")),
    (&["--metadata-version", "4", "--legacy-framing", "--endian", "big"], ("V4", true, "big")),
];

/// What the program says of how a file is written.
fn how_written(file: &Path) -> Vec<(String, bool, String)> {
    let schema = run([Path::new("schema"), Path::new("--json"), file]);
    let schema: serde_json::Value = serde_json::from_str(schema.expect(&[0]).text()).unwrap();
    let messages = run([Path::new("inspect"), Path::new("--json"), file]);
    let lines = messages.expect(&[0]).text().lines();
    let messages = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    messages
        .filter(|line| line["what"] == "message")
        .map(|line| {
            (text(&line["version"]), line["legacy_framing"].as_bool().unwrap(), text(&schema["endianness"]))
        })
        .collect()
}

#[test]
fn options_change_how_and_not_what() {
    let folder = temporary_folder();
    let (mut n_written, mut n_refused) = (0, 0);
    for (case, files) in golden_cases().into_iter().step_by(6) {
        for file in files {
            for (way, (version, is_legacy, order)) in WAYS {
                for suffix in ["arrow", "arrows"] {
                    let name = format!("{} {way:?} {suffix}", case.display());
                    let out = folder.path().join("out").with_extension(suffix);
                    let args = [Path::new("convert"), &file, &out];
                    let converted = run(args.into_iter().chain(way.iter().map(Path::new)));
                    if converted.status == 5 && version == "V4" {
                        assert!(converted.stderr.contains("V4 cannot carry"), "{name}: {converted:?}");
                        assert!(converted.stderr.contains("leave out --metadata-version 4"), "{converted:?}");
                        n_refused += 1;
                        continue;
                    }
                    assert_eq!((converted.status, &converted.stderr[..]), (0, ""), "{name}");
                    let same = run([Path::new("diff"), &file, &out]);
                    assert!(same.status == 0 && same.stdout.is_empty(), "{name}: {same:?}");
                    run([Path::new("validate"), &out]).expect(&[0]);
                    let expected = (version.to_owned(), is_legacy, order.to_owned());
                    let found = how_written(&out);
                    assert!(found.iter().all(|found| *found == expected), "{name}: {found:?}");
                    n_written += found.len();
                }
            }
        }
    }
    assert!(n_written > 100 && n_refused > 10, "{n_written} messages, {n_refused} refused");
}

/// What is not given on the command line is not taken from the input.
#[test]
fn the_way_of_the_input_makes_no_difference() {
    let folder = temporary_folder();
    let out = |name: &str| folder.path().join(name);
    let file = corpus().join("golden/pyarrow-26.0.1/dictionary-nested.arrow");
    run([Path::new("convert"), &file, &out("plain.arrow")]).expect(&[0]);
    let plain = fs::read(out("plain.arrow")).unwrap();
    for (way, _) in WAYS {
        let args = [Path::new("convert"), &file, &out("way.arrows")];
        run(args.into_iter().chain(way.iter().map(Path::new))).expect(&[0]);
        let back =
            run_with_input(["convert", "-", "-", "--to", "file"], &fs::read(out("way.arrows")).unwrap());
        assert!(back.expect(&[0]).stdout == plain, "{way:?}");
    }
}

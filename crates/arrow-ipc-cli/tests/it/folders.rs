//! Commands with several inputs, whose outputs are files in a folder.

use std::{fs, path::Path};

use crate::program::{corpus, run, temporary_folder};

const GOLDEN: &str = "golden/pyarrow-26.0.1/integers-full.arrow";

/// A folder with the same two columns in every format, and a damaged file.
fn inputs() -> tempfile::TempDir {
    let folder = temporary_folder();
    let put = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    put("a.csv", b"id,name\n1,ada\n2,bob\n");
    put("b.jsonl", b"{\"id\": 3, \"name\": \"cy\"}\n");
    let sound = fs::read(corpus().join(GOLDEN)).unwrap();
    put("c.arrow", &sound);
    put("cut.arrow", sound.get(..sound.len() / 2).unwrap());
    put("d.arrows", &fs::read(corpus().join(GOLDEN).with_extension("arrows")).unwrap());
    folder
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A command, its inputs, the files that it writes, and its status.
type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a [&'a str], i32);

#[test]
fn each_input_gets_a_file_and_a_broken_one_none() {
    let all = ["a.csv", "b.jsonl", "c.arrow", "cut.arrow", "d.arrows"];
    let arrow = ["c.arrow", "cut.arrow", "d.arrows"];
    let cases: [Case<'_>; 7] = [
        (&["convert"], &all, &["a.arrow", "b.arrow", "c.arrow", "d.arrow"], 1),
        (&["convert", "--to", "stream"], &all, &["a.arrows", "b.arrows", "c.arrows", "d.arrows"], 1),
        (&["convert"], &["a.csv", "b.jsonl"], &["a.arrow", "b.arrow"], 0),
        (&["convert"], &["a.csv"], &["a.arrow"], 0),
        (&["split", "--rows", "0..1"], &arrow, &["c.arrow", "d.arrow"], 1),
        // The truncated file has a schema and some complete batches.
        (&["recover"], &arrow, &["c.arrow", "cut.arrow", "d.arrow"], 3),
        (&["recover", "--to", "stream"], &["c.arrow", "d.arrows"], &["c.arrows", "d.arrows"], 0),
    ];
    for (command, given, expected, status) in cases {
        let folder = inputs();
        // The extension of a folder does not mean that text is written.
        let out = folder.path().join("out/made.csv");
        let given: Vec<_> = given.iter().map(|name| folder.path().join(name)).collect();
        let args = command.iter().map(|arg| (*arg).into()).chain(given.clone());
        let outcome = run(args.chain([folder.path().join("out/made.csv/")]));
        outcome.expect(&[status]);
        assert_eq!(names(&out), expected, "{command:?}: {outcome:?}");
        for input in &given {
            let is_reported = outcome.stderr.contains(&*input.to_string_lossy());
            let is_cut = input.ends_with("cut.arrow");
            assert_eq!(is_reported, is_cut || command[0] == "recover", "{command:?}: {outcome:?}");
        }
        for name in names(&out) {
            run([Path::new("validate"), &out.join(name)]).expect(&[0]);
        }
        // The second run finds an existing folder, whose files it replaces if an option names it.
        let args = command.iter().map(|arg| (*arg).into()).chain(given);
        run(args.clone().chain([out.clone()])).expect(&[2]);
        run(args.chain(["-o".into(), out.clone()])).expect(&[status]);
        assert_eq!(names(&out), expected, "{command:?}");
    }
}

#[test]
fn results_without_a_destination_are_refused_before_anything_is_written() {
    let folder = inputs();
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::copy(folder.path().join("c.arrow"), folder.path().join("other/c.arrow")).unwrap();
    let cases: [(&[&str], &str, &str); 6] = [
        (&["a.csv", "b.jsonl"], "out.arrow", "not a folder, which the outputs of 2 inputs need"),
        (&["a.csv", "b.jsonl"], "-", "not a folder, which the outputs of 2 inputs need"),
        (&["a.csv", "c.arrow", "other/c.arrow"], "out/", "out/c.arrow: the outputs of both "),
        (&["c.arrow", "-"], "out/", "standard input has no file name"),
        (&["-"], "out/", "standard input has no file name"),
        (&["a.csv", ".."], "out/", ".. has no file name"),
    ];
    let before = names(folder.path());
    for command in ["convert", "split", "recover"] {
        for (inputs, output, words) in cases {
            let path = |name: &str| match name {
                "-" => name.into(),
                _ => folder.path().join(name),
            };
            let args = [command.into()].into_iter().chain(inputs.iter().map(|name| path(name)));
            let outcome = run(args.chain([path(output)]));
            assert!(outcome.expect(&[2]).stderr.contains(words), "{command}: {outcome:?}");
            assert_eq!(names(folder.path()), before, "{command} {inputs:?}");
        }
    }
}

#[test]
fn inputs_are_not_replaced_through_a_folder() {
    let folder = inputs();
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(folder.path().join("a.arrow"), fs::read(folder.path().join("c.arrow")).unwrap()).unwrap();
    fs::hard_link(folder.path().join("c.arrow"), other.join("d.arrow")).unwrap();
    // The output of the first input would replace the second input; in the other folder, through a link.
    let cases = [
        (&["c.arrow"][..], "."),
        (&["d.arrows", "c.arrow"], "."),
        (&["d.arrows", "c.arrow"], "./"),
        (&["a.csv", "a.arrow", "d.arrows"], "."),
        (&["a.csv", "other/../c.arrow", "d.arrows"], "other"),
    ];
    let contents = || -> Vec<_> {
        let of = |folder: &Path| -> Vec<_> {
            let files = names(folder).into_iter().map(|name| folder.join(name));
            files.filter(|path| path.is_file()).map(|path| (fs::read(&path).unwrap(), path)).collect()
        };
        [of(folder.path()), of(&other)].concat()
    };
    let before = contents();
    for command in ["convert", "split", "recover"] {
        for (inputs, output) in cases {
            let path = |name: &&str| folder.path().join(name);
            let args = [command.into()].into_iter().chain(inputs.iter().map(path));
            let outcome = run(args.chain([path(&output)]));
            let is_named = inputs.contains(&"a.csv") && inputs.contains(&"a.arrow");
            let words = if is_named { "both " } else { "is an input, too" };
            assert!(outcome.expect(&[2]).stderr.contains(words), "{command} {inputs:?}: {outcome:?}");
            assert!(contents() == before, "{command} {inputs:?}");
        }
    }
}

#[test]
fn a_schema_is_read_once_for_all_text() {
    let folder = inputs();
    let [a, b, schema, out] = ["a.csv", "b.jsonl", "of.schema", "out/"].map(|name| folder.path().join(name));
    let missing = run([Path::new("convert"), &a, &b, &out, Path::new("--schema"), &schema]);
    missing.expect(&[4]);
    assert!(!out.exists());
    fs::write(&schema, "id: int32\nname: utf8\n").unwrap();
    run([Path::new("convert"), &a, &b, &out, Path::new("--schema"), &schema]).expect(&[0]);
    for name in ["a.arrow", "b.arrow"] {
        let shown = run([Path::new("schema"), &out.join(name)]);
        assert!(shown.expect(&[0]).text().contains("id: int32"), "{shown:?}");
    }
}

/// A folder already has the name of one of the outputs.
#[test]
fn the_others_are_done_if_one_result_cannot_be_written() {
    let folder = inputs();
    let out = folder.path().join("out/");
    fs::create_dir_all(out.join("b.arrow")).unwrap();
    let given = ["a.csv", "b.jsonl", "c.arrow", "d.arrows"].map(|name| folder.path().join(name));
    let outcome = run(std::iter::once("convert".into()).chain(given).chain([out.clone()]));
    outcome.expect(&[4]);
    assert!(outcome.stderr.contains("b.arrow"), "{outcome:?}");
    assert_eq!(names(&out), ["a.arrow", "b.arrow", "c.arrow", "d.arrow"]);
}

#[test]
fn nothing_is_written_to_urls() {
    let folder = inputs();
    let input = folder.path().join("c.arrow");
    let input = input.to_str().unwrap();
    for args in [
        &["convert", input, "https://example.org/x/"][..],
        &["convert", input, "s3://bucket/x.arrow"],
        &["concat", input, input, "HTTP://example.org/x.arrow"],
        &["append", "https://example.org/x.arrow", input],
        &["append", input, input, "--to", "https://example.org/x.arrow"],
    ] {
        let outcome = run(args.iter().copied());
        outcome.expect(&[4]);
        assert!(outcome.stderr.contains("nothing is written to URLs"), "{outcome:?}");
    }
    assert!(!Path::new("https:").exists() && !Path::new("s3:").exists());
}

#[test]
fn a_new_folder_without_outputs_is_removed() {
    let folder = inputs();
    let path = |name: &str| folder.path().join(name);
    let before = names(folder.path());
    for args in [
        &["recover", "missing", "new/"][..],
        &["recover", "missing", "new/inner/"],
        &["convert", "missing", "a.csv/", "new/inner/"],
        &["convert", "--from", "csv", "c.arrow", "new/"],
        &["split", "missing", "new/../other/"],
    ] {
        let is_path = |arg: &&str| arg.contains('/') || arg.contains('.') || *arg == "missing";
        let args: Vec<_> = args.iter().map(|arg| if is_path(arg) { path(arg) } else { arg.into() }).collect();
        assert_ne!(run(&args).status, 0, "{args:?}");
        assert_eq!(names(folder.path()), before, "{args:?}");
    }
    // A folder that was there stays.
    fs::create_dir(path("empty")).unwrap();
    assert_ne!(run([Path::new("recover"), &path("missing"), &path("empty")]).status, 0);
    assert_eq!(names(&path("empty")), Vec::<String>::new());
    // So does one that has an output; the files in it are named.
    let args = ["a.csv", "missing", "c.arrow", "new/"].map(path);
    let outcome = run([Path::new("convert")].into_iter().chain(args.iter().map(|path| &**path)));
    assert_eq!(names(&path("new")), ["a.arrow", "c.arrow"]);
    let [a, c] = ["new/a.arrow", "new/c.arrow"].map(|name| path(name).display().to_string());
    let said = format!("note: 2 of 3 outputs were written: {a}, {c}\n");
    assert!(outcome.expect(&[4]).stderr.ends_with(&said), "{outcome:?}");
}

/// An output of a pattern in quotes has the name of the file that matches.
#[test]
fn a_pattern_gives_the_name_of_its_file() {
    let folder = inputs();
    let path = |name: &str| folder.path().join(name);
    let convert = |pattern: &str| run([Path::new("convert"), &path(pattern), &path("a.csv"), &path("new/")]);
    convert("*.arrows").expect(&[0]);
    assert_eq!(names(&path("new")), ["a.arrow", "d.arrow"]);
    fs::remove_dir_all(path("new")).unwrap();
    let refused = convert("[cd]*.arrow*");
    assert!(refused.expect(&[2]).stderr.contains("has no file name to give"), "{refused:?}");
    assert!(!path("new").exists());
    assert_eq!(convert("*.nothing").status, 4);
}

//! `convert` writes a complete output, or none.

use std::{fs, path::Path};

use crate::program::{corpus, run, temporary_folder};

const FILE: &str = "golden/pyarrow-26.0.1/metadata.arrow";

#[test]
fn a_file_may_be_replaced_by_itself() {
    let folder = temporary_folder();
    let path = folder.path().join("a.arrow");
    fs::copy(corpus().join(FILE), &path).unwrap();
    let before = run([Path::new("cat"), &path]);
    run([Path::new("convert"), &path, &path]).expect(&[0]);
    assert_eq!(run([Path::new("cat"), &path]), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Casts timestamps, booleans, and values to dictionaries. Refused casts have hints.
#[test]
fn casts_are_done_or_lead_to_others() {
    let folder = temporary_folder();
    let [text, data, out] = ["a.csv", "a.arrow", "b.arrow"].map(|name| folder.path().join(name));
    let [text, data, out] = [&text, &data, &out].map(|path| path.to_str().unwrap());
    let rows = "t,z,f,c\n2024-12-31 12:30,2024-12-31 12:30Z,true,Oslo\n2024-12-31 13:30,,false,Oslo\n";
    fs::write(text, rows).unwrap();
    run(["convert", text, data]).expect(&[0]);
    let tokyo = folder.path().join("c.arrow");
    let tokyo = tokyo.to_str().unwrap();
    run(["convert", data, tokyo, "--cast", "z=timestamp(us, \"Asia/Tokyo\")"]).expect(&[0]);
    // The input, the cast, options, the status, a text in the messages, and the column as CSV.
    type Case<'a> = (&'a str, &'a str, &'a [&'a str], i32, &'a str, &'a str);
    let cases: [Case<'_>; 17] = [
        (data, "t=time64(us)", &[], 5, "would lose its day as", ""),
        (data, "t=time64(us)", &["--lossy"], 3, "2 values lost digits", "12:30:00.000000\n13:30:00.000000\n"),
        (data, "z=timestamp(us)", &[], 5, "hint: --lossy leaves out this part", ""),
        (
            data,
            "z=timestamp(us)",
            &["--lossy"],
            3,
            "1 value lost digits",
            "2024-12-31T12:30:00.000000\n\"\"\n",
        ),
        (data, "z=date32", &["--lossy"], 3, "1 value lost digits", "2024-12-31\n\"\"\n"),
        (
            tokyo,
            "z=timestamp(us)",
            &["--lossy"],
            3,
            "1 value lost digits",
            "2024-12-31T21:30:00.000000\n\"\"\n",
        ),
        (tokyo, "z=date32", &["--lossy"], 3, "1 value lost digits", "2024-12-31\n\"\"\n"),
        (tokyo, "z=timestamp(us, \"UTC\")", &[], 0, "", "2024-12-31T12:30:00.000000Z\n\"\"\n"),
        (
            data,
            "t=timestamp(us, Asia/Tokyo)",
            &[],
            0,
            "",
            "2024-12-31T03:30:00.000000Z\n2024-12-31T04:30:00.000000Z\n",
        ),
        (data, "t=timestamp(us, Mars)", &["--lossy"], 5, "hint: a zone is a name such as Europe/Paris", ""),
        (data, "f=int8", &[], 0, "", "1\n0\n"),
        (data, "f=bool8", &[], 0, "", "true\nfalse\n"),
        (data, "f=float64", &[], 5, "bool cannot be cast to float64", ""),
        (data, "c=dictionary", &[], 0, "", "Oslo\nOslo\n"),
        (text, "c=dictionary", &[], 0, "", "Oslo\nOslo\n"),
        (data, "t=dictionary", &[], 0, "", "2024-12-31T12:30:00.000000\n2024-12-31T13:30:00.000000\n"),
        (data, "z=dictionary", &[], 0, "", "2024-12-31T12:30:00.000000Z\n\"\"\n"),
    ];
    for (input, cast, options, status, said, shown) in cases {
        let outcome = run([&["convert", input, out, "--cast", cast], options].concat());
        assert!(outcome.expect(&[status]).stderr.contains(said), "{cast}: {}", outcome.stderr);
        if status != 5 {
            let (column, to) = cast.split_once('=').unwrap();
            let found = run(["cat", out, "--columns", column, "--format", "csv"]);
            assert_eq!(found.text(), format!("{column}\n{shown}"), "{cast}");
            let schema = run(["schema", out, "--columns", column]).text().to_owned();
            assert_eq!(schema.contains("dictionary<int32, "), to == "dictionary", "{schema}");
        }
        let _ = fs::remove_file(out);
    }
    // A repeated cast has the same result.
    run(["convert", data, out, "--cast", "c=dictionary<int8, utf8>"]).expect(&[0]);
    run(["convert", out, "-o", data, "--cast", "c=dictionary"]).expect(&[0]);
    assert!(run(["schema", data]).text().contains("c: dictionary<int32, utf8>"));
    let refused = run(["cat", text, "--type", "c=dictionary"]);
    assert!(refused.expect(&[2]).stderr.contains("needs the type of its values"), "{}", refused.stderr);
    let parts = folder.path().join("parts");
    let parts = parts.to_str().unwrap();
    let refused = run(["split", data, parts, "--by", "t"]);
    assert!(refused.expect(&[2]).stderr.contains("--cast COLUMN=date32 --lossy"), "{}", refused.stderr);
    run(["split", data, parts, "--by", "t", "--cast", "t=date32", "--lossy"]).expect(&[3]);
    assert!(folder.path().join("parts/t=2024-12-31/part-0.arrow").is_file());
}

#[test]
fn formats_are_chosen_by_name_or_option() {
    let folder = temporary_folder();
    let cases: [(&str, &[&str], &[u8]); 6] = [
        ("a.arrow", &[], b"ARROW1\0\0"),
        ("a.feather", &[], b"ARROW1\0\0"),
        ("a.IPC", &[], b"ARROW1\0\0"),
        ("a.arrows", &[], &[0xff; 4]),
        ("a.arrow", &["--to", "stream"], &[0xff; 4]),
        ("a", &["--to", "file"], b"ARROW1\0\0"),
    ];
    for (name, options, start) in cases {
        let out = folder.path().join(name);
        let options: Vec<&Path> = options.iter().map(Path::new).collect();
        let paths = [Path::new(FILE), &out];
        // Options may be before, between and after the paths.
        for n_before in 0..=paths.len() {
            let (before, after) = paths.split_at(n_before);
            run([&[Path::new("convert")], before, &options, after].concat()).expect(&[0]);
            assert!(fs::read(&out).unwrap().starts_with(start), "{name} {options:?}");
            fs::remove_file(&out).unwrap();
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = temporary_folder();
    let [first, second, third] = ["1.arrow", "2.arrow", "3.arrows"].map(|name| folder.path().join(name));
    // The metadata of this file is only in its footer, and a stream has no footer.
    let stream = FILE.replace(".arrow", ".arrows");
    run([Path::new("convert"), Path::new(&stream), &first]).expect(&[0]);
    run([Path::new("convert"), Path::new(&stream), &third]).expect(&[0]);
    run([Path::new("convert"), &third, &second]).expect(&[0]);
    assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap());
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = temporary_folder();
    let [target, link] = ["target.arrow", "link.arrow"].map(|name| folder.path().join(name));
    fs::write(&target, b"old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&target, &link).unwrap();
    run([Path::new("convert"), Path::new(FILE), Path::new("-o"), &link]).expect(&[0]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read(&target).unwrap().starts_with(b"ARROW1"));

    fs::set_permissions(&target, fs::Permissions::from_mode(0o440)).unwrap();
    run([Path::new("convert"), Path::new(FILE), Path::new("-o"), &target]).expect(&[4]);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_written_to() {
    run(["convert", FILE, "/dev/null", "--to", "file"]).expect(&[0]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let stream = run(["convert", FILE, "/dev/stdout", "--to", "stream"]);
    assert!(stream.expect(&[0]).stdout.starts_with(&[0xff; 4]));
}

#[test]
fn columns_are_changed_on_the_way() {
    let folder = temporary_folder();
    let out = folder.path().join("a.arrow");
    let convert = |options: &[&str]| {
        let args = [Path::new("convert"), Path::new(FILE), Path::new("-o"), &out];
        run(args.into_iter().chain(options.iter().map(Path::new)))
    };
    let changed =
        ["--columns", "unknown,dictionary", "--cast", "dictionary=large_string", "--rename", "unknown=n"];
    convert(&[&changed[..], &["--batch-rows", "4"]].concat()).expect(&[0, 3]);
    assert_eq!(
        run([Path::new("schema"), &out])
            .text()
            .lines()
            .filter(|line| !line.starts_with('#'))
            .take(2)
            .collect::<Vec<_>>(),
        ["n: int64", "dictionary: large_utf8"]
    );
    assert_eq!(run([Path::new("count"), &out]).text(), "7\n");

    let cases: [(&[&str], i32, &str); 11] = [
        (&["--cast", "unknown=int8"], 5, "column `unknown`: the value -9223372036854775808"),
        (&["--cast", "unknown=date32"], 5, "hint: --cast changes encodings, widths, scales and units"),
        (&["--cast", "unknown=strin"], 2, "unknown type \"strin\""),
        (&["--cast", "nothing=int8"], 2, "no field is named \"nothing\""),
        (&["--rename", "unknown"], 2, "expected OLD=NEW"),
        (&["--rename", "unknown=list"], 2, "more than one column of the output would have the name list"),
        (&["--columns", "list,map", "--rename", "list=x", "--rename", "map=x"], 2, "would have the name x"),
        (&["--lossy"], 2, "--cast"),
        (
            &["--columns", "list,list", "--rename", "list=x"],
            2,
            "in their order: --rename list=NEW1 --rename list=NEW2",
        ),
        (&["--rename", "\"list"], 2, "no closing quote"),
        (&["--rename", "\"list\"x=y"], 2, "expected OLD=NEW"),
    ];
    // Several columns of one name are renamed in order. Names may be quoted.
    let twice = ["--columns", "list,list,map", "--rename", "list=\"x=y\"", "--rename", "\"list\"=z"];
    convert(&twice).expect(&[0]);
    let second = folder.path().join("b.arrow");
    let args =
        [&["convert", out.to_str().unwrap(), second.to_str().unwrap()][..], &["--rename", "\"x=y\"=\"a,b\""]];
    run(args.concat()).expect(&[0]);
    let schema = run([Path::new("schema"), &second]);
    let names =
        schema.text().lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    assert_eq!(names.map(|(name, _)| name).take(3).collect::<Vec<_>>(), ["\"a,b\"", "z", "map"]);
    // Two columns may swap their names.
    convert(&["--rename", "list=map", "--rename", "map=list"]).expect(&[0]);
    for (options, status, text) in cases {
        let found = convert(options);
        assert!(found.expect(&[status]).stderr.contains(text), "{options:?}: {}", found.stderr);
    }
}

#[test]
fn values_that_lose_digits_are_counted() {
    let folder = temporary_folder();
    let [csv, arrow] = ["a.csv", "a.arrow"].map(|name| folder.path().join(name));
    let [out, json] = ["b.arrow", "b.jsonl"].map(|name| folder.path().join(name));
    fs::write(&csv, "n,m,t\n1.5,1.5,2024-02-29T12:00:00.5\n2,2,2024-02-29T12:00:00\n-3.25,2.5,\n").unwrap();
    run([Path::new("convert"), &csv, &arrow]).expect(&[0]);
    let casts = ["--lossy", "--cast", "n=int32", "--cast", "m=decimal128(5, 1)", "--cast", "t=timestamp(s)"];
    for input in [&csv, &arrow] {
        for output in [&out, &json] {
            let args = [Path::new("convert"), input.as_path(), output.as_path()];
            let done = run(args.into_iter().chain(casts.iter().map(Path::new)));
            let notes = &done.expect(&[3]).stderr;
            assert!(notes.contains("column `n`: 2 values lost digits"), "{notes}");
            assert!(notes.contains("column `t`: 1 value lost digits"), "{notes}");
            assert!(!notes.contains("column `m`"), "{notes}");
            fs::remove_file(output).unwrap();
        }
    }
}

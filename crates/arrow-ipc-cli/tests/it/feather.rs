//! Feather files of version 1 that pyarrow and pandas wrote, with their rows and schemas as text.

use std::fs;

use crate::{
    compressed::gzip,
    program::{corpus, run, run_with_input, temporary_folder},
};

/// The program reads them by path, through pipes and compressed, and converts them without a loss.
#[test]
fn tables_of_pyarrow_are_read() {
    let folder = temporary_folder();
    let [out, packed] = ["out.arrow", "in.feather.gz"].map(|name| folder.path().join(name));
    let [out, packed] = [out, packed].map(|path| path.to_str().unwrap().to_owned());
    let schemas = testing_support::files_below(&corpus().join("feather"), ".schema");
    assert_eq!(schemas.len(), 8);
    for schema in schemas {
        let path = schema.with_extension("feather");
        let bytes = fs::read(&path).unwrap();
        let name = path.to_str().unwrap();
        let rows = fs::read_to_string(path.with_extension("json")).unwrap();
        fs::write(&packed, gzip(&bytes)).unwrap();
        for found in [run(["cat", name]), run_with_input(["cat", "-"], &bytes), run(["cat", &packed])] {
            assert_eq!(found.expect(&[0]).text(), rows, "{name}");
        }
        assert_eq!(run(["schema", name]).expect(&[0]).text(), fs::read_to_string(schema).unwrap(), "{name}");
        assert_eq!(run(["count", name]).expect(&[0]).text(), format!("{}\n", rows.lines().count()));
        let header: String = rows.split_inclusive('\n').take(2).collect();
        assert_eq!(run(["head", "-n", "2", name]).expect(&[0]).text(), header);
        run(["validate", "--strict", name]).expect(&[0]);
        run(["stats", name]).expect(&[0]);
        run(["convert", name, &out]).expect(&[0]);
        run(["diff", name, &out]).expect(&[0]);
        fs::remove_file(&out).unwrap();
    }
}

/// Commands about messages, and about damage, name the one that reads the table.
#[test]
fn commands_of_messages_name_convert() {
    let path = corpus().join("feather/pyarrow-26.0.1/data-frame.feather");
    let path = path.to_str().unwrap();
    let recover: &[&str] = &["recover", path, "-", "--to", "file"];
    for command in [&["inspect", path][..], &["explain", path], recover] {
        let outcome = run(command);
        let error = &outcome.expect(&[5]).stderr;
        assert!(error.contains("found a Feather file of version 1"), "{error}");
        assert!(
            error.contains("hint: `arrow-ipc convert ") && error.contains("makes an Arrow file"),
            "{error}"
        );
    }
}

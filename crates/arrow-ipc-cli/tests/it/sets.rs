//! Folders and patterns as inputs, which have the rows of all their files, and partition columns.

use std::{fs, path::Path};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, WriteOptions};
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

/// Replaces `{}` in arguments by the folder.
fn args_in(folder: &Path, args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| arg.replace("{}", folder.to_str().unwrap())).collect()
}

#[test]
fn a_data_set_is_one_input() {
    let folder = set();
    let (cat_where, names) = ("day = '2024-02-29' and id > 3", "name,day");
    let cases: [(&[&str], &str); 17] = [
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
    let made = ["convert", "{}/data", "{}/known/all.arrow", "--statistics", "--batch-rows", "1"];
    fs::create_dir(folder.path().join("known")).unwrap();
    run(args_in(folder.path(), &made)).expect(&[0]);
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

#[test]
fn small_parts_are_joined() {
    let folder = set();
    let run_in = |args: &[&str]| run(args_in(folder.path(), args));
    let rows = run_in(&["cat", "{}/data"]).text().to_owned();
    let zstd =
        ["convert", "{}/data/day=2024-02-29/a.arrow", "{}/data/day=2024-02-29/a.arrow", "--compression"];
    run_in(&[&zstd[..], &["zstd"]].concat()).expect(&[0]);
    let joined = run_in(&["compact", "{}/data"]);
    joined.expect(&[0]);
    assert!(joined.stderr.contains("/data: 3 parts became 2 parts in version 2"), "{joined:?}");
    let again = run_in(&["compact", "{}/data", "--expire", "--target-bytes", "1000000"]);
    again.expect(&[0]);
    assert!(again.stderr.contains("/data: 2 parts in version 2: nothing to join"), "{again:?}");
    assert!(again.stderr.contains("/data: removed 1 earlier version and 2 files"), "{again:?}");
    assert_eq!(run_in(&["cat", "{}/data"]).text(), rows);
    let names = run_in(&["count", "{}/data/**/*.arrow"]);
    assert_eq!(names.text(), "6\n");
    // A file that no manifest lists is not read. A manifest can be read like any file.
    put(folder.path(), "data/day=2024-02-29/c.arrow", 9);
    assert_eq!(run_in(&["count", "{}/data"]).text(), "6\n");
    let manifest = "{}/_data.manifests/00000000000000000002.arrow";
    assert_eq!(run_in(&["cat", manifest, "--columns", "n_rows"]).text(), "{\"n_rows\":2}\n{\"n_rows\":4}\n");
    let path = args_in(folder.path(), &[manifest]).remove(0);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    for args in [&["count", "{}/data"], &["validate", "{}/data"], &["compact", "{}/data"]] {
        let outcome = run_in(args);
        outcome.expect(&[1]);
        assert!(outcome.stderr.contains(&path), "{args:?}: {outcome:?}");
        assert!(outcome.stderr.contains("hint: restore the manifest from a copy"), "{args:?}: {outcome:?}");
    }
    // The recovered part of a manifest is refused as a manifest.
    run_in(&["recover", manifest, "{}/saved.arrow"]).expect(&[3]);
    fs::rename(folder.path().join("saved.arrow"), &path).unwrap();
    let smaller = run_in(&["count", "{}/data"]);
    smaller.expect(&[1]);
    assert!(
        smaller.stderr.contains("the manifest is incomplete: it names 0 parts instead of 2"),
        "{smaller:?}"
    );
    run_in(&["compact", "{}/none"]).expect(&[4]);
}

#[test]
fn rows_are_appended_to_a_data_set() {
    let folder = set();
    let run_in = |args: &[&str]| run(args_in(folder.path(), args));
    put(folder.path(), "more.arrow", 7);
    // The first version of the data set. The folder determines the day.
    for place in ["{}/data", "{}/data/day=2024-02-29"] {
        let refused = run_in(&["append", place, "{}/more.arrow"]);
        refused.expect(&[5]);
        let compact =
            args_in(folder.path(), &["hint: if the set begins there, `arrow-ipc compact {}/data` joins"])
                .remove(0);
        assert!(refused.stderr.contains("no manifest marks the root of the data set"), "{refused:?}");
        assert!(refused.stderr.contains(&compact), "{refused:?}");
    }
    assert!(!folder.path().join("data/_day=2024-02-29.manifests").exists());
    let compact = run_in(&["compact", "{}/data", "--target-bytes", "1"]);
    compact.expect(&[0]);
    assert!(compact.stderr.contains("3 parts in version 1: nothing to join"), "{compact:?}");
    let refused = run_in(&["append", "{}/data", "{}/more.arrow"]);
    refused.expect(&[5]);
    assert!(
        refused.stderr.contains("/data: column \"day\" has its values in the names of folders"),
        "{refused:?}"
    );
    let appended = run_in(&[
        "append",
        "{}/data/day=2024-02-29",
        "{}/more.arrow",
        "{}/more.arrow",
        "--where",
        "name is null",
    ]);
    appended.expect(&[0]);
    assert_eq!(appended.stderr, "");
    let rows = run_in(&["cat", "{}/data", "--columns", "id,day", "--where", "id > 6", "--format", "csv"]);
    assert_eq!(rows.text(), "id,day\n8,2024-02-29\n8,2024-02-29\n");
    assert_eq!(run_in(&["count", "{}/data"]).text(), "8\n");
    // Nothing is appended if a later input fails.
    for (inputs, status) in
        [(&["{}/more.arrow", "{}/none.arrow"][..], 4), (&["{}/more.arrow", "--where", "id = 1"], 0)]
    {
        let before = fs::read_dir(folder.path().join("_data.manifests")).unwrap().count();
        run_in(&[&["append", "{}/data/day=2024-02-29"], inputs].concat()).expect(&[status]);
        assert_eq!(run_in(&["count", "{}/data"]).text(), "8\n");
        assert_eq!(fs::read_dir(folder.path().join("_data.manifests")).unwrap().count(), before);
    }
    let to = run_in(&["append", "{}/data", "{}/more.arrow", "--to", "{}/out.arrow"]);
    to.expect(&[2]);
    assert!(to.stderr.contains("--to needs a file to append to, not a folder"), "{to:?}");

    // A new folder is created.
    run_in(&["append", "{}/data/day=2024-03-01", "{}/more.arrow"]).expect(&[0]);
    assert_eq!(run_in(&["count", "{}/data"]).text(), "10\n");
    run_in(&["append", "{}/data/city=Oslo", "{}/more.arrow"]).expect(&[5]);
    assert!(!folder.path().join("data/city=Oslo").exists());

    // A folder of files becomes a data set. Its manifest hides files that are added later.
    put(folder.path(), "plain/a.arrow", 1);
    let first = run_in(&["append", "{}/plain", "{}/more.arrow"]);
    first.expect(&[0]);
    assert!(first.stderr.contains("/plain: this is the first version of the data set"), "{first:?}");
    put(folder.path(), "plain/b.arrow", 1);
    assert_eq!(run_in(&["count", "{}/plain"]).text(), "4\n");
    let types = ["convert", "{}/more.arrow", "{}/types.arrow", "--cast", "id=utf8"];
    run_in(&types).expect(&[0]);
    let other = run_in(&["append", "{}/plain", "{}/types.arrow"]);
    other.expect(&[5]);
    assert!(other.stderr.contains("/types.arrow: cannot be appended to"), "{other:?}");

    // Without the manifest, all parts are read, and a note says so.
    fs::rename(folder.path().join("_plain.manifests"), folder.path().join("gone")).unwrap();
    let told = run_in(&["count", "{}/plain"]);
    assert_eq!(told.expect(&[0]).text(), "6\n");
    assert!(told.stderr.contains("no manifest lists its parts"), "{told:?}");
    for args in [&["validate", "{}/plain"][..], &["append", "{}/plain", "{}/more.arrow"]] {
        let told = run_in(args);
        told.expect(&[0]);
        assert!(told.stderr.contains("no manifest lists its parts"), "{told:?}");
    }
}

/// A manifest has row counts of its parts, but missing parts are still an error.
#[test]
fn parts_that_are_gone_are_told() {
    let folder = set();
    let run_in = |args: &[&str]| run(args_in(folder.path(), args));
    run_in(&["compact", "{}/data"]).expect(&[0]);
    put(folder.path(), "more.arrow", 7);
    fs::remove_dir_all(folder.path().join("data/day=2024-02-28")).unwrap();
    let place = "{}/data/day=2024-02-29";
    for args in [
        &["count", "{}/data"][..],
        &["cat", "{}/data"],
        &["compact", "{}/data"],
        &["validate", "{}/data"],
        &["append", place, "{}/more.arrow"],
    ] {
        let gone = run_in(args);
        gone.expect(&[4]);
        let path =
            args_in(folder.path(), &["{}/data/day=2024-02-28/a.arrow: the file does not exist"]).remove(0);
        assert!(gone.stderr.contains(&path), "{gone:?}");
        assert!(gone.stderr.contains("hint: restore the file from a copy; or remove"), "{gone:?}");
    }
    fs::remove_dir_all(folder.path().join("data")).unwrap();
    put(folder.path(), "data/new.arrow", 1);
    run_in(&["count", "{}/data"]).expect(&[4]);
    fs::remove_dir_all(folder.path().join("_data.manifests")).unwrap();
    assert_eq!(run_in(&["count", "{}/data"]).text(), "2\n");
}

#[test]
fn a_compaction_tells_what_it_changes() {
    let folder = temporary_folder();
    let run_in = |args: &[&str]| run(args_in(folder.path(), args));
    for name in ["a", "b"] {
        put(folder.path(), &format!("data/{name}.arrow"), 1);
    }
    // Files with different columns cannot be parts of one data set.
    let other = ["convert", "{}/data/a.arrow", "{}/data/b.arrow", "--columns", "id"];
    run_in(&other).expect(&[0]);
    let refused = run_in(&["compact", "{}/data"]);
    refused.expect(&[5]);
    assert!(refused.stderr.contains("`arrow-ipc split FOLDER NEW/"), "{refused:?}");
    run_in(&["split", "{}/data", "{}/new/", "--target-bytes", "256MB"]).expect(&[0]);
    assert_eq!(run_in(&["count", "{}/new", "--where", "name is null"]).text(), "3\n");

    // Metadata of batches is lost, but the files that have it stay.
    let golden = crate::program::corpus().join("golden/pyarrow-26.0.1/metadata.arrow");
    for name in ["a", "b"] {
        fs::create_dir_all(folder.path().join("notes")).unwrap();
        fs::copy(&golden, folder.path().join(format!("notes/{name}.arrow"))).unwrap();
    }
    let lost = run_in(&["compact", "{}/notes", "--expire"]);
    lost.expect(&[3]);
    assert!(
        lost.stderr.contains(
            "joined parts have the metadata of the first schema, and none of batches and footers; 6 batches and files had"
        ),
        "{lost:?}"
    );
    assert!(lost.stderr.contains("this is the first version of the data set"), "{lost:?}");
    assert_eq!(fs::read_dir(folder.path().join("notes")).unwrap().count(), 3);
    let again = run_in(&["compact", "{}/notes", "--expire"]);
    again.expect(&[0]);
    assert!(!again.stderr.contains("first version"), "{again:?}");
    assert_eq!(fs::read_dir(folder.path().join("notes")).unwrap().count(), 1);
}

/// Different metadata of files in a data set is reported as for the inputs of `concat`.
#[test]
fn metadata_of_files_that_differs_is_told() {
    let folder = temporary_folder();
    let run_in = |args: &[&str]| run(args_in(folder.path(), args));
    fs::create_dir(folder.path().join("data")).unwrap();
    for (name, unit) in [("a", "kg"), ("b", "lb")] {
        let field = Field::new("w", DataType::Int64).with_metadata(Metadata::new().with("unit", unit));
        let schema = Schema::new([field, Field::new("n", DataType::Int64)]);
        let column = Int64Array::from_iter([1, 2]).into_data();
        let batch = RecordBatch::try_new(schema, vec![column.clone(), column]).unwrap();
        let file =
            FileWriter::to_buffer(batch.schema().clone(), std::slice::from_ref(&batch), WriteOptions::new())
                .unwrap();
        fs::write(folder.path().join(format!("data/{name}.arrow")), &file[..]).unwrap();
    }
    let cases: [(&[&str], i32); 10] = [
        (&["concat", "{}/data/a.arrow", "{}/data/b.arrow", "{}/concat.arrow"], 3),
        (&["concat", "{}/data", "{}/data/a.arrow", "{}/both.arrow"], 3),
        (&["convert", "{}/data", "{}/all.arrow"], 3),
        (&["convert", "{}/data/*", "{}/some.arrow", "--where", "w = 1"], 3),
        (&["convert", "{}/data", "{}/n.arrow", "--columns", "n"], 0),
        (&["convert", "{}/data", "{}/first.arrow", "--rows", "0..1"], 0),
        (&["split", "{}/data", "{}/parts/", "--by", "n"], 3),
        (&["cat", "{}/data"], 0),
        (&["convert", "{}/data", "{}/text.csv"], 0),
        (&["compact", "{}/data", "--expire"], 3),
    ];
    for (args, status) in cases {
        let done = run_in(args);
        done.expect(&[status]);
        assert_eq!(done.stderr.contains("metadata"), status == 3, "{args:?}: {done:?}");
    }
    assert_eq!(fs::read_dir(folder.path().join("data")).unwrap().count(), 3);
    run_in(&["convert", "{}/data", "{}/joined.arrow"]).expect(&[0]);
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
    let outcome = run(args_in(folder.path(), &["count", "{}/[dt]*"]));
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

#[test]
fn files_beside_the_manifest_are_told_and_kept() {
    let folder = temporary_folder();
    for (name, first) in [("a", 1), ("b", 3)] {
        put(folder.path(), &format!("set/{name}.arrow"), first);
    }
    let run_in = |args: &[&str]| run(args_in(folder.path(), args));
    let joined = run_in(&["compact", "{}/set"]);
    assert!(joined.stderr.contains("see the joined rows twice until"), "{joined:?}");
    let part = fs::read_dir(folder.path().join("set")).unwrap().map(|entry| entry.unwrap().path());
    let part = part.filter(|path| path.to_str().unwrap().contains("part-")).last().unwrap();
    let refused = run_in(&["append", part.to_str().unwrap(), "{}/set/a.arrow"]);
    refused.expect(&[5]);
    assert!(refused.stderr.contains("the path is inside the data set"), "{refused:?}");
    fs::write(folder.path().join("set/a.arrow"), fs::read(&part).unwrap()).unwrap();
    put(folder.path(), "set/new.arrow", 9);
    for command in ["count", "compact", "count", "validate"] {
        let expire = (command == "compact").then_some("--expire");
        let args: Vec<&str> = [command, "{}/set"].into_iter().chain(expire).collect();
        let outcome = run_in(&args);
        outcome.expect(&[0]);
        if command == "compact" {
            assert!(outcome.stderr.contains("kept 1 file that earlier versions named"), "{outcome:?}");
            continue;
        }
        assert!(command == "validate" || outcome.text() == "4\n", "{outcome:?}");
        let told = "/set/a.arrow and 1 more: not in the data set, since its manifest names no such file";
        assert!(outcome.stderr.contains(told), "{outcome:?}");
    }
    let by_pattern = run_in(&["count", "{}/*/[n-p]*.arrow"]);
    let told = "/set/new.arrow: not in the data set, since its manifest names no such file; `arrow-ipc append FOLDER FILE` adds";
    assert!(by_pattern.stderr.contains(told), "{by_pattern:?}");
    assert_eq!(run_in(&["count", "{}/set/a.arrow"]).text(), "4\n");
    assert!(!folder.path().join("set/b.arrow").exists());
}

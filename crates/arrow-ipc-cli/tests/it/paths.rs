//! Selects columns, and fields inside columns, with `--columns`.

use std::{fs, path::PathBuf};

use arrow_array::{
    DictionaryBuilder, Int64Builder, ListBuilder, MapBuilder, StructBuilder, UnionBuilder, Utf8Builder,
};
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, StreamWriter};
use arrow_schema::{IndexType, UnionMode};

use crate::program::{run, temporary_folder};

type Address = (Option<i64>, Option<(i64, Option<i64>)>);
type Phones = Vec<Option<(i64, &'static str)>>;

fn rows() -> RecordBatch {
    let geo = || StructBuilder::new((("lat", Int64Builder::new()), ("lon, deg", Int64Builder::new())));
    let address = StructBuilder::new((("zip.code", Int64Builder::new()), ("geo", geo())));
    let phone = || StructBuilder::new((("number", Int64Builder::new()), ("kind", Utf8Builder::new())));
    let words = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).unwrap();
    let twins = StructBuilder::new((("x", Int64Builder::new()), ("x", Int64Builder::new())));
    let mut rows = StructBuilder::new((
        ("id", Int64Builder::new()),
        ("address", address),
        ("phones", ListBuilder::new(phone())),
        ("address.geo", Int64Builder::new()),
        ("map", MapBuilder::new(Utf8Builder::new(), Int64Builder::new())),
        ("word", words),
        ("twins", twins),
    ));
    let address: Address = (Some(5), Some((1, None)));
    let phones = vec![Some((7, "home")), None];
    rows.append((1, Some(address), Some(phones), 10, vec![("k", 1)], "a", (1, 2)));
    rows.append((2, None::<Address>, None::<Phones>, 20, vec![("k", 2)], "b", (3, 4)));
    let address: Address = (None, None);
    rows.append((3, Some(address), Some(Phones::new()), 30, vec![("k", 3)], "a", (5, 6)));
    rows.finish_batch().unwrap()
}

/// Writes the rows to a file and a stream, each with two batches.
fn write(batch: &RecordBatch) -> (tempfile::TempDir, [PathBuf; 2]) {
    let folder = temporary_folder();
    let [file, stream] = ["a.arrow", "a.arrows"].map(|name| folder.path().join(name));
    let half = batch.n_rows() / 2;
    let halves = [batch.slice(0, half), batch.slice(half, batch.n_rows() - half)];
    let mut to_file = FileWriter::create(&file, batch.schema()).unwrap();
    let sink = fs::File::create(&stream).unwrap();
    let mut to_stream = StreamWriter::try_new(sink, batch.schema()).unwrap();
    for half in halves {
        to_file.write(&half).unwrap();
        to_stream.write(&half).unwrap();
    }
    to_file.finish().unwrap();
    to_stream.finish().unwrap();
    (folder, [file, stream])
}

#[test]
fn paths_lead_into_columns() {
    let (_folder, files) = write(&rows());
    let cases = [
        ("id", ["{\"id\":1}", "{\"id\":2}", "{\"id\":3}"]),
        (
            "address.\"zip.code\",id",
            [
                "{\"address.\\\"zip.code\\\"\":5,\"id\":1}",
                "{\"address.\\\"zip.code\\\"\":null,\"id\":2}",
                "{\"address.\\\"zip.code\\\"\":null,\"id\":3}",
            ],
        ),
        // The name of a column has priority over a path.
        ("address.geo", ["{\"address.geo\":10}", "{\"address.geo\":20}", "{\"address.geo\":30}"]),
        ("\"address.geo\"", ["{\"address.geo\":10}", "{\"address.geo\":20}", "{\"address.geo\":30}"]),
        (
            "\"address\".geo",
            [
                "{\"address.geo\":{\"lat\":1,\"lon, deg\":null}}",
                "{\"address.geo\":null}",
                "{\"address.geo\":null}",
            ],
        ),
        (
            "address.geo.lat,address.geo.\"lon, deg\",address.geo.lat",
            [
                "[[\"address.geo.lat\",1],[\"address.geo.lon, deg\",null],[\"address.geo.lat\",1]]",
                "[[\"address.geo.lat\",null],[\"address.geo.lon, deg\",null],[\"address.geo.lat\",null]]",
                "[[\"address.geo.lat\",null],[\"address.geo.lon, deg\",null],[\"address.geo.lat\",null]]",
            ],
        ),
        (
            "phones.item.number",
            [
                "{\"phones.item.number\":[7,null]}",
                "{\"phones.item.number\":null}",
                "{\"phones.item.number\":[]}",
            ],
        ),
        (
            "phones.item,id",
            [
                "{\"phones.item\":[{\"number\":7,\"kind\":\"home\"},null],\"id\":1}",
                "{\"phones.item\":null,\"id\":2}",
                "{\"phones.item\":[],\"id\":3}",
            ],
        ),
    ];
    for (columns, expected) in cases {
        for file in &files {
            let outcome = run(["cat", "--json-pairs", "--columns", columns, file.to_str().unwrap()]);
            assert_eq!((outcome.status, &outcome.stderr[..]), (0, ""), "{columns}");
            assert_eq!(outcome.text().lines().collect::<Vec<_>>(), expected, "{columns}");
        }
        let [file, stream] = files.each_ref().map(|file| file.to_str().unwrap());
        let outcome = run(["diff", "--columns", columns, file, stream]);
        assert_eq!((outcome.status, outcome.differences(), &outcome.stderr[..]), (0, "", ""), "{columns}");
    }
}

#[test]
fn paths_that_lead_nowhere_are_said_with_advice() {
    let (_folder, files) = write(&rows());
    let cases = [
        ("address.gee", "in address: no field is named \"gee\"", "did you mean geo?"),
        ("address.geo.l", "in address.geo: no field is named \"l\"", "did you mean lat or \"lon, deg\"?"),
        (
            "address.street",
            "in address: no field is named \"street\"",
            "the fields there are: \"zip.code\", geo",
        ),
        ("adress.geo", "no field is named \"adress\"", "did you mean address?"),
        ("id.x", "in id: no field is named \"x\"", "select the whole field: id"),
        ("twins.x", "in twins: 2 fields are named \"x\"", "select the whole field: twins"),
        ("address.", "no field is named \"address.\"", "did you mean address or "),
        ("map.entries.key", "cannot select fields inside map<", "whole"),
        ("word.<dictionary>", "cannot select fields inside dictionary<int8, utf8>", "whole"),
        ("word.x", "in word: no field is named \"x\"", "select the whole field: word"),
    ];
    for (columns, words, advice) in cases {
        for file in &files {
            let outcome = run(["cat", "--columns", columns, file.to_str().unwrap()]);
            assert!(outcome.status == 2 && outcome.stdout.is_empty(), "{columns}: {outcome:?}");
            let [error, hint] = outcome.stderr.lines().collect::<Vec<_>>()[..] else { panic!("{outcome:?}") };
            assert!(error.starts_with("error: ") && error.contains(words), "{columns}: {outcome:?}");
            assert!(hint.starts_with("  hint: ") && hint.contains(advice), "{columns}: {outcome:?}");
        }
    }
}

#[test]
fn values_without_rows_have_names() {
    let batch = rows();
    let (_folder, files) = write(&batch.slice(0, 0));
    for file in &files {
        let args = ["cat", "--format", "csv", "--columns", "address.geo.lat,id", file.to_str().unwrap()];
        assert_eq!(run(args).expect(&[0]).text(), "address.geo.lat,id\n");
    }
}

#[test]
fn nulls_without_a_text_are_refused() {
    let union = || UnionBuilder::try_new(UnionMode::Sparse, (("n", Int64Builder::new()),)).unwrap();
    let mut rows = StructBuilder::new((("s", StructBuilder::new((("u", union()),))),));
    for is_valid in [true, false] {
        rows.append_with(|(s,)| match is_valid {
            true => s.append_with(|(u,)| u.append_with(|(n,)| n.append(1))),
            false => s.append_nulls(1),
        });
    }
    let (_folder, files) = write(&rows.finish_batch().unwrap());
    for file in &files {
        let outcome = run(["cat", "--columns", "s.u", file.to_str().unwrap()]);
        assert_eq!((outcome.status, outcome.text()), (5, "{\"s.u\":{\"n\":1}}\n"), "{outcome:?}");
        assert!(outcome.stderr.contains("the parent of the field has nulls"), "{outcome:?}");
        assert!(outcome.stderr.contains("  hint: select its parent"), "{outcome:?}");
    }
}

//! Columns whose values are in the names of folders.

use std::sync::Arc;

use arrow_ipc_dataset::{Dataset, DatasetOptions};
use arrow_schema::Schema;

use super::support::{Folder, file_of, rows_of_set, texts};
use arrow_data::RecordBatch;

#[test]
fn folders_give_columns_of_the_narrowest_type() {
    let cases: [(&[&str], &str, &[&str]); 14] = [
        (&["day=1/a.arrow", "day=-20/a.arrow"], "day: int64", &["0,-20", "0,1"]),
        (&["m=01/a.arrow", "m=12/a.arrow"], "m: int64", &["0,1", "0,12"]),
        (&["m=012/a.arrow", "m=12/a.arrow"], "m: utf8", &["0,012", "0,12"]),
        (&["z=0/a.arrow", "z=10/a.arrow"], "z: int64", &["0,0", "0,10"]),
        (&["z=-0/a.arrow"], "z: utf8", &["0,-0"]),
        (&["m=+1/a.arrow"], "m: utf8", &["0,+1"]),
        (&["n=1/a.arrow", "n=1.5/a.arrow"], "n: utf8", &["0,1", "0,1.5"]),
        (&["n=99999999999999999999/a.arrow"], "n: utf8", &["0,99999999999999999999"]),
        (&["d=2024-02-29/a.arrow", "d=1969-12-31/b.arrow"], "d: date32", &["0,1969-12-31", "0,2024-02-29"]),
        (&["d=2024-02-30/a.arrow"], "d: utf8", &["0,2024-02-30"]),
        (
            &["n=1/c=Oslo/a.arrow", "n=__HIVE_DEFAULT_PARTITION__/c=/a.arrow"],
            "n: int64\nc: utf8",
            &["0,1,Oslo", "0,null,"],
        ),
        (&["n=__HIVE_DEFAULT_PARTITION__/a.arrow"], "n: utf8", &["0,null"]),
        // Only some of the files are in such a folder.
        (
            &["a.arrow", "n=7/b.arrow", "x/y=z/c.arrow"],
            "n: int64\ny: utf8",
            &["0,null,null", "0,7,null", "0,null,z"],
        ),
        (
            &["a%20b=100%25%3D%2F%zz/Größe=ä %/=x/f=g.arrow"],
            "\"a b\": utf8\n\"Größe\": utf8",
            &["0,100%=/%zz,ä %"],
        ),
    ];
    for (paths, columns, rows) in cases {
        let folder = Folder::new();
        paths.iter().for_each(|path| folder.write_ids(path, [0]));
        for input in ["", "**/*.arrow"] {
            let set = folder.open(&[input]).unwrap();
            assert_eq!(set.schema().to_string(), format!("id: int64\n{columns}"), "{paths:?}");
            assert_eq!(rows_of_set(&set), rows, "{paths:?}");
        }
    }
}

#[test]
fn folders_that_contradict_are_refused() {
    let folder = Folder::new();
    folder.write_ids("a=1/a=2/x.arrow", [0]);
    let error = folder.open(&[""]).unwrap_err();
    assert_eq!(folder.text_of(&error), "a=1/a=2/x.arrow: two folders of the path name column \"a\"");

    // If all files have the column, its values come from the files. If only some files have it, opening fails.
    let folder = Folder::new();
    folder.write_ids("id=1/x.arrow", [5]);
    let set = folder.open(&[""]).unwrap();
    assert_eq!((set.schema().to_string(), rows_of_set(&set)), ("id: int64".to_owned(), vec!["5".to_owned()]));
    let twice: Vec<_> = vec![("id", texts(&["ada"])), ("id", texts(&["ada"]))];
    let twice = RecordBatch::try_from_columns(twice).unwrap();
    let ambiguous = Folder::new();
    ambiguous.write("id=1/x.arrow", &file_of(&[twice]));
    let error = ambiguous.open(&[""]).unwrap_err();
    assert_eq!(ambiguous.text_of(&error), "id=1/x.arrow: 2 fields are named \"id\"");
    let other = RecordBatch::try_from_columns([("name", texts(&["ada"]))]).unwrap();
    folder.write("id=2/y.arrow", &file_of(&[other]));
    let error = folder.open(&[""]).unwrap_err();
    let expected =
        "id=1/x.arrow: column \"id\" is in the name of a folder and in this file, but not in all files";
    assert_eq!(folder.text_of(&error), expected);
}

/// What the names of folders say may then contradict the files, or itself.
#[test]
fn names_of_folders_are_ignored_on_request() {
    let open = |folder: &Folder| {
        Dataset::open_with([folder.path()], DatasetOptions::new().without_partition_columns()).unwrap()
    };
    for names in [&["a=1/a=2/x.arrow"][..], &["a=%ff/x.arrow"], &["a=1/x.arrow", "a=2/y.arrow"]] {
        let folder = Folder::new();
        names.iter().zip(5..).for_each(|(name, id)| folder.write_ids(name, [id]));
        let set = open(&folder);
        assert_eq!(set.schema().to_string(), "id: int64");
        assert_eq!(rows_of_set(&set), ["5", "6"][..names.len()]);
        assert!(set.files().iter().all(|file| file.partition().is_empty()));
        let error = set.with_predicate("a = 1".parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains("\"a\""), "{error}");
    }
    let folder = Folder::new();
    folder.write_ids("id=1/x.arrow", [5]);
    let other = RecordBatch::try_from_columns([("name", texts(&["ada"]))]).unwrap();
    folder.write("id=2/y.arrow", &file_of(&[other]));
    let set = open(&folder);
    assert_eq!(set.schema().to_string(), "id: int64\nname: utf8");
    assert_eq!(rows_of_set(&set), ["5,null", "null,ada"]);
    assert_eq!(set.with_predicate("id = 5".parse().unwrap()).unwrap().count().unwrap(), 1);
}

#[test]
fn a_given_schema_has_the_types_of_folders() {
    let folder = Folder::new();
    folder.write_ids("n=1/x.arrow", [5]);
    folder.write_ids("n=300/x.arrow", [6]);
    let open = |schema: &str| {
        let schema: Schema = schema.parse().unwrap();
        Dataset::open_with([folder.path()], DatasetOptions::new().with_schema(Arc::new(schema)))
    };
    let set = open("n: utf8\nid: int32").unwrap();
    assert_eq!(rows_of_set(&set), ["1,5", "300,6"]);
    let set = open("id: int64").unwrap();
    assert_eq!(rows_of_set(&set), ["5,1", "6,300"]);
    let error = open("id: int64\nn: int8").unwrap_err();
    assert_eq!(
        folder.text_of(&error),
        "n=300/x.arrow: the value \"300\" in the name of the folder is not of type int8"
    );
}

/// `split` writes such folders for a column with a dictionary.
#[test]
fn folders_have_values_of_dictionaries() {
    let folder = Folder::new();
    for name in ["k=x", "k=y", "k=__HIVE_DEFAULT_PARTITION__"] {
        folder.write_ids(&format!("{name}/a.arrow"), [5, 6]);
    }
    let options = |schema: &str| {
        let schema: Schema = schema.parse().unwrap();
        DatasetOptions::new().with_schema(Arc::new(schema))
    };
    let set = Dataset::open_with([folder.path()], options("id: int64\nk: dictionary<int8, utf8>")).unwrap();
    assert_eq!(set.schema().to_string(), "id: int64\nk: dictionary<int8, utf8>");
    let mut rows = rows_of_set(&set);
    rows.sort();
    assert_eq!(rows, ["5,null", "5,x", "5,y", "6,null", "6,x", "6,y"]);
    let error =
        Dataset::open_with([folder.path()], options("id: int64\nk: dictionary<int8, int8>")).unwrap_err();
    let expected = "the value \"x\" in the name of the folder is not of type dictionary<int8, int8>";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn folders_name_few_columns() {
    let folder = Folder::new();
    let names = |range: std::ops::Range<u32>| range.map(|n| format!("k{n}=1/")).collect::<String>();
    folder.write_ids(&format!("{}a.arrow", names(0..200)), 0..2);
    assert_eq!(folder.open(&[""]).unwrap().schema().fields().len(), 201);
    folder.write_ids(&format!("{}b.arrow", names(200..256)), 0..2);
    assert_eq!(folder.open(&[""]).unwrap().schema().fields().len(), 257);
    folder.write_ids("z=1/c.arrow", 0..2);
    let error = folder.open(&[""]).unwrap_err();
    assert_eq!(folder.text_of(&error), "z=1/c.arrow: the names of folders contain more than 256 columns");
}

//! Writes and reads rows of types with derived traits.

use std::collections::{BTreeMap, HashMap};

use arrow_serde::{BatchRows, RowWriter, to_batch, try_from_batch};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{json, schema};

/// Writes rows, compares their JSON, and reads them.
fn check<T>(schema_text: &str, rows: &[T], lines: &[&str])
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let batch = to_batch(schema(schema_text), rows).unwrap_or_else(|error| panic!("{schema_text}: {error}"));
    assert_eq!(crate::json(&batch).lines().collect::<Vec<_>>(), lines, "{schema_text}");
    let read: Result<Vec<T>, _> = try_from_batch(&batch).expect("it is valid").collect();
    assert_eq!(read.unwrap_or_else(|error| panic!("{schema_text}: {error}")), rows, "{schema_text}");
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Person {
    id: u32,
    name: String,
    born: Option<String>,
    tags: Vec<String>,
    home: Address,
    scores: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Address {
    street: Option<String>,
    point: (f32, f32),
}

fn people() -> [Person; 2] {
    let home = Address { street: None, point: (1.5, -2.0) };
    let ada = Person {
        id: 1,
        name: "ada".to_owned(),
        born: Some("1815-12-10".to_owned()),
        tags: vec!["new".to_owned(), String::new()],
        home: home.clone(),
        scores: BTreeMap::from([("a".to_owned(), 0.5), ("b".to_owned(), 1.0)]),
    };
    let street = Some("Main".to_owned());
    let home = Address { street, ..home };
    let eve =
        Person { id: 2, name: "eve".to_owned(), born: None, tags: vec![], home, scores: BTreeMap::new() };
    [ada, eve]
}

#[test]
fn structs_of_everything() {
    check(
        "id: uint32 not null\nname: utf8 not null\nborn: date32\ntags: list<item: utf8 not null> not null\n\
         home: struct<street: utf8, point: struct<x: float32, y: float32>>\nscores: map<entries: struct<key: utf8 not null, value: float64> not null>",
        &people(),
        &[
            r#"{"id":1,"name":"ada","born":"1815-12-10","tags":["new",""],"home":{"street":null,"point":{"x":1.5,"y":-2.0}},"scores":[["a",0.5],["b",1.0]]}"#,
            r#"{"id":2,"name":"eve","born":null,"tags":[],"home":{"street":"Main","point":{"x":1.5,"y":-2.0}},"scores":[]}"#,
        ],
    );
    // Other encodings of the same rows.
    check(
        "scores: map<entries: struct<key: large_utf8 not null, value: decimal64(5, 1)> not null>\nhome: struct<point: fixed_size_list<item: float32; 2>, street: utf8_view>\n\
         born: dictionary<int8, utf8>\ntags: large_list_view<item: run_end_encoded<run_ends: int32 not null, values: utf8>>\n\
         id: int64\nname: run_end_encoded<run_ends: int16 not null, values: large_utf8>",
        &people().map(|person| Person { scores: BTreeMap::new(), ..person }),
        &[
            r#"{"scores":[],"home":{"point":[1.5,-2.0],"street":null},"born":"1815-12-10","tags":["new",""],"id":1,"name":"ada"}"#,
            r#"{"scores":[],"home":{"point":[1.5,-2.0],"street":"Main"},"born":null,"tags":[],"id":2,"name":"eve"}"#,
        ],
    );
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Empty,
    Circle(f64),
    Line((i32, i32), (i32, i32)),
    Box { width: u8, name: Option<String> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Drawing {
    shape: Shape,
}

#[test]
fn enums_are_unions_or_names() {
    let rows = [
        Shape::Circle(0.5),
        Shape::Empty,
        Shape::Line((1, 2), (3, 4)),
        Shape::Box { width: 7, name: None },
        Shape::Box { width: 8, name: Some("b".to_owned()) },
    ]
    .map(|shape| Drawing { shape });
    let json = [
        r#"{"shape":{"Circle":0.5}}"#,
        r#"{"shape":{"Empty":null}}"#,
        r#"{"shape":{"Line":[[1,2],[3,4]]}}"#,
        r#"{"shape":{"Box":{"name":null,"width":7}}}"#,
        r#"{"shape":{"Box":{"name":"b","width":8}}}"#,
    ];
    let children = "5=Box: struct<name: dictionary<int8, utf8>, width: int16>, 0=Empty: null, 1=Circle: float64, \
                    3=Line: list<item: fixed_size_list<item: int32; 2>>";
    check(&format!("shape: dense_union<{children}>"), &rows, &json);
    check(&format!("shape: sparse_union<{children}>"), &rows, &json);
    check(
        &format!("shape: run_end_encoded<run_ends: int32 not null, values: dense_union<{children}>>"),
        &rows,
        &json,
    );
    let names = [Shape::Empty, Shape::Empty].map(|shape| Drawing { shape });
    for data_type in ["utf8", "dictionary<uint8, utf8_view>"] {
        check(&format!("shape: {data_type} not null"), &names, &[r#"{"shape":"Empty"}"#; 2]);
    }
}

#[derive(Debug, Deserialize, PartialEq)]
struct BorrowedRow<'a> {
    name: &'a str,
    #[serde(borrow)]
    data: Option<&'a [u8]>,
}

#[test]
fn text_and_bytes_are_borrowed() {
    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        data: [u8; 3],
    }
    let rows = [Row { name: "a text of some length", data: *b"abc" }];
    for text in ["name: utf8\ndata: binary", "data: binary_view\nname: dictionary<int8, utf8_view>"] {
        let batch = to_batch(schema(text), &rows).expect("it fits");
        let read = BatchRows::try_new(&batch).expect("it is valid");
        let row: BorrowedRow<'_> = read.row(0).expect("it is a row");
        assert_eq!(row, BorrowedRow { name: rows[0].name, data: Some(b"abc") });
    }
    // Borrowed values point into the batch.
    let batch = to_batch(schema("name: utf8\ndata: binary"), &rows).expect("it fits");
    let read = BatchRows::try_new(&batch).expect("it is valid");
    let row: BorrowedRow<'_> = read.iter().next().expect("there is a row").expect("it is a row");
    let memory = |name: &str| batch.column(name).expect("there is one").buffer(1).as_ptr_range();
    assert!(memory("name").contains(&row.name.as_ptr()));
    assert!(memory("data").contains(&row.data.expect("it has some").as_ptr()));
}

#[test]
fn names_decide_whatever_the_order() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Row {
        #[serde(default)]
        missing: u8,
        b: i64,
        none: Option<String>,
        #[serde(flatten)]
        rest: HashMap<String, i64>,
    }
    let batch = to_batch(schema("a: int8\nb: int32\nc: uint16"), [(1, 2, 3)]).expect("it fits");
    let rows: Result<Vec<Row>, _> = try_from_batch(&batch).expect("it is valid").collect();
    let rest = HashMap::from([("a".to_owned(), 1), ("c".to_owned(), 3)]);
    assert_eq!(rows.expect("they fit"), [Row { missing: 0, b: 2, none: None, rest }]);
}

#[test]
fn maps_and_flattened_structs_are_rows() {
    #[derive(Serialize)]
    struct Row {
        id: i8,
        #[serde(flatten)]
        more: BTreeMap<&'static str, i8>,
    }
    let rows = [Row { id: 1, more: BTreeMap::from([("x", 2)]) }, Row { id: 3, more: BTreeMap::new() }];
    let batch = to_batch(schema("x: int8\nid: int8"), rows).expect("they fit");
    assert_eq!(json(&batch), "{\"x\":2,\"id\":1}\n{\"x\":null,\"id\":3}\n");
    let numbered = [BTreeMap::from([(7, "seven")])];
    let batch = to_batch(schema("\"7\": utf8"), numbered).expect("it fits");
    assert_eq!(json(&batch), "{\"7\":\"seven\"}\n");
}

#[test]
fn batches_end_when_the_capacity_is_used() {
    let runs = "c: run_end_encoded<run_ends: int16 not null, values: int64>";
    let mut writer = RowWriter::try_new(schema(runs)).expect("it is not deep");
    let mut n_rows = Vec::new();
    for row in 0..40_000_i64 {
        n_rows.extend(writer.write(&(row,)).expect("it fits").map(|batch| batch.n_rows()));
    }
    n_rows.extend(writer.finish().expect("it fits").map(|batch| batch.n_rows()));
    assert_eq!(n_rows, [32_767, 7_233]);

    let mut writer = RowWriter::try_new(schema("c: dictionary<int8, int64>")).expect("it is not deep");
    let batch = (0..129).filter_map(|row| writer.write(&(row,)).expect("it fits")).last().expect("128 rows");
    assert_eq!((batch.n_rows(), writer.n_rows()), (128, 1));
}

#[test]
fn fields_that_the_schema_does_not_have_are_refused_or_left_out() {
    #[derive(serde::Serialize)]
    struct Row {
        id: i64,
        note: &'static str,
    }
    let row = Row { id: 7, note: "seven" };
    let writer = || RowWriter::try_new(schema("id: int64")).expect("it is not deep");
    assert!(writer().write(&row).is_err());
    let mut ignoring = writer().with_ignored_unknown_fields();
    ignoring.write(&row).expect("the note is left out");
    let batch = ignoring.finish().expect("it fits").expect("a row");
    assert_eq!(json(&batch), "{\"id\":7}\n");
}

//! Schemas from samples and from types. The rows can be written with them.

use std::collections::{BTreeMap, HashMap};

use arrow_serde::{SchemaTracer, to_batch, try_from_batch};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::schema;

/// Checks the schema of samples. Writes the samples with it, and reads them back.
fn check<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(samples: &[T], expected: &str) {
    let mut tracer = SchemaTracer::new();
    samples.iter().try_for_each(|sample| tracer.add(sample)).expect(expected);
    let schema = tracer.schema().expect(expected);
    assert_eq!(schema.to_string(), expected);
    let batch = to_batch(schema, samples).expect(expected);
    let read: Result<Vec<T>, _> = try_from_batch(&batch).expect(expected).collect();
    assert_eq!(read.expect(expected), samples);
}

fn by_type<T: DeserializeOwned>() -> Result<String, String> {
    let mut tracer = SchemaTracer::new();
    tracer.add_type::<T>().map_err(|error| error.to_string())?;
    tracer.schema().map(|schema| schema.to_string()).map_err(|error| error.to_string())
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Row {
    flag: bool,
    small: i8,
    large: u64,
    single: f32,
    letter: char,
    text: Option<String>,
    pair: (i32, i32),
    mixed: (i32, Option<String>),
    array: [u8; 3],
    nested: Vec<Inner>,
    scores: BTreeMap<String, Option<f64>>,
    nothing: (),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    x: Option<i16>,
}

const ROW: &str = "flag: bool not null\nsmall: int8 not null\nlarge: uint64 not null\nsingle: float32 not null\n\
     letter: utf8 not null\ntext: utf8\npair: fixed_size_list<item: int32 not null; 2> not null\n\
     mixed: struct<\"0\": int32 not null, \"1\": utf8> not null\narray: fixed_size_list<item: uint8 not null; 3> not null\n\
     nested: list<item: struct<x: int16> not null> not null\n\
     scores: map<entries: struct<key: utf8 not null, value: float64> not null> not null\nnothing: null";

#[test]
fn samples_and_types_tell_the_same() {
    let row = Row {
        flag: true,
        small: -1,
        large: u64::MAX,
        single: 0.5,
        letter: 'é',
        text: None,
        pair: (1, 2),
        mixed: (3, Some("three".to_owned())),
        array: [1, 2, 3],
        nested: vec![Inner { x: Some(1) }, Inner { x: None }],
        scores: BTreeMap::from([("a".to_owned(), Some(1.0)), ("b".to_owned(), None)]),
        nothing: (),
    };
    check(&[row.clone(), Row { text: Some("text".to_owned()), nested: vec![], ..row }], ROW);
    assert_eq!(by_type::<Row>().as_deref(), Ok(ROW));
    assert_eq!(by_type::<(i8, String)>().as_deref(), Ok("\"0\": int8 not null\n\"1\": utf8 not null"));
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Size {
    Small,
    Large,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Empty,
    Circle(f64),
    Box { width: u8, height: Option<u8> },
    Unseen(String),
}

#[test]
fn enums_are_dictionaries_or_unions() {
    check(&[(Some(Size::Large),), (None,), (Some(Size::Small),)], "\"0\": dictionary<int32, utf8>");
    let shapes = [Shape::Box { width: 1, height: None }, Shape::Empty, Shape::Circle(0.5)];
    let shapes =
        [shapes[0].clone(), Shape::Box { width: 1, height: Some(2) }, shapes[1].clone(), shapes[2].clone()];
    check(
        &shapes.clone().map(|shape| (shape,)),
        "\"0\": dense_union<0=Empty: null, 1=Circle: float64 not null, \
         2=Box: struct<width: uint8 not null, height: uint8> not null>",
    );
    check(&[(Shape::Circle(1.0),)], "\"0\": dense_union<0=Circle: float64 not null> not null");
    let mut tracer = SchemaTracer::new();
    tracer.add(&(Some(&shapes[0]),)).expect("it is a tuple");
    tracer.add(&(Some(Shape::Box { width: 1, height: Some(2) }),)).expect("it is a tuple");
    tracer.add(&(None::<Shape>,)).expect("it is a tuple");
    let error = tracer.schema().expect_err("unions have no nulls").to_string();
    assert_eq!(error, "field `0`: expected a value, found null; unions have no nulls");
}

/// Variants of several enums may be in one field, and may have the same index.
#[test]
fn variants_differ_by_name() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Length {
        Meters(f64),
        Unknown,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Mass {
        Grams(f64),
        Text(String),
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Any {
        Length(Length),
        Mass(Mass),
    }
    let row = |any| (any,);
    let rows = [
        row(Any::Mass(Mass::Grams(2.0))),
        row(Any::Length(Length::Meters(1.0))),
        row(Any::Mass(Mass::Text("heavy".to_owned()))),
        row(Any::Length(Length::Unknown)),
    ];
    check(
        &rows,
        "\"0\": dense_union<0=Grams: float64 not null, 1=Meters: float64 not null, 2=Text: utf8 not null, 3=Unknown: null>",
    );
}

/// A type requests a field by all of its names.
#[test]
fn aliases_need_samples() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Person {
        id: u8,
        #[serde(alias = "n", alias = "title")]
        name: String,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Team {
        lead: Person,
    }
    assert_eq!(
        by_type::<Team>().unwrap_err(),
        "field `lead.name`: the types inside a field with an alias are unknown without samples; pass samples to `SchemaTracer::add`"
    );
    let person = Person { id: 1, name: "ada".to_owned() };
    check(&[person], "id: uint8 not null\nname: utf8 not null");
}

/// A variant that holds `()` holds a value, which a dictionary cannot store.
#[test]
fn variants_that_hold_units_are_children() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Unit {
        Held(()),
        Bare,
    }
    let union = "\"0\": dense_union<0=Held: null, 1=Bare: null>";
    check(&[(Unit::Held(()),), (Unit::Bare,)], union);
    check(&[(Unit::Bare,), (Unit::Held(()),)], union);
    check(&[(Unit::Held(()),)], "\"0\": dense_union<0=Held: null>");
    check(&[(Unit::Bare,)], "\"0\": dictionary<int32, utf8> not null");
}

/// A row that lacks a field has a null there, and unions have none.
#[test]
fn fields_of_unions_are_in_all_rows() {
    fn trace(rows: &[BTreeMap<&str, Shape>]) -> Result<String, String> {
        let mut tracer = SchemaTracer::new();
        rows.iter().try_for_each(|row| tracer.add(row)).map_err(|error| error.to_string())?;
        let schema = tracer.schema().map_err(|error| error.to_string())?;
        to_batch(schema.clone(), rows).map_err(|error| error.to_string())?;
        Ok(schema.to_string())
    }
    let row = |names: &[&'static str]| names.iter().map(|name| (*name, Shape::Circle(1.0))).collect();
    let union = "dense_union<0=Circle: float64 not null> not null";
    assert_eq!(trace(&[row(&["a", "b"]), row(&["b", "a"])]), Ok(format!("a: {union}\nb: {union}")));
    let error = "field `b`: expected a value, found null; unions have no nulls";
    assert_eq!(trace(&[row(&["a", "b"]), row(&["a"])]), Err(error.to_owned()));
    assert_eq!(trace(&[row(&["a"]), row(&["a", "b"])]), Err(error.to_owned()));
    // Names of variants are values of a dictionary, which has nulls.
    let empty = BTreeMap::from([("b", Shape::Empty)]);
    assert_eq!(trace(&[empty, BTreeMap::new()]).as_deref(), Ok("b: dictionary<int32, utf8>"));
}

#[test]
fn kinds_of_numbers_unite() {
    fn united(values: &[&dyn Fn(&mut SchemaTracer)]) -> String {
        let mut tracer = SchemaTracer::new();
        values.iter().for_each(|add| add(&mut tracer));
        tracer.schema().expect("numbers unite").fields()[0].data_type().to_string()
    }
    fn add<T: Serialize + Copy>(value: T) -> impl Fn(&mut SchemaTracer) {
        move |tracer| tracer.add(&(value,)).expect("numbers unite")
    }
    assert_eq!(united(&[&add(1_i8), &add(1_i32), &add(1_i16)]), "int32");
    assert_eq!(united(&[&add(1_u8), &add(1_i8)]), "int16");
    assert_eq!(united(&[&add(1_u64), &add(-1_i8)]), "int64");
    assert_eq!(united(&[&add(1_u8), &add(1_f32)]), "float64");
    // Whatever the values are. Then the sample does not fit.
    let large = (1_i64 << 53) + 1;
    assert_eq!(united(&[&add(large), &add(0.5_f64)]), "float64");
    let error = to_batch(schema("\"0\": float64"), [(large,)]).expect_err("it is odd").to_string();
    assert_eq!(error, "rows[0].0: 9007199254740993 does not fit into float64");
    assert_eq!(united(&[&add(1_u8), &add(1_i128)]), "decimal128(38, 0)");
    assert_eq!(united(&[&add('a'), &add("text")]), "utf8");
}

#[test]
fn rows_that_are_maps_have_fields() {
    let rows = [HashMap::from([("a", 1)]), HashMap::from([("b", 2)])];
    let mut tracer = SchemaTracer::new();
    rows.iter().try_for_each(|row| tracer.add(row)).expect("names are text");
    assert_eq!(tracer.schema().expect("it has fields").to_string(), "a: int32\nb: int32");
}

#[test]
fn what_tells_too_little_is_an_error() {
    #[derive(Debug, Deserialize)]
    struct Tree {
        #[allow(dead_code)] // Only the type is used.
        below: Vec<Tree>,
    }
    let cases = [
        (
            by_type::<(Size,)>(),
            "field `0`: the types inside an enum are unknown without samples; pass samples to `SchemaTracer::add`",
        ),
        (
            by_type::<(crate::dynamic::DynamicValue,)>(),
            "field `0`: the types inside a type that accepts any value are unknown without samples; pass samples to `SchemaTracer::add`",
        ),
        (
            by_type::<HashMap<String, i8>>(),
            "the types inside a row that is a map are unknown without samples; pass samples to `SchemaTracer::add`",
        ),
        (by_type::<i8>(), "rows have to be structs, maps or tuples"),
    ];
    for (found, expected) in cases {
        assert_eq!(found, Err(expected.to_owned()));
    }
    #[derive(Debug, Deserialize)]
    struct Chain(#[allow(dead_code)] Option<Box<Chain>>);
    #[derive(Debug, Deserialize)]
    struct Endless(#[allow(dead_code)] Box<Endless>);
    for found in [by_type::<Tree>(), by_type::<Chain>(), by_type::<(Chain,)>(), by_type::<Endless>()] {
        let error = found.expect_err("it has no end");
        assert!(error.ends_with("types nest deeper than the limit of 64 levels"), "{error}");
    }
    // Options and newtypes are no levels.
    #[derive(Debug, Deserialize)]
    struct Id(#[allow(dead_code)] Option<i8>);
    let found = by_type::<(Option<Id>, Vec<Option<Id>>)>();
    assert_eq!(found.as_deref(), Ok("\"0\": int8\n\"1\": list<item: int8> not null"));
    let mut tracer = SchemaTracer::new();
    assert_eq!(
        tracer.schema().expect_err("it is empty").to_string(),
        "no sample has a value of the field, so its type is unknown; add a sample with a value"
    );
    tracer.add(&("a", None::<i8>, Vec::<i8>::new())).expect("it is a row");
    let error = tracer.schema().expect_err("two are unknown").to_string();
    assert_eq!(
        error,
        "field `1`: no sample has a value of the field, so its type is unknown; add a sample with a value"
    );
    let error = tracer.add(&(1, 2, vec![3])).expect_err("it is no text").to_string();
    assert_eq!(error, "rows[1].0: expected text, as in earlier samples, found an integer");
    let tracer = tracer.with_null_fields();
    assert_eq!(tracer.schema().expect("all is known").fields()[1].data_type().to_string(), "null");
}

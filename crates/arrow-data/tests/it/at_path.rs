//! Compares the values at a path with the results of a naive search.

use arrow_data::{ArrayData, RecordBatch, Validation};
use arrow_schema::{DataType, Field, FieldPath, IndexType, RunEndType, UnionMode};
use testing_support::{Generator, Nulls, Value, all_types, value, values};

use testing_support::make::{binary, dictionary, int32, list, nulls, runs, struct_, union};

fn path(positions: &[u32]) -> FieldPath {
    positions.iter().fold(FieldPath::root(), |path, position| path.child(*position, "x"))
}

/// The value at a path below `value`.
fn naive(value: &Value, positions: &[u32]) -> Value {
    match (value, positions) {
        (value, []) => value.clone(),
        (Value::Null, _) => Value::Null,
        (Value::Struct(fields), [position, rest @ ..]) => naive(&fields[*position as usize], rest),
        (Value::List(items), [0, rest @ ..]) => {
            Value::List(items.iter().map(|item| naive(item, rest)).collect())
        }
        (value, positions) => panic!("{positions:?} below {value:?}"),
    }
}

/// All paths through structs and lists of a type.
fn paths(data_type: &DataType) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    if data_type.as_struct().is_some() || data_type.is_list() {
        for (position, field) in (0..).zip(data_type.children()) {
            all.extend(paths(field.data_type()).into_iter().map(|rest| [vec![position], rest].concat()));
        }
    }
    all
}

#[test]
fn agrees_with_the_oracle() {
    let mut generator = Generator::new(3);
    let mut n_paths = 0;
    for (name, data_type) in all_types() {
        for nulls in Nulls::ALL {
            for level in [Validation::Structure, Validation::Content, Validation::Strict] {
                let column = generator.sliced_array(&data_type, 30, nulls);
                let column = column.validate(level).expect("it is valid");
                for positions in paths(&data_type) {
                    let found = match column.at_path(&path(&positions)) {
                        Ok(found) => found,
                        Err(error) => {
                            let text = error.to_string();
                            assert!(text.contains("the parent of the field has nulls"), "{name}: {text}");
                            continue;
                        }
                    };
                    let expected: Vec<Value> =
                        values(&column).iter().map(|value| naive(value, &positions)).collect();
                    assert_eq!(values(&found), expected, "{name} {positions:?}");
                    assert_eq!(found.checked(), column.checked());
                    let again = ArrayData::try_new(found.into_parts());
                    assert!(
                        again.and_then(|array| array.validate(Validation::Strict)).is_ok(),
                        "{name} {positions:?}"
                    );
                    n_paths += 1;
                }
            }
        }
    }
    assert!(n_paths > 1000, "{n_paths}");
}

fn member(name: &str, child: ArrayData) -> ArrayData {
    struct_(vec![(Field::new(name, child.data_type().clone()).required(), child)])
}

#[test]
fn nulls_of_parents_and_names_of_items() {
    let zips = nulls(member("zip", nulls(int32(&[1, 2, 3]), "110")), "011");
    let outer = nulls(member("address", zips), "101");
    let found = outer.at_path(&path(&[0, 0])).expect("it is there");
    assert_eq!(values(&found), [Value::Null, Value::Null, Value::Null]);

    let items = nulls(member("zip", int32(&[1, 2, 3])), "101");
    let item = Field::new("element", items.data_type().clone()).required();
    let lists = list(&DataType::large_list(item), &[0, 2, 3], items);
    let found = lists.at_path(&path(&[0, 0])).expect("it is there");
    assert_eq!(found.data_type().to_string(), "large_list<element: int32 not null>");
    assert_eq!(
        values(&found),
        [Value::List(vec![Value::Int(1), Value::Null]), Value::List(vec![Value::Int(3)])]
    );
    assert!(found.buffer(0).same_memory(lists.buffer(0)));
}

#[test]
fn paths_that_lead_nowhere() {
    let indexed = DataType::dictionary(IndexType::Int8, DataType::Int32).expect("no dictionary");
    let words = || binary(&DataType::Utf8, &[0, 0, 0], b"");
    let map =
        DataType::map(Field::new("key", DataType::Utf8).required(), Field::new("value", DataType::Int32));
    let batch = RecordBatch::try_from_columns([
        ("number", int32(&[1, 2])),
        ("index", dictionary(&indexed, &[0, 0], int32(&[1]))),
        ("run", member("inner", runs(RunEndType::Int16, 2, &[2], int32(&[1])))),
        (
            "union",
            nulls(member("inner", union(UnionMode::Sparse, &[5, 2], &[], [int32(&[1, 2]), words()])), "10"),
        ),
    ])
    .expect("of one length");
    let cases: [(FieldPath, &str); 8] = [
        (path(&[]), "the path of the column is empty"),
        (path(&[9]), "field 9 is out of bounds; there are 4 fields, counted from 0"),
        (path(&[0, 0]), "field `number`: field 0 is out of bounds; there are 0 fields, counted from 0"),
        (path(&[1, 0]), "field `index`: cannot select fields inside dictionary<int8, int32>"),
        (
            path(&[2, 0, 1]),
            "field `run.inner`: cannot select fields inside run_end_encoded<run_ends: int16 not null, values: int32>",
        ),
        (
            path(&[3, 0]),
            "field `union.inner`: the parent of the field has nulls, but the type sparse_union<5=number: int32, 2=text: utf8> has no validity bitmap for them",
        ),
        (path(&[3, 1]), "field `union`: field 1 is out of bounds; there are 1 fields, counted from 0"),
        (path(&[1]).dictionary(), "field `index`: cannot select fields inside dictionary<int8, int32>"),
    ];
    for (path, message) in cases {
        let error = batch.at_path(&path).expect_err(message);
        assert_eq!(error.to_string(), message);
    }
    assert_eq!(batch.at_path(&path(&[2, 0])).map(|runs| value(&runs, 1)), Ok(Value::Int(1)));
    let map = ArrayData::new_empty(&map);
    assert!(map.at_path(&path(&[0])).is_err());
}

#[test]
fn columns_by_name() {
    let columns = [("b", int32(&[1])), ("a", int32(&[2])), ("b", int32(&[3]))];
    let batch = RecordBatch::try_from_columns(columns).expect("of one length");
    assert_eq!(batch.select(&["a"]).map(|batch| values(&batch.columns()[0])), Ok(vec![Value::Int(2)]));
    assert_eq!(batch.select::<&str>(&[]).map(|batch| (batch.n_rows(), batch.n_columns())), Ok((1, 0)));
    assert!(batch.select(&["a", "b"]).is_err());
    assert!(batch.select(&["c"]).is_err());
}

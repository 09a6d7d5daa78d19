//! Tests builders of every type: arrays against the oracle, `truncate`, equal values, and errors.

mod compose;
mod failures;
mod forget;
mod interrupted;

use arrow_array::{AnyBuilder, Builder};
use arrow_data::{ArrayData, Validation};
use arrow_schema::{DataType, Field, RunEndType, UnionMode, UnionType};
use samples::{append, rebuilt};
use testing_support::{Generator, Nulls, Value, all_types, values};

/// The number of seeds, which is smaller under valgrind.
fn n_seeds() -> u64 {
    if std::env::var_os("PROPTEST_CASES").is_some() { 1 } else { 6 }
}

fn built(data_type: &DataType, values: &[Value]) -> ArrayData {
    let mut builder = AnyBuilder::new(data_type);
    assert_eq!((builder.data_type(), builder.len()), (data_type, 0));
    values.iter().for_each(|value| append(&mut builder, value));
    assert_eq!((builder.len(), builder.error()), (values.len(), None));
    let array = builder.finish_data().expect("the values are of the type");
    assert!(builder.is_empty());
    array
}

#[test]
fn what_was_appended_is_read() {
    for (name, data_type) in all_types() {
        for (seed, nulls) in (0..n_seeds()).flat_map(|seed| Nulls::ALL.map(|nulls| (seed, nulls))) {
            let n_slots = [0, 1, 3, 70, 200, 9][seed as usize];
            let expected = values(&Generator::new(seed).array(&data_type, n_slots, nulls));
            let array = built(&data_type, &expected);
            assert_eq!(array.data_type(), &data_type, "{name}");
            assert_eq!(values(&array), expected, "{name}, seed {seed}, {nulls:?}");
            // An array without nulls has no bitmap, and every array passes strict validation.
            assert!(array.validity().is_none_or(|_| array.null_count() > 0), "{name}");
            assert!(array.checked() >= Validation::Content);
            array.clone().validate(Validation::Strict).expect(&name);
        }
    }
}

#[test]
fn slices_of_what_was_built_are_read() {
    for (name, data_type) in all_types() {
        let expected = values(&Generator::new(7).array(&data_type, 40, Nulls::Some));
        let array = built(&data_type, &expected);
        for (start, n_slots) in [(0, 0), (0, 17), (5, 30), (39, 1), (40, 0)] {
            assert_eq!(values(&array.slice(start, n_slots)), expected[start..start + n_slots], "{name}");
        }
        let again = rebuilt(&array.slice(3, 20)).expect(&name);
        assert_eq!(values(&again), expected[3..23], "{name}");
    }
}

#[test]
fn nulls_alone_are_arrays_of_every_type() {
    for (name, data_type) in all_types() {
        let mut builder = AnyBuilder::new(&data_type);
        builder.append_nulls(3);
        builder.append_null();
        builder.append_nulls(0);
        assert_eq!(builder.len(), 4, "{name}");
        // Runs have nulls only if their values may be null.
        if data_type.as_run_end_encoded().is_some_and(|runs| !runs.values().is_nullable()) {
            let error = builder.finish_data().expect_err(&name).to_string();
            assert_eq!(
                error,
                "field `values`, validity, slot 0: the value is null, but the field is not nullable"
            );
            continue;
        }
        let array = builder.finish_data().expect(&name);
        assert_eq!(array.len(), 4, "{name}");
        let is_null = |value: &Value| match value {
            Value::Union(_, value) => matches!(**value, Value::Null | Value::Union(..)),
            value => *value == Value::Null,
        };
        assert!(values(&array).iter().all(is_null), "{name}");
    }
}

/// Children without nulls of their own, such as runs, have a value below a null parent if their values must not be null.
#[test]
fn nulls_have_children_that_are_not_nullable() {
    for (name, data_type) in all_types() {
        let Some(data_type) = all_required(&data_type) else { continue };
        let runs = DataType::run_end_encoded(RunEndType::Int32, data_type.clone());
        let runs = all_required(&runs).expect("it has no nulls");
        let [item, runs] = [data_type, runs].map(|data_type| Field::new("child", data_type).required());
        let fixed = |field: &Field| DataType::fixed_size_list(field.clone(), 2).expect("the length is legal");
        let numbers = Field::new("numbers", DataType::Int64);
        let union = UnionType::try_new([numbers, item.clone(), runs.clone()], None, UnionMode::Sparse);
        let parents = [
            fixed(&item),
            fixed(&runs),
            DataType::struct_([item, runs]),
            union.expect("there are few children").into(),
        ];
        for parent in parents {
            let mut builder = AnyBuilder::new(&parent);
            builder.append_null();
            builder.append_nulls(2);
            builder.truncate(2);
            builder.append_nulls(70);
            let array = builder.finish_data().unwrap_or_else(|error| panic!("{name} in {parent}: {error}"));
            let array = array.validate(Validation::Strict).expect(&name);
            let is_null = |value: &Value| match value {
                Value::Union(_, value) => **value == Value::Null,
                value => *value == Value::Null,
            };
            assert_eq!(array.len(), 72, "{name}");
            assert!(values(&array).iter().all(is_null), "{name}");
        }
    }
}

/// The type with fields that are not nullable. `None` if a field would be of the null type, or a union has no children.
fn all_required(data_type: &DataType) -> Option<DataType> {
    if let Some(dictionary) = data_type.as_dictionary() {
        let value = all_required(dictionary.value())?;
        return Some(DataType::dictionary(dictionary.index(), value).expect("the value is no dictionary"));
    }
    if *data_type == DataType::Null || (data_type.is_union() && data_type.children().is_empty()) {
        return None;
    }
    let required =
        |field: &Field| Some(Field::new(field.name(), all_required(field.data_type())?).required());
    let children = data_type.children().iter().map(required).collect::<Option<Vec<Field>>>()?;
    Some(data_type.with_children(children).expect("the number of children is the same"))
}

#[test]
fn builders_are_used_again() {
    for (name, data_type) in all_types() {
        let mut builder = AnyBuilder::new(&data_type);
        for seed in 0..3 {
            let expected = values(&Generator::new(seed).array(&data_type, 20, Nulls::Some));
            builder.reserve(20);
            expected.iter().for_each(|value| append(&mut builder, value));
            let array = builder.finish_data().expect(&name);
            assert_eq!(values(&array), expected, "{name}");
            // The builder must be like a new one: the dictionary and the offsets contain nothing of earlier arrays.
            assert_eq!(array.dump().to_string(), built(&data_type, &expected).dump().to_string(), "{name}");
        }
    }
}

/// Types of the maximum depth that readers allow can be built on a stack of the default size.
#[test]
fn deep_types_take_little_stack() {
    let deep = |wrap: fn(Field) -> DataType| {
        (0..255).fold(DataType::Int8, |data_type, _| wrap(Field::new("item", data_type)))
    };
    let types = [
        deep(DataType::list),
        deep(|field| DataType::struct_([field])),
        deep(|field| DataType::map(Field::new("key", DataType::Int8), field)),
        deep(|field| DataType::run_end_encoded(RunEndType::Int16, field.data_type().clone())),
    ];
    let test = move || {
        for data_type in types {
            let mut builder = AnyBuilder::new(&data_type);
            builder.append_nulls(2);
            builder.truncate(1);
            assert_eq!(builder.error(), None);
            assert_eq!(builder.finish_data().expect("nulls are always right").len(), 1);
        }
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(test)
        .expect("a thread")
        .join()
        .expect("no overflow");
}

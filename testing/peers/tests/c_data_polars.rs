//! Passes batches to polars-arrow and back through the C data interface.

use arrow_c_data::{ArrowArray, ArrowSchema, CopyStats};
use arrow_data::{ArrayData, Validation};
use arrow_schema::Field;
use peers::c_data::lie_in;
use polars_arrow::array::Array;
use polars_arrow::ffi;
use testing_support::{Generator, Nulls, all_types};

/// Converts an array to a polars-arrow array.
fn to_polars(field: &Field, array: &ArrayData) -> Result<Box<dyn Array>, Box<dyn std::error::Error>> {
    let (mut schema, mut target) = (ffi::ArrowSchema::empty(), ffi::ArrowArray::empty());
    let exported = ArrowSchema::try_from_field(field)?;
    // SAFETY: both types are the structure of the specification.
    unsafe { exported.write_to((&raw mut schema).cast()) };
    let exported = ArrowArray::try_from_array(array)?;
    // SAFETY: as before.
    unsafe { exported.write_to((&raw mut target).cast()) };
    // SAFETY: the structure is right.
    let field = unsafe { ffi::import_field_from_c(&schema) }?;
    // SAFETY: the structures are right, and describe each other.
    Ok(unsafe { ffi::import_array_from_c(target, field.dtype) }?)
}

/// Converts a polars-arrow array to an array.
fn from_polars(
    array: Box<dyn Array>,
    validation: Validation,
) -> Result<ArrayData, Box<dyn std::error::Error>> {
    let field = polars_arrow::datatypes::Field::new("".into(), array.dtype().clone(), true);
    let (mut schema, mut array) = (ffi::export_field_to_c(&field), ffi::export_array_to_c(array));
    // SAFETY: both types are the structure of the specification, and polars-arrow has filled it.
    let schema = unsafe { ArrowSchema::from_raw((&raw mut schema).cast()) };
    // SAFETY: as before.
    let array = unsafe { ArrowArray::from_raw((&raw mut array).cast()) };
    let data_type = schema.to_data_type()?;
    // SAFETY: the field has the type of the array.
    Ok(unsafe { array.import(&data_type, validation) }?)
}

/// Types that polars-arrow does not support completely: it refuses them with an error or a panic.
const NOT_THERE: [&str; 11] = [
    "decimal64(18, -3)",
    "decimal256(",
    "interval(day_time)",
    "interval(month_day_nano)",
    "fixed_size_binary(0)",
    "list view of",
    "large list view of",
    "fixed-size list of nothing",
    "runs of",
    "sparse union of nested types",
    // The interface has one form for an empty time zone and for none.
    "timestamp(s, \"\")",
];

#[test]
fn types_of_polars_go_there_and_back() {
    let mut n_shared = 0;
    for (case, (name, data_type)) in all_types().into_iter().enumerate() {
        if NOT_THERE.iter().any(|absent| name.starts_with(absent)) {
            continue;
        }
        let field = Field::new("a", data_type.clone());
        let mut generator = Generator::new(case as u64);
        for nulls in [Nulls::None, Nulls::Some, Nulls::All] {
            for n_slots in [0, 9, 40] {
                for array in [
                    generator.array(&data_type, n_slots, nulls),
                    generator.sliced_array(&data_type, n_slots, nulls),
                ] {
                    let mut stats = CopyStats::new();
                    ArrowArray::try_from_array_counted(&array, &mut stats).unwrap();
                    let theirs = to_polars(&field, &array).unwrap_or_else(|error| panic!("{name}: {error}"));
                    let back = from_polars(theirs, Validation::Content);
                    let back = back.unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!(back.same_values(&array), Ok(true), "{name}, {n_slots} slots, {nulls:?}");
                    // Polars converts some layouts to others of its own.
                    if stats == CopyStats::new()
                        && back.data_type() == &data_type
                        && FLAT.contains(&name.as_str())
                    {
                        let theirs = to_polars(&field, &array).unwrap();
                        let back = from_polars(theirs, Validation::Structure).unwrap();
                        assert!(lie_in(&[back], &[array]), "{name}, {n_slots} slots, {nulls:?} is copied");
                        n_shared += 1;
                    }
                }
            }
        }
    }
    assert!(n_shared > 100, "{n_shared} arrays are shared");
}

/// Types that polars-arrow does not copy.
const FLAT: [&str; 12] = [
    "bool",
    "int8",
    "int32",
    "int64",
    "uint16",
    "float64",
    "date32",
    "binary",
    "large_utf8",
    "utf8",
    "utf8_view",
    "binary_view",
];

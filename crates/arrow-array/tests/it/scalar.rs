//! Scalars agree with the arrays from which they are made.

use std::hash::{BuildHasher, RandomState};

use arrow_array::*;
use arrow_buffer::{Buffer, F16};
use arrow_data::{ArrayData, ArrayParts, ChunkedArray};
use arrow_schema::{DataType, Field, IndexType, Metadata, RunEndType, UnionMode};
use testing_support::{Generator, Nulls, all_types, value, values};

type Error = Box<dyn std::error::Error>;

#[test]
fn every_slot_of_every_type() -> Result<(), Error> {
    const N: usize = 12;
    let hasher = RandomState::new();
    let mut generator = Generator::new(3);
    for (name, data_type) in all_types() {
        let data = generator.sliced_array(&data_type, N, Nulls::Some);
        let array = AnyArray::try_new(&data)?;
        let scalars = (0..N).map(|slot| Scalar::try_from_slot(&data, slot));
        let scalars = scalars.collect::<Result<Vec<Scalar>, ArrayError>>()?;
        let expected = values(&data);
        for (slot, scalar) in scalars.iter().enumerate() {
            assert!(scalar.data_type().same_type(&data_type), "{name}");
            assert_eq!(scalar.to_string(), array.display(slot).to_string(), "{name} {slot}");
            assert_eq!(scalar.is_null(), data.slice(slot, 1).logical_null_count()? == 1, "{name} {slot}");
            assert_eq!(value(scalar.as_array().data(), 0), expected[slot], "{name} {slot}");
            assert_eq!(
                values(scalar.decoded()?.as_array().data()),
                [expected[slot].clone()],
                "{name} {slot}"
            );
            let repeated = scalar.to_array(3)?;
            assert_eq!(values(repeated.data()), vec![expected[slot].clone(); 3], "{name} {slot}");
            assert_eq!(Scalar::try_from_slot(repeated.data(), 2)?, *scalar, "{name} {slot}");
            assert_eq!(scalar.to_array(0)?.len(), 0, "{name}");
            // Scalars are equal if their values are equal, and then have equal hashes.
            for (other_slot, other) in scalars.iter().enumerate() {
                let is_same = expected[slot] == expected[other_slot];
                assert_eq!(scalar == other, is_same, "{name} {slot} {other_slot}");
                if is_same {
                    assert_eq!(hasher.hash_one(scalar), hasher.hash_one(other), "{name}");
                }
            }
        }
        let hashes = scalars.iter().map(|scalar| hasher.hash_one(scalar));
        let distinct: std::collections::HashSet<u64> = hashes.collect();
        let n_distinct = scalars.iter().enumerate().filter(|(k, one)| !scalars[..*k].contains(one)).count();
        assert_eq!(distinct.len(), n_distinct, "{name}");

        assert!(Scalar::try_from_slot(&data, N).is_err(), "{name}");
        let null = Scalar::try_new_null(&data_type);
        match data_type.as_run_end_encoded() {
            Some(runs) if !runs.values().is_nullable() => {
                let expected =
                    "field `values`, validity, slot 0: the value is null, but the field is not nullable";
                assert_eq!(null.unwrap_err().to_string(), expected);
            }
            _ => assert!(null.is_ok_and(|null| null.is_null() && *null.data_type() == data_type), "{name}"),
        }
    }
    Ok(())
}

#[test]
fn rust_values_and_their_types() -> Result<(), Error> {
    let cases = [
        (Scalar::from(true), "bool", "true"),
        (Scalar::from(-1_i8), "int8", "-1"),
        (Scalar::from(-1_i16), "int16", "-1"),
        (Scalar::from(-1), "int32", "-1"),
        (Scalar::from(-1_i64), "int64", "-1"),
        (Scalar::from(1_u8), "uint8", "1"),
        (Scalar::from(1_u16), "uint16", "1"),
        (Scalar::from(1_u32), "uint32", "1"),
        (Scalar::from(u64::MAX), "uint64", "18446744073709551615"),
        (Scalar::from(F16::from_f32(0.5)), "float16", "0.5"),
        (Scalar::from(0.5_f32), "float32", "0.5"),
        (Scalar::from(-0.0), "float64", "-0.0"),
        (Scalar::from("ada"), "utf8", "ada"),
        (Scalar::from(String::new()), "utf8", ""),
        (Scalar::from(&b"\x00\xff"[..]), "binary", "00ff"),
        (Scalar::from(vec![7_u8]), "binary", "07"),
        (Scalar::from(None::<i64>), "int64", "null"),
        (Scalar::from(None::<&str>), "utf8", "null"),
    ];
    for (scalar, data_type, text) in cases {
        assert_eq!((scalar.data_type().to_string(), scalar.to_string()), (data_type.into(), text.into()));
        assert_eq!(scalar.is_null(), text == "null", "{scalar:?}");
    }
    assert_eq!(format!("{:?}", Scalar::from("a")), r#"Scalar(utf8 ["a"])"#);
    assert_eq!(Scalar::from(None::<i8>).value_as::<Int8Array>()?, None);
    assert_eq!(Scalar::from(7_i8).as_array().as_primitive::<Int8Type>().map(|array| array.value(0)), Some(7));
    let error = Scalar::from(7_i8).value_as::<Utf8Array>().unwrap_err();
    assert_eq!(error.to_string(), "expected utf8, found int8");
    let error = Scalar::try_build(FixedSizeBinaryBuilder::try_new(2)?, b"abc").unwrap_err();
    assert_eq!(error.to_string(), "the value has 3 bytes; the type needs 2");
    let array = AnyArray::from(Int8Array::from_iter([1, 2]));
    assert_eq!(Scalar::try_from(array.slice(1, 1)), Ok(Scalar::from(2_i8)));
    assert_eq!(Scalar::try_from(array.clone()), Err(array));
    Ok(())
}

#[test]
fn values_are_equal_by_their_bits_and_types_count() -> Result<(), Error> {
    let nan = f64::NAN;
    let other_nan = f64::from_bits(nan.to_bits() ^ 1);
    let cases = [(nan, nan, true), (nan, other_nan, false), (0.0, -0.0, false), (1.0, 1.0, true)];
    for (left, right, expected) in cases {
        assert_eq!(Scalar::from(left) == Scalar::from(right), expected, "{left} {right}");
    }
    assert_ne!(Scalar::from(1_i8), Scalar::from(1_i16));
    assert_ne!(Scalar::from(None::<i8>), Scalar::from(None::<i16>));
    let words = || DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new());
    let word = Scalar::try_build(words()?, "a")?;
    assert_ne!(word, Scalar::from("a"));
    assert_eq!(word.decoded()?, Scalar::from("a"));
    let runs = RunEndEncodedBuilder::new(RunEndType::Int16, words()?);
    assert_eq!(Scalar::try_build(runs, "a")?.decoded()?, Scalar::from("a"));
    let noted = Field::new("item", DataType::Int8).with_metadata(Metadata::from_iter([("a", "b")]));
    let plain = Field::new("item", DataType::Int8);
    let [noted, plain] = [noted, plain].map(|item| Scalar::try_new_null(&DataType::list(item)));
    assert_eq!(noted?, plain?);
    Ok(())
}

#[test]
fn slots_of_chunks() -> Result<(), Error> {
    let chunks = [Int8Array::from_iter([1, 2]).into(), Int8Array::from_iter([3]).into()];
    let column = ChunkedArray::try_new(DataType::Int8, chunks)?;
    let found = (0..3).map(|slot| Scalar::try_from_chunked(&column, slot));
    assert_eq!(found.collect::<Result<Vec<_>, _>>()?, [1_i8, 2, 3].map(Scalar::from));
    let error = Scalar::try_from_chunked(&column, 3).unwrap_err();
    assert_eq!(error.to_string(), "slots 3..4 are out of bounds; the array has 3 slots");
    assert!(Scalar::try_from_chunked(&column, usize::MAX).is_err());
    Ok(())
}

/// Invalid content is an error only for the slot that contains it.
#[test]
fn only_the_slot_is_validated() -> Result<(), Error> {
    let data = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0_i32, 1, 2]), Buffer::copy_from(b"a\xff")],
        ..ArrayParts::new(DataType::Utf8, 2)
    })?;
    assert_eq!(Scalar::try_from_slot(&data, 0).map(|scalar| scalar.to_string()).ok().as_deref(), Some("a"));
    let error = Scalar::try_from_slot(&data, 1).unwrap_err();
    assert_eq!(error.to_string(), "bytes, slot 0: the value is not UTF-8 at its byte 0");
    let empty = DataType::union(UnionMode::Sparse, [])?;
    assert!(Scalar::try_new_null(&empty).is_err());
    // Together, these have more bytes than offsets of 32 bits can express.
    let long = Scalar::from("x".repeat(1 << 20));
    let error = long.to_array(1 << 11).unwrap_err();
    assert_eq!(
        error.to_string(),
        "utf8 cannot hold so many bytes or items; use a large type or several arrays"
    );
    Ok(())
}

/// List views that each refer twice to all items of the next level: the value written out would not fit into memory.
#[test]
fn endless_values_are_hashed_and_compared() -> Result<(), Error> {
    let mut data = ArrayData::from(Int8Array::from_iter([1, 2]));
    for _ in 0..60 {
        let item = Field::new("item", data.data_type().clone());
        data = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![0_i32, 0]), Buffer::from(vec![2_i32, 2])],
            children: Some([data].into()),
            ..ArrayParts::new(DataType::list_view(item), 2)
        })?;
    }
    let (one, other) = (Scalar::try_from_slot(&data, 0)?, Scalar::try_from_slot(&data, 1)?);
    let hasher = RandomState::new();
    assert_eq!(one, other);
    assert_eq!(hasher.hash_one(&one), hasher.hash_one(&other));
    assert_eq!(one.to_array(100)?.len(), 100);
    assert!(format!("{one:?}").len() < 10_000);
    Ok(())
}

/// Arrays of `usize::MAX` slots are possible for types without memory. Other types give an error, without a panic.
#[cfg(target_pointer_width = "64")]
#[test]
fn arrays_of_any_length() -> Result<(), Error> {
    let runs = DataType::run_end_encoded(RunEndType::Int64, DataType::Int32);
    let no_fields = ArrayData::try_new(ArrayParts::new(DataType::struct_([]), 1))?;
    let no_fields = Scalar::try_from_slot(&no_fields, 0)?;
    for n_slots in [0, 1, 2, 3, 1_000, (1 << 40) + 7] {
        let null = Scalar::try_new_null(&DataType::Null)?.to_array(n_slots)?;
        assert_eq!((null.len(), null.data().null_count()), (n_slots, n_slots));
        assert_eq!(no_fields.to_array(n_slots)?.len(), n_slots);
        let run = Scalar::try_new_null(&runs)?.to_array(n_slots)?;
        assert_eq!(run.len(), n_slots);
        assert_eq!(run.data().children()[1].len(), n_slots.min(1), "one run");
    }
    assert_eq!(Scalar::try_new_null(&DataType::Null)?.to_array(usize::MAX)?.len(), usize::MAX);
    let scalars = [
        Scalar::from(true),
        Scalar::from(7),
        Scalar::from("ada"),
        Scalar::try_new_null(&DataType::Utf8View)?,
    ];
    for scalar in scalars {
        let expected = "the system cannot provide";
        for n_slots in [1 << 60, usize::MAX] {
            let error = scalar.to_array(n_slots).expect_err("no system has it").to_string();
            assert!(error.contains(expected) || error.contains("offsets"), "{scalar:?}: {error}");
        }
    }
    Ok(())
}

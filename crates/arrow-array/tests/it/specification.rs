//! The examples of "Physical Memory Layout" in the columnar specification: the values, then every buffer.
//!
//! The dump writes bytes in hexadecimal and numbers little-endian. It writes the first slot of a bitmap first: `00011101` in
//! the specification is `10111` here. Bytes that the specification leaves unspecified are zeros.

use arrow_array::*;
use arrow_buffer::{Bitmap, Buffer, Values};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};
use insta::assert_snapshot;

/// The values and the buffers of an array, after strict validation.
fn show(array: impl Into<ArrayData>) -> String {
    let array = array.into().validate(Validation::Strict).expect("the examples are valid");
    format!(
        "{:?}\n{}",
        AnyArray::try_from(&array).expect("it is validated"),
        array.dump().with_shown_bytes(80)
    )
}

/// Makes a bitmap from one digit for each slot.
fn bits(bits: &str) -> Option<Bitmap> {
    Some(bits.bytes().map(|bit| bit == b'1').collect())
}

#[test]
fn fixed_size_primitive() {
    assert_snapshot!(show(Int32Array::from_iter([Some(1), None, Some(2), Some(4), Some(8)])), @r"
    int32 [1, null, 2, 4, 8]
    .: int32, 5 slots, 1 null
    .: validity, 5 bits, 10111
    .: values, 20 bytes, 01 00 00 00 00 00 00 00 02 00 00 00 04 00 00 00 08 00 00 00
    ");
}

/// An array without nulls may have a validity bitmap or not.
#[test]
fn fixed_size_primitive_without_nulls() -> Result<(), ArrayError> {
    let numbers = || Values::from(vec![1, 2, 3, 4, 8]);
    assert_snapshot!(show(Int32Array::try_new(DataType::Int32, numbers(), bits("11111"))?), @r"
    int32 [1, 2, 3, 4, 8]
    .: int32, 5 slots, 0 nulls
    .: validity, 5 bits, 11111
    .: values, 20 bytes, 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 08 00 00 00
    ");
    assert_snapshot!(show(Int32Array::try_new(DataType::Int32, numbers(), None)?), @r"
    int32 [1, 2, 3, 4, 8]
    .: int32, 5 slots, 0 nulls
    .: values, 20 bytes, 01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 08 00 00 00
    ");
    Ok(())
}

#[test]
fn variable_size_binary() -> Result<(), ArrayError> {
    let names = BinaryArray::try_from_iter(
        [Some("joe"), None, None, Some("mark")].map(|name| name.map(str::as_bytes)),
    )?;
    assert_snapshot!(show(names), @r#"
    binary ["6a6f65", null, null, "6d61726b"]
    .: binary, 4 slots, 2 nulls
    .: validity, 4 bits, 1001
    .: offsets, 20 bytes, 00 00 00 00 03 00 00 00 03 00 00 00 03 00 00 00 07 00 00 00
    .: bytes, 7 bytes, 6a 6f 65 6d 61 72 6b
    "#);
    Ok(())
}

/// The specification has no example of views. A view contains a value of up to 12 bytes. For a longer value, it contains
/// length, prefix, buffer index and offset.
#[test]
fn variable_size_binary_view() {
    let names = ["joe", "mark a. smith", "twelve bytes", "thirteen byte"].map(Some);
    let names = names.into_iter().chain([None]);
    assert_snapshot!(show(Utf8ViewArray::from_iter(names)), @r#"
    utf8_view ["joe", "mark a. smith", "twelve bytes", "thirteen byte", null]
    .: utf8_view, 5 slots, 1 null
    .: validity, 5 bits, 11110
    .: views, 80 bytes, 03 00 00 00 6a 6f 65 00 00 00 00 00 00 00 00 00 0d 00 00 00 6d 61 72 6b 00 00 00 00 00 00 00 00 0c 00 00 00 74 77 65 6c 76 65 20 62 79 74 65 73 0d 00 00 00 74 68 69 72 00 00 00 00 0d 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    .: variadic data, 26 bytes, 6d 61 72 6b 20 61 2e 20 73 6d 69 74 68 74 68 69 72 74 65 65 6e 20 62 79 74 65
    "#);
}

#[test]
fn list() -> Result<(), ArrayError> {
    let mut lists = ListBuilder::new(Int8Builder::new());
    lists.extend([Some(vec![12, -7, 25]), None, Some(vec![0, -127, 127, 50]), Some(vec![])]);
    assert_snapshot!(show(lists.finish()?), @r"
    list<item: int8> [[12,-7,25], null, [0,-127,127,50], []]
    .: list<item: int8>, 4 slots, 1 null
    .: validity, 4 bits, 1011
    .: offsets, 20 bytes, 00 00 00 00 03 00 00 00 03 00 00 00 07 00 00 00 07 00 00 00
    item: int8, 7 slots, 0 nulls
    item: values, 7 bytes, 0c f9 19 00 81 7f 32
    ");
    Ok(())
}

#[test]
fn list_of_lists() -> Result<(), ArrayError> {
    let mut lists = ListBuilder::new(ListBuilder::new(Int8Builder::new()));
    lists.append([Some(vec![1, 2]), Some(vec![3, 4])]);
    lists.append([Some(vec![5, 6, 7]), None, Some(vec![8])]);
    lists.append([Some(vec![9, 10])]);
    assert_snapshot!(show(lists.finish()?), @r"
    list<item: list<item: int8>> [[[1,2],[3,4]], [[5,6,7],null,[8]], [[9,10]]]
    .: list<item: list<item: int8>>, 3 slots, 0 nulls
    .: offsets, 16 bytes, 00 00 00 00 02 00 00 00 05 00 00 00 06 00 00 00
    item: list<item: int8>, 6 slots, 1 null
    item: validity, 6 bits, 111011
    item: offsets, 28 bytes, 00 00 00 00 02 00 00 00 04 00 00 00 07 00 00 00 07 00 00 00 08 00 00 00 0a 00 00 00
    item.item: int8, 10 slots, 0 nulls
    item.item: values, 10 bytes, 01 02 03 04 05 06 07 08 09 0a
    ");
    Ok(())
}

fn list_view(
    validity: &str,
    [offsets, sizes]: [Vec<i32>; 2],
    items: [i8; 7],
) -> Result<ArrayData, ArrayError> {
    Ok(ArrayData::try_new(ArrayParts {
        validity: bits(validity),
        buffers: [Buffer::from(offsets), Buffer::from(sizes)],
        children: Some([Int8Array::from_iter(items).into()].into()),
        ..ArrayParts::new(DataType::list_view(Field::new("item", DataType::Int8)), validity.len())
    })?)
}

#[test]
fn list_views() -> Result<(), ArrayError> {
    let (offsets, sizes) = (vec![0, 7, 3, 0], vec![3, 0, 4, 0]);
    assert_snapshot!(show(list_view("1011", [offsets, sizes], [12, -7, 25, 0, -127, 127, 50])?), @r"
    list_view<item: int8> [[12,-7,25], null, [0,-127,127,50], []]
    .: list_view<item: int8>, 4 slots, 1 null
    .: validity, 4 bits, 1011
    .: offsets, 16 bytes, 00 00 00 00 07 00 00 00 03 00 00 00 00 00 00 00
    .: sizes, 16 bytes, 03 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00
    item: int8, 7 slots, 0 nulls
    item: values, 7 bytes, 0c f9 19 00 81 7f 32
    ");
    Ok(())
}

/// Offsets need not be in order, and lists may share items.
#[test]
fn list_views_out_of_order() -> Result<(), ArrayError> {
    let (offsets, sizes) = (vec![4, 7, 0, 0, 3], vec![3, 0, 4, 0, 2]);
    assert_snapshot!(show(list_view("10111", [offsets, sizes], [0, -127, 127, 50, 12, -7, 25])?), @r"
    list_view<item: int8> [[12,-7,25], null, [0,-127,127,50], [], [50,12]]
    .: list_view<item: int8>, 5 slots, 1 null
    .: validity, 5 bits, 10111
    .: offsets, 20 bytes, 04 00 00 00 07 00 00 00 00 00 00 00 00 00 00 00 03 00 00 00
    .: sizes, 20 bytes, 03 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 02 00 00 00
    item: int8, 7 slots, 0 nulls
    item: values, 7 bytes, 00 81 7f 32 0c f9 19
    ");
    Ok(())
}

/// Null lists have items in the child. Ours are null.
#[test]
fn fixed_size_list() -> Result<(), ArrayError> {
    let mut addresses = FixedSizeListBuilder::try_new(UInt8Builder::new(), 4)?;
    addresses.extend([Some([192, 168, 0, 12]), None, Some([192, 168, 0, 25]), Some([192, 168, 0, 1])]);
    assert_snapshot!(show(addresses.finish()?), @r"
    fixed_size_list<item: uint8; 4> [[192,168,0,12], null, [192,168,0,25], [192,168,0,1]]
    .: fixed_size_list<item: uint8; 4>, 4 slots, 1 null
    .: validity, 4 bits, 1011
    item: uint8, 16 slots, 4 nulls
    item: validity, 16 bits, 1111000011111111
    item: values, 16 bytes, c0 a8 00 0c 00 00 00 00 c0 a8 00 19 c0 a8 00 01
    ");
    Ok(())
}

/// The child of a null struct may be valid: `alice` is in the child but not visible.
#[test]
fn structs() -> Result<(), ArrayError> {
    let names = ["joe", "", "alice", "mark"].map(|name| (!name.is_empty()).then_some(name.as_bytes()));
    let ages = [Some(1), Some(2), None, Some(4)];
    let columns = [BinaryArray::try_from_iter(names)?.into(), Int32Array::from_iter(ages).into()];
    let fields = [Field::new("name", DataType::Binary), Field::new("age", DataType::Int32)];
    assert_snapshot!(show(StructArray::try_new(fields, columns, bits("1101"))?), @r#"
    struct<name: binary, age: int32> [{"name":"6a6f65","age":1}, {"name":null,"age":2}, null, {"name":"6d61726b","age":4}]
    .: struct<name: binary, age: int32>, 4 slots, 1 null
    .: validity, 4 bits, 1101
    name: binary, 4 slots, 1 null
    name: validity, 4 bits, 1011
    name: offsets, 20 bytes, 00 00 00 00 03 00 00 00 03 00 00 00 08 00 00 00 0c 00 00 00
    name: bytes, 12 bytes, 6a 6f 65 61 6c 69 63 65 6d 61 72 6b
    age: int32, 4 slots, 1 null
    age: validity, 4 bits, 1101
    age: values, 16 bytes, 01 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00
    "#);
    Ok(())
}

#[test]
fn dense_union() -> Result<(), ArrayError> {
    let children = (("f", Float32Builder::new()), ("i", Int32Builder::new()));
    let mut union = UnionBuilder::try_new(UnionMode::Dense, children)?;
    for value in [Some(1.2), None, Some(3.4)] {
        union.append_with(|(f, _)| f.append(value));
    }
    union.append_with(|(_, i)| i.append(5));
    assert_snapshot!(show(union.finish()?), @r#"
    dense_union<0=f: float32, 1=i: int32> [{"f":1.2}, {"f":null}, {"f":3.4}, {"i":5}]
    .: dense_union<0=f: float32, 1=i: int32>, 4 slots, 0 nulls
    .: type ids, 4 bytes, 00 00 00 01
    .: offsets, 16 bytes, 00 00 00 00 01 00 00 00 02 00 00 00 00 00 00 00
    f: float32, 3 slots, 1 null
    f: validity, 3 bits, 101
    f: values, 12 bytes, 9a 99 99 3f 00 00 00 00 9a 99 59 40
    i: int32, 1 slot, 0 nulls
    i: values, 4 bytes, 05 00 00 00
    "#);
    Ok(())
}

#[test]
fn sparse_union() -> Result<(), ArrayError> {
    let children = (("i", Int32Builder::new()), ("f", Float32Builder::new()), ("s", BinaryBuilder::new()));
    let mut union = UnionBuilder::try_new(UnionMode::Sparse, children)?;
    union.append_with(|(i, ..)| i.append(5));
    union.append_with(|(_, f, _)| f.append(1.2));
    union.append_with(|(.., s)| s.append(b"joe"));
    union.append_with(|(_, f, _)| f.append(3.4));
    union.append_with(|(i, ..)| i.append(4));
    union.append_with(|(.., s)| s.append(b"mark"));
    assert_snapshot!(show(union.finish()?), @r#"
    sparse_union<0=i: int32, 1=f: float32, 2=s: binary> [{"i":5}, {"f":1.2}, {"s":"6a6f65"}, {"f":3.4}, {"i":4}, {"s":"6d61726b"}]
    .: sparse_union<0=i: int32, 1=f: float32, 2=s: binary>, 6 slots, 0 nulls
    .: type ids, 6 bytes, 00 01 02 01 00 02
    i: int32, 6 slots, 4 nulls
    i: validity, 6 bits, 100010
    i: values, 24 bytes, 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00
    f: float32, 6 slots, 4 nulls
    f: validity, 6 bits, 010100
    f: values, 24 bytes, 00 00 00 00 9a 99 99 3f 00 00 00 00 9a 99 59 40 00 00 00 00 00 00 00 00
    s: binary, 6 slots, 4 nulls
    s: validity, 6 bits, 001001
    s: offsets, 28 bytes, 00 00 00 00 00 00 00 00 00 00 00 00 03 00 00 00 03 00 00 00 03 00 00 00 07 00 00 00
    s: bytes, 7 bytes, 6a 6f 65 6d 61 72 6b
    "#);
    Ok(())
}

#[test]
fn null() {
    assert_snapshot!(show(NullArray::new(3)), @r"
    null [null, null, null]
    .: null, 3 slots, 3 nulls
    ");
}

#[test]
fn dictionary_encoded() -> Result<(), ArrayError> {
    let mut names = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new())?;
    names.extend([Some("foo"), Some("bar"), Some("foo"), Some("bar"), None, Some("baz")]);
    assert_snapshot!(show(names.finish()?), @r#"
    dictionary<int32, utf8> ["foo", "bar", "foo", "bar", null, "baz"]
    .: dictionary<int32, utf8>, 6 slots, 1 null
    .: validity, 6 bits, 111101
    .: values, 24 bytes, 00 00 00 00 01 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00
    <dictionary>: utf8, 3 slots, 0 nulls
    <dictionary>: offsets, 16 bytes, 00 00 00 00 03 00 00 00 06 00 00 00 09 00 00 00
    <dictionary>: bytes, 9 bytes, 66 6f 6f 62 61 72 62 61 7a
    "#);
    Ok(())
}

/// A dictionary may have the same value twice, and nulls. The null count only counts null indices.
#[test]
fn dictionary_with_repeated_values_and_nulls() -> Result<(), ArrayError> {
    let values = Utf8Array::try_from_iter([Some("foo"), Some("bar"), Some("baz"), Some("foo"), None])?;
    let names = DictionaryArray::try_new(Int32Array::from_iter([0, 1, 3, 1, 4, 2]), values)?;
    assert_snapshot!(show(names), @r#"
    dictionary<int32, utf8> ["foo", "bar", "foo", "bar", null, "baz"]
    .: dictionary<int32, utf8>, 6 slots, 0 nulls
    .: values, 24 bytes, 00 00 00 00 01 00 00 00 03 00 00 00 01 00 00 00 04 00 00 00 02 00 00 00
    <dictionary>: utf8, 5 slots, 1 null
    <dictionary>: validity, 5 bits, 11110
    <dictionary>: offsets, 24 bytes, 00 00 00 00 03 00 00 00 06 00 00 00 09 00 00 00 0c 00 00 00 0c 00 00 00
    <dictionary>: bytes, 12 bytes, 66 6f 6f 62 61 72 62 61 7a 66 6f 6f
    "#);
    Ok(())
}

#[test]
fn run_end_encoded() -> Result<(), ArrayError> {
    let mut numbers = RunEndEncodedBuilder::new(RunEndType::Int32, Float32Builder::new());
    numbers.extend([Some(1.0), Some(1.0), Some(1.0), Some(1.0), None, None, Some(2.0)]);
    assert_snapshot!(show(numbers.finish()?), @r"
    run_end_encoded<run_ends: int32 not null, values: float32> [1.0, 1.0, 1.0, 1.0, null, null, 2.0]
    .: run_end_encoded<run_ends: int32 not null, values: float32>, 7 slots, 0 nulls
    run_ends: int32, 3 slots, 0 nulls
    run_ends: values, 12 bytes, 04 00 00 00 06 00 00 00 07 00 00 00
    values: float32, 3 slots, 1 null
    values: validity, 3 bits, 101
    values: values, 12 bytes, 00 00 80 3f 00 00 00 00 00 00 00 40
    ");
    Ok(())
}

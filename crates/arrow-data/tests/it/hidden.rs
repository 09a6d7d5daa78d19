//! Slots below a null of a struct or fixed-size list are not valid, whatever the child's own bitmap says.

use arrow_buffer::MemoryBudget;
use arrow_data::{ArrayData, ArrayParts, DataErrorKind, Repairs, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType};

use testing_support::make::{
    binary, dictionary, fixed_size_list, int32, list, message, nulls, runs, struct_,
};

/// A dictionary of no values, so that each valid index is out of bounds.
fn indices(indices: &[i64]) -> ArrayData {
    let data_type = DataType::dictionary(IndexType::Int8, DataType::Int32).expect("values are no dictionary");
    dictionary(&data_type, indices, int32(&[]))
}

/// `!` is no UTF-8, `a` is.
fn texts(texts: &str) -> ArrayData {
    let offsets: Vec<i64> = (0..=texts.len()).map(|n| i64::try_from(n).expect("a short text")).collect();
    let bytes: Vec<u8> = texts.bytes().map(|byte| if byte == b'!' { 0xff } else { byte }).collect();
    binary(&DataType::Utf8, &offsets, &bytes)
}

fn of(child: ArrayData) -> ArrayData {
    struct_(vec![(Field::new("c", child.data_type().clone()), child)])
}

fn pairs(child: ArrayData) -> ArrayData {
    fixed_size_list(Field::new("item", child.data_type().clone()), child.len() / 2, 2, child)
}

fn lists(child: ArrayData) -> ArrayData {
    list(&DataType::list(Field::new("item", child.data_type().clone())), &[0, 1, 2], child)
}

#[test]
fn hidden_slots_become_null() {
    let cases = [
        (nulls(of(indices(&[0, 7])), "00"), "two"),
        (nulls(of(nulls(indices(&[0, 7]), "01")), "10"), "one each"),
        (nulls(of(of(indices(&[0, 7]))), "00"), "two levels"),
        (nulls(of(nulls(of(indices(&[0, 7])), "01")), "10"), "a null at each level"),
        (nulls(pairs(indices(&[0, 7, 1, 1])), "00"), "fixed-size lists"),
        (nulls(pairs(of(indices(&[0, 7, 1, 1]))), "00"), "structs in fixed-size lists"),
        (lists(nulls(of(indices(&[0, 7])), "00")), "structs in lists"),
        (nulls(of(texts("a!")), "10"), "text"),
    ];
    for (array, what) in cases {
        let mut repairs = Repairs::default();
        let dump = array.dump();
        let checked = array.clone().validate_counted(Validation::Strict, &mut repairs);
        let checked = checked.unwrap_or_else(|error| panic!("{what}: {error}\n{dump}"));
        assert_eq!(checked.len(), array.len(), "{what}");
        let from_the_start = ArrayData::try_new(checked.clone().into_parts()).expect(what);
        from_the_start.validate(Validation::Strict).expect(what);
        // Hidden slots are no part of the values.
        assert_eq!(checked.validity(), array.validity(), "{what}");
    }
    let checked = nulls(of(indices(&[0, 7])), "00").validate(Validation::Content).expect("hidden");
    assert_eq!(checked.children()[0].null_count(), 2);
}

#[test]
fn visible_slots_are_refused() {
    let cases = [
        (
            nulls(of(indices(&[0, 7])), "01"),
            "field `c`, values, slot 1: index 7 is out of bounds; the dictionary has 0 values",
        ),
        (nulls(of(texts("!!")), "01"), "field `c`, bytes, slot 1"),
        (
            nulls(pairs(indices(&[0, 7, 1, 1])), "01"),
            "field `item`, values, slot 2: index 1 is out of bounds; the dictionary has 0 values",
        ),
        (nulls(lists(of(indices(&[0, 7]))), "00"), "field `item.c`, values, slot 0"),
    ];
    for (array, expected) in cases {
        let found = message(array.validate(Validation::Content));
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn a_wrong_number_of_nulls_stays_an_error() {
    let child = nulls(indices(&[0, 7]), "01");
    let child = ArrayData::try_new(ArrayParts { declared_null_count: Some(2), ..child.into_parts() });
    let array = nulls(of(child.expect("two slots")), "10");
    assert!(message(array.validate(Validation::Content)).contains("null"));
}

#[test]
fn new_bitmaps_are_limited() {
    let array = || nulls(of(nulls(of(indices(&[0, 7])), "01")), "10");
    let error =
        array().validate_counted(Validation::Content, &mut Repairs::new(0)).expect_err("a byte is needed");
    assert!(matches!(error.kind(), DataErrorKind::TooManyRepairs { n_bytes: 1, limit: 0 }), "{error}");
    let mut repairs = Repairs::default().with_memory_budget(Some(MemoryBudget::new(0)));
    let error = array().validate_counted(Validation::Content, &mut repairs).expect_err("there is no memory");
    assert!(matches!(error.kind(), DataErrorKind::Memory(_)), "{error}");
    let mut repairs = Repairs::new(1);
    array().validate_counted(Validation::Content, &mut repairs).expect("a byte is enough");
    assert_eq!((repairs.n_buffers(), repairs.n_bytes()), (1, 1));
}

/// Structs without fields, and lists of no items, have slots without bytes. They get no bitmap.
#[cfg(target_pointer_width = "64")]
#[test]
fn slots_without_bytes_take_no_memory() {
    let n_slots = 1 << 40;
    let empty = |data_type| ArrayData::try_new(ArrayParts::new(data_type, n_slots)).expect("no buffers");
    let none = int32(&[]);
    let lists_of_none = fixed_size_list(Field::new("item", DataType::Int32), n_slots, 0, none);
    // Runs have 2^40 slots of few bytes. Lists of no lists have no slot, although the items of these lists have one.
    let runs = runs(RunEndType::Int64, n_slots, &[1 << 40], texts("a"));
    let no_lists = list(&DataType::list(Field::new("item", DataType::Utf8)), &[0], texts("a"));
    let lists_of_no_lists =
        fixed_size_list(Field::new("item", no_lists.data_type().clone()), n_slots, 0, no_lists);
    for many in [empty(DataType::struct_(Vec::<Field>::new())), lists_of_none, of(runs), lists_of_no_lists] {
        let item = Field::new("item", many.data_type().clone());
        let many = fixed_size_list(item, 1, 1 << 30, many);
        let fields = [many, indices(&[7])].map(|child| (Field::new("c", child.data_type().clone()), child));
        let array = nulls(struct_(fields.into()), "0");
        let mut repairs = Repairs::default();
        array.validate_counted(Validation::Content, &mut repairs).expect("hidden");
        assert_eq!(repairs.n_bytes(), 0);
    }
}

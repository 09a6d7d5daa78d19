//! Batches of large and small columns. They are made with arrow-rs, so that both writers get arrays that another library
//! has made.

use super::text::Words;
use super::{Recipe, Set, their_batch};
use rs_array::builder::{
    BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
    StringDictionaryBuilder, StringViewBuilder, StructBuilder, TimestampMicrosecondBuilder,
};
use rs_array::types::Int32Type;
use rs_array::{ArrayRef, Int64Array, ListViewArray, RecordBatch};
use rs_buffer::ScalarBuffer;
use rs_schema::{DataType, Field};
use std::sync::Arc;
use testing_support::Rng;

/// The kinds of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Random 64-bit numbers of all sizes.
    RandomIntegers,
    /// Numbers that grow by up to a thousand.
    SortedIntegers,
    /// Numbers of which one in ten is null.
    NullableIntegers,
    RandomFloats,
    Booleans,
    /// Words of ASCII letters and a number.
    Ascii,
    /// Texts of `n_each` words, each of which is any of `n_words`.
    Words {
        n_words: usize,
        n_each: usize,
    },
    /// Addresses of pages: few hosts, many paths, and a number.
    Addresses,
    /// The same as `Ascii`, but one in seven is null.
    NullableText,
    /// Words of letters with two to four bytes.
    MultiByte,
    /// Views, half of them longer than 12 bytes.
    Views,
    /// Views of letters with two to four bytes, all longer than 12 bytes.
    MultiByteViews,
    /// Lists of up to eight structs of a number and a text.
    ListsOfStructs,
    /// List views of up to eight numbers, in order.
    ListViews,
    /// Text, encoded by a dictionary with `n_values` values.
    Encoded {
        n_values: usize,
    },
}

pub(super) fn batch(recipe: &Recipe, set: Set, rng: &mut Rng) -> Result<RecordBatch, String> {
    their_batch(match *recipe {
        Recipe::Tiny { .. } => tiny(set, rng),
        Recipe::Wide { n_columns, .. } => {
            let column = array(Column::RandomIntegers, 10, set, rng);
            (0..n_columns).map(|idx| (format!("column {idx}"), column.clone())).collect()
        }
        Recipe::Columns { column, n_columns, n_rows, .. } => {
            (0..n_columns).map(|idx| (format!("column {idx}"), array(column, n_rows, set, rng))).collect()
        }
        Recipe::Mixed { n_rows, .. } => mixed(n_rows, set, rng),
        _ => return Err("batches of other recipes are made elsewhere".to_owned()),
    })
}

fn tiny(set: Set, rng: &mut Rng) -> Vec<(String, ArrayRef)> {
    let mut counts = Int32Builder::new();
    (0..10).for_each(|k| counts.append_option((k % 3 > 0).then_some(k)));
    vec![
        ("id".into(), array(Column::RandomIntegers, 10, set, rng)),
        ("weight".into(), array(Column::RandomFloats, 10, set, rng)),
        ("count".into(), Arc::new(counts.finish())),
        ("name".into(), array(Column::Ascii, 10, set, rng)),
    ]
}

fn mixed(n_rows: usize, set: Set, rng: &mut Rng) -> Vec<(String, ArrayRef)> {
    let mut times = TimestampMicrosecondBuilder::new();
    let start = 1_700_000_000_000_000;
    (0..n_rows).for_each(|k| times.append_value(start + k as i64 * 1_000 + rng.within(0..=999)));
    vec![
        ("id".into(), array(Column::SortedIntegers, n_rows, set, rng)),
        ("time".into(), Arc::new(times.finish())),
        ("price".into(), array(Column::RandomFloats, n_rows, set, rng)),
        ("amount".into(), array(Column::NullableIntegers, n_rows, set, rng)),
        ("is open".into(), array(Column::Booleans, n_rows, set, rng)),
        ("name".into(), array(Column::NullableText, n_rows, set, rng)),
        ("city".into(), array(Column::Encoded { n_values: 500 }, n_rows, set, rng)),
    ]
}

fn array(column: Column, n_rows: usize, set: Set, rng: &mut Rng) -> ArrayRef {
    let mut words = Words::new(column, set);
    match column {
        Column::RandomIntegers => {
            Arc::new(Int64Array::from_iter_values((0..n_rows).map(|_| rng.bits().cast_signed())))
        }
        Column::SortedIntegers => {
            let step = if set == Set::Tuned { 999 } else { 77_777 };
            let mut sum = 0;
            let steps = (0..n_rows).map(|_| {
                sum += rng.within(0..=step);
                sum
            });
            Arc::new(Int64Array::from_iter_values(steps))
        }
        Column::NullableIntegers => {
            let mut builder = Int64Builder::new();
            (0..n_rows).for_each(|_| builder.append_option((!rng.one_in(10)).then_some(rng.within(0..=999))));
            Arc::new(builder.finish())
        }
        Column::RandomFloats => {
            let mut builder = Float64Builder::new();
            (0..n_rows).for_each(|_| builder.append_value((rng.bits() >> 11) as f64 / 3.0));
            Arc::new(builder.finish())
        }
        Column::Booleans => {
            let mut builder = BooleanBuilder::new();
            (0..n_rows).for_each(|_| builder.append_value(rng.one_in(3)));
            Arc::new(builder.finish())
        }
        Column::Ascii | Column::MultiByte => {
            let mut builder = StringBuilder::new();
            (0..n_rows).for_each(|_| builder.append_value(words.next(rng)));
            Arc::new(builder.finish())
        }
        Column::Words { n_words, n_each } => {
            let all: Vec<String> = (0..n_words).map(|_| letters(rng)).collect();
            let mut builder = StringBuilder::new();
            for _ in 0..n_rows {
                let picked: Vec<&str> = (0..n_each).map(|_| rng.pick(&all).as_str()).collect();
                builder.append_value(picked.join(" "));
            }
            Arc::new(builder.finish())
        }
        Column::Addresses => {
            let [hosts, paths] = [20, 400].map(|n| (0..n).map(|_| letters(rng)).collect::<Vec<_>>());
            let mut builder = StringBuilder::new();
            for _ in 0..n_rows {
                let (host, path, id) = (rng.pick(&hosts), rng.pick(&paths), rng.below(100_000));
                builder.append_value(format!("https://www.{host}.example/{path}/index.html?id={id}"));
            }
            Arc::new(builder.finish())
        }
        Column::NullableText => {
            let mut builder = StringBuilder::new();
            (0..n_rows).for_each(|_| builder.append_option((!rng.one_in(7)).then(|| words.next(rng))));
            Arc::new(builder.finish())
        }
        Column::Views | Column::MultiByteViews => {
            let mut builder = StringViewBuilder::new();
            (0..n_rows).for_each(|_| builder.append_value(words.next(rng)));
            Arc::new(builder.finish())
        }
        Column::ListsOfStructs => lists_of_structs(n_rows, words, rng),
        Column::ListViews => list_views(n_rows, rng),
        Column::Encoded { n_values } => {
            let mut builder = StringDictionaryBuilder::<Int32Type>::new();
            for k in 0..n_rows.max(n_values) {
                // Each value once, then any of them.
                let value = if k < n_values { k } else { rng.below(n_values) };
                builder.append_value(format!("city number {value}"));
            }
            Arc::new(builder.finish().slice(0, n_rows))
        }
    }
}

/// A word of three to ten letters.
fn letters(rng: &mut Rng) -> String {
    let n_letters = 3 + rng.below(8);
    (0..n_letters).map(|_| char::from(*rng.pick(b"etaoinshrdlucmfwypvbgkjqxz"))).collect()
}

fn lists_of_structs(n_rows: usize, mut words: Words, rng: &mut Rng) -> ArrayRef {
    let fields = vec![Field::new("count", DataType::Int64, true), Field::new("name", DataType::Utf8, true)];
    let mut builder = ListBuilder::new(StructBuilder::from_fields(fields, n_rows));
    for _ in 0..n_rows {
        for _ in 0..rng.below(9) {
            let structs = builder.values();
            if let Some(counts) = structs.field_builder::<Int64Builder>(0) {
                counts.append_value(rng.bits().cast_signed());
            }
            if let Some(names) = structs.field_builder::<StringBuilder>(1) {
                names.append_value(words.next(rng));
            }
            structs.append(true);
        }
        builder.append(true);
    }
    Arc::new(builder.finish())
}

fn list_views(n_rows: usize, rng: &mut Rng) -> ArrayRef {
    let sizes: Vec<i32> = (0..n_rows).map(|_| rng.below(9) as i32).collect();
    let offsets = sizes.iter().scan(0, |end, size| {
        let start = *end;
        *end += size;
        Some(start)
    });
    let offsets: Vec<i32> = offsets.collect();
    let n_items = sizes.iter().sum::<i32>() as usize;
    let items = Int64Array::from_iter_values((0..n_items).map(|_| rng.bits().cast_signed()));
    let field = Arc::new(Field::new("item", DataType::Int64, true));
    let (offsets, sizes) = (ScalarBuffer::from(offsets), ScalarBuffer::from(sizes));
    let views = ListViewArray::try_new(field, offsets, sizes, Arc::new(items), None);
    Arc::new(views.expect("the extents are in order and inside of the items"))
}

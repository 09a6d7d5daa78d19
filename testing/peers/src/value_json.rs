//! Writes the rows of an arrow-rs record batch as lossless JSON.

mod scalar;

use rs_array::cast::AsArray;
use rs_array::types::*;
use rs_array::{Array, ArrowPrimitiveType, DictionaryArray, GenericListArray, GenericListViewArray};
use rs_array::{OffsetSizeTrait, RecordBatch, RunArray};
use rs_schema::{DataType, Field, IntervalUnit, TimeUnit};
use scalar::{
    date_text, date64_text, decimal_text, float_text, half_text, hex_text, time_text, timestamp_text,
};
use std::collections::HashSet;
use std::fmt::Write;

/// One JSON text for each row.
pub fn batch_rows(batch: &RecordBatch) -> Vec<String> {
    let schema = batch.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let columns = schema.fields().iter().zip(batch.columns());
    let columns: Vec<_> = columns.map(|(field, column)| column_texts(field, column)).collect();
    (0..batch.num_rows()).map(|row| record_text(&names, &columns, row)).collect()
}

/// Like [`value_texts`], but with hyphens in columns of `arrow.uuid`, and with `false` and `true` in columns of
/// `arrow.bool8`.
fn column_texts(field: &Field, array: &dyn Array) -> Vec<String> {
    let mut texts = value_texts(array);
    match (field.metadata().get("ARROW:extension:name").map(String::as_str), field.data_type()) {
        (Some("arrow.uuid"), DataType::FixedSizeBinary(16)) => {
            // From the end, so that places stay; the text begins with a quote.
            let with_hyphens =
                |text: &mut String| [21, 17, 13, 9].into_iter().for_each(|at| text.insert(at, '-'));
            texts.iter_mut().filter(|text| *text != "null").for_each(with_hyphens);
        }
        (Some("arrow.bool8"), DataType::Int8) => {
            for text in &mut texts {
                match text.as_str() {
                    "0" => *text = "false".to_owned(),
                    "1" => *text = "true".to_owned(),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    texts
}

/// A JSON string as in rows; only quotes, backslashes and control characters are escaped, the common ones by a letter.
pub fn json_string(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => push_escaped(&mut out, char),
        }
    }
    out + "\""
}

/// A JSON string as in schemas and metadata: all control characters are numbers.
pub fn numbered_string(text: &str) -> String {
    let mut out = String::from("\"");
    text.chars().for_each(|char| push_escaped(&mut out, char));
    out + "\""
}

fn push_escaped(out: &mut String, char: char) {
    match char {
        '"' | '\\' => out.extend(['\\', char]),
        '\0'..='\x1f' | '\x7f'..='\u{9f}' => {
            write!(out, "\\u{:04x}", u32::from(char)).expect("a string takes all")
        }
        _ => out.push(char),
    }
}

/// An object, or a list of pairs if a name repeats.
fn record_text(names: &[&str], columns: &[Vec<String>], row: usize) -> String {
    let values = names.iter().zip(columns).map(|(name, column)| (json_string(name), &column[row]));
    if has_repeats(names) {
        format!("[{}]", joined(values.map(|(name, value)| format!("[{name},{value}]"))))
    } else {
        format!("{{{}}}", joined(values.map(|(name, value)| format!("{name}:{value}"))))
    }
}

fn has_repeats(names: &[&str]) -> bool {
    names.iter().collect::<HashSet<_>>().len() < names.len()
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(",")
}

/// One JSON text for each slot of the array.
pub fn value_texts(array: &dyn Array) -> Vec<String> {
    let text_of = slot_text(array);
    (0..array.len()).map(|slot| if array.is_null(slot) { "null".to_owned() } else { text_of(slot) }).collect()
}

type SlotText<'a> = Box<dyn Fn(usize) -> String + 'a>;

/// The text of a slot that is valid according to the bitmap of the array.
fn slot_text(array: &dyn Array) -> SlotText<'_> {
    use DataType::*;
    match array.data_type() {
        Null => Box::new(|_| "null".to_owned()),
        Boolean => Box::new(|slot| array.as_boolean().value(slot).to_string()),
        Int8 => primitive::<Int8Type>(array, |value| value.to_string()),
        Int16 => primitive::<Int16Type>(array, |value| value.to_string()),
        Int32 => primitive::<Int32Type>(array, |value| value.to_string()),
        Int64 => primitive::<Int64Type>(array, |value| value.to_string()),
        UInt8 => primitive::<UInt8Type>(array, |value| value.to_string()),
        UInt16 => primitive::<UInt16Type>(array, |value| value.to_string()),
        UInt32 => primitive::<UInt32Type>(array, |value| value.to_string()),
        UInt64 => primitive::<UInt64Type>(array, |value| value.to_string()),
        Float16 => primitive::<Float16Type>(array, half_text),
        Float32 => primitive::<Float32Type>(array, |value| float_text(value.into(), format!("{value:?}"))),
        Float64 => primitive::<Float64Type>(array, |value| float_text(value, format!("{value:?}"))),
        &Decimal32(_, scale) => {
            primitive::<Decimal32Type>(array, move |value| decimal_text(&value.to_string(), scale))
        }
        &Decimal64(_, scale) => {
            primitive::<Decimal64Type>(array, move |value| decimal_text(&value.to_string(), scale))
        }
        &Decimal128(_, scale) => {
            primitive::<Decimal128Type>(array, move |value| decimal_text(&value.to_string(), scale))
        }
        &Decimal256(_, scale) => {
            primitive::<Decimal256Type>(array, move |value| decimal_text(&value.to_string(), scale))
        }
        Date32 => primitive::<Date32Type>(array, |days| format!("\"{}\"", date_text(days.into()))),
        Date64 => primitive::<Date64Type>(array, |value| format!("\"{}\"", date64_text(value))),
        Time32(TimeUnit::Second) => primitive::<Time32SecondType>(array, |ticks| time_text(ticks.into(), 0)),
        Time32(_) => primitive::<Time32MillisecondType>(array, |ticks| time_text(ticks.into(), 3)),
        Time64(TimeUnit::Microsecond) => {
            primitive::<Time64MicrosecondType>(array, |ticks| time_text(ticks, 6))
        }
        Time64(_) => primitive::<Time64NanosecondType>(array, |ticks| time_text(ticks, 9)),
        Timestamp(unit, zone) => {
            let zulu = if zone.as_deref().is_some_and(|zone| !zone.is_empty()) { "Z" } else { "" };
            let text = move |ticks, n_digits| format!("\"{}{zulu}\"", timestamp_text(ticks, n_digits));
            match unit {
                TimeUnit::Second => primitive::<TimestampSecondType>(array, move |ticks| text(ticks, 0)),
                TimeUnit::Millisecond => {
                    primitive::<TimestampMillisecondType>(array, move |ticks| text(ticks, 3))
                }
                TimeUnit::Microsecond => {
                    primitive::<TimestampMicrosecondType>(array, move |ticks| text(ticks, 6))
                }
                TimeUnit::Nanosecond => {
                    primitive::<TimestampNanosecondType>(array, move |ticks| text(ticks, 9))
                }
            }
        }
        Duration(TimeUnit::Second) => primitive::<DurationSecondType>(array, |ticks| ticks.to_string()),
        Duration(TimeUnit::Millisecond) => {
            primitive::<DurationMillisecondType>(array, |ticks| ticks.to_string())
        }
        Duration(TimeUnit::Microsecond) => {
            primitive::<DurationMicrosecondType>(array, |ticks| ticks.to_string())
        }
        Duration(TimeUnit::Nanosecond) => {
            primitive::<DurationNanosecondType>(array, |ticks| ticks.to_string())
        }
        Interval(IntervalUnit::YearMonth) => {
            primitive::<IntervalYearMonthType>(array, |months| format!("{{\"months\":{months}}}"))
        }
        Interval(IntervalUnit::DayTime) => primitive::<IntervalDayTimeType>(array, |value| {
            format!("{{\"days\":{},\"milliseconds\":{}}}", value.days, value.milliseconds)
        }),
        Interval(IntervalUnit::MonthDayNano) => primitive::<IntervalMonthDayNanoType>(array, |value| {
            let (months, days, nanoseconds) = (value.months, value.days, value.nanoseconds);
            format!("{{\"months\":{months},\"days\":{days},\"nanoseconds\":{nanoseconds}}}")
        }),
        FixedSizeBinary(_) => Box::new(|slot| hex_text(array.as_fixed_size_binary().value(slot))),
        Binary => Box::new(|slot| hex_text(array.as_binary::<i32>().value(slot))),
        LargeBinary => Box::new(|slot| hex_text(array.as_binary::<i64>().value(slot))),
        BinaryView => Box::new(|slot| hex_text(array.as_binary_view().value(slot))),
        Utf8 => Box::new(|slot| json_string(array.as_string::<i32>().value(slot))),
        LargeUtf8 => Box::new(|slot| json_string(array.as_string::<i64>().value(slot))),
        Utf8View => Box::new(|slot| json_string(array.as_string_view().value(slot))),
        List(_) => list(array.as_list::<i32>()),
        LargeList(_) => list(array.as_list::<i64>()),
        ListView(_) => list_view(array.as_list_view::<i32>()),
        LargeListView(_) => list_view(array.as_list_view::<i64>()),
        FixedSizeList(_, n_items) => {
            let (n_items, array) = (*n_items as usize, array.as_fixed_size_list());
            let items = value_texts(array.values());
            Box::new(move |slot| {
                let start = array.value_offset_at(slot);
                format!("[{}]", items[start..start + n_items].join(","))
            })
        }
        Struct(fields) => {
            let columns: Vec<_> =
                array.as_struct().columns().iter().map(|column| value_texts(column)).collect();
            let names: Vec<_> = fields.iter().map(|field| field.name().as_str()).collect();
            Box::new(move |slot| record_text(&names, &columns, slot))
        }
        Map(..) => {
            let array = array.as_map();
            let (keys, values) = (value_texts(array.keys()), value_texts(array.values()));
            let pairs: Vec<_> =
                keys.iter().zip(values).map(|(key, value)| format!("[{key},{value}]")).collect();
            Box::new(move |slot| {
                let offsets = &array.value_offsets()[slot..];
                format!("[{}]", pairs[offsets[0] as usize..offsets[1] as usize].join(","))
            })
        }
        Union(fields, _) => {
            let array = array.as_union();
            let children: Vec<_> = fields.iter().map(|(id, _)| value_texts(array.child(id))).collect();
            let names: Vec<_> = fields.iter().map(|(_, field)| field.name().as_str()).collect();
            Box::new(move |slot| {
                let id = array.type_id(slot);
                let child =
                    fields.iter().position(|(known, _)| known == id).expect("the array was validated");
                let value = &children[child][array.value_offset(slot)];
                if has_repeats(&names) {
                    format!("[{id},{value}]")
                } else {
                    format!("{{{}:{value}}}", json_string(names[child]))
                }
            })
        }
        Dictionary(index, _) => match **index {
            Int8 => dictionary(array.as_dictionary::<Int8Type>()),
            Int16 => dictionary(array.as_dictionary::<Int16Type>()),
            Int32 => dictionary(array.as_dictionary::<Int32Type>()),
            Int64 => dictionary(array.as_dictionary::<Int64Type>()),
            UInt8 => dictionary(array.as_dictionary::<UInt8Type>()),
            UInt16 => dictionary(array.as_dictionary::<UInt16Type>()),
            UInt32 => dictionary(array.as_dictionary::<UInt32Type>()),
            UInt64 => dictionary(array.as_dictionary::<UInt64Type>()),
            _ => unreachable!("no index type"),
        },
        RunEndEncoded(run_ends, _) => match run_ends.data_type() {
            Int16 => runs(array.as_run::<Int16Type>()),
            Int32 => runs(array.as_run::<Int32Type>()),
            Int64 => runs(array.as_run::<Int64Type>()),
            _ => unreachable!("no type of run ends"),
        },
    }
}

fn primitive<T: ArrowPrimitiveType>(
    array: &dyn Array,
    text: impl Fn(T::Native) -> String + 'static,
) -> SlotText<'_> {
    let array = array.as_primitive::<T>();
    Box::new(move |slot| text(array.value(slot)))
}

fn list<O: OffsetSizeTrait>(array: &GenericListArray<O>) -> SlotText<'_> {
    let items = value_texts(array.values());
    Box::new(move |slot| {
        let offsets = &array.value_offsets()[slot..];
        format!("[{}]", items[offsets[0].as_usize()..offsets[1].as_usize()].join(","))
    })
}

fn list_view<O: OffsetSizeTrait>(array: &GenericListViewArray<O>) -> SlotText<'_> {
    let items = value_texts(array.values());
    Box::new(move |slot| {
        let start = array.value_offsets()[slot].as_usize();
        format!("[{}]", items[start..start + array.value_sizes()[slot].as_usize()].join(","))
    })
}

fn dictionary<K: ArrowDictionaryKeyType>(array: &DictionaryArray<K>) -> SlotText<'_> {
    use rs_buffer::ArrowNativeType;
    let values = value_texts(array.values());
    Box::new(move |slot| values[array.keys().value(slot).as_usize()].clone())
}

fn runs<R: RunEndIndexType>(array: &RunArray<R>) -> SlotText<'_> {
    use rs_buffer::ArrowNativeType;
    let values = value_texts(array.values());
    let ends = array.run_ends();
    Box::new(move |slot| {
        values[ends.values().partition_point(|end| end.as_usize() <= ends.offset() + slot)].clone()
    })
}

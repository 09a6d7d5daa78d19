//! The layout table, row by row: `snapshots/layout.snap`. Its rows were written down from "Buffer Listing for Each Layout"
//! of the columnar specification; compare accepted changes with that.

use std::collections::BTreeSet;

use arrow_data::{
    BufferSpec, ChildLen, Content, Count, Layout, Nulls, OffsetType, Physical, Role, StrictRule, Swap, layout,
};
use arrow_schema::UnionMode;
use testing_support::all_types;

/// Buffers (`role:bits×elements/words`), then nulls or children, content and strict rules where there are any.
fn describe(layout: &Layout) -> String {
    let mut parts: Vec<String> = layout.buffers().iter().map(describe_buffer).collect();
    if layout.is_variadic() {
        parts.push("variadic".into());
    }
    match layout.nulls() {
        Nulls::Bitmap => assert_eq!(layout.buffers()[0].role, Role::Validity),
        Nulls::All => parts.push("nulls:all".into()),
        Nulls::InChildren => parts.push("nulls:in children".into()),
    }
    match layout.child_len() {
        ChildLen::NoChildren => {}
        other => parts.push(format!("children:{other:?}")),
    }
    match layout.content() {
        Content::Any => {}
        other => parts.push(format!("content:{other:?}")),
    }
    match layout.strict() {
        StrictRule::Any => {}
        other => parts.push(format!("strict:{other:?}")),
    }
    if layout.slices_by_offset() {
        parts.push("by offset".into());
    }
    parts.join(" ")
}

fn describe_buffer(spec: &BufferSpec) -> String {
    let count = match spec.count {
        Count::PerSlot => "n",
        Count::PerSlotPlusOne => "n+1",
        Count::FromData => "data",
    };
    let words: Vec<String> = spec.swap.words().iter().map(u8::to_string).collect();
    let words = match spec.swap {
        Swap::View => "/view".to_owned(),
        _ if words.is_empty() => String::new(),
        _ => format!("/{}", words.join("+")),
    };
    format!("{}:{}×{count}{words}", spec.role, spec.bits)
}

/// One row for each layout that a type can have.
#[test]
fn rows() {
    let (mut rows, mut known) = (String::new(), BTreeSet::new());
    for (_, data_type) in all_types() {
        let row = describe(&layout(&data_type));
        if known.insert((data_type.name(), row.clone())) {
            rows += &format!("{data_type}: {row}\n");
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("layout", rows);
    });
}

/// From "Physical Memory Layout" of the columnar specification.
#[test]
fn physical_layouts() {
    use OffsetType::{Int32, Int64};
    for (name, data_type) in all_types() {
        let fixed = |n_bytes: u16| Physical::Fixed(n_bytes.into());
        let expected = match data_type.name() {
            "null" => Physical::Null,
            "bool" => Physical::Bits,
            "int8" | "uint8" => fixed(1),
            "int16" | "uint16" | "float16" => fixed(2),
            "int32" | "uint32" | "float32" | "date32" | "time32" | "decimal32" => fixed(4),
            "int64" | "uint64" | "float64" | "date64" | "time64" | "timestamp" | "duration" | "decimal64" => {
                fixed(8)
            }
            "decimal128" => fixed(16),
            "decimal256" => fixed(32),
            "interval" if data_type.to_string() == "interval(year_month)" => fixed(4),
            "interval" if data_type.to_string() == "interval(day_time)" => fixed(8),
            "interval" => fixed(16),
            "fixed_size_binary" => {
                let size = data_type.to_string();
                let size = size.trim_matches(|c: char| !c.is_ascii_digit());
                fixed(size.parse().expect("a small number"))
            }
            "binary" | "utf8" => Physical::Bytes(Int32),
            "large_binary" | "large_utf8" => Physical::Bytes(Int64),
            "binary_view" | "utf8_view" => Physical::Views,
            "list" | "map" => Physical::List(Int32),
            "large_list" => Physical::List(Int64),
            "list_view" => Physical::ListView(Int32),
            "large_list_view" => Physical::ListView(Int64),
            "fixed_size_list" => {
                Physical::FixedSizeList(data_type.as_fixed_size_list().expect("it is one").1)
            }
            "struct" => Physical::Struct,
            "sparse_union" => Physical::Union(UnionMode::Sparse),
            "dense_union" => Physical::Union(UnionMode::Dense),
            "run_end_encoded" => {
                Physical::Runs(data_type.as_run_end_encoded().expect("it is one").run_end_type())
            }
            "dictionary" => Physical::Dictionary(data_type.as_dictionary().expect("it is one").index()),
            other => panic!("{other} has no row here"),
        };
        assert_eq!(layout(&data_type).physical(), expected, "{name}");
    }
}

#[test]
fn sizes_do_not_wrap() {
    for (name, data_type) in all_types() {
        for spec in layout(&data_type).buffers() {
            for n_slots in [0, 1, 7, 8, 9, 1 << 32, u64::MAX - 1, u64::MAX] {
                let bits = match spec.count {
                    Count::PerSlot => u128::from(n_slots) * u128::from(spec.bits),
                    Count::PerSlotPlusOne if n_slots == 0 => 0,
                    Count::PerSlotPlusOne => (u128::from(n_slots) + 1) * u128::from(spec.bits),
                    Count::FromData => 0,
                };
                let expected = if bits > u128::from(u64::MAX) { None } else { Some(bits.div_ceil(8) as u64) };
                assert_eq!(spec.min_bytes(n_slots), expected, "{name}: {}, {n_slots} slots", spec.role);
            }
        }
    }
}

/// The bit widths in the table of types equal the widths of buffers in the layout table.
#[test]
fn bit_widths_are_those_of_the_buffers() {
    for (name, data_type) in all_types() {
        let expected = match layout(&data_type).data_buffers() {
            // The type ids of a sparse union do not store values, so the union has no bit width.
            _ if data_type.is_union() => None,
            // Views have a fixed width, but refer to bytes in other buffers.
            [spec] if spec.count == Count::PerSlot && !data_type.is_binary_like() => Some(spec.bits),
            [spec] if data_type.name() == "fixed_size_binary" => Some(spec.bits),
            _ => None,
        };
        assert_eq!(data_type.bit_width(), expected, "{name}");
        assert_eq!(data_type.byte_width(), expected.filter(|bits| *bits != 1).map(|bits| bits / 8), "{name}");
    }
}

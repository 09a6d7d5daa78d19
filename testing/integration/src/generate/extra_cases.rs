//! Cases that the public harness does not have.

use super::{
    CaseSpec,
    cases::{case, numbered},
    fields::{FieldSpec, Kind, field, int, map, runs, text},
};

/// Types, and nested types, that no public case has.
pub(super) fn extra_cases() -> Vec<CaseSpec> {
    let rows = &[0, 7, 20];
    vec![
        case(
            "float16",
            vec![field("f0", Kind::Float("HALF")), field("f1", Kind::Float("HALF")).required()],
            rows,
        ),
        case("no_columns", Vec::new(), &[3, 0]),
        case("no_bytes", no_bytes(), rows),
        case("wide_decimals", wide_decimals(), rows),
        case("wide_indices", wide_indices(), rows),
        case("ordered_dictionary", ordered_dictionary(), rows),
        case(
            "empty_dictionary",
            vec![text("nothing").encoded(0, 8).with_dictionary(|it| it.n_values = 0)],
            rows,
        ),
        case("views_in_dictionary", views_in_dictionary(), rows),
        case("union_in_dictionary", union_in_dictionary(), rows),
        case("runs_in_dictionary", vec![runs("runs", 16, text("")).encoded(0, 8)], rows),
        case("dictionary_in_runs", vec![runs("runs", 64, text("").encoded(0, 8))], rows),
        case("nested_runs", nested_runs(), rows),
        case("union_in_union", union_in_union(), rows),
        case("nested_views", nested_views(), rows),
        case("nested_maps", nested_maps(), rows),
        case("deep", vec![deep(60)], &[4]),
        case("many_rows", many_rows(), &[3_000, 1]),
    ]
}

fn no_bytes() -> Vec<FieldSpec> {
    let empty_lists = field("empty_lists", Kind::FixedList(0)).with([text("item")]);
    vec![field("empty_bytes", Kind::FixedBytes(0)), empty_lists, field("empty_structs", Kind::Struct)]
}

/// Decimals with the greatest precision, and scales below and above zero and the precision.
fn wide_decimals() -> Vec<FieldSpec> {
    let kinds = [(32, 9, -3), (64, 18, 18), (128, 38, 40), (256, 76, -76), (256, 76, 0)];
    numbered(kinds.map(|(n_bits, precision, scale)| Kind::Decimal { n_bits, precision, scale }))
}

fn wide_indices() -> Vec<FieldSpec> {
    let unsigned = text("unsigned").encoded(7, 64).with_dictionary(|it| it.signed = false);
    vec![unsigned, field("signed", Kind::Float("DOUBLE")).encoded(-3, 64)]
}

fn ordered_dictionary() -> Vec<FieldSpec> {
    let ordered = |values: FieldSpec| values.encoded(i64::MAX, 8).with_dictionary(|it| it.ordered = true);
    // Both have one dictionary.
    vec![ordered(text("grade")), text("other").encoded(i64::MAX, 16)]
}

fn views_in_dictionary() -> Vec<FieldSpec> {
    let views = [true, false].map(|text| Kind::View { text, long: true });
    (0..).zip(numbered(views)).map(|(id, field)| field.encoded(id, 8)).collect()
}

fn union_in_dictionary() -> Vec<FieldSpec> {
    let pair = || [text("a").encoded(9, 8), int("b", 64)];
    let union = |name: &str, dense| field(name, Kind::Union { dense, ids: &[0, 127] }).with(pair());
    vec![union("dense", true).encoded(1, 8), union("sparse", false).encoded(2, 8)]
}

fn nested_runs() -> Vec<FieldSpec> {
    let list = |name: &str, item: FieldSpec| field(name, Kind::List { n_bits: 32 }).with([item]);
    vec![
        runs("runs_of_runs", 32, runs("values", 16, text("values"))),
        runs("runs_of_lists", 16, list("values", text("item"))),
        list("lists_of_runs", runs("item", 64, int("values", 8))),
        field("struct_of_runs", Kind::Struct).with([runs("runs", 32, field("values", Kind::Bool))]),
    ]
}

fn union_in_union() -> Vec<FieldSpec> {
    let inner = |dense| field("inner", Kind::Union { dense, ids: &[3, 1] }).with([int("x", 8), text("y")]);
    [true, false]
        .into_iter()
        .flat_map(|outer| [true, false].map(|dense| (outer, dense)))
        .map(|(outer, dense)| {
            let name = format!("{outer}_{dense}");
            field(&name, Kind::Union { dense: outer, ids: &[9, 4] })
                .with([inner(dense), field("z", Kind::Bool)])
        })
        .collect()
}

fn nested_views() -> Vec<FieldSpec> {
    let text_views = || field("item", Kind::View { text: true, long: true });
    let views = |name: &str, n_bits, item| field(name, Kind::ListView { n_bits }).with([item]);
    vec![
        views("list_views_of_views", 32, text_views()),
        views("list_views_of_list_views", 64, views("item", 32, int("item", 16))),
        field("lists_of_views", Kind::List { n_bits: 64 }).with([text_views()]),
    ]
}

fn nested_maps() -> Vec<FieldSpec> {
    let inner = map("value", ["e", "", ""]);
    let pair = field("entries", Kind::Struct).required().with([int("key", 16).required(), inner]);
    let sorted = field("maps_of_maps", Kind::Map { sorted: true }).with([pair]);
    vec![sorted, field("lists_of_maps", Kind::FixedList(2)).with([map("item", ["entries", "key", "value"])])]
}

/// Types with the greatest depth that readers allow. Few levels are lists, since their items multiply.
fn deep(n_levels: usize) -> FieldSpec {
    (0..n_levels).fold(text("leaf"), |inner, level| match level % 9 {
        0 => field("large", Kind::List { n_bits: 64 }).with([inner]).required(),
        1 | 4 | 7 => field("list", Kind::FixedList(1)).with([inner]),
        _ => field("struct", Kind::Struct).with([inner]),
    })
}

/// So many rows that bitmaps have several words, and buffers exceed any padding.
fn many_rows() -> Vec<FieldSpec> {
    vec![
        field("flags", Kind::Bool),
        int("numbers", 64),
        text("texts"),
        text("words").encoded(0, 16).with_dictionary(|it| it.n_values = 300),
        field("lists", Kind::List { n_bits: 32 }).with([int("item", 8)]),
    ]
}

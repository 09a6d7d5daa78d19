//! The names of types in other systems, for errors that contain the name to write instead.

use crate::{
    data_type::table::NAMES,
    parse::{Cursor, Excerpt, ExpectedText, ParseError, ParseErrorKind},
};

/// The error for a word at `start` that is no type.
#[cold]
#[inline(never)]
pub(super) fn unknown_type(word: &str, start: &Cursor<'_>) -> ParseError {
    if word.is_empty() {
        return start.unexpected(ExpectedText::Type);
    }
    let name = Excerpt::new(word);
    let instead = instead_of(word);
    start.error(ParseErrorKind::UnknownType { name, instead })
}

/// The type name to write instead of an unknown word: a name that differs only in case, or the type that other systems
/// call by this word. `None` if there is neither.
#[cold]
fn instead_of(word: &str) -> Option<&'static str> {
    if word.len() > MAX_NAME_BYTES {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let same = NAMES.iter().copied().find(|name| *name == lower);
    same.or_else(|| {
        let other = |(other, _): &&(&str, &str)| *other == lower;
        OTHER_NAMES.iter().find(other).map(|(_, instead)| *instead)
    })
}

/// Whether the word is the name of a type in this library or in another system.
#[cold]
pub(super) fn is_type_name(word: &str) -> bool {
    instead_of(word).is_some()
}

/// The type for which other systems use a name, if the name is unambiguous.
pub(super) fn familiar(word: &str) -> Option<&'static str> {
    const FAMILIAR: [(&str, &str); 10] = [
        ("string", "utf8"),
        ("str", "utf8"),
        ("large_string", "large_utf8"),
        ("string_view", "utf8_view"),
        ("boolean", "bool"),
        ("double", "float64"),
        ("bigint", "int64"),
        ("smallint", "int16"),
        ("halffloat", "float16"),
        ("half_float", "float16"),
    ];
    FAMILIAR.iter().find(|(name, _)| *name == word).map(|(_, own)| *own)
}

const MAX_NAME_BYTES: usize = 24;

/// Names in lower case, as in SQL, Rust, Python and other implementations of the format. The second text of each pair
/// is the name that errors recommend.
const OTHER_NAMES: [(&str, &str); 58] = [
    ("array", "list<item: …>"),
    ("bigint", "int64"),
    ("binaryview", "binary_view"),
    ("blob", "binary"),
    ("boolean", "bool"),
    ("byte", "int8"),
    ("bytea", "binary"),
    ("bytes", "binary"),
    ("categorical", "dictionary<int32, utf8>"),
    ("char", "utf8"),
    ("date", "date32"),
    ("datetime", "timestamp(us)"),
    ("decimal", "decimal128(precision, scale)"),
    ("double", "float64"),
    ("enum", "dictionary<int32, utf8>"),
    ("f16", "float16"),
    ("f32", "float32"),
    ("f64", "float64"),
    ("f8", "float64"),
    ("fixedsizebinary", "fixed_size_binary(size)"),
    ("fixedsizelist", "fixed_size_list<item: …; size>"),
    ("float", "float32"),
    ("half", "float16"),
    ("halffloat", "float16"),
    ("i16", "int16"),
    ("i32", "int32"),
    ("i4", "int32"),
    ("i64", "int64"),
    ("i8", "int8"),
    ("int", "int32"),
    ("integer", "int32"),
    ("large_string", "large_utf8"),
    ("largebinary", "large_binary"),
    ("largelist", "large_list<item: …>"),
    ("largelistview", "large_list_view<item: …>"),
    ("largeutf8", "large_utf8"),
    ("listview", "list_view<item: …>"),
    ("long", "int64"),
    ("numeric", "decimal128(precision, scale)"),
    ("real", "float32"),
    ("runendencoded", "run_end_encoded<run_ends: int32 not null, values: …>"),
    ("short", "int16"),
    ("smallint", "int16"),
    ("str", "utf8"),
    ("string", "utf8"),
    ("string_view", "utf8_view"),
    ("text", "utf8"),
    ("time", "time64(us)"),
    ("tinyint", "int8"),
    ("u16", "uint16"),
    ("u32", "uint32"),
    ("u64", "uint64"),
    ("u8", "uint8"),
    ("uint", "uint32"),
    ("union", "dense_union<0=name: …>"),
    ("utf8view", "utf8_view"),
    ("varbinary", "binary"),
    ("varchar", "utf8"),
];

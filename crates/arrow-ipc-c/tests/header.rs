//! Compares the header with the functions that are exported.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;

const HEADER: &str = include_str!("../include/arrow_ipc.h");
const FUNCTIONS: &str = include_str!("../src/functions.rs");

/// A type of an argument in `functions.rs`, and in the header.
const TYPES: [(&str, &str); 24] = [
    ("TextPointer", "const char *"),
    ("ListPointer<NamedText>", "const struct aipc_option *"),
    ("ListPointer<u8>", "const void *"),
    ("usize", "size_t "),
    ("u64", "uint64_t "),
    ("SizedPointer<Memory>", "const struct aipc_memory *"),
    ("SizedPointer<SourceCallbacks>", "const struct aipc_source *"),
    ("SizedPointer<SinkCallbacks>", "const struct aipc_sink *"),
    ("MovedPointer<ArrowSchema>", "struct ArrowSchema *"),
    ("MovedPointer<ArrowArray>", "struct ArrowArray *"),
    ("MovedPointer<ArrowArrayStream>", "struct ArrowArrayStream *"),
    ("Out<'_, ArrowSchema>", "struct ArrowSchema *"),
    ("Out<'_, ArrowArray>", "struct ArrowArray *"),
    ("Out<'_, ArrowArrayStream>", "struct ArrowArrayStream *"),
    ("Out<'_, u64>", "uint64_t *"),
    ("Out<'_, i32>", "int *"),
    ("Out<'_, LentBytes>", "struct aipc_bytes *"),
    ("Made<'_, Reader>", "aipc_reader **"),
    ("Made<'_, Decoder>", "aipc_decoder **"),
    ("Made<'_, Encoder>", "aipc_encoder **"),
    ("Made<'_, Writer>", "aipc_writer **"),
    // `const` says which calls do not change a handle.
    ("Option<&Reader>", "const aipc_reader *"),
    ("Option<&Decoder>", "aipc_decoder *"),
    ("Option<&Encoder>", "aipc_encoder *"),
];

/// The prototypes of the header, by name: the type of the result, and the arguments.
fn prototypes() -> BTreeMap<&'static str, String> {
    let mut found = BTreeMap::new();
    for (at, _) in HEADER.match_indices("aipc_") {
        let rest = &HEADER[at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let line_start = HEADER[..at].rfind('\n').map_or(0, |end| end + 1);
        let result = &HEADER[line_start..at];
        let is_declared =
            rest[end..].starts_with('(') && !result.is_empty() && !result.starts_with([' ', '/', '*']);
        if is_declared {
            let arguments = rest[end + 1..].split_once(");").expect("a prototype ends").0;
            let words = format!("{result}({arguments})");
            found.insert(&rest[..end], words.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// What the header must say of the functions that are exported.
fn exported() -> BTreeMap<&'static str, String> {
    let list = FUNCTIONS.split_once("\nexport! {").expect("functions are exported").1;
    let c_type = |rust: &str| {
        let of_writer = ("Option<&Writer>", "aipc_writer *");
        let known = TYPES.iter().copied().chain([of_writer]).find(|(known, _)| *known == rust);
        known.unwrap_or_else(|| panic!("{rust} has no type in C")).1
    };
    let mut found = BTreeMap::new();
    for line in list.lines().filter_map(|line| line.trim().strip_prefix("fn ")) {
        let (name, rest) = line.split_once('(').expect("arguments");
        let (arguments, rest) = rest.split_once(')').expect("arguments");
        let arguments: Vec<(&str, &str)> =
            split(arguments).into_iter().filter_map(|one| one.split_once(": ")).collect();
        let prototype = if let Some(value) = rest.strip_prefix(" -> ") {
            let value = value.split(" = ").next().unwrap_or_default();
            let value = if value == "u32" { "uint32_t " } else { "const char *" };
            format!("{value}(void)")
        } else if rest == ";" {
            format!("void (aipc_{0} *{0})", arguments[0].0)
        } else {
            let named = arguments.iter().map(|(name, rust)| format!("{}{name}", c_type(rust)));
            let all: Vec<String> = named.chain(["struct aipc_error *error".to_owned()]).collect();
            format!("int ({})", all.join(", "))
        };
        found.insert(name, prototype);
    }
    found
}

/// Splits arguments at the commas outside of angle brackets.
fn split(arguments: &'static str) -> Vec<&'static str> {
    let mut depth = 0_i32;
    let split = arguments.split(|c: char| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        c == ',' && depth == 0
    });
    split.map(str::trim).filter(|argument| !argument.is_empty()).collect()
}

#[test]
fn prototypes_are_those_of_the_functions() {
    let without_const = |text: &String| {
        let handles = ["reader", "decoder", "encoder", "writer"];
        handles.iter().fold(text.clone(), |text, handle| {
            text.replace(&format!("const aipc_{handle} *"), &format!("aipc_{handle} *"))
        })
    };
    let plain = |all: BTreeMap<&'static str, String>| -> Vec<(&str, String)> {
        all.iter().map(|(name, text)| (*name, without_const(text))).collect()
    };
    let found = plain(prototypes());
    assert!(found.len() > 30, "{found:?}");
    assert_eq!(found, plain(exported()));
}

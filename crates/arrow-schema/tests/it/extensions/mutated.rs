//! Parses damaged and malicious metadata.

use arrow_schema::{CanonicalExtension, DataType, Extension, ExtensionErrorKind, Field, ParseErrorKind};
use serde_json::Value;
use testing_support::{Hunt, Rng};

use super::descriptions;

/// Tokens of JSON, and texts that are not JSON.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u00",
    "\\ud800",
    "null",
    "true",
    "-",
    "0",
    "1",
    "9",
    ".5",
    "e1",
    " ",
    "\n",
    "\0",
    "é",
    "\"shape\":",
    "[[",
];

/// The text with one to four small changes.
fn damaged(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(4) {
        let start = rng.below(chars.len() + 1);
        let end = (start + rng.below(4)).min(chars.len());
        match rng.below(4) {
            0 => drop(chars.drain(start..end)),
            1 => chars.truncate(start),
            2 => drop(chars.splice(start..end, rng.pick(&PIECES).chars())),
            _ => {
                let copied = chars[start..end].to_vec();
                chars.splice(start..start, copied);
            }
        }
    }
    chars.into_iter().collect()
}

/// Metadata that this crate writes, and other metadata.
fn texts() -> Vec<String> {
    let written = descriptions().into_iter().filter_map(|(_, _, metadata)| metadata.map(str::to_owned));
    let others = [
        r#"{"a":[1,-2.5e+3,{"b":null,"c":[true,false,[]]},"\u00e9\ud83e\udd80\n"],"shape": [ 2 , 5 ]}"#,
        r#"{"uniform_shape":[400,null],"dim_names":["H","W"],"permutation":[1,0]}"#,
    ];
    written.chain(others.map(str::to_owned)).filter(|text| !text.is_empty()).collect()
}

#[test]
fn damaged_metadata_is_refused_or_says_something_else() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(1);
    let (mut n_read, mut n_refused) = (0, 0);
    for text in texts() {
        for _ in 0..hunt.count(1_000, 10_000) {
            let damaged = damaged(&text, &mut rng);
            for (description, storage, _) in descriptions() {
                let extension = Extension { name: description.name(), metadata: Some(&damaged) };
                let field = Field::new("f", storage.parse::<DataType>().unwrap()).with_extension(extension);
                match field.canonical_extension() {
                    Ok(read) => {
                        let read = read.expect("the name is known");
                        let written = field.with_canonical_extension(&read).expect("it was read so");
                        assert_eq!(written.canonical_extension(), Ok(Some(read)), "{damaged}");
                        n_read += 1;
                    }
                    Err(error) => {
                        assert!(error.to_string().chars().count() < 500, "{damaged}");
                        n_refused += 1;
                    }
                }
            }
        }
    }
    assert!(n_read > 1000 && n_refused > 1000, "{n_read} read, {n_refused} refused");
}

/// Compares with another JSON parser, which accepts repeated names and uses the last member.
#[test]
fn json_is_what_others_call_so() {
    let mut rng = Rng::new(2);
    let (mut n_json, mut n_other) = (0, 0);
    for text in texts() {
        for _ in 0..5000 {
            let damaged = damaged(&text, &mut rng);
            if damaged.is_empty() {
                continue;
            }
            let extension = Extension { name: "arrow.json", metadata: Some(&damaged) };
            let found = CanonicalExtension::parse(extension, &DataType::Utf8);
            let expected = serde_json::from_str::<Value>(&damaged);
            match (&found, &expected) {
                (Ok(_), Ok(Value::Object(_))) => n_json += 1,
                (Ok(_), Err(error)) if error.to_string().contains("number out of range") => {}
                (Err(error), Ok(Value::Object(_))) => {
                    let ExtensionErrorKind::Metadata(error) = error.kind() else {
                        panic!("{damaged}: {error}")
                    };
                    assert!(
                        matches!(error.kind(), ParseErrorKind::RepeatedMember { .. }),
                        "{damaged}: {error}"
                    );
                }
                (Err(_), _) => n_other += 1,
                (Ok(_), _) => panic!("{damaged}: {expected:?}"),
            }
        }
    }
    assert!(n_json > 1000 && n_other > 1000, "{n_json} are JSON, {n_other} are not");
}

#[test]
fn long_and_deep_metadata_needs_no_stack() {
    let n = 1 << 20;
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(n), "]".repeat(n));
    let objects = format!("{{\"a\":{}0{}}}", "{\"b\":".repeat(n), "}".repeat(n));
    let open = format!("{{\"a\":{}", "[{\"b\":".repeat(n));
    let long = format!("{{\"a\":[0{}]}}", ",0".repeat(n));
    for (text, is_read) in [(deep, true), (objects, true), (open, false), (long, true)] {
        let extension = Extension { name: "arrow.json", metadata: Some(&text) };
        assert_eq!(CanonicalExtension::parse(extension, &DataType::Utf8).is_ok(), is_read);
    }
    let names: String = (0..100_000).map(|k| format!("\"{k}\":{k},")).collect();
    let extension = format!("{{{names}\"99999\":0}}");
    let extension = Extension { name: "arrow.json", metadata: Some(&extension) };
    let error = CanonicalExtension::parse(extension, &DataType::Utf8).unwrap_err();
    assert!(error.to_string().ends_with("the member \"99999\" is repeated"), "{error}");
}

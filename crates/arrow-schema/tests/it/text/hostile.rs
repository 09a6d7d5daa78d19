//! Parses malicious texts.

use std::thread;

use arrow_schema::{DataType, Field, ParseError, ParseErrorKind, Schema, TextParser};
use testing_support::{Rng, schema_of_all_types};

const N_BYTES: usize = 1 << 20;

/// The beginnings of all types that have children or values.
const OPENINGS: [&str; 11] = [
    "list<item: ",
    "large_list<item: ",
    "list_view<item: ",
    "large_list_view<item: ",
    "fixed_size_list<item: ",
    "struct<a: ",
    "map<entries: struct<key: utf8, value: ",
    "sparse_union<0=a: ",
    "dense_union<0=a: ",
    "dictionary<int8, ",
    "run_end_encoded<run_ends: int16, values: ",
];

/// Parses the text as a type, a field and a schema, which must fail, and checks the errors.
fn refuse(text: &str) -> Vec<ParseError> {
    let errors = [
        text.parse::<DataType>().expect_err("it is no type"),
        text.parse::<Field>().expect_err("it is no field"),
        text.parse::<Schema>().expect_err("it is no schema"),
    ];
    for error in &errors {
        assert!(text.is_char_boundary(error.position()), "{error}");
        let message = error.to_string();
        assert!(message.chars().count() < 500, "{} bytes of message", message.len());
    }
    errors.into()
}

#[test]
fn endless_nesting_ends_at_the_limit() {
    for opening in OPENINGS {
        let text = opening.repeat(N_BYTES / opening.len());
        assert_eq!(refuse(&text)[0].kind(), &ParseErrorKind::TooDeep { max: 64 }, "{opening}");
        refuse(&format!("a: {text}"));
        let error = TextParser::new().with_max_depth(0).data_type(&text).expect_err("all are too deep");
        assert_eq!(error.kind(), &ParseErrorKind::TooDeep { max: 0 });
    }
    let text = OPENINGS.concat().repeat(N_BYTES / 256);
    assert!(matches!(refuse(&text)[0].kind(), ParseErrorKind::TooDeep { max: 64 }));
}

/// Types of the greatest allowed depth can be read, printed, compared and dropped with a stack of 128 KiB.
#[test]
fn depth_takes_little_stack() {
    let kinds: [(&str, &str, usize); 11] = [
        (OPENINGS[0], ">", 1),
        (OPENINGS[1], ">", 1),
        (OPENINGS[2], ">", 1),
        (OPENINGS[3], ">", 1),
        (OPENINGS[4], "; 3>", 1),
        (OPENINGS[5], ", b: int8>", 1),
        (OPENINGS[6], ">>", 2),
        (OPENINGS[7], " not null>", 1),
        (OPENINGS[8], ">", 1),
        ("dictionary<int8, list<item: ", ">>", 1),
        (OPENINGS[10], ">", 1),
    ];
    for (opening, closing, n_levels) in kinds {
        let n = 63 / n_levels;
        let text = format!("{}int8{}", opening.repeat(n), closing.repeat(n));
        let work = move || {
            let read = text.parse::<DataType>().expect("it is not too deep");
            (read.depth(), read.to_string() == text)
        };
        let thread = thread::Builder::new().stack_size(128 << 10).spawn(work).expect("a thread can be had");
        let (depth, is_same) = thread.join().expect("the stack is large enough");
        assert_eq!((depth, is_same), (n * n_levels + 1, true), "{opening}");
    }
}

#[test]
fn garbage_is_refused() {
    let mut rng = Rng::new(1);
    let random: String = rng.bytes(N_BYTES).iter().map(|&byte| char::from(byte)).collect();
    let alphabet: Vec<char> = "<>():,;= \"\\\nabst0123_".chars().collect();
    let syntax: String = (0..N_BYTES).map(|_| *rng.pick(&alphabet)).collect();
    for text in [random, syntax, "\0".repeat(N_BYTES), "🦀".repeat(N_BYTES / 4), "\n".repeat(N_BYTES)] {
        refuse(&text);
    }
    // Long repetitions of valid tokens.
    for part in ["a", "9", "_", "\"", "\"a", "\\u0041", " ", ", ", "not null", "-", "list", "int8", ">", "\\"]
    {
        let many = part.repeat(N_BYTES / part.len());
        let openings = [
            "",
            "a: ",
            "\"",
            "a: struct<",
            "a: struct<\"",
            "a: decimal128(",
            "a: timestamp(s, \"",
            "a: list<",
        ];
        for opening in openings {
            if (opening, part) != ("\"", "\"") {
                refuse(&format!("{opening}{many}"));
            }
        }
    }
}

#[test]
fn what_is_refused_by_constructors_has_a_short_message() {
    let wide = "a: int8, ".repeat(N_BYTES / 9);
    for text in [
        format!("map<entries: struct<{wide}b: int8>>"),
        format!("run_end_encoded<a: struct<{wide}b: int8>, b: int8>"),
        format!("dictionary<int8, dictionary<int8, struct<{wide}b: int8>>>"),
    ] {
        let error = &refuse(&text)[0];
        assert!(matches!(error.kind(), ParseErrorKind::Type(_)), "{error}");
        assert!(error.to_string().ends_with('…'), "{error}");
    }
}

#[test]
fn long_texts_are_read() {
    let struct_ = format!("struct<{}b: int8>", "a: int8, ".repeat(N_BYTES / 9));
    let read: DataType = struct_.parse().expect("it is long, and nothing else");
    assert_eq!(read.children().len(), N_BYTES / 9 + 1);
    let name = format!("\"{}\": int8", "\\u202e🦀 ".repeat(N_BYTES / 10));
    let read: Field = name.parse().expect("it is long, and nothing else");
    assert_eq!(read.to_string(), name);
    let lines = vec!["a: utf8 not null"; N_BYTES / 16].join("\n");
    let read: Schema = lines.parse().expect("it is long, and nothing else");
    assert_eq!(read.fields().len(), N_BYTES / 16);
}

#[test]
fn every_prefix_is_refused() {
    let text = DataType::struct_(schema_of_all_types().fields().to_vec()).to_string();
    assert!(text.parse::<DataType>().is_ok());
    for (end, _) in text.char_indices() {
        let error = text[..end].parse::<DataType>().expect_err("it does not end");
        // The error is at the end, or in the last word or quoted text.
        let rest = &text[error.position()..end];
        let is_word = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        let is_part = [", ", ": ", "; ", " not null", ", sorted", ", ordered"]
            .iter()
            .any(|token| token.starts_with(rest));
        assert!(is_word || is_part || rest.starts_with(['"', '\\']), "{rest:?}: {error}");
    }
}

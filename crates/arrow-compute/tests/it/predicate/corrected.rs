//! Corrections of texts that are not predicates.

use arrow_compute::{ComparisonOperator, Predicate, PredicateErrorKind};
use arrow_schema::{DataType, Field, Schema};

use super::{parsed, schema};

/// Common errors in conditions, and their corrections.
#[test]
fn errors_say_what_was_meant() {
    let cases = [
        ("city = Oslo", 7..11, r#"city = "Oslo""#),
        ("city = New York and a = 1", 7..15, r#"city = "New York" and a = 1"#),
        ("city in (Oslo, New York, 'Rome')", 9..13, r#"city in ("Oslo", "New York", 'Rome')"#),
        ("city like Os%", 10..13, r#"city like "Os%""#),
        ("city like %o", 10..12, r#"city like "%o""#),
        ("path = /tmp/x or path = C:\\y", 7..13, r#"path = "/tmp/x" or path = "C:\\y""#),
        ("city = ‘Oslo’", 7..17, r#"city = "Oslo""#),
        ("“first name” = “a b”", 0..3, r#""first name" = "a b""#),
        ("[first name] > `a`", 0..1, r#""first name" > "a""#),
        ("day > 2024-01-01", 6..16, r#"day > "2024-01-01""#),
        ("2024-01-01 <= day", 0..10, "'2024-01-01' <= day"),
        ("day between 2024-01-01 and 2024-02-01", 12..22, r#"day between "2024-01-01" and "2024-02-01""#),
        ("at > 2024-01-01 10:00:00 or a", 5..24, r#"at > "2024-01-01 10:00:00" or a"#),
        ("at < 10:30", 5..10, r#"at < "10:30""#),
        ("day = 1.2.2024", 6..14, r#"day = "1.2.2024""#),
        ("a > 1and b = 2", 5..8, "a > 1 and b = 2"),
        ("a > 1.5OR b = 2", 7..9, "a > 1.5 OR b = 2"),
        ("a = null", 4..8, "a is null"),
        ("a=null", 2..6, "a is null"),
        ("a <> NULL", 5..9, "a is not null"),
        ("a = None", 4..8, "a is null"),
        ("a in (1, nil)", 9..12, ""),
        ("a != <NA> and b = 2", 5..9, "a is not null and b = 2"),
        ("a=NaT or b = null && c", 2..5, "a is null or b is null and c"),
        ("a = none of these", 4..17, r#"a = "none of these""#),
        ("in = 2 or (NOT < 1 and between)", 0..2, ""),
        ("a and like = 'x'", 6..10, r#"a and "like" = 'x'"#),
        ("not = 2", 0..3, r#""not" = 2"#),
        ("a = 1 && b = 2 || !c", 6..7, "a = 1 and b = 2 or not c"),
        ("a = 1 & (b = 2)", 6..7, "a = 1 and (b = 2)"),
        ("a === 1;", 4..5, "a = 1"),
        ("a => 1", 3..4, "a >= 1"),
        ("first name = 'x'", 0..10, r#""first name" = 'x'"#),
        ("a = 1 and sepal-length > 1", 10..22, r#"a = 1 and "sepal-length" > 1"#),
        ("net (EUR) > 1", 4..5, ""),
        ("a = 1 and first name is not null", 10..20, r#"a = 1 and "first name" is not null"#),
        ("where a > 1", 6..7, "a > 1"),
        ("a > 1,5 and b = 2", 5..6, "a > 1.5 and b = 2"),
        ("a in 1", 5..6, "a in (1)"),
        ("city in 'Oslo'", 8..14, "city in ('Oslo')"),
        ("a in [1, 2] and b = 2", 5..6, "a in (1, 2) and b = 2"),
        ("a between 1, 2", 11..12, "a between 1 and 2"),
        ("day = date '2024-01-01'", 6..10, "day = '2024-01-01'"),
        ("at >= TIMESTAMP  '2024-01-01 10:00:00' and a = 1", 6..15, "at >= '2024-01-01 10:00:00' and a = 1"),
        // The intention is not clear, so there is no correction.
        ("lower(a) = 'x'", 5..6, ""),
        ("a = lower('x')", 4..9, ""),
        ("a > 1,500", 5..6, ""),
        ("a in 1, 2", 5..6, ""),
        ("a in [1, 2", 5..6, ""),
        ("a ilike 'x'", 2..7, ""),
        ("a + 1 = 2", 2..3, ""),
        ("a % 2 = 0", 2..3, ""),
        ("1and", 1..4, ""),
        ("a >", 3..3, ""),
        ("a = and", 4..7, ""),
        ("a = \u{1}", 4..5, ""),
        ("a = x\u{202e}", 4..8, ""),
        ("a = 'x", 4..5, ""),
        ("a = x'00", 5..6, ""),
    ];
    for (text, range, meant) in cases {
        let error = text.parse::<Predicate>().expect_err(text);
        assert_eq!(error.range(), Some(range), "{text}: {error}");
        assert_eq!(error.corrected().unwrap_or_default(), meant, "{text}: {error}");
        if !meant.is_empty() {
            parsed(meant);
        }
    }
    // Looking for a correction takes the time of parsing the text a few times.
    for text in ["a = x or ".repeat(100_000), "a = x or ".repeat(400), "!".repeat(4_000)] {
        assert_eq!(text.parse::<Predicate>().expect_err("it is wrong").corrected(), None);
    }
}

#[test]
fn words_that_are_no_columns_are_named() {
    let cases = [
        ("a ilike 'x'", "expected `like`, which is case-sensitive, found \"ilike\""),
        ("not a NOT ILIKE 'x'", "expected `like`, which is case-sensitive, found \"ILIKE\""),
        ("or = 1", "a name that is a keyword, or has spaces or signs, needs double quotes: write \"or\""),
        ("true = b", "expected a column, `not` or `(`, found \"true\""),
        ("a = None", "null cannot be compared; expected `is null`"),
    ];
    for (text, message) in cases {
        let error = text.parse::<Predicate>().expect_err(text);
        assert_eq!(error.kind().to_string(), message, "{text}");
    }
}

/// Quotes inside of quotes may be doubled, as in SQL, and names may have characters that are escapes where they are printed.
#[test]
fn names_in_quotes_have_any_characters() {
    let column = |name: &str| Field::new(name, DataType::Int8);
    let schema = Schema::new(["odd \"q\"", "\t", "\n\u{200b}", "\"", "a\"\"b"].map(column));
    for (text, name) in [
        (r#""odd ""q""" = 2"#, "odd \"q\""),
        (r#""odd \"q\"" = 2"#, "odd \"q\""),
        ("1 < \"\t\"", "\t"),
        (r#""\t" = 1"#, "\t"),
        (r#""\u0009" = 1"#, "\t"),
        ("\"\n\u{200b}\" = 1", "\n\u{200b}"),
        (r#""""" = 1"#, "\""),
        (r#""a""""b" = 1"#, "a\"\"b"),
    ] {
        let bound = parsed(text).bind(&schema).unwrap_or_else(|error| panic!("{text}: {error}"));
        let paths = bound.paths().into_iter().map(|path| schema.field_by_path(path).map(Field::name));
        assert_eq!(paths.collect::<Vec<_>>(), [Some(name)], "{text}");
        let named = Predicate::compare(name, ComparisonOperator::Equal, 1);
        assert_eq!(named.bind(&schema).expect(name).columns(), bound.columns(), "{text}");
        assert_eq!(parsed(&named.to_string()), named, "{text}");
    }
}

/// If a constant has quotes that it should not have, or lacks them, the correction changes this.
#[test]
fn constants_of_another_sort_have_a_predicate_that_fits() {
    let schema = schema();
    let cases = [
        ("s > 5", Some("s > '5'")),
        ("i = 5 and (s in (1, 'x') or not s = true)", Some("i = 5 and (s in ('1', 'x') or not s = 'true')")),
        ("address.zip = 0150", Some("address.zip = '0150'")),
        ("flag = 1 or s = 2", Some("flag = true or s = '2'")),
        ("flag = 'False'", Some("flag = false")),
        ("flag = 2", None),
        ("b = 'ab' or b in ('é', 'abc', 12)", Some("b = x'ab' or b in (x'c3a9', x'616263', x'12')")),
        ("s = 5 and x = 1", None),
        ("l = 5", None),
    ];
    for (text, fitting) in cases {
        let error = parsed(text).bind(&schema).expect_err(text);
        assert_eq!(error.corrected(), fitting, "{text}");
        fitting.map(|fitting| parsed(fitting).bind(&schema).expect(fitting));
    }
}

/// In SQL, `a = "b"` compares two columns.
#[test]
fn text_that_names_a_column_needs_single_quotes() {
    let schema: Schema = "a: utf8\nb: utf8\nn: int64".parse().expect("it is a schema");
    for text in [r#"a = "b""#, r#"n > "b""#, r#"a != "a""#, r#"not a < "n""#, r#"a not in ("x", "b")"#] {
        let error = parsed(text).bind(&schema).map(|_| ()).expect_err(text);
        assert!(matches!(error.kind(), PredicateErrorKind::ColumnAsText { .. }), "{text}: {error}");
        // A correction does not compare a number with text.
        assert_eq!(error.corrected().is_some(), !text.starts_with("n >"), "{text}: {error}");
        let meant = error.corrected().map(|meant| parsed(meant).bind(&schema).map(|_| ()));
        assert!(meant.is_none_or(|meant| meant.is_ok()), "{text}: {error}");
        let advised = error.to_string().rsplit_once("write ").map(|(_, advised)| advised.to_owned());
        assert_eq!(advised.map(|text| text.len()), Some(3), "{error}");
    }
    for text in [r#"a = 'b'"#, r#"a = "c""#, r#"a in ('b', "c")"#, r#"a like "b""#, r#"a = "a.b""#] {
        parsed(text).bind(&schema).map(|_| ()).expect(text);
    }
}

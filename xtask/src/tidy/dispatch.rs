//! Only the listed files may match on types. All other code uses the layout table, or the result of a listed file.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree, is_name_byte};

/// The files of the library that match on types. A new type changes these files, and its typed array;
/// docs/ARCHITECTURE.md describes the steps.
const PLACES: [&str; 10] = [
    // The table of names, families and shapes.
    "crates/arrow-schema/src/data_type/table.rs",
    "crates/arrow-data/src/layout.rs",
    // The wire form.
    "crates/arrow-ipc/src/schema/data_type.rs",
    // The format strings of the C interface.
    "crates/arrow-c-data/src/format.rs",
    // The list of kinds, with typed arrays and builders.
    "crates/arrow-array/src/kind.rs",
    // The text form: one file that writes, one that reads.
    "crates/arrow-array/src/display/column.rs",
    "crates/arrow-text/src/read/leaf.rs",
    // Which value of serde each type takes, and which it gives.
    "crates/arrow-serde/src/write/leaf.rs",
    "crates/arrow-serde/src/read/leaf.rs",
    // Which value of Python each type gives.
    "python/src/values.rs",
];

/// Test code that may match on types, by the start of its path: reference implementations, so that tested code does not
/// judge itself; the JSON of the integration tests, which contains the name of each type; and sample values of each type.
const ORACLES: [&str; 7] = [
    "crates/arrow-array/tests/",
    "testing/integration/src/types",
    "testing/integration/src/read/numbers.rs",
    "testing/integration/src/write/values.rs",
    "testing/integration/src/generate/",
    "testing/samples/src/build.rs",
    "testing/support/src/logical.rs",
];

/// Code that uses the `DataType` of another library.
const FOREIGN: &str = "testing/peers/";

const TYPE: &str = "DataType::";

/// The file that defines the names of types.
const ENUM: &str = "crates/arrow-schema/src/data_type.rs";

/// The number of type names in the matches of an enum that makes it a disguised list of types.
const DISGUISED: usize = 12;

/// Finds match arms, `matches!` and patterns of `let` that name a `DataType` outside of the listed files and tests. Also
/// finds files whose match arms name many variants of another enum that has the names of types.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let judged = tree.ending_in(".rs").filter(|source| {
        let mut exempt = ORACLES.iter().chain([&FOREIGN]);
        !PLACES.contains(&source.path.as_str()) && !exempt.any(|place| source.path.starts_with(place))
    });
    let names = names_of_types(tree);
    let mut findings = Vec::new();
    for source in judged {
        findings.extend(named_types(source));
        findings.extend(disguised(source, &names));
    }
    findings
}

fn named_types(source: &Source) -> Vec<Finding> {
    let code = &source.untested_code;
    let arms =
        code.match_indices("=>").filter(|(position, _)| pattern_before(code, *position).contains(TYPE));
    let macros =
        code.match_indices("matches!").filter(|(position, _)| macro_at(code, *position).contains(TYPE));
    let lets = code
        .match_indices("let ")
        .filter(|(position, _)| is_word_start(code, *position))
        .filter(|(position, _)| let_pattern(code, *position).contains(TYPE));
    let imports = [format!("{TYPE}*"), format!("{TYPE}{{"), "DataType as ".to_owned()];
    let imports = imports.iter().flat_map(|import| code.match_indices(import.as_str()));
    let what = "types are matched in the listed files only (docs/STYLE.md, rule 3): \
                match on `layout(..).physical()`, or go through the dispatch of `arrow-array`";
    let positions = arms.chain(macros).chain(lets).chain(imports);
    positions.map(|(position, _)| finding(source, position, what.to_owned())).collect()
}

/// The enums whose variants have the names of types, and the position of their first match arm.
fn disguised(source: &Source, names: &BTreeSet<&str>) -> Vec<Finding> {
    let code = &source.untested_code;
    let mut found: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for (arrow, _) in code.match_indices("=>") {
        let pattern = pattern_before(code, arrow);
        for (qualifier, name) in paths_in(pattern).filter(|(_, name)| names.contains(name)) {
            let (_, named) = found.entry(qualifier).or_insert((arrow, BTreeSet::new()));
            named.insert(name);
        }
    }
    let lists = found.into_iter().filter(|(_, (_, named))| named.len() >= DISGUISED);
    let finding = |(qualifier, (position, named)): (&str, (usize, BTreeSet<&str>))| {
        let n_types = named.len();
        let what = format!(
            "the arms name {n_types} types as variants of `{qualifier}`, which is a list of types in disguise: \
             match on `layout(..).physical()`, on families, or add a column to the list in `arrow-array`"
        );
        finding(source, position, what)
    };
    lists.map(finding).collect()
}

fn finding(source: &Source, position: usize, what: String) -> Finding {
    Finding { path: source.path.clone(), line: source.line_at(position), what }
}

/// The variants of the enum of types.
fn names_of_types(tree: &Tree) -> BTreeSet<&str> {
    let code = tree.text(ENUM).map_or("", |source| &source.code);
    let body = code.split_once("pub enum DataType {").map_or("", |(_, rest)| rest);
    let body = body.split_once("\n}").map_or(body, |(body, _)| body);
    body.lines()
        .map(|line| {
            let line = line.trim();
            line.split(['(', ',']).next().unwrap_or_default()
        })
        .filter(|name| !name.is_empty() && name.bytes().all(is_name_byte))
        .collect()
}

/// The capitalised names in a pattern. Each comes with the text before its last `::`, or an empty text.
fn paths_in(pattern: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = pattern.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'));
    words.filter(|word| !word.is_empty()).map(|word| word.rsplit_once("::").unwrap_or(("", word)))
}

/// The pattern that ends at this arrow, without its guard.
fn pattern_before(code: &str, arrow: usize) -> &str {
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, byte) in code.as_bytes()[..arrow].iter().enumerate().rev() {
        match byte {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            b'(' | b'[' | b'{' | b'}' | b';' => {
                start = at + 1;
                break;
            }
            b',' if depth == 0 => {
                start = at + 1;
                break;
            }
            _ => {}
        }
    }
    let pattern = &code[start..arrow];
    pattern.find(" if ").map_or(pattern, |guard| &pattern[..guard])
}

fn is_word_start(code: &str, position: usize) -> bool {
    !code[..position].bytes().next_back().is_some_and(is_name_byte)
}

/// The pattern of a `let`: the text before its equals sign. The `let` may be alone, in a condition or with an `else`.
fn let_pattern(code: &str, start: usize) -> &str {
    let is_range = |at: usize| code[..at].ends_with("..");
    let end = code[start..].match_indices(['=', ';']).map(|(at, _)| start + at).find(|&at| !is_range(at));
    &code[start..end.unwrap_or(code.len())]
}

/// A macro call, up to the parenthesis that closes it.
fn macro_at(code: &str, start: usize) -> &str {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return &code[start..at],
            b')' => depth -= 1,
            _ => {}
        }
    }
    &code[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

    #[test]
    fn disguised_lists_are_found() {
        let names: Vec<String> = (0..DISGUISED).map(|n| format!("Type{n}")).collect();
        let variants: String =
            names.iter().map(|name| format!("    /// A type.\n    {name}(Unit),\n")).collect();
        let types = format!("/// Types.\npub enum DataType {{\n{variants}}}\n");
        let arms = |path: &str, n: usize| -> String {
            names.iter().take(n).map(|name| format!("{path}{name}(_) => 1,\n")).collect()
        };
        let in_a_row = names.join(" | Any::");
        let cases: [(String, &[usize]); 7] = [
            (format!("match t {{\n{} }}", arms("Kind::", DISGUISED)), &[2]),
            (format!("match t {{\n{} _ => 2 }}", arms("crate::Any::", DISGUISED)), &[2]),
            (format!("match t {{\n{} }}", arms("", DISGUISED)), &[2]),
            (format!("match t {{\n Any::{in_a_row} => 1 }}"), &[2]),
            (format!("match t {{\n{} _ => 2 }}", arms("Kind::", DISGUISED - 1)), &[]),
            (format!("match t {{\n{} }}", arms("Kind::Other", DISGUISED)), &[]),
            (
                format!(
                    "#[cfg(test)]\nmod tests {{ fn f() {{ match t {{\n{} }} }} }}",
                    arms("A::", DISGUISED)
                ),
                &[],
            ),
        ];
        for (code, lines) in cases {
            let path = "crates/arrow-ipc/src/a.rs";
            let wanted: Vec<String> = lines.iter().map(|line| format!("{path}:{line}")).collect();
            assert_eq!(places(check, &[(ENUM, &types), (path, &code)]), wanted, "{code}");
            let exempt = "crates/arrow-array/src/kind.rs";
            assert!(places(check, &[(ENUM, &types), (exempt, &code)]).is_empty(), "{code}");
        }
    }

    #[test]
    fn listed_files_take_types_apart() {
        let tree = Tree::load(&crate::root()).expect("the repository can be read");
        let names = names_of_types(&tree);
        for place in PLACES {
            let source = tree.text(place).unwrap_or_else(|| panic!("{place} does not exist"));
            assert!(!named_types(source).is_empty() || !disguised(source, &names).is_empty(), "{place}");
        }
    }

    /// The names of types are found. Without them, no disguised list would be found.
    #[test]
    fn the_names_of_types_are_those_of_the_enum() {
        let tree = Tree::load(&crate::root()).expect("the repository can be read");
        let names = names_of_types(&tree);
        assert!(names.len() > 35 && names.contains("RunEndEncoded") && names.contains("Int8"), "{names:?}");
    }

    #[test]
    fn matches_on_types_are_found() {
        let cases: [(&str, &[usize]); 17] = [
            ("match t {\n DataType::Int8 => 1,\n _ => 2 }", &[2]),
            ("match t {\n Some(DataType::Decimal32(p, s)) if p > s => 1,\n _ => 2 }", &[2]),
            ("match t {\n DataType::Int8\n | DataType::Int16 => 1,\n _ => 2 }", &[3]),
            ("match (a, b) { (DataType::Int8, _) => { 1 } _ => 2 }", &[1]),
            ("match unit { A => DataType::Int8, B => DataType::Int16 }", &[]),
            ("match t { t if *t == DataType::Int8 => 1, _ => 2 }", &[]),
            ("let a = matches!(t, DataType::List(_));", &[1]),
            ("let a = f(matches!(t, Some(_)), DataType::Int8);", &[]),
            ("if let DataType::List(field) = t { 1 }", &[1]),
            ("if a\n && let Some(DataType::Int8 | DataType::Int16) = t {\n 1 }", &[2]),
            ("while let DataType::List(field) = t {}", &[1]),
            ("let DataType::FixedSizeBinary(size) = t else {\n return };", &[1]),
            ("let (1..=2, &DataType::Int8) =\n t else { return };", &[1]),
            ("let t = DataType::Int8;\nlet a: bool;\nlet t = DataType::Int8;", &[]),
            ("let outlet = f(DataType::Int8); if let Some(t) = f(DataType::Int8) {}", &[]),
            ("use arrow_schema::DataType::*;\nuse arrow_schema::DataType as T;", &[1, 2]),
            ("#[cfg(test)]\nmod tests { fn f() { match t { DataType::Int8 => 1 } } }", &[]),
        ];
        for (code, lines) in cases {
            let wanted: Vec<String> =
                lines.iter().map(|line| format!("crates/arrow-ipc/src/a.rs:{line}")).collect();
            assert_eq!(places(check, &[("crates/arrow-ipc/src/a.rs", code)]), wanted, "{code}");
            assert!(places(check, &[("crates/arrow-data/src/layout.rs", code)]).is_empty(), "{code}");
        }
    }
}

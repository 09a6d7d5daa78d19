//! Who may take types apart: the listed files. Everything else walks the layout table.

use crate::tidy::Finding;
use crate::tidy::source::{Tree, is_name_byte};

/// Files, by how their paths begin, that may match on `DataType`.
const SITES: [&str; 8] = [
    "crates/arrow-schema/src/data_type",
    "crates/arrow-data/src/layout",
    "crates/arrow-ipc/src/schema",
    "crates/arrow-ipc/src/tensor",
    "crates/arrow-array/src/dispatch.rs",
    "testing/integration/src/types",
    // Oracles: what they judge must not judge itself.
    "crates/arrow-array/tests/it/agreement/oracle.rs",
    "testing/support/src/logical.rs",
];

/// Code that has a `DataType` of others.
const FOREIGN: &str = "testing/peers/";

const TYPE: &str = "DataType::";

/// No match arm, no `matches!` and no pattern of a `let` names a `DataType` outside of the listed files and of tests.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let judged = tree.ending_in(".rs").filter(|source| {
        !source.path.starts_with(FOREIGN) && !SITES.iter().any(|site| source.path.starts_with(site))
    });
    let mut findings = Vec::new();
    for source in judged {
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
        for (position, _) in arms.chain(macros).chain(lets).chain(imports) {
            let what = "types are matched in the listed files only (docs/STYLE.md, rule 3): \
                        walk `layout(..)`, or go through the dispatch of `arrow-array`";
            let line = source.line_at(position);
            findings.push(Finding { path: source.path.clone(), line, what: what.to_owned() });
        }
    }
    findings
}

/// The pattern that ends at this arrow, its guard left out.
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

/// The pattern of a `let`, alone, in a condition or with an `else`: what stands before its equals sign.
fn let_pattern(code: &str, start: usize) -> &str {
    let is_range = |at: usize| code[..at].ends_with("..");
    let end = code[start..].match_indices(['=', ';']).map(|(at, _)| start + at).find(|&at| !is_range(at));
    &code[start..end.unwrap_or(code.len())]
}

/// A macro's call, up to the parenthesis that closes it.
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
            assert!(places(check, &[("crates/arrow-data/src/layout/a.rs", code)]).is_empty(), "{code}");
        }
    }
}

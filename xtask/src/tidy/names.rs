//! Checks the names of functions that others call: rule 15 of `docs/STYLE.md` and its table.

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree};

/// The parts of the program. They are no libraries for others, so their functions take options as they like.
const PROGRAM: [&str; 3] = ["crates/arrow-ipc-cli/", "crates/arrow-ipc-report/", "crates/arrow-ipc-tools/"];

/// Functions that must have options, so there is no short name without them.
const ONLY_WITH_OPTIONS: [&str; 4] = ["append_atomic", "append_to", "part", "plan_continue_writing"];

/// Beginnings of constructors whose argument is not an option but what they make.
const NO_OPTIONS: [&str; 5] =
    ["try_with_capacity", "try_with_columns", "try_with_dictionary_ids", "try_with_field", "try_with_pages"];

/// Words that only end like a participle.
const NO_PARTICIPLES: [&str; 2] = ["missing", "string"];

/// Beginnings of names that have another word here.
const OTHER_WORDS: [(&str, &str); 3] = [
    ("get_", "leave out `get_`"),
    ("num_", "begin the name of a count with `n_`"),
    ("read_next", "begin the name with `next_`"),
];

/// The counts that end in `_count`, as in the specification.
const COUNTS: [&str; 2] = ["null_count", "variadic_count"];

/// Verbs of numbers that return a number.
const ARITHMETIC: [&str; 3] = ["checked_", "saturating_", "wrapping_"];

const STARTS: [&str; 4] = ["pub fn ", "pub async fn ", "pub const fn ", "pub unsafe fn "];

/// Setters inside of a crate have the same names.
const INNER_STARTS: [&str; 2] = ["pub(crate) fn ", "pub(super) fn "];

/// Checks each public function outside of tests.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let is_library = |source: &&Source| source.path.starts_with("crates/") && source.path.contains("/src/");
    tree.ending_in(".rs").filter(is_library).flat_map(check_file).collect()
}

fn check_file(source: &Source) -> Vec<Finding> {
    let code = &source.untested_code;
    let mut findings = Vec::new();
    let is_program = PROGRAM.iter().any(|program| source.path.starts_with(program));
    let starts = STARTS.into_iter().chain(INNER_STARTS);
    for (at, start) in starts.flat_map(|start| code.match_indices(start)) {
        let rest = &code[at + start.len()..];
        let signature = rest.split_once('{').map_or(rest, |(signature, _)| signature);
        let function = Function::new(signature);
        let mut problem = function.problem_of_setter();
        if !is_program && STARTS.contains(&start) {
            problem = problem.or_else(|| function.problem()).or_else(|| function.problem_of_options());
        }
        if let Some(what) = problem {
            findings.push(Finding { path: source.path.clone(), line: source.line_at(at), what });
        }
    }
    findings
}

/// The parts of a signature that decide its name.
struct Function<'a> {
    name: &'a str,
    receiver: Receiver,
    /// The last parameter.
    last: &'a str,
    result: &'a str,
}

#[derive(PartialEq, Eq)]
enum Receiver {
    None,
    Reference,
    Value,
}

impl<'a> Function<'a> {
    fn new(signature: &'a str) -> Function<'a> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = signature.split(|c| !is_name(c)).next().unwrap_or_default();
        let (parameters, result) = signature.split_once("->").unwrap_or((signature, ""));
        let first = parameters.split_once('(').map_or("", |(_, first)| first.trim_start());
        let first = first.split([',', ')', ':']).next().unwrap_or_default().trim_end();
        let receiver = if !first.ends_with("self") {
            Receiver::None
        } else if first.starts_with('&') {
            Receiver::Reference
        } else {
            Receiver::Value
        };
        let last = parameters.trim_end().trim_end_matches(')').trim_end().trim_end_matches(',');
        let last = last.rsplit([',', '(']).next().unwrap_or_default().trim();
        Function { name, receiver, last, result }
    }

    fn problem(&self) -> Option<String> {
        let name = self.name;
        if let Some((_, what)) = OTHER_WORDS.iter().find(|(word, _)| name.starts_with(word)) {
            return Some(format!("`{name}`: {what}"));
        }
        if name.ends_with("_count") && !COUNTS.iter().any(|count| name.ends_with(count)) {
            return Some(format!("`{name}` is a count: begin its name with `n_`"));
        }
        if self.receiver != Receiver::None && name.starts_with("open") {
            return Some(format!("`{name}` opens no path: only constructors do"));
        }
        if name == "schema" && self.result.contains("&IpcSchema") {
            return Some("`schema` returns an `IpcSchema`: name it `ipc_schema`".to_owned());
        }
        None
    }

    fn problem_of_setter(&self) -> Option<String> {
        let name = self.name;
        let first = name.split('_').next().unwrap_or_default();
        let is_participle = first.ends_with("ing") && !NO_PARTICIPLES.contains(&first);
        let is_arithmetic = ARITHMETIC.iter().any(|start| name.starts_with(start));
        let is_setter = self.receiver == Receiver::Value && is_participle && !is_arithmetic;
        is_setter.then(|| format!("`{name}` sets an option: begin its name with `with_` or `without_`"))
    }

    fn problem_of_options(&self) -> Option<String> {
        let Function { name, last, .. } = self;
        let has_options = last.contains(':') && last.ends_with("Options");
        if name.ends_with("with_options")
            || name.starts_with("try_with_") && !NO_OPTIONS.iter().any(|start| name.starts_with(start))
        {
            return Some(format!("`{name}` says how, not what: end the name in `_with`"));
        }
        let is_setter = name.starts_with("with_");
        if has_options && !name.ends_with("_with") && !ONLY_WITH_OPTIONS.contains(name) && !is_setter {
            return Some(format!("`{name}` takes options: end its name in `_with`"));
        }
        if has_options && last.contains('&') && name.ends_with("_with") {
            return Some(format!("`{name}` borrows options: take them by value"));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::locations;

    #[test]
    fn names_outside_the_scheme_are_found() {
        let bad = "pub fn open_with_options(path: &Path, options: ReadOptions) -> Self {}\n\
                   pub fn open(path: &Path, options: ReadOptions) -> Self {}\n\
                   pub fn try_with_start(start: Vec<Buffer>) -> Self {}\n\
                   pub fn read_with(source: S, options: &ReadOptions) -> Self {}\n\
                   pub fn get_batch(&self) -> Batch {}\n\
                   pub fn num_rows(&self) -> usize {}\n\
                   pub fn batch_count(&self) -> usize {}\n\
                   pub fn skipping_errors(mut self) -> Self {}\n\
                   pub fn open_body(self, body: S) -> Reader {}\n\
                   pub fn schema(&self) -> &IpcSchema {}\n";
        let good = "pub fn open_with(path: &Path, options: ReadOptions) -> Self {}\n\
                    pub fn with_limits(self, limits: Limits) -> Self {}\n\
                    pub fn missing(&self) -> usize {}\n\
                    pub fn open(path: &Path) -> Self {}\n\
                    pub fn null_count(&self) -> usize {}\n\
                    pub fn wrapping_neg(self) -> Self {}\n\
                    pub fn ipc_schema(&self) -> &IpcSchema {}\n";
        let inner = "pub fn get_batch(&self) -> Batch {}\n\
                     pub(crate) fn open(self) -> Batch {}\n\
                     pub(super) fn skipping_errors(self) -> Self {}\n";
        let files = [
            ("crates/arrow-text/src/reader.rs", bad),
            ("crates/arrow-ipc/src/writer.rs", good),
            ("crates/arrow-ipc-tools/src/reader.rs", inner),
        ];
        let mut expected: Vec<String> =
            (1..=10).map(|line| format!("crates/arrow-text/src/reader.rs:{line}")).collect();
        expected.push("crates/arrow-ipc-tools/src/reader.rs:3".to_owned());
        assert_eq!(locations(check, &files), expected);
    }
}

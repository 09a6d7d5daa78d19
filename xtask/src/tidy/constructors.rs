//! Checks the names of public functions of the libraries: the table of names in `docs/STYLE.md`.

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree};

/// The libraries of the scheme. Programs and their parts take options in other ways.
const LIBRARIES: [&str; 7] = [
    "crates/arrow-ipc/src/",
    "crates/arrow-ipc-async/src/",
    "crates/arrow-ipc-object-store/src/",
    "crates/arrow-ipc-recover/src/",
    "crates/arrow-ipc-rewrite/src/",
    "crates/arrow-ipc-statistics/src/",
    "crates/arrow-ipc-tensor/src/",
];

/// Functions that must have options, so there is no short name without them.
const ONLY_WITH_OPTIONS: [&str; 3] = ["append_atomic", "append_to", "plan_continue_writing"];

const START: &str = "pub fn ";
const ASYNC_START: &str = "pub async fn ";

/// Checks each public function: a name that says `options`, a `try_with_…`, or options without `_with` at the
/// end of the name.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files =
        tree.ending_in(".rs").filter(|source| LIBRARIES.iter().any(|path| source.path.starts_with(path)));
    files.flat_map(check_file).collect()
}

fn check_file(source: &Source) -> Vec<Finding> {
    let code = &source.code;
    let starts = [START, ASYNC_START].into_iter().flat_map(|start| code.match_indices(start));
    let mut findings = Vec::new();
    for (at, start) in starts {
        let rest = &code[at + start.len()..];
        let signature = rest.split_once('{').map_or(rest, |(signature, _)| signature);
        if let Some(what) = problem_of(signature) {
            let line = source.line_at(at);
            findings.push(Finding { path: source.path.clone(), line, what });
        }
    }
    findings
}

fn problem_of(signature: &str) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = signature.split(|c| !is_name(c)).next()?;
    let parameters = signature.split_once("->").map_or(signature, |(parameters, _)| parameters);
    let last = parameters.trim_end().trim_end_matches(')').trim_end().trim_end_matches(',');
    let last = last.rsplit([',', '(']).next()?.trim();
    let has_options = last.contains(':') && last.ends_with("Options");
    if name.ends_with("with_options") || name.starts_with("try_with_") {
        return Some(format!("`{name}` says how, not what: end the name in `_with`"));
    }
    if has_options
        && !name.ends_with("_with")
        && !ONLY_WITH_OPTIONS.contains(&name)
        && !name.starts_with("with_")
    {
        return Some(format!("`{name}` takes options: end its name in `_with`"));
    }
    if has_options && last.contains('&') && name.ends_with("_with") {
        return Some(format!("`{name}` borrows options: take them by value"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::places;

    #[test]
    fn names_outside_the_scheme_are_found() {
        let code = "pub fn open_with_options(path: &Path, options: ReadOptions) -> Self {}\n\
                    pub fn open(path: &Path, options: ReadOptions) -> Self {}\n\
                    pub async fn try_with_start(start: Vec<Buffer>) -> Self {}\n\
                    pub fn read_with(source: S, options: &ReadOptions) -> Self {}\n\
                    pub fn open_with(path: &Path, options: ReadOptions) -> Self {}\n\
                    pub fn with_options(self) -> Self {}\n\
                    pub fn with_limits(self, limits: Limits) -> Self {}\n\
                    pub fn missing(&self) -> usize {}\n\
                    pub fn open(path: &Path) -> Self {}\n";
        let files = [("crates/arrow-ipc/src/reader.rs", code), ("crates/arrow-text/src/reader.rs", code)];
        let found = places(check, &files);
        let lines: Vec<&str> = found.iter().filter_map(|place| place.rsplit(':').next()).collect();
        assert_eq!(lines, ["1", "2", "4", "6", "3"]);
        assert!(found.iter().all(|place| place.starts_with("crates/arrow-ipc/")));
    }
}

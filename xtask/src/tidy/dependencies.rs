//! Checks that each foreign dependency has a reason in `docs/DEPENDENCIES.md`.

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree};

/// The manifest of the generator, which is a separate workspace.
const CODEGEN: &str = "xtask/codegen/Cargo.toml";

/// The manifests of the Python package and of the extension of DuckDB, which are separate workspaces.
const DOORS: [&str; 2] = ["python/Cargo.toml", "crates/arrow-duckdb/Cargo.toml"];

const REASONS: &str = "docs/DEPENDENCIES.md";

/// The manifests of the crates for remote files, and of those for arrow-rs and DataFusion, which are separate workspaces.
const APART: [&str; 2] = ["testing/remote/Cargo.toml", "testing/engines/datafusion/Cargo.toml"];

/// An entry in a dependency table of a manifest.
struct Dependency {
    table: String,
    name: String,
    line: usize,
    is_ours: bool,
}

/// Checks that each foreign dependency of the workspace has a row with its reason, and that each row has a dependency.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(workspace) = tree.text("Cargo.toml") else { return Vec::new() };
    let apart = APART.iter().filter_map(|path| tree.text(path)).flat_map(|source| dependencies(&source.text));
    let foreign = dependencies(&workspace.text).into_iter().chain(apart).filter(|it| !it.is_ours);
    let foreign = foreign.filter(|it| it.table == "workspace.dependencies");
    let generator = tree.text(CODEGEN).map(|source| dependencies(&source.text)).unwrap_or_default();
    let doors = DOORS.iter().filter_map(|path| tree.text(path)).flat_map(|source| dependencies(&source.text));
    let doors = doors.filter(|it| !it.is_ours);
    let foreign: Vec<Dependency> = foreign.chain(generator).chain(doors).collect();
    let documented = tree.text(REASONS).map(documented).unwrap_or_default();
    let mut findings = Vec::new();
    for dependency in foreign.iter().filter(|it| !documented.iter().any(|(name, _)| *name == it.name)) {
        let what = format!("`{}` has no row in {REASONS}: say why it is here", dependency.name);
        findings.push(Finding { path: workspace.path.clone(), line: dependency.line, what });
    }
    for (name, line) in documented.iter().filter(|(name, _)| !foreign.iter().any(|it| it.name == *name)) {
        let what = format!("`{name}` is no dependency of the workspace: remove the row");
        findings.push(Finding { path: REASONS.to_owned(), line: *line, what });
    }
    findings
}

/// The names in backticks in the first cells of tables.
fn documented(source: &Source) -> Vec<(String, usize)> {
    let lines = source.text.lines().enumerate();
    let names = lines.flat_map(|(idx, line)| {
        let cell = line.strip_prefix('|').and_then(|rest| rest.split('|').next()).unwrap_or_default();
        // Every second part is between backticks.
        cell.split('`').skip(1).step_by(2).map(move |name| (name.to_owned(), idx + 1)).collect::<Vec<_>>()
    });
    names.collect()
}

/// Reads the lines of a manifest. Supports only the TOML of dependency tables.
fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut table = "";
    for (idx, line) in manifest.lines().enumerate() {
        let line = line.trim();
        let mut add = |table: &str, name: &str, is_ours| {
            let name = name.trim().trim_matches('"').to_owned();
            found.push(Dependency { table: table.to_owned(), name, line: idx + 1, is_ours });
        };
        if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            table = header;
            // `[dependencies.name]`
            if let Some((parent, name)) =
                header.rsplit_once('.').filter(|(parent, _)| is_dependency_table(parent))
            {
                add(parent, name, false);
            }
        } else if is_entry(table, line)
            && let Some((key, value)) = line.split_once('=')
        {
            // `name = …` or `name.workspace = …`
            add(table, key.split('.').next().unwrap_or(key), value.contains("path ="));
        }
    }
    found
}

fn is_entry(table: &str, line: &str) -> bool {
    is_dependency_table(table) && !line.starts_with('#')
}

fn is_dependency_table(table: &str) -> bool {
    table.rsplit('.').next().is_some_and(|last| last == "dependencies" || last.ends_with("-dependencies"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::locations;

    #[test]
    fn reasons_are_complete() {
        let manifest = "[workspace.dependencies]\nours = { path = \"crates/ours\" }\n# a = 1\nplanus = \"1\"\nnew = \"1\"\n";
        let table = "| crate | why |\n|---|---|\n| `planus`, `gone` | `x` |\n";
        let found = locations(check, &[("Cargo.toml", manifest), (REASONS, table)]);
        assert_eq!(found, ["Cargo.toml:5", "docs/DEPENDENCIES.md:3"]);
    }
}

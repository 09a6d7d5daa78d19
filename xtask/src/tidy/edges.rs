//! Checks which crates may depend on which, and that each foreign dependency has a reason.

use crate::tidy::Finding;
use crate::tidy::source::{Source, Tree};

/// The crates of the workspace, and the crates that each may depend on. The crates form layers: no dependency leads to the
/// same layer or to a higher one.
const EDGES: [(&str, &[&str]); 30] = [
    ("arrow-buffer", &[]),
    ("arrow-schema", &[]),
    ("arrow-ipc-format", &[]),
    ("arrow-ipc-lz4", &[]),
    ("arrow-data", &["arrow-buffer", "arrow-schema"]),
    ("arrow-c-data", &["arrow-buffer", "arrow-schema", "arrow-data"]),
    ("arrow-ipc", &["arrow-buffer", "arrow-schema", "arrow-data", "arrow-ipc-format", "arrow-ipc-lz4"]),
    // The tests of `arrow-ipc`: tests are free.
    ("arrow-ipc-tests", &[]),
    ("arrow-ipc-async", &["arrow-buffer", "arrow-schema", "arrow-data", "arrow-ipc"]),
    ("arrow-array", &["arrow-buffer", "arrow-schema", "arrow-data"]),
    ("arrow-text", &["arrow-buffer", "arrow-schema", "arrow-data", "arrow-array"]),
    ("arrow-compute", &["arrow-buffer", "arrow-schema", "arrow-data", "arrow-array", "arrow-text"]),
    ("arrow-serde", &["arrow-buffer", "arrow-schema", "arrow-data", "arrow-array", "arrow-text"]),
    (
        "arrow",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-ipc",
            "arrow-array",
            "arrow-text",
            "arrow-compute",
        ],
    ),
    (
        "arrow-ipc-statistics",
        &["arrow-buffer", "arrow-schema", "arrow-data", "arrow-ipc", "arrow-array", "arrow-compute"],
    ),
    (
        "arrow-ipc-dataset",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-ipc",
            "arrow-array",
            "arrow-text",
            "arrow-compute",
            "arrow-ipc-statistics",
        ],
    ),
    (
        "arrow-ipc-tools",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-ipc-lz4",
            "arrow-ipc",
            "arrow-array",
            "arrow-text",
            "arrow-compute",
            "arrow-ipc-statistics",
            "arrow-ipc-dataset",
        ],
    ),
    (
        "arrow-ipc-commands",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-ipc",
            "arrow-array",
            "arrow-text",
            "arrow-compute",
            "arrow-ipc-dataset",
            "arrow-ipc-tools",
        ],
    ),
    ("arrow-ipc-cli", &["arrow-ipc-commands"]),
    // Of `testing/remote`, a workspace of its own.
    ("arrow-ipc-object-store", &["arrow-buffer", "arrow-ipc", "arrow-ipc-async", "arrow-ipc-dataset"]),
    (
        "arrow-ipc-remote",
        &["arrow-buffer", "arrow-ipc", "arrow-ipc-object-store", "arrow-ipc-tools", "arrow-ipc-commands"],
    ),
    // The Python package.
    (
        "arrow-ipc-python",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-c-data",
            "arrow-ipc",
            "arrow-array",
            "arrow-text",
            "arrow-compute",
            "arrow-ipc-statistics",
            "arrow-ipc-dataset",
            "arrow-ipc-tools",
        ],
    ),
    ("testing-support", &["arrow-buffer", "arrow-schema", "arrow-data"]),
    (
        "samples",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-ipc",
            "arrow-array",
            "arrow-text",
            "testing-support",
        ],
    ),
    (
        "integration",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-ipc",
            "arrow-array",
            "arrow-text",
            "testing-support",
        ],
    ),
    ("integration-c-data", &["arrow-c-data", "integration"]),
    (
        "mutants",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-c-data",
            "arrow-compute",
            "arrow-ipc",
            "arrow-ipc-async",
            "arrow-ipc-dataset",
            "arrow-ipc-statistics",
            "arrow-array",
            "arrow-text",
            "arrow-ipc-tools",
            "integration",
            "testing-support",
        ],
    ),
    (
        "benches",
        &["arrow-buffer", "arrow-schema", "arrow-data", "arrow-ipc-format", "arrow-ipc", "arrow-array"],
    ),
    (
        "counts",
        &[
            "arrow-buffer",
            "arrow-schema",
            "arrow-data",
            "arrow-ipc",
            "arrow-array",
            "arrow-text",
            "arrow-compute",
            "arrow-serde",
            "arrow-c-data",
            "testing-support",
        ],
    ),
    ("xtask", &[]),
];

/// Crates that build the generator. They need more than a hundred crates, so nothing else may depend on them.
const GENERATOR: [&str; 3] = ["planus-codegen", "planus-translation", "planus-types"];

/// The manifest of the generator, which is a separate workspace.
const CODEGEN: &str = "xtask/codegen/Cargo.toml";

/// The manifest of the Python package, which is a separate workspace.
const PYTHON: &str = "python/Cargo.toml";

const REASONS: &str = "docs/DEPENDENCIES.md";

/// The manifest of the crates for remote files, which is a separate workspace.
const REMOTE: &str = "testing/remote/Cargo.toml";

/// Packages of tests, which may have any dependencies.
const FOREIGN: [&str; 4] = ["testing/engines/", "testing/fuzz/", "testing/peers/", "testing/remote/"];

/// An entry in a dependency table of a manifest.
struct Dependency {
    table: String,
    name: String,
    line: usize,
    is_ours: bool,
}

/// Checks that each crate depends only on crates that the list above allows. `[dev-dependencies]` are not checked.
pub(super) fn check_edges(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.ending_in("Cargo.toml").filter(|source| {
        !FOREIGN.iter().any(|folder| source.path.starts_with(folder)) && source.path != CODEGEN
    }) {
        let Some(name) = package_name(&source.text) else { continue };
        let mut add = |line, what| findings.push(Finding { path: source.path.clone(), line, what });
        let Some((_, allowed)) = EDGES.iter().find(|(known, _)| *known == name) else {
            add(
                1,
                format!("`{name}` is unknown: say in xtask/src/tidy/edges.rs which crates it may depend on"),
            );
            continue;
        };
        for dependency in
            dependencies(&source.text).iter().filter(|it| !it.table.ends_with("dev-dependencies"))
        {
            let to = dependency.name.as_str();
            if EDGES.iter().any(|(ours, _)| *ours == to) && !allowed.contains(&to) {
                add(dependency.line, format!("`{name}` must not know `{to}`"));
            }
            if GENERATOR.contains(&to) {
                add(dependency.line, format!("`{to}` is for xtask/codegen alone"));
            }
        }
    }
    findings
}

/// Checks that each foreign dependency of the workspace has a row with its reason, and that each row has a dependency.
pub(super) fn check_reasons(tree: &Tree) -> Vec<Finding> {
    let Some(workspace) = tree.text("Cargo.toml") else { return Vec::new() };
    let remote = tree.text(REMOTE).map(|source| dependencies(&source.text)).unwrap_or_default();
    let foreign = dependencies(&workspace.text).into_iter().chain(remote).filter(|it| !it.is_ours);
    let foreign = foreign.filter(|it| it.table == "workspace.dependencies");
    let generator = tree.text(CODEGEN).map(|source| dependencies(&source.text)).unwrap_or_default();
    let python = tree.text(PYTHON).map(|source| dependencies(&source.text)).unwrap_or_default();
    let python = python.into_iter().filter(|it| !it.is_ours);
    let foreign: Vec<Dependency> = foreign.chain(generator).chain(python).collect();
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

fn package_name(manifest: &str) -> Option<&str> {
    let (_, package) = manifest.split_once("[package]")?;
    let line = package.lines().find(|line| line.trim_start().starts_with("name"))?;
    Some(line.split_once('=')?.1.trim().trim_matches('"'))
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
        } else if let Some((key, value)) = line.split_once('=').filter(|_| is_entry(table, line)) {
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
    use crate::tidy::tests::places;

    #[test]
    fn edges_are_judged() {
        let cases: [(&str, &str, &[usize]); 7] = [
            ("arrow-data", "[dependencies]\narrow-buffer = { workspace = true }\nbytemuck = \"1\"", &[]),
            ("arrow-data", "[dependencies]\narrow-ipc.workspace = true", &[4]),
            ("arrow-data", "[dev-dependencies]\ntesting-support.workspace = true", &[]),
            ("arrow-data", "[dependencies.arrow-array]\nworkspace = true", &[3]),
            ("arrow-data", "[target.'cfg(unix)'.dependencies]\ntesting-support.workspace = true", &[4]),
            ("arrow-ipc", "[dependencies]\nplanus.workspace = true\nplanus-codegen.workspace = true", &[5]),
            ("arrow-new", "", &[1]),
        ];
        for (name, tables, lines) in cases {
            let manifest = format!("[package]\nname = \"{name}\"\n{tables}\n");
            let wanted: Vec<String> =
                lines.iter().map(|line| format!("crates/a/Cargo.toml:{line}")).collect();
            assert_eq!(places(check_edges, &[("crates/a/Cargo.toml", &manifest)]), wanted, "{name} {tables}");
        }
    }

    #[test]
    fn reasons_are_complete() {
        let manifest = "[workspace.dependencies]\nours = { path = \"crates/ours\" }\n# a = 1\nplanus = \"1\"\nnew = \"1\"\n";
        let table = "| crate | why |\n|---|---|\n| `planus`, `gone` | `x` |\n";
        let found = places(check_reasons, &[("Cargo.toml", manifest), (REASONS, table)]);
        assert_eq!(found, ["Cargo.toml:5", "docs/DEPENDENCIES.md:3"]);
    }
}

//! Builds the documentation of the crates with all features, and finds dead links in its pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo_command;
use crate::command::{cargo, entries, execute, light_features};
use crate::failure::{Failure, Outcome};

/// Crates that only tests and tasks use: they have no pages and are not published.
pub(crate) const UNPUBLISHED: [&str; 9] = [
    "benches",
    "bindings",
    "counts",
    "integration",
    "integration-c-data",
    "mutants",
    "samples",
    "testing-support",
    "xtask",
];

/// Unresolved links that come from the documentation of a trait of another crate, which has no pages here.
const FOREIGN_LINKS: [&str; 1] = ["CheckedBitPattern::is_valid_bit_pattern"];

/// Builds all pages, and fails if a link in them is dead.
pub(crate) fn check() -> Outcome {
    let folder = target()?.join("doc");
    let crates = libraries(&crate::root())?;
    for name in &crates {
        make_empty(&folder.join(name))?;
    }
    build()?;
    let mut pages = Vec::new();
    for name in &crates {
        find_pages(&folder.join(name), &mut pages)?;
    }
    let mut lines = Vec::new();
    let mut known = BTreeSet::new();
    for page in &pages {
        let text = fs::read_to_string(page).map_err(|error| Failure::io(page.display(), &error))?;
        let name = page.strip_prefix(&folder).unwrap_or(page).display();
        lines.extend(unresolved(&text).into_iter().map(|link| format!("{name}: no link came of {link}")));
        lines.extend(
            missing(page, &text, &mut known).into_iter().map(|link| format!("{name}: no page {link}")),
        );
    }
    if lines.is_empty() {
        println!(
            "{} pages have no dead links: {}",
            pages.len(),
            folder.join("arrow_array/index.html").display()
        );
        return Ok(());
    }
    Err(Failure { status: 1, lines })
}

/// The target folder in which this program was built: the program is `<target>/debug/xtask`.
pub(crate) fn target() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe().map_err(|error| Failure::io("xtask", &error))?;
    let target = program.ancestors().nth(2).map(Path::to_owned);
    target.ok_or_else(|| Failure::new(format!("{} is in no target folder", program.display())))
}

/// The libraries of the workspace, by the names of their folders of pages.
fn libraries(root: &Path) -> Result<Vec<String>, Failure> {
    let crates = root.join("crates");
    let mut names = Vec::new();
    for path in entries(&crates)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.join("src/lib.rs").is_file() {
            names.push(name.replace('-', "_"));
        }
    }
    Ok(names)
}

/// Makes an empty folder for each crate, before the pages are built. Cargo builds the pages of crates in parallel, and
/// rustdoc links to another crate only if its folder exists. The folders are emptied, since old pages may lack links.
fn make_empty(folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
    }
    fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))
}

fn build() -> Result<(), Failure> {
    let root = crate::root();
    let excluded: String = UNPUBLISHED.iter().map(|name| format!(" --exclude {name}")).collect();
    let crates = format!("--workspace{excluded} --features {}", light_features(&root)?);
    // What the pages need, by all processors.
    cargo(&root, &format!("check {crates}"))?;
    // One crate after the other: pages that are made while the folder of another crate is replaced lack the links to it.
    let mut command = cargo_command(&root);
    command.args("doc --jobs 1 --no-deps".split(' ')).args(crates.split(' '));
    execute(command.env("RUSTDOCFLAGS", "-Dwarnings")).map(|_| ())
}

fn find_pages(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for path in entries(folder)? {
        if path.is_dir() {
            find_pages(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(path);
        }
    }
    Ok(())
}

/// The texts that should be links to items, but were not resolved: paths of Rust items, or texts that are still in
/// brackets.
fn unresolved(text: &str) -> Vec<&str> {
    // Places on the page itself are named after what is implemented there, with its paths.
    let is_path =
        |link: &&str| link.contains("::") && !link.contains(['/', '#']) && !FOREIGN_LINKS.contains(link);
    let paths = links(text).filter(is_path);
    let literals = text.split("[<code>").skip(1).filter_map(|rest| {
        let (inner, after) = rest.split_once("</code>")?;
        after.starts_with(']').then_some(inner)
    });
    paths.chain(literals).collect()
}

/// The relative links of a page whose targets do not exist.
fn missing<'a>(page: &Path, text: &'a str, known: &mut BTreeSet<PathBuf>) -> Vec<&'a str> {
    let folder = page.parent().unwrap_or(page);
    let is_missing = |link: &&str| {
        let file = link.split(['#', '?']).next().unwrap_or_default();
        if file.is_empty() || file.contains(':') {
            return false;
        }
        let path = folder.join(file);
        let is_there = known.contains(&path) || path.exists();
        if is_there {
            known.insert(path);
        }
        !is_there
    };
    links(text).filter(is_missing).collect()
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split(" href=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found() {
        let text = r##"<a href="../arrow_data/struct.ArrayData.html">fine</a> <a class="x" href="arrow_data::ArrayData">
            path</a> <a href="CheckedBitPattern::is_valid_bit_pattern"> see [<code>Buffer</code>], [<code>a</code>, <code>b</code>], <a href="https://x.org/a::b">out</a> <a href="#impl-From%3CT::Native%3E">here</a>"##;
        assert_eq!(unresolved(text), ["arrow_data::ArrayData", "Buffer"]);
        let page = crate::root().join("docs/STYLE.md");
        let text =
            r##"<a href="#below"> <a href="TESTING.md#x"> <a href="../README.md"> <a href="gone.md#x">"##;
        assert_eq!(missing(&page, text, &mut BTreeSet::new()), ["gone.md#x"]);
    }

    #[test]
    fn libraries_are_those_with_pages() -> Result<(), Failure> {
        let names = libraries(&crate::root())?;
        assert!(names.iter().any(|name| name == "arrow_array"));
        assert!(!names.iter().any(|name| name == "arrow_ipc_remote"), "it is a program");
        Ok(())
    }
}

//! The licences of the crates that a program contains, and their texts, from the sources that cargo has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{announce, entries};
use crate::failure::{Failure, Outcome};
use crate::{cargo_command, root};

/// `cargo xtask third-party MANIFEST FILE [options of features]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let usage = "third-party takes the Cargo.toml of a package, then the file to write; options such as --features may follow";
    let [manifest, file, options @ ..] = args else { return Err(Failure::usage(usage)) };
    if manifest.starts_with('-') || file.starts_with('-') {
        return Err(Failure::usage(usage));
    }
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    // Cargo runs in the root, and both paths are from the current folder.
    let manifest = std::path::absolute(manifest).map_err(|error| Failure::io(manifest, &error))?;
    fs::write(file, notices(&root(), &manifest.to_string_lossy(), &options)?)
        .map_err(|error| Failure::io(file, &error))
}

/// Those of the options of `cargo build` that select features, as `cargo tree` takes them.
pub(crate) fn feature_options(options: &[String]) -> Vec<&str> {
    let mut chosen = Vec::new();
    let mut options = options.iter().map(String::as_str);
    while let Some(option) = options.next() {
        let is_list = ["--features", "-F"].contains(&option);
        let is_joined = option.starts_with("--features=") || (option.starts_with("-F") && !is_list);
        if is_list || is_joined || ["--no-default-features", "--all-features"].contains(&option) {
            chosen.push(option);
        }
        if is_list {
            chosen.extend(options.next());
        }
    }
    chosen
}

/// A crate: its name and version, and the expression of its licences.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Crate {
    name: String,
    licence: String,
}

/// A text with the foreign crates that a package contains, and the texts of their licences. Crates whose text is the same are
/// listed above one text. `selected` are arguments of `cargo tree` that select the package of a workspace, and its features.
pub(crate) fn notices(root: &Path, workspace: &str, selected: &[&str]) -> Result<String, Failure> {
    let of_workspace = ["--locked", "--manifest-path", workspace];
    let tree = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}|{l}"];
    let tree = output(root, &[&["tree"], &of_workspace[..], &tree, selected].concat())?;
    let metadata = ["--all-features", "--format-version", "1"];
    let metadata = output(root, &[&["metadata"], &of_workspace[..], &metadata].concat())?;
    let sources = sources(&metadata);
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut without = Vec::new();
    let crates = crates(&tree);
    for Crate { name, licence } in &crates {
        let folder =
            sources.get(name).ok_or_else(|| Failure::new(format!("{name}: cargo has no sources")))?;
        let found = licence_texts(folder)?;
        // The text of Apache-2.0 is the same for all.
        if found.is_empty() && !licence.contains("Apache-2.0") {
            return Err(Failure::new(format!("{name}: no text of {licence} in {}", folder.display())));
        }
        if found.is_empty() {
            without.push(name.as_str());
        }
        for text in found {
            texts.entry(text).or_default().insert(name.clone());
        }
    }
    let mut all = String::from(
        "The program contains these crates, and the standard library of Rust (MIT OR Apache-2.0). The texts of their licences follow.\n\n",
    );
    crates.iter().for_each(|Crate { name, licence }| all.push_str(&format!("{name}: {licence}\n")));
    if !without.is_empty() {
        let names = without.join(", ");
        all.push_str(&format!("\nThe text of Apache-2.0 in LICENSE-APACHE is also that of {names}.\n"));
    }
    let mut texts: Vec<(Vec<String>, String)> =
        texts.into_iter().map(|(text, names)| (names.into_iter().collect(), text)).collect();
    texts.sort();
    for (names, text) in texts {
        all.push_str(&format!("\n{}\n{}\n\n{}\n", "=".repeat(80), names.join(", "), text.trim_end()));
    }
    Ok(all)
}

fn output(root: &Path, args: &[&str]) -> Result<String, Failure> {
    let mut command = cargo_command(root);
    command.args(args);
    let name = announce(&command);
    let output = command.output().map_err(|error| Failure::io(&name, &error))?;
    if !output.status.success() {
        return Err(Failure::new(format!("`{name}`: {}", String::from_utf8_lossy(&output.stderr))));
    }
    String::from_utf8(output.stdout).map_err(|_| Failure::new(format!("`{name}` writes no UTF-8")))
}

/// The foreign crates in the output of `cargo tree`, sorted. Crates of the workspace have a path.
fn crates(tree: &str) -> BTreeSet<Crate> {
    let lines = tree.lines().filter_map(|line| line.trim_end_matches(" (*)").split_once('|'));
    let foreign = lines.filter(|(package, _)| !package.contains(" ("));
    foreign
        .filter_map(|(package, licence)| {
            let (name, version) = package.split_once(" v")?;
            Some(Crate {
                name: format!("{name}-{version}"),
                licence: licence.replace('/', " OR ").replace("  ", " "),
            })
        })
        .collect()
}

/// The folder of each package, by its name and version, in the output of `cargo metadata`: that is how cargo names the folders
/// of packages from a registry.
fn sources(metadata: &str) -> BTreeMap<String, PathBuf> {
    let paths = metadata.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let folders =
        paths.filter_map(|path| Some(PathBuf::from(path.replace("\\\\", "\\")).parent()?.to_owned()));
    folders.filter_map(|folder| Some((folder.file_name()?.to_string_lossy().into_owned(), folder))).collect()
}

/// The texts of licences in a folder, and in the folders in it, which may have sources of others.
fn licence_texts(folder: &Path) -> Result<BTreeSet<String>, Failure> {
    let mut texts = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    folders.extend(entries(folder)?.into_iter().filter(|path| path.is_dir()));
    for path in folders.iter().map(|folder| entries(folder)).collect::<Result<Vec<_>, _>>()?.concat() {
        let name =
            path.file_name().map(|name| name.to_string_lossy().to_ascii_uppercase()).unwrap_or_default();
        let is_text = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE"]
            .iter()
            .any(|word| name.starts_with(word));
        let is_code = [".RS", ".PY", ".HTML", ".SPDX"].iter().any(|end| name.ends_with(end));
        if is_text && !is_code && path.is_file() {
            let bytes = fs::read(&path).map_err(|error| Failure::io(path.display(), &error))?;
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            texts.insert(text.trim().to_owned());
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_chosen() {
        let options = ["-v", "--no-default-features", "-j", "2", "--features", "lz4", "-F=zstd", "--locked"];
        let expected = ["--no-default-features", "--features", "lz4", "-F=zstd"];
        assert_eq!(feature_options(&options.map(str::to_owned)), expected);
    }

    #[test]
    fn a_package_and_a_file_are_needed() {
        for args in [&[][..], &["Cargo.toml"], &["Cargo.toml", "--features"], &["--locked", "notices.txt"]] {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            assert_eq!(run(&args).unwrap_err().status, 2, "{args:?}");
        }
    }

    #[test]
    fn foreign_crates_are_listed_once() {
        let tree = "fletching-arrow v0.1.0 (/src/a)|MIT\na v1.0.0|MIT/Apache-2.0\na v1.0.0|MIT/Apache-2.0 (*)\nb v2.1.0|ISC\n";
        let of = |name: &str, licence: &str| Crate { name: name.to_owned(), licence: licence.to_owned() };
        let expected = [of("a-1.0.0", "MIT OR Apache-2.0"), of("b-2.1.0", "ISC")];
        assert_eq!(crates(tree).into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn folders_are_found_in_metadata() {
        let metadata = r#"{"packages":[{"manifest_path":"/r/a-1.0.0/Cargo.toml"},{"manifest_path":"C:\\r\\b\\Cargo.toml"}]}"#;
        assert_eq!(sources(metadata).get("a-1.0.0"), Some(&PathBuf::from("/r/a-1.0.0")));
    }

    /// The program has foreign crates, of which one has sources of others: Zstandard.
    #[test]
    fn the_program_has_notices() {
        let notices =
            notices(&crate::root(), "Cargo.toml", &["--package", "fletching-arrow-ipc-cli"]).unwrap();
        for words in
            ["clap-", "zstd-sys-", "Apache License", "Permission is hereby granted", "Meta Platforms"]
        {
            assert!(notices.contains(words), "{words}");
        }
        assert!(!notices.contains("fletching") && !notices.contains("clap_derive-"));
    }
}

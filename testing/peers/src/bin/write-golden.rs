//! Writes the golden files of arrow-rs into the folder `arrow-rs-<version>` below the corpus.
//!
//! ```text
//! write-golden              writes them all
//! write-golden --check      writes nothing; fails where a file on disk differs from what would be written
//! write-golden --read DIR   reads the golden files in DIR with arrow-rs and compares them with their text
//! ```

use peers::golden_folder::{golden_files, wrong_files};
use peers::theirs::arrow_version;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => write(&folder()),
        ["--check"] => Ok(report("are stale", &stale_files(&folder())?)),
        ["--read", folder] => Ok(report("are not read as their text says", &wrong_files(Path::new(folder))?)),
        _ => {
            eprintln!("usage: write-golden [--check | --read DIR]");
            Ok(ExitCode::from(2))
        }
    }
}

fn folder() -> PathBuf {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/golden");
    golden.join(format!("arrow-rs-{}", arrow_version()))
}

fn write(folder: &Path) -> io::Result<ExitCode> {
    let files = golden_files();
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for (name, content) in &files {
        fs::write(folder.join(name), content)?;
    }
    println!("{} files, {} bytes", files.len(), files.values().map(Vec::len).sum::<usize>());
    Ok(ExitCode::SUCCESS)
}

fn stale_files(folder: &Path) -> io::Result<Vec<String>> {
    let mut on_disk = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        on_disk.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
    }
    let files = golden_files();
    let mut names: Vec<_> = files.keys().chain(on_disk.keys()).cloned().collect();
    names.sort();
    names.dedup();
    Ok(names.into_iter().filter(|name| files.get(name) != on_disk.get(name)).collect())
}

fn report(what: &str, names: &[String]) -> ExitCode {
    names.iter().for_each(|name| println!("{name}"));
    println!("{} files {what}", names.len());
    if names.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

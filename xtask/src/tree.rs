//! The files of the repository that tasks read.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The sorted paths of all files below `folder`, relative to it, with `/` as separator. Leaves out what is not part of
/// the repository: hidden folders (with two exceptions), build output, and packages of Python and Node.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let here = folder.join(&below);
        let failed = |error: &std::io::Error| Failure::io(here.display(), error);
        for entry in std::fs::read_dir(&here).map_err(|error| failed(&error))? {
            let entry = entry.map_err(|error| failed(&error))?;
            let path = below.join(entry.file_name());
            if !entry.file_type().map_err(|error| failed(&error))?.is_dir() {
                found.push(slashed(&path));
            } else if !is_foreign(&entry.path(), &entry.file_name().to_string_lossy()) {
                pending.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_foreign(folder: &Path, name: &str) -> bool {
    let is_hidden = name.starts_with('.') && name != ".ci" && name != ".cargo";
    let is_output =
        ["target", "__pycache__", "node_modules"].contains(&name) || folder.join("CACHEDIR.TAG").exists();
    is_hidden || is_output || folder.join("pyvenv.cfg").exists()
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

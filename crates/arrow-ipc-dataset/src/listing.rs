//! Lists the files that paths, patterns and folders select.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Component, Path, PathBuf},
};

use arrow_atomic_output::marks_incomplete;
use glob::Pattern;

use crate::{
    error::{DatasetError, DatasetErrorKind},
    partition::partition_name,
};

/// The extensions of Arrow files.
const NAME_ENDINGS: [&str; 4] = [".arrow", ".arrows", ".feather", ".ipc"];

/// Whether a path is a folder or a pattern, and not the path of a file. A pattern contains `*`, `?` or `[`. A path is
/// no pattern if a file or folder has exactly this name.
///
/// ```
/// use arrow_ipc_dataset::is_dataset;
///
/// assert!(is_dataset("data/**/*.arrow".as_ref()));
/// assert!(!is_dataset("data/people.arrow".as_ref()));
/// ```
pub fn is_dataset(path: &Path) -> bool {
    path.is_dir() || PathPattern::from_path(path).is_some()
}

/// Lists the files of a path, folder or pattern, sorted by path, by the rules of
/// [`Dataset::open`](crate::Dataset::open). Paths are compared name by name, and names byte by byte. Does not open the
/// files.
///
/// # Errors
/// If there are no files, or a folder cannot be read.
pub fn list_files(input: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = find(input)?;
    if found.is_empty() {
        return Err(DatasetError::at(input, DatasetErrorKind::NoFiles));
    }
    // `a/b` comes before `a.arrow`, because paths are compared name by name.
    found.sort();
    Ok(found)
}

fn find(input: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    if let Some(PathPattern { base, names }) = PathPattern::from_path(input) {
        let start = with_any_depth(&names, vec![0]);
        FileSearch { names: &names, found: &mut found }.visit(&base, &start)?;
        return Ok(found);
    }
    let metadata = fs::metadata(input).map_err(|error| DatasetError::at(input, error))?;
    if metadata.is_dir() {
        FileSearch { names: &[], found: &mut found }.visit(input, &WHOLE)?;
    } else if metadata.is_file() {
        found.push(input.to_owned());
    } else {
        return Err(DatasetError::at(input, DatasetErrorKind::NoFile));
    }
    Ok(found)
}

/// Whether a folder is in a data set, as far as its name and entries show: it has a file with the name of an Arrow file,
/// or a folder with a partition value, or is such a folder.
pub(crate) fn is_in_set(folder: &Path) -> bool {
    let is_partition =
        |name: &OsStr| hidden_prefix(name).is_none() && partition_name(name.as_encoded_bytes()).is_some();
    let mut names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    folder.file_name().is_some_and(is_partition)
        || names.any(|name| is_partition(&name) || hidden_prefix(&name).is_none() && is_arrow_name(&name))
}

/// The path for opening a folder: `.` if the path is empty.
fn non_empty_path(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// A path in which some names are patterns.
struct PathPattern {
    /// The path before the first pattern.
    base: PathBuf,
    names: Vec<NamePattern>,
}

impl PathPattern {
    /// Parses the patterns in a path. `None` if a file or folder has exactly this name, if there is no pattern, or if
    /// `..` follows a pattern.
    fn from_path(path: &Path) -> Option<PathPattern> {
        if !has_wildcard(path.as_os_str()) || fs::symlink_metadata(path).is_ok() {
            return None;
        }
        let mut base = PathBuf::new();
        let mut names = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(name) if !names.is_empty() || has_wildcard(name) => {
                    names.push(NamePattern::parse(name)?);
                }
                Component::ParentDir if !names.is_empty() => return None,
                Component::Normal(_)
                | Component::CurDir
                | Component::ParentDir
                | Component::RootDir
                | Component::Prefix(_) => base.push(component),
            }
        }
        names.dedup_by(|second, first| first.is_any_depth() && second.is_any_depth());
        if names.last().is_some_and(NamePattern::is_any_depth) {
            names.push(NamePattern::any());
        }
        Some(PathPattern { base, names })
    }
}

/// A pattern for one name in a path.
enum NamePattern {
    /// `**`: any number of folders.
    AnyDepth,
    Name(Pattern),
}

impl NamePattern {
    fn any() -> NamePattern {
        NamePattern::Name(Pattern::new("*").unwrap_or_default())
    }

    fn parse(name: &OsStr) -> Option<NamePattern> {
        if name == "**" {
            Some(NamePattern::AnyDepth)
        } else {
            Pattern::new(&name.to_string_lossy()).ok().map(NamePattern::Name)
        }
    }

    fn is_any_depth(&self) -> bool {
        matches!(self, NamePattern::AnyDepth)
    }

    /// Whether a name matches. A name that begins with `.` or `_` matches only if the pattern begins with the same
    /// character.
    fn matches(&self, name: &OsStr) -> bool {
        let starts_pattern =
            |first| matches!(self, NamePattern::Name(pattern) if pattern.as_str().starts_with(first));
        hidden_prefix(name).is_none_or(starts_pattern)
            && match self {
                NamePattern::AnyDepth => true,
                NamePattern::Name(pattern) => pattern.matches(&name.to_string_lossy()),
            }
    }
}

/// The positions in a search for all Arrow files below a folder.
const WHOLE: [usize; 1] = [usize::MAX];

/// Adds to the positions `at` the position after each `**`, because `**` can match no folder at all.
fn with_any_depth(names: &[NamePattern], mut at: Vec<usize>) -> Vec<usize> {
    let skipped = at.iter().filter(|at| names.get(**at).is_some_and(NamePattern::is_any_depth));
    let skipped: Vec<usize> = skipped.map(|at| *at + 1).collect();
    at.extend(skipped);
    at.sort_unstable();
    at.dedup();
    at
}

/// A search for files that reads each folder once. Each name is compared with the patterns at all positions in `at`:
/// `**` allows several positions at once.
struct FileSearch<'a> {
    /// The patterns for names. Empty to search all Arrow files below a folder, from the position [`WHOLE`].
    names: &'a [NamePattern],
    found: &'a mut Vec<PathBuf>,
}

impl FileSearch<'_> {
    /// The positions inside a folder with this name, and whether a file with this name matches.
    fn step(&self, at: &[usize], name: &OsStr) -> (Vec<usize>, bool) {
        let mut below = Vec::new();
        let mut has_file = false;
        for position in at {
            match self.names.get(*position) {
                None if hidden_prefix(name).is_none() => {
                    below.push(*position);
                    has_file |= is_arrow_name(name);
                }
                None => {}
                Some(pattern) if !pattern.matches(name) => {}
                Some(NamePattern::AnyDepth) => below.push(*position),
                Some(NamePattern::Name(_)) => {
                    let next = position + 1;
                    let is_last = next == self.names.len();
                    has_file |= is_last;
                    below.push(if is_last { usize::MAX } else { next });
                }
            }
        }
        (with_any_depth(self.names, below), has_file)
    }

    /// Adds the files below a folder that match from the positions `at`.
    fn visit(&mut self, folder: &Path, at: &[usize]) -> Result<(), DatasetError> {
        let failed = |error: io::Error| DatasetError::at(non_empty_path(folder), error);
        // A pattern may lead to folders that do not exist. This is no error.
        let is_nothing = |error: &io::Error| !self.names.is_empty() && is_absent(error);
        #[cfg(test)]
        tests::N_READ.set(tests::N_READ.get() + 1);
        let entries = match fs::read_dir(non_empty_path(folder)) {
            Err(error) if is_nothing(&error) => return Ok(()),
            entries => entries.map_err(failed)?,
        };
        // Links to folders are followed only if the depth of the search is limited, because a link may lead to a
        // folder above it.
        let follows_links = *at != WHOLE && !self.names.iter().any(NamePattern::is_any_depth);
        for entry in entries {
            let entry = entry.map_err(failed)?;
            if marks_incomplete(&entry.file_name()) {
                return Err(DatasetError::at(non_empty_path(folder), DatasetErrorKind::Incomplete));
            }
            let name = entry.file_name();
            let kind = entry.file_type().map_err(failed)?;
            let (below, has_file) = self.step(at, &name);
            if below.is_empty() && !has_file {
                continue;
            }
            let path = folder.join(&name);
            let target = kind.is_symlink().then(|| fs::metadata(&path).ok()).flatten();
            let is_linked = target.as_ref().is_some_and(fs::Metadata::is_dir);
            // Ignores pipes, sockets and devices. Lists a broken link, which cannot be opened later.
            let is_file = match &target {
                Some(target) => target.is_file(),
                None => kind.is_file() || kind.is_symlink(),
            };
            if is_file && has_file {
                self.found.push(path);
            } else if kind.is_dir() || is_linked && follows_links {
                self.visit(&path, &below)?;
            }
        }
        Ok(())
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The first character of a hidden name, `.` or `_`; `None` if the name is not hidden.
pub(crate) fn hidden_prefix(name: &OsStr) -> Option<char> {
    match name.as_encoded_bytes().first() {
        Some(b'.') => Some('.'),
        Some(b'_') => Some('_'),
        _ => None,
    }
}

/// Whether a file in a folder has the name of an Arrow file.
fn is_arrow_name(name: &OsStr) -> bool {
    NAME_ENDINGS.iter().any(|ending| name.as_encoded_bytes().ends_with(ending.as_bytes()))
}

fn has_wildcard(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use arrow_array::Int64Array;
    use arrow_data::RecordBatch;
    use arrow_ipc::FileWriter;

    use super::*;

    thread_local! {
        /// The number of folders that a search has read.
        pub(super) static N_READ: Cell<usize> = const { Cell::new(0) };
    }

    fn file_of(n_rows: i64) -> Vec<u8> {
        let ids = Int64Array::from_iter(0..n_rows).into_data();
        let batch = RecordBatch::try_from_columns([("id", ids)]).unwrap();
        FileWriter::write_to_vec(batch.schema().clone(), &[batch]).unwrap()
    }

    /// A pattern can match the folders in more ways than could be tried one by one, but each folder is read only
    /// once.
    #[test]
    fn folders_are_looked_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join(["d"; 60].join("/"));
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("a.arrow"), file_of(2)).unwrap();
        for pattern in ["**/d/".repeat(12) + "*.arrow", "**/d/".repeat(30) + "**", "**".to_owned()] {
            N_READ.set(0);
            assert_eq!(list_files(&folder.path().join(&pattern)).unwrap().len(), 1, "{pattern}");
            assert_eq!(N_READ.get(), 61, "{pattern}");
        }
    }
    #[test]
    fn a_folder_with_arrow_files_or_partitions_is_in_a_data_set() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for below in ["plain/x", "files/more", "_files", "folders/day=1/hour=2"] {
            fs::create_dir_all(root.join(below)).unwrap();
        }
        for file in ["files/a.arrow", "files/more/b.feather", "plain/x/a.txt", "_files/.a.arrow"] {
            fs::write(root.join(file), b"").unwrap();
        }
        for (path, expected) in [
            ("", false),
            ("plain", false),
            ("plain/x", false),
            ("files", true),
            ("files/more", true),
            ("_files", false),
            ("folders", true),
            ("folders/day=1", true),
            ("folders/day=1/hour=2", true),
            // These folders do not exist.
            ("none", false),
            ("none/day=1", true),
        ] {
            assert_eq!(is_in_set(&root.join(path)), expected, "{path}");
        }
    }
}

//! The files that paths, patterns and folders name.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    fs, io,
    path::{Component, Path, PathBuf},
};

use glob::Pattern;

use crate::{
    error::{DatasetError, DatasetErrorKind},
    manifest::{Manifest, ends_as_taken, manifests_of, writer_of},
    unfinished::unfinished,
};

/// Whether a path names a data set, and not one file: it is a folder, or a pattern, which has `*`, `?` or `[` and is no name of
/// anything.
///
/// ```
/// use arrow_ipc_dataset::is_set;
///
/// assert!(is_set("data/**/*.arrow".as_ref()));
/// assert!(!is_set("data/people.arrow".as_ref()));
/// ```
pub fn is_set(path: &Path) -> bool {
    path.is_dir() || PathPattern::of(path).is_some()
}

/// The files that a path, a pattern or a folder names, as [`Dataset::open`](crate::Dataset::open) finds them. They need not be Arrow files.
///
/// # Errors
/// If there are none, or a folder cannot be read.
pub fn files_of(input: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let found = list(input)?;
    if found.is_empty() { Err(DatasetError::at(input, DatasetErrorKind::NoFiles)) } else { Ok(found) }
}

/// The files in a folder and in all folders in it, whatever a manifest says, in the order of their paths.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    FileSearch::folder(folder, Manifests::Ignored, &mut found)?;
    found.sort();
    Ok(found)
}

/// The files that an input names, in the order of their paths, byte by byte from folder to folder.
pub(crate) fn list(input: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    if let Some(PathPattern { base, names }) = PathPattern::of(input) {
        let follows_links = !names.iter().any(NamePattern::is_any_depth);
        let believes = Manifests::Believed;
        let (seen, found) = (HashSet::new(), &mut found);
        FileSearch { is_pattern: true, follows_links, believes, seen, found }.below(&base, &names)?;
    } else {
        let metadata = fs::metadata(input).map_err(|error| DatasetError::at(input, error))?;
        if metadata.is_dir() {
            FileSearch::folder(input, Manifests::Believed, &mut found)?;
        } else if metadata.is_file() {
            // A file that is named is read, whatever a manifest says.
            return Ok(vec![input.to_owned()]);
        } else {
            return Err(DatasetError::at(input, DatasetErrorKind::NoFile));
        }
    }
    let mut sets = HashMap::new();
    let mut is_of_set = Vec::with_capacity(found.len());
    for path in &found {
        is_of_set.push(is_of_its_set(path, &mut sets)?);
    }
    let mut is_of_set = is_of_set.into_iter();
    found.retain(|_| is_of_set.next() == Some(true));
    // `a/b` is before `a.arrow`, since components are compared. Several `**` may lead to the same file.
    found.sort();
    found.dedup();
    Ok(found)
}

/// What is beside a folder says of the files in it.
enum SetFiles {
    Named(HashSet<PathBuf>),
    /// There are no manifests: all but the parts of these writers, which have not committed.
    AllBut(HashSet<u64>),
}

impl SetFiles {
    fn of(folder: &Path) -> Result<SetFiles, DatasetError> {
        // Before the manifests: who commits meanwhile has one then.
        let found = manifests_of(folder)?.map(|manifests| unfinished(&manifests)).transpose()?;
        if let Some(manifest) = Manifest::latest(folder)? {
            return Ok(SetFiles::Named(manifest.into_files().into_iter().map(|file| file.path).collect()));
        }
        let found = found.unwrap_or_default().into_iter().filter(|(_, found)| found.mark.is_some());
        Ok(SetFiles::AllBut(found.map(|(id, _)| id).collect()))
    }

    fn has(&self, path: &Path) -> bool {
        match self {
            SetFiles::Named(files) => files.contains(path),
            SetFiles::AllBut(writers) => writer_of(path).is_none_or(|id| !writers.contains(&id)),
        }
    }
}

/// Whether what is beside all folders around a file leaves it in. Folders that were looked at are given.
fn is_of_its_set(path: &Path, sets: &mut HashMap<PathBuf, SetFiles>) -> Result<bool, DatasetError> {
    for folder in path.ancestors().skip(1) {
        if !sets.contains_key(folder) {
            let own = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            sets.insert(folder.to_owned(), SetFiles::of(own)?);
        }
        if !sets.get(folder).is_none_or(|files| files.has(path)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A path whose names may be patterns.
struct PathPattern {
    /// The folder before the first pattern.
    base: PathBuf,
    names: Vec<NamePattern>,
}

impl PathPattern {
    /// `None` for the name of something that is there, and for names that are no patterns.
    fn of(path: &Path) -> Option<PathPattern> {
        if !has_wildcard(path.as_os_str()) || fs::symlink_metadata(path).is_ok() {
            return None;
        }
        let (mut base, mut names) = (PathBuf::new(), Vec::new());
        for component in path.components() {
            match component {
                Component::Normal(name) if !names.is_empty() || has_wildcard(name) => {
                    names.push(NamePattern::parse(name)?);
                }
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

/// What one component of a path may be.
enum NamePattern {
    /// Any number of folders.
    AnyDepth,
    Name(Pattern),
}

impl NamePattern {
    fn any() -> NamePattern {
        NamePattern::Name(Pattern::new("*").unwrap_or_default())
    }

    fn parse(name: &OsStr) -> Option<NamePattern> {
        match name == "**" {
            true => Some(NamePattern::AnyDepth),
            false => Pattern::new(&name.to_string_lossy()).ok().map(NamePattern::Name),
        }
    }

    fn is_any_depth(&self) -> bool {
        matches!(self, NamePattern::AnyDepth)
    }

    /// Whether a name matches. Of those that are hidden, only what begins as the pattern does.
    fn matches(&self, name: &OsStr) -> bool {
        let is_asked =
            |first| matches!(self, NamePattern::Name(pattern) if pattern.as_str().starts_with(first));
        hidden_by(name).is_none_or(is_asked)
            && match self {
                NamePattern::AnyDepth => true,
                NamePattern::Name(pattern) => pattern.matches(&name.to_string_lossy()),
            }
    }
}

/// Whether folders with manifests have the files that these name, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manifests {
    Believed,
    Ignored,
}

/// A search for files.
struct FileSearch<'a> {
    /// Files are those that match a pattern; else those whose names end in a certain way.
    is_pattern: bool,
    /// A link to a folder is taken for it. It may lead back.
    follows_links: bool,
    believes: Manifests,
    /// Folders, each with the number of names that are looked for below it. Several `**` lead to the same ones in many ways.
    seen: HashSet<(PathBuf, usize)>,
    found: &'a mut Vec<PathBuf>,
}

impl FileSearch<'_> {
    /// Adds the files of a folder and of all folders in it.
    fn folder(folder: &Path, believes: Manifests, found: &mut Vec<PathBuf>) -> Result<(), DatasetError> {
        let names = [NamePattern::AnyDepth, NamePattern::any()];
        let seen = HashSet::new();
        FileSearch { is_pattern: false, follows_links: false, believes, seen, found }.at(folder, &names)
    }

    /// Adds the files of a folder, which may have a manifest.
    fn at(&mut self, folder: &Path, names: &[NamePattern]) -> Result<(), DatasetError> {
        let manifest = match self.believes {
            Manifests::Believed if !self.is_pattern => Manifest::latest(folder)?,
            Manifests::Believed | Manifests::Ignored => None,
        };
        if let Some(manifest) = manifest {
            self.found.extend(manifest.files().iter().map(|file| file.path().to_owned()));
            return Ok(());
        }
        self.below(folder, names)
    }

    /// Adds the files below a folder whose names match, and those of folders that match the last name.
    fn below(&mut self, folder: &Path, names: &[NamePattern]) -> Result<(), DatasetError> {
        let Some((first, rest)) = names.split_first() else { return Ok(()) };
        if !self.seen.insert((folder.to_owned(), names.len())) {
            return Ok(());
        }
        if first.is_any_depth() {
            self.below(folder, rest)?;
        }
        let own = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let failed = |error: io::Error| DatasetError::at(own, error);
        let entries = match fs::read_dir(own) {
            // A pattern names what is there.
            Err(error) if self.is_pattern && is_absent(&error) => return Ok(()),
            entries => entries.map_err(failed)?,
        };
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let (name, kind) = (entry.file_name(), entry.file_type().map_err(failed)?);
            if !first.matches(&name) {
                continue;
            }
            let path = folder.join(&name);
            let target = kind.is_symlink().then(|| fs::metadata(&path).ok()).flatten();
            let is_linked = target.as_ref().is_some_and(fs::Metadata::is_dir);
            let is_folder = kind.is_dir() || is_linked;
            // Pipes, sockets and devices are no files. A link that leads nowhere is an error when it is opened.
            let is_file = match &target {
                Some(target) => target.is_file(),
                None => kind.is_file() || kind.is_symlink(),
            };
            match rest {
                _ if is_linked && !self.follows_links => {}
                _ if first.is_any_depth() && is_folder => self.at(&path, names)?,
                _ if first.is_any_depth() => {}
                [] if is_folder && self.is_pattern => FileSearch::folder(&path, self.believes, self.found)?,
                [] if is_file && (self.is_pattern || ends_as_taken(&name)) => self.found.push(path),
                [] => {}
                rest if is_folder => self.below(&path, rest)?,
                _ => {}
            }
        }
        Ok(())
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The byte that hides a name.
fn hidden_by(name: &OsStr) -> Option<char> {
    match name.as_encoded_bytes().first() {
        Some(b'.') => Some('.'),
        Some(b'_') => Some('_'),
        _ => None,
    }
}

fn has_wildcard(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte))
}

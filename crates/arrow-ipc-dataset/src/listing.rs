//! Lists the files that paths, patterns and folders select.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    fs, io,
    path::{Component, Path, PathBuf},
    rc::Rc,
};

use glob::Pattern;

use crate::{
    entry::ManifestEntry,
    error::{DatasetError, DatasetErrorKind},
    file::DatasetFile,
    incomplete::marks_incomplete,
    manifest::{
        Manifest, beside as manifests_beside, ends_as_taken, manifests_of, path_of_manifest, versions_in,
        writer_of,
    },
    unfinished::unfinished,
};

/// Whether a path is a folder or a pattern, and not the path of a file. A pattern contains `*`, `?` or `[`. A path is
/// no pattern if a file or folder has exactly this name.
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

/// Lists the files of a path, folder or pattern, by the rules of [`Dataset::open`](crate::Dataset::open). Does not
/// open the files.
///
/// # Errors
/// If there are no files, or a folder cannot be read.
pub fn files_of(input: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    Ok(parts_of(input)?.into_iter().map(|file| file.path).collect())
}

/// Like [`files_of`], with the manifest entry of each file.
///
/// # Errors
/// The errors of [`files_of`].
pub fn parts_of(input: &Path) -> Result<Vec<ListedFile>, DatasetError> {
    let found = listed(input)?;
    if found.is_empty() {
        return Err(DatasetError::at(input, DatasetErrorKind::NoFiles));
    }
    let listed = |FoundPath { path, part }| {
        // Opening a pipe would wait for a writer. A search of folders leaves pipes out, but a manifest may name one.
        if part.is_some() && fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(DatasetError::at(path, DatasetErrorKind::SpecialPart));
        }
        Ok(ListedFile { path, entry: part.and_then(|(set, idx): (FoundSet, _)| set.entry(idx)) })
    };
    found.into_iter().map(listed).collect()
}

/// A file of [`parts_of`].
#[derive(Debug, Clone)]
pub struct ListedFile {
    /// The path of the file, inside the listed folder.
    pub path: PathBuf,
    /// The manifest entry of the file; `None` if the file belongs to no data set with a manifest.
    pub entry: Option<ManifestEntry>,
}

/// Lists the files below a folder, sorted by path. Ignores manifests.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let mut found = Vec::new();
    FileSearch { names: &[], sets: None, found: &mut found }.visit(folder, &WHOLE)?;
    let mut found: Vec<PathBuf> = found.into_iter().map(|found| found.path).collect();
    found.sort();
    Ok(found)
}

/// The files that match a pattern, sorted by path, whatever the manifests say; and the folders of the data sets in which
/// the pattern searches.
pub(crate) struct OfPattern {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) roots: HashSet<PathBuf>,
}

/// Lists the files that match a pattern; `None` for any other path. Reads no folder twice if there is no data set.
///
/// # Errors
/// If a folder or a manifest cannot be read.
pub(crate) fn of_pattern(input: &Path) -> Result<Option<OfPattern>, DatasetError> {
    let Some(PathPattern { base, names }) = PathPattern::of(input) else { return Ok(None) };
    let (mut sets, mut files) = (Sets::default(), Vec::new());
    find(input, &mut sets)?;
    let roots: HashSet<PathBuf> = sets.0.into_values().flatten().map(|set| set.root.to_path_buf()).collect();
    if !roots.is_empty() {
        let start = opened(&names, vec![0]);
        FileSearch { names: &names, sets: None, found: &mut files }.visit(&base, &start)?;
    }
    let mut files: Vec<PathBuf> = files.into_iter().map(|found| found.path).collect();
    files.sort();
    Ok(Some(OfPattern { files, roots }))
}

/// Lists the files of an input, sorted by path. Paths are compared name by name, and names byte by byte.
pub(crate) fn list(input: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    Ok(listed(input)?.into_iter().map(|found| found.path).collect())
}

fn listed(input: &Path) -> Result<Vec<FoundPath>, DatasetError> {
    loop {
        let mut sets = Sets::default();
        let found = find(input, &mut sets)?;
        if let Some(mut found) = sets.settled(found)? {
            // `a/b` comes before `a.arrow`, because paths are compared name by name.
            found.sort_by(|left, right| left.path.cmp(&right.path));
            return Ok(found);
        }
    }
}

/// A file that a search has found.
struct FoundPath {
    path: PathBuf,
    /// The data set that has the file, and the index of the file in the manifest.
    part: Option<(FoundSet, usize)>,
}

impl From<PathBuf> for FoundPath {
    fn from(path: PathBuf) -> FoundPath {
        FoundPath { path, part: None }
    }
}

/// Finds the files of an input, including files that writers have not committed. [`Sets::settled`] removes these.
fn find(input: &Path, sets: &mut Sets) -> Result<Vec<FoundPath>, DatasetError> {
    let mut found = Vec::new();
    if let Some(PathPattern { base, names }) = PathPattern::of(input) {
        let start = opened(&names, vec![0]);
        FileSearch { names: &names, sets: Some(sets), found: &mut found }.visit(&base, &start)?;
        return Ok(found);
    }
    let metadata = fs::metadata(input).map_err(|error| DatasetError::at(input, error))?;
    if metadata.is_dir() {
        FileSearch { names: &[], sets: Some(sets), found: &mut found }.visit(input, &WHOLE)?;
    } else if metadata.is_file() {
        // A path of a single file is read, even if a manifest does not list the file.
        found.push(input.to_owned().into());
    } else {
        return Err(DatasetError::at(input, DatasetErrorKind::NoFile));
    }
    Ok(found)
}

/// Checks that a folder or file is not inside the folder of a data set with a manifest.
///
/// # Errors
/// If the path is inside such a folder, or if a manifest cannot be read.
pub fn check_outside(path: &Path) -> Result<(), DatasetError> {
    match set_around(path)? {
        Some(root) => Err(DatasetError::at(path, DatasetErrorKind::InsideSet(root))),
        None => Ok(()),
    }
}

/// Checks that files in a folder, which need not exist, would belong to a data set: that neither the folder nor one
/// above it has a manifest.
///
/// # Errors
/// If there is a manifest, or a folder cannot be read.
pub fn check_without_manifest(folder: &Path) -> Result<(), DatasetError> {
    let place = place_of(folder).map_err(|error| DatasetError::at(folder, error))?;
    for root in place.ancestors() {
        let Some(manifests) = manifests_beside(root) else { continue };
        if !versions_in(&manifests)?.is_empty() {
            // An empty folder has lost its data set; the manifests of others list files that are there.
            let is_left = !root.is_dir() || root == place && is_empty(root)?;
            let kind = if is_left {
                DatasetErrorKind::OldManifests(manifests)
            } else {
                DatasetErrorKind::InsideSet(root.to_owned())
            };
            return Err(DatasetError::at(folder, kind));
        }
    }
    Ok(())
}

fn is_empty(folder: &Path) -> Result<bool, DatasetError> {
    let mut entries = fs::read_dir(folder).map_err(|error| DatasetError::at(folder, error))?;
    Ok(entries.next().is_none())
}

/// The folder of the data set that contains `folder`, with links resolved; `None` if no data set does.
pub(crate) fn set_around(folder: &Path) -> Result<Option<PathBuf>, DatasetError> {
    let failed = |error: io::Error| DatasetError::at(folder, error);
    let path = std::path::absolute(own(folder)).map_err(failed)?;
    // If the folder does not exist, searches from the nearest existing folder above it.
    let nearest = path.ancestors().find(|path| path.exists()).unwrap_or(&path);
    let place = nearest.canonicalize().map_err(failed)?;
    let above = if nearest == path { place.parent() } else { Some(&*place) };
    let set = above.map(|above| Sets::default().around(above)).transpose()?.flatten();
    Ok(set.map(|set| set.root.to_path_buf()))
}

/// Whether the file is in a folder with a manifest, at any depth.
pub(crate) fn is_around(file: &Path) -> bool {
    let has_versions = |folder: &Path| {
        let manifests = manifests_of(folder).ok().flatten();
        manifests.and_then(|manifests| versions_in(&manifests).ok()).is_some_and(|found| !found.is_empty())
    };
    file.canonicalize().is_ok_and(|file| file.ancestors().skip(1).any(has_versions))
}

/// The path of a folder, with links resolved. The folder need not exist.
pub(crate) fn place_of(folder: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(folder)?;
    let nearest = path.ancestors().find(|path| path.exists()).unwrap_or(&path);
    let place = nearest.canonicalize()?;
    let new = path.strip_prefix(nearest).ok().filter(|new| !new.as_os_str().is_empty());
    Ok(new.map_or(place.clone(), |new| place.join(new)))
}

/// The root of a data set without a manifest: the nearest folder above all partition folders (`day=1`). `None` if
/// there are no partition folders.
pub(crate) fn folders_root(root: &Path, files: &[DatasetFile]) -> io::Result<Option<PathBuf>> {
    let names_column = |folder: &Path| {
        let sign = |name: &OsStr| name.as_encoded_bytes().iter().position(|byte| *byte == b'=');
        folder.file_name().and_then(sign).is_some_and(|at| at > 0)
    };
    let place = place_of(root)?;
    let has_columns = |file: &DatasetFile| {
        let below = file.path.strip_prefix(root).unwrap_or(&file.path).parent();
        below.is_some_and(|below| below.ancestors().any(names_column))
    };
    let is_inside = names_column(&place) || files.iter().any(has_columns);
    Ok(place.ancestors().find(|folder| !names_column(folder)).filter(|_| is_inside).map(Path::to_owned))
}

/// For each folder, the data set that contains it. Each manifest is read once, so that a list of files does not mix
/// two versions.
#[derive(Default)]
struct Sets(HashMap<PathBuf, Option<FoundSet>>);

#[derive(Clone)]
struct FoundSet {
    /// The folder of the data set, with links resolved.
    root: Rc<Path>,
    manifest: Rc<Manifest>,
}

impl FoundSet {
    fn entry(&self, idx: usize) -> Option<ManifestEntry> {
        let path = path_of_manifest(&self.root, self.manifest.version())?;
        Some(ManifestEntry::new(&self.manifest, &path, self.manifest.files().get(idx)?))
    }
}

impl Sets {
    /// The data set that contains a folder, whose path must not contain links. If data sets are nested, returns the
    /// outermost.
    fn around(&mut self, folder: &Path) -> Result<Option<FoundSet>, DatasetError> {
        if let Some(known) = self.0.get(folder) {
            return Ok(known.clone());
        }
        let above = folder.parent().map(|above| self.around(above)).transpose()?.flatten();
        let found = match above {
            Some(set) => Some(set),
            None => Manifest::latest(folder)?
                .map(|manifest| FoundSet { root: folder.into(), manifest: Rc::new(manifest) }),
        };
        self.0.insert(folder.to_owned(), found.clone());
        Ok(found)
    }

    /// Removes files that writers have not committed. Returns `None` if a folder got its first manifest during the
    /// search.
    fn settled(&self, mut found: Vec<FoundPath>) -> Result<Option<Vec<FoundPath>>, DatasetError> {
        let mut hidden: Vec<(&Path, u64)> = Vec::new();
        for folder in self.0.iter().filter_map(|(folder, set)| set.is_none().then_some(folder)) {
            let Some(manifests) = manifests_of(folder)? else { continue };
            // Writers are listed first. If a writer commits before manifests are listed, its manifest is in the list.
            let writers = unfinished(&manifests)?;
            if !versions_in(&manifests)?.is_empty() {
                return Ok(None);
            }
            let marked = writers.into_iter().filter(|(_, left)| left.mark.is_some());
            hidden.extend(marked.map(|(id, _)| (folder.as_path(), id)));
        }
        if !hidden.is_empty() {
            let is_hidden = |FoundPath { path, .. }: &FoundPath| {
                let id = writer_of(path);
                let folder = path.parent().and_then(|folder| own(folder).canonicalize().ok());
                hidden.iter().any(|(root, of)| {
                    id == Some(*of) && folder.as_ref().is_some_and(|folder| folder.starts_with(root))
                })
            };
            found.retain(|path| !is_hidden(path));
        }
        Ok(Some(found))
    }
}

/// The path for opening a folder: `.` if the path is empty.
fn own(folder: &Path) -> &Path {
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
        match name == "**" {
            true => Some(NamePattern::AnyDepth),
            false => Pattern::new(&name.to_string_lossy()).ok().map(NamePattern::Name),
        }
    }

    fn is_any_depth(&self) -> bool {
        matches!(self, NamePattern::AnyDepth)
    }

    /// Whether a name matches. A name that begins with `.` or `_` matches only if the pattern begins with the same
    /// character.
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

/// The positions in a search for all Arrow files below a folder.
const WHOLE: [usize; 1] = [usize::MAX];

/// Adds to the positions `at` the position after each `**`, because `**` can match no folder at all.
fn opened(names: &[NamePattern], mut at: Vec<usize>) -> Vec<usize> {
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
    /// The manifests; `None` to ignore manifests.
    sets: Option<&'a mut Sets>,
    found: &'a mut Vec<FoundPath>,
}

impl FileSearch<'_> {
    /// The positions inside a folder with this name, and whether a file with this name matches.
    fn step(&self, at: &[usize], name: &OsStr) -> (Vec<usize>, bool) {
        let (mut below, mut has_file) = (Vec::new(), false);
        for position in at {
            match self.names.get(*position) {
                None if hidden_by(name).is_none() => {
                    below.push(*position);
                    has_file |= ends_as_taken(name);
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
        (opened(self.names, below), has_file)
    }

    /// Adds the files below a folder that match from the positions `at`.
    fn visit(&mut self, folder: &Path, at: &[usize]) -> Result<(), DatasetError> {
        let failed = |error: io::Error| DatasetError::at(own(folder), error);
        // A pattern may lead to folders that do not exist. This is no error.
        let is_nothing = |error: &io::Error| !self.names.is_empty() && is_absent(error);
        if let Some(sets) = &mut self.sets {
            let place = match own(folder).canonicalize() {
                Err(error) if is_nothing(&error) => return Ok(()),
                place => place.map_err(failed)?,
            };
            if let Some(set) = sets.around(&place)? {
                self.take_parts(folder, &place, &set, at);
                return Ok(());
            }
        }
        #[cfg(test)]
        tests::N_READ.set(tests::N_READ.get() + 1);
        let entries = match fs::read_dir(own(folder)) {
            Err(error) if is_nothing(&error) => return Ok(()),
            entries => entries.map_err(failed)?,
        };
        // Links to folders are followed only if the depth of the search is limited, because a link may lead to a
        // folder above it.
        let follows_links = *at != WHOLE && !self.names.iter().any(NamePattern::is_any_depth);
        for entry in entries {
            let entry = entry.map_err(failed)?;
            if marks_incomplete(&entry.file_name()) {
                return Err(DatasetError::at(own(folder), DatasetErrorKind::Incomplete));
            }
            let (name, kind) = (entry.file_name(), entry.file_type().map_err(failed)?);
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
                self.found.push(path.into());
            } else if kind.is_dir() || is_linked && follows_links {
                self.visit(&path, &below)?;
            }
        }
        Ok(())
    }

    /// Adds the parts of a data set that are below a folder and match from the positions `at`. `place` is the folder
    /// with links resolved.
    fn take_parts(&mut self, folder: &Path, place: &Path, set: &FoundSet, at: &[usize]) {
        for (idx, part) in set.manifest.files().iter().enumerate() {
            let Ok(path) = part.path.strip_prefix(place) else { continue };
            let (mut at, mut has_file) = (at.to_vec(), false);
            for name in path {
                if at.last() == WHOLE.last() {
                    has_file = true;
                    break;
                }
                (at, has_file) = self.step(&at, name);
            }
            if has_file {
                let part = Some((set.clone(), idx));
                self.found.push(FoundPath { path: folder.join(path), part });
            }
        }
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The first character of a hidden name, `.` or `_`; `None` if the name is not hidden.
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use arrow_array::Int64Array;
    use arrow_data::RecordBatch;
    use arrow_ipc::{FileWriter, WriteOptions};

    use super::*;
    use crate::{
        compact::{CompactOptions, compact},
        expire::{ExpireOptions, expire},
        write::{DatasetWriter, WriteMode},
    };

    thread_local! {
        /// The number of folders that a search has read.
        pub(super) static N_READ: Cell<usize> = const { Cell::new(0) };
    }

    fn file_of(n_rows: i64) -> Vec<u8> {
        let ids = Int64Array::from_iter(0..n_rows).into_data();
        let batch = RecordBatch::try_from_columns([("id", ids)]).unwrap();
        FileWriter::to_vec(batch.schema().clone(), &[batch], WriteOptions::new()).unwrap()
    }

    /// Another writer joins the parts while they are listed. The list still has one version.
    #[test]
    fn what_is_listed_is_of_one_version() {
        for input in ["", "data", "data/*", "**", "data/day=1", "*/day=1/*.arrow"] {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().join("data");
            fs::create_dir_all(root.join("day=1")).unwrap();
            let write = |name: &str, n_rows| fs::write(root.join(name), file_of(n_rows)).unwrap();
            let input = folder.path().join(input);
            write("day=1/a.arrow", 1);
            write("day=1/b.arrow", 2);
            // The first manifest is written after the search for manifests, and before the folder is read.
            let mut sets = Sets::default();
            sets.around(&root.canonicalize().unwrap()).unwrap();
            compact(&root, &CompactOptions::default()).unwrap();
            let found = find(&input, &mut sets).unwrap();
            assert_eq!(found.len(), 3, "{input:?}");
            assert!(sets.settled(found).unwrap().is_none(), "{input:?}");
            assert_eq!(list(&input).unwrap().len(), 1, "{input:?}");
            // The next manifest is written after the current one was read.
            let mut sets = Sets::default();
            let found = find(&input, &mut sets).unwrap();
            let schema = Manifest::latest(&root).unwrap().unwrap().file_schema();
            let writer = DatasetWriter::begin(&root, schema, WriteMode::Replace).unwrap();
            writer.commit([]).unwrap();
            let n_found = found.len();
            let settled = sets.settled(found).unwrap();
            assert_eq!(settled.map(|settled| settled.len()), Some(n_found), "{input:?}");
            expire(&root, &ExpireOptions::default()).unwrap();
            assert!(list(&input).unwrap().is_empty(), "{input:?}");
        }
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
            assert_eq!(list(&folder.path().join(&pattern)).unwrap().len(), 1, "{pattern}");
            assert_eq!(N_READ.get(), 61, "{pattern}");
        }
    }
}

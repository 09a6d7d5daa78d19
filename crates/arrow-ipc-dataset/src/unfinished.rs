//! Files of uncommitted writers in the folder of manifests: unfinished files, and a mark for each writer.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    hash::{BuildHasher, Hasher, RandomState},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::SystemTime,
};

use crate::{
    error::DatasetError,
    manifest::{manifests_of, names_in},
    version::{id_text, parse_id},
};

/// The start of the name of a mark. While a writer has a mark, readers ignore its parts, except those in a manifest.
const MARK: &str = "_writer-";

/// The start of the name of an unfinished file.
const ATTEMPT: &str = "_attempt-";

/// The path of an unfinished file. Dropping this value removes the file.
#[derive(Debug)]
pub(crate) struct AttemptName {
    pub(crate) manifests: PathBuf,
    pub(crate) path: PathBuf,
}

impl AttemptName {
    /// Makes a new path in the folder of manifests of a data set.
    pub(crate) fn create(root: &Path, id: u64) -> Result<AttemptName, DatasetError> {
        let no_name = || DatasetError::at(root, io::Error::from(io::ErrorKind::InvalidInput));
        let manifests = manifests_of(root)?.ok_or_else(no_name)?;
        create_folders(&manifests).map_err(|error| DatasetError::at(&manifests, error))?;
        let path = manifests.join(format!("{ATTEMPT}{}-{}", id_text(id), id_text(random_id())));
        Ok(AttemptName { manifests, path })
    }

    /// Creates the mark of the writer. Called before the first part gets its name.
    pub(crate) fn mark(&self, id: u64) -> Result<(), DatasetError> {
        let path = self.manifests.join(format!("{MARK}{}", id_text(id)));
        let create = || OpenOptions::new().write(true).create_new(true).open(&path);
        let created = match create() {
            // Another writer has removed the empty folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_folders(&self.manifests).and_then(|()| create())
            }
            created => created,
        };
        let marked = match created {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            created => created.and_then(|_| sync_folder(&self.manifests)),
        };
        marked.map_err(|error| DatasetError::at(path, error))
    }
}

impl Drop for AttemptName {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The files of an uncommitted writer in the folder of manifests.
#[derive(Debug, Default)]
pub(crate) struct LeftBeside {
    pub(crate) attempts: Vec<PathBuf>,
    pub(crate) mark: Option<PathBuf>,
}

impl LeftBeside {
    /// Removes the files. The mark comes last, because without it, readers would read parts of the writer that are
    /// left.
    pub(crate) fn remove(&self) -> Result<(), DatasetError> {
        self.attempts.iter().chain(&self.mark).try_for_each(|path| removed(path).map(drop))
    }
}

/// Removes a file, and returns how many files were removed: 0 or 1. A missing file is no error, because an earlier
/// removal may have been interrupted.
pub(crate) fn removed(path: &Path) -> Result<usize, DatasetError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(DatasetError::at(path, error)),
        Ok(()) => Ok(1),
    }
}

/// The files of uncommitted writers in a folder of manifests, by the number of the writer. Empty if the folder does
/// not exist.
pub(crate) fn unfinished(manifests: &Path) -> Result<BTreeMap<u64, LeftBeside>, DatasetError> {
    let mut found: BTreeMap<u64, LeftBeside> = BTreeMap::new();
    for name in names_in(manifests)? {
        let path = manifests.join(&name);
        if let Some(id) = name.strip_prefix(MARK).and_then(parse_id) {
            found.entry(id).or_default().mark = Some(path);
        } else if let Some(id) = name.strip_prefix(ATTEMPT).and_then(|rest| parse_id(rest.split('-').next()?))
        {
            found.entry(id).or_default().attempts.push(path);
        }
    }
    Ok(found)
}

/// Creates a folder, and all missing folders above it, and syncs them to the disk.
pub(crate) fn create_folders(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = folder.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    create_folders(above)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => sync_folder(above),
    }
}

/// Syncs the names in a folder to the disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Other systems cannot open folders.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// A random number that no other process uses: a hash of the time, the process id and a counter, with random keys
/// from the operating system.
pub(crate) fn random_id() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u64(COUNT.fetch_add(1, Ordering::Relaxed));
    hasher.write_u32(std::process::id());
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    hasher.write_u128(time.as_nanos());
    hasher.finish()
}

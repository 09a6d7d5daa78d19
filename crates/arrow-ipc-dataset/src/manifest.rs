//! Manifests, which list the parts of a data set.

mod table;

use std::{
    fs::{self, File},
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use arrow_ipc::{FileReader, ReadOptions, Source};
use arrow_schema::{Field, Schema};

use crate::{
    error::{DatasetError, DatasetErrorKind as Kind},
    file::DatasetFile,
    store::{FileStore, StoreNames},
    version::parse_id,
};

pub(crate) use self::table::{encode, ends_as_taken, part_path, path_below};

/// The extension of a manifest, which is an Arrow file.
const ENDING: &str = ".arrow";

/// The number of digits in the name of a manifest. All names have as many digits, so they sort like the versions.
const N_DIGITS: usize = 20;

/// How often to look for the newest manifest, if each is removed before it can be read.
const MAX_LOOKS: u32 = 10;

/// A version of a data set: the schema and the parts that a [`DatasetWriter`](crate::DatasetWriter) has committed.
///
/// The manifests of a folder `data` are Arrow files in the folder `_data.manifests` beside it. The manifest with the
/// greatest number is the current version. A file that it does not list does not belong to the data set, even if it
/// is in the folder. `docs/FORMAT.md` describes the content of manifests.
#[derive(Debug, Clone)]
pub struct Manifest {
    version: u64,
    schema: Arc<Schema>,
    /// The number of partition columns at the end of `schema`.
    n_folder_columns: usize,
    files: Vec<DatasetFile>,
}

impl Manifest {
    /// Reads the newest manifest of a folder; `None` if the folder has no manifest.
    ///
    /// # Errors
    /// If the manifest cannot be read.
    pub fn latest(root: &Path) -> Result<Option<Manifest>, DatasetError> {
        // The last attempt fails only if manifests are removed faster than they are read.
        for look in 1.. {
            let Some(folder) = manifests_of(root)? else { return Ok(None) };
            let Some(version) = versions_in(&folder)?.pop() else { return Ok(None) };
            match Manifest::numbered(&folder, root, version)? {
                None if look < MAX_LOOKS => {}
                None => return Manifest::read(&folder.join(name_of(version)), root, version).map(Some),
                found => return Ok(found),
            }
        }
        Ok(None)
    }

    /// Reads the manifest at a path, which may be an old one; `None` if the path is not named like a manifest.
    ///
    /// # Errors
    /// If the manifest cannot be read.
    pub fn at(path: &Path) -> Result<Option<Manifest>, DatasetError> {
        let Some((version, root)) = named_by(path) else { return Ok(None) };
        Manifest::read(path, &root, version).map(Some)
    }

    /// Like [`at`](Manifest::at), in a store. If the path is the folder of a data set, reads its newest manifest.
    pub(crate) fn in_store(store: &dyn FileStore, path: &Path) -> Result<Option<Manifest>, DatasetError> {
        let (path, version, root) = match (named_by(path), beside(path)) {
            (Some((version, root)), _) => (path.to_owned(), version, root),
            (None, Some(folder)) if !path.file_name().is_some_and(ends_as_taken) => {
                let names = store.names_in(&folder).map_err(|error| DatasetError::at(&folder, error))?;
                let newest = names.iter().filter_map(|name| version_of(name)).max();
                let Some(version) = newest else { return Ok(None) };
                (folder.join(name_of(version)), version, path.to_owned())
            }
            (None, _) => return Ok(None),
        };
        let read = || -> Result<_, Kind> {
            let reader = FileReader::try_from_buffer(store.read(&path)?)?;
            Manifest::decode(&reader, &root, version, store.names(&root))
        };
        read().map(Some).map_err(|kind| of_manifest(&path, kind))
    }

    /// Reads the manifest of a version; `None` if the version has expired.
    pub(crate) fn numbered(
        folder: &Path,
        root: &Path,
        version: u64,
    ) -> Result<Option<Manifest>, DatasetError> {
        let path = folder.join(name_of(version));
        match Manifest::read(&path, root, version) {
            // The newest version does not expire, so an empty file is damage.
            Err(_) if is_expired(&path) && versions_in(folder)?.last() > Some(&version) => Ok(None),
            Err(error) if matches!(error.kind(), Kind::Io(error) if error.kind() == io::ErrorKind::NotFound) => {
                Ok(None)
            }
            read => read.map(Some),
        }
    }

    fn read(path: &Path, root: &Path, version: u64) -> Result<Manifest, DatasetError> {
        let read = || -> Result<_, Kind> {
            // Opening a pipe would wait for a writer, and reading a device may never end.
            if !fs::metadata(path)?.is_file() {
                return Err(Kind::NoFile);
            }
            let reader = FileReader::try_from_source(File::open(path)?, ReadOptions::new())?;
            Manifest::decode(&reader, root, version, StoreNames::Plain)
        };
        read().map_err(|kind| of_manifest(path, kind))
    }

    /// Reads the content of a manifest from an opened Arrow file.
    pub(crate) fn decode<S: Source>(
        reader: &FileReader<S>,
        root: &Path,
        version: u64,
        names: StoreNames,
    ) -> Result<Manifest, Kind> {
        let (schema, n_folder_columns, files) = table::decode(reader, root, names)?;
        Ok(Manifest { version, schema, n_folder_columns, files })
    }

    /// The number of this version. The first is 1, and each commit adds 1.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The schema of the parts, followed by the partition columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    pub(crate) fn file_schema(&self) -> Schema {
        let n_own = self.schema.fields().len().saturating_sub(self.n_folder_columns);
        let fields: Vec<_> = self.schema.fields().iter().take(n_own).cloned().collect();
        Schema::new(fields).with_metadata(self.schema.metadata().clone())
    }

    /// The partition columns.
    pub(crate) fn folder_columns(&self) -> &[Field] {
        let n_own = self.schema.fields().len().saturating_sub(self.n_folder_columns);
        self.schema.fields().get(n_own..).unwrap_or_default()
    }

    /// The parts of this version, in the order of their rows.
    pub fn files(&self) -> &[DatasetFile] {
        &self.files
    }

    pub(crate) fn into_files(self) -> Vec<DatasetFile> {
        self.files
    }
}

/// Makes an error about a manifest. The kind changes, so that a truncated manifest does not look like a truncated part.
fn of_manifest(path: &Path, kind: Kind) -> DatasetError {
    DatasetError::at(path, if let Kind::Ipc(error) = kind { Kind::Manifest(error) } else { kind })
}

/// The folder of manifests, beside the folder `root`; `None` if `root` does not exist.
///
/// # Errors
/// If the path cannot be resolved.
pub(crate) fn manifests_of(root: &Path) -> Result<Option<PathBuf>, DatasetError> {
    let at_root = |kind: Kind| DatasetError::at(root, kind);
    let path = match root.canonicalize() {
        Ok(path) => path,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at_root(error.into())),
    };
    Ok(beside(&path))
}

/// Parses the path of a manifest. Returns its version, and the folder of its data set.
fn named_by(path: &Path) -> Option<(u64, PathBuf)> {
    let version = version_of(path.file_name()?.to_str()?)?;
    let folder = path.parent()?;
    let name = folder.file_name()?.to_str()?.strip_prefix('_')?.strip_suffix(".manifests")?;
    Some((version, folder.with_file_name(name)))
}

pub(crate) fn beside(folder: &Path) -> Option<PathBuf> {
    let Some(Component::Normal(name)) = folder.components().next_back() else { return None };
    let mut beside = std::ffi::OsString::from("_");
    beside.push(name);
    beside.push(".manifests");
    Some(folder.with_file_name(beside))
}

pub(crate) fn path_of_manifest(root: &Path, version: u64) -> Option<PathBuf> {
    Some(beside(root)?.join(name_of(version)))
}

/// The versions in a folder of manifests, in ascending order.
pub(crate) fn versions_in(folder: &Path) -> Result<Vec<u64>, DatasetError> {
    let mut versions: Vec<u64> = names_in(folder)?.iter().filter_map(|name| version_of(name)).collect();
    versions.sort_unstable();
    Ok(versions)
}

/// The names in a folder; empty if the folder does not exist. A name that is not UTF-8 becomes an empty text.
pub(crate) fn names_in(folder: &Path) -> Result<Vec<String>, DatasetError> {
    let name_of = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().into_string().unwrap_or_default());
    match fs::read_dir(folder).and_then(|entries| entries.map(name_of).collect()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        names => names.map_err(|error| DatasetError::at(folder, error)),
    }
}

/// Whether a version has expired. Its manifest is then an empty file, which prevents commits from using the number
/// again.
pub(crate) fn is_expired(manifest: &Path) -> bool {
    fs::metadata(manifest).is_ok_and(|found| found.is_file() && found.len() == 0)
}

fn version_of(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(ENDING)?;
    let is_number = digits.len() == N_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// The id of the writer of a part, from the name of the file; `None` if it is not the name of a part.
pub(crate) fn writer_of(path: &Path) -> Option<u64> {
    let (id, task) = path.file_stem()?.to_str()?.strip_prefix("part-")?.split_once('-')?;
    parse_id(id).filter(|_| task.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(crate) fn name_of(version: u64) -> String {
    format!("{version:0N_DIGITS$}{ENDING}")
}

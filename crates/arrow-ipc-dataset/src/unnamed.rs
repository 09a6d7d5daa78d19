//! Finds files in the folder of a data set that do not belong to the data set.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::{
    error::{DatasetError, DatasetErrorKind as Kind},
    file::DatasetFile,
    listing::{files_below, of_pattern, place_of},
    manifest::{Manifest, manifests_of, name_of, versions_in, writer_of},
    version::FileStamp,
};

/// Finds files that do not belong to the data set in their folder. Either no manifest lists the file, or only an old
/// manifest does, and the file was written again later. Uncommitted parts of writers are left out. Empty if the
/// folder has no manifest. Of a pattern, finds the files that match it, in all data sets that it leads to.
///
/// # Errors
/// If a folder or a manifest cannot be read.
pub fn unnamed_files(input: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let Some(of_pattern) = of_pattern(input)? else { return unnamed_below(input) };
    let mut unnamed = HashSet::new();
    for root in &of_pattern.roots {
        unnamed.extend(unnamed_below(root)?);
    }
    let mut found = of_pattern.files;
    found.retain(|path| place_of(path).is_ok_and(|place| unnamed.contains(&place)));
    Ok(found)
}

fn unnamed_below(root: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let Some(folder) = manifests_of(root)? else { return Ok(Vec::new()) };
    let versions = versions_in(&folder)?;
    let Some(newest) = versions.last().copied() else { return Ok(Vec::new()) };
    let mut left = files_below(root)?;
    left.retain(|path| writer_of(path).is_none());
    for version in versions.into_iter().rev() {
        if left.is_empty() {
            break;
        }
        let time = modified(&folder.join(name_of(version)));
        let files = Manifest::numbered(&folder, root, version)?.map(Manifest::into_files);
        let named = files.into_iter().flatten().filter(|file| version == newest || is_unchanged(file, time));
        let named: HashSet<PathBuf> = named.map(|file| file.path).collect();
        left.retain(|path| !named.contains(path));
    }
    Ok(left)
}

/// Checks that local files of a data set exist and are regular files. Call this before operations that read only the manifest, such as
/// counting rows.
///
/// # Errors
/// The error of the first file that does not exist, or is a pipe or a device.
pub fn check_there(files: &[DatasetFile]) -> Result<(), DatasetError> {
    files.iter().try_for_each(|file| match fs::metadata(&file.path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(DatasetError::at(&file.path, Kind::MissingPart))
        }
        Ok(metadata) if !metadata.is_file() => Err(DatasetError::at(&file.path, Kind::SpecialPart)),
        Ok(_) | Err(_) => Ok(()),
    })
}

/// Whether a file is unchanged since a manifest listed it. It must have the length in the manifest. If the manifest
/// has no random number for the file, the file must also not be newer than `manifest`, the time of the manifest. A
/// missing file counts as unchanged.
pub(crate) fn is_unchanged(file: &DatasetFile, manifest: Option<SystemTime>) -> bool {
    let Ok(found) = fs::metadata(&file.path) else { return true };
    let is_part = matches!(file.version.stamp, FileStamp::Part(_));
    found.len() == file.version.n_bytes && (is_part || found.modified().ok() <= manifest)
}

/// The time at which a file was last modified.
pub(crate) fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

//! Removes old versions of a data set, and files of writers that have not committed.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::{
    error::DatasetError,
    file::DatasetFile,
    listing::{check_outside, files_below},
    manifest::{Manifest, is_expired, manifests_of, name_of, versions_in, writer_of},
    store::LocalFiles,
    unfinished::{AttemptName, random_id, removed, unfinished},
    unnamed::{is_unchanged, modified},
};

/// For this time, no new version gets the number of an expired version. No commit may take longer.
const TAKEN_FOR: Duration = Duration::from_hours(7 * 24);

/// Options for [`expire`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpireOptions {
    /// How many versions to keep, counted from the newest. At least one is kept.
    pub n_versions: usize,
    /// How long a writer must have written nothing before its uncommitted files are removed. All times come from the
    /// file system, so clocks of different machines are not compared.
    pub unfinished_for: Duration,
}

impl Default for ExpireOptions {
    /// Keeps one version, and the files of uncommitted writers that have written something in the last seven days.
    fn default() -> ExpireOptions {
        ExpireOptions { n_versions: 1, unfinished_for: Duration::from_hours(7 * 24) }
    }
}

/// What [`expire`] has removed and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expired {
    /// The number of versions that were removed.
    pub n_versions: usize,
    /// The number of parts that were removed, because only removed versions listed them.
    pub n_files: usize,
    /// The number of files that only removed versions listed, and that were kept because they have changed. A file
    /// has changed if it has another length, or another random number in its footer. Without such a number, it has
    /// changed if its batches have other lengths, or if it is newer than the version. The rows of these files do not
    /// belong to the data set: see [`unnamed_files`](crate::unnamed_files).
    pub n_changed: usize,
    /// The number of uncommitted writers whose files were removed.
    pub n_writers: usize,
}

/// Removes old manifests, parts that only these manifests list, and old files of writers that have not committed.
/// Keeps a file that was written again after the manifest. Reading a removed version, or a task of it, is an error. A
/// writer may also fail if it has not committed, and has written nothing for the time in the options.
///
/// # Errors
/// If a manifest cannot be read, or a file cannot be removed. Files that were removed before the error belonged to no
/// remaining version.
pub fn expire(root: &Path, options: &ExpireOptions) -> Result<Expired, DatasetError> {
    let Some(folder) = manifests_of(root)? else { return Ok(Expired::default()) };
    check_outside(root)?;
    // Writers are listed first. If a writer commits before manifests are listed, its manifest is in the list, and its
    // files are kept.
    let writers = unfinished(&folder)?;
    let (taken, mut versions): (Vec<u64>, Vec<u64>) =
        versions_in(&folder)?.into_iter().partition(|version| is_expired(&folder.join(name_of(*version))));
    if taken.last() > versions.last() {
        // Returns an error if the newest manifest is damaged.
        Manifest::latest(root)?;
    }
    let kept = versions.split_off(versions.len().saturating_sub(options.n_versions.max(1)));
    let files_of = |version: u64| -> Result<Vec<DatasetFile>, DatasetError> {
        Ok(Manifest::numbered(&folder, root, version)?.map(Manifest::into_files).unwrap_or_default())
    };
    let mut named = HashSet::new();
    for version in kept {
        named.extend(files_of(version)?.into_iter().map(|file| file.path));
    }
    let (mut expired, mut changed) = (Expired::default(), HashSet::new());
    // Files are removed before the manifest that lists them. After an interruption, the next call can remove the
    // other files.
    for version in versions {
        let time = modified(&folder.join(name_of(version)));
        for file in files_of(version)?.into_iter().filter(|file| !named.contains(&file.path)) {
            // A file that was moved to this name may be older than the manifest, so its footer is also compared.
            let is_named = || file.read_again(&LocalFiles).is_ok() || !file.path.exists();
            if is_unchanged(&file, time) && is_named() {
                expired.n_files = expired.n_files.saturating_add(removed(&file.path)?);
            } else {
                changed.insert(file.path);
            }
        }
        // An empty file reserves the number. Without it, a slow writer that is based on the previous version could
        // commit with this number.
        let empty = empty_beside(root)?;
        let named = fs::rename(&empty.path, folder.join(name_of(version)));
        named.map_err(|error| DatasetError::at(&empty.path, error))?;
        expired.n_versions = expired.n_versions.saturating_add(1);
    }
    expired.n_changed = changed.len();
    if writers.is_empty() && taken.is_empty() {
        return Ok(expired);
    }
    let now = modified(&empty_beside(root)?.path).unwrap_or(SystemTime::UNIX_EPOCH);
    for path in taken.into_iter().map(|version| folder.join(name_of(version))) {
        let age = modified(&path).and_then(|taken| now.duration_since(taken).ok());
        if age.is_some_and(|age| age >= TAKEN_FOR) {
            removed(&path)?;
        }
    }
    let left = if writers.is_empty() { Vec::new() } else { files_below(root)? };
    for (id, left_beside) in writers {
        // A file with the name of a part is only removed if its writer has left a mark.
        let is_part = |path: &&PathBuf| left_beside.mark.is_some() && writer_of(path) == Some(id);
        let parts: Vec<&PathBuf> =
            left.iter().filter(is_part).filter(|path| !named.contains(*path)).collect();
        let all = parts.iter().copied().chain(&left_beside.attempts).chain(&left_beside.mark);
        let age =
            all.filter_map(|path| modified(path)).max().and_then(|newest| now.duration_since(newest).ok());
        if age.is_some_and(|age| age >= options.unfinished_for) {
            parts.into_iter().try_for_each(|path| removed(path).map(drop))?;
            left_beside.remove()?;
            expired.n_writers = expired.n_writers.saturating_add(1);
        }
    }
    Ok(expired)
}

/// Creates an empty file beside the manifests. Its modification time is the current time of the file system.
fn empty_beside(root: &Path) -> Result<AttemptName, DatasetError> {
    let empty = AttemptName::create(root, random_id())?;
    fs::File::create_new(&empty.path).map_err(|error| DatasetError::at(&empty.path, error))?;
    Ok(empty)
}

//! Removes what nobody needs of a data set.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::{
    error::DatasetError,
    listing::{check_outside, files_below},
    manifest::{Manifest, is_expired, manifests_of, name_of, versions_in, writer_of},
    unfinished::{AttemptName, random_id, removed, unfinished},
};

/// How long the number of an expired version stays taken: longer than a commit lasts.
const TAKEN_FOR: Duration = Duration::from_hours(7 * 24);

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpireOptions {
    /// How many of the newest versions, at least one.
    pub n_versions: usize,
    /// Keeps the files of writers that have not committed, if their newest file is younger than this. Ages are differences of
    /// times of the file system, so the clocks of machines do not matter.
    pub unfinished_for: Duration,
}

impl Default for ExpireOptions {
    /// One version, and the files that uncommitted writers have written in the last seven days.
    fn default() -> ExpireOptions {
        ExpireOptions { n_versions: 1, unfinished_for: Duration::from_hours(7 * 24) }
    }
}

/// What was removed from a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expired {
    /// How many versions.
    pub n_versions: usize,
    /// How many files of parts that only these versions named.
    pub n_files: usize,
    /// How many uncommitted writers, with all their files.
    pub n_writers: usize,
}

/// Removes all manifests except the newest, the files of parts that only these named, and the files that killed writers left
/// long ago. Readers of an older version, and tasks of one, then get an error. So may a writer that has not committed for seven
/// days.
///
/// # Errors
/// If a manifest cannot be read, or a file cannot be removed. Files that were removed before the error did not belong to the
/// set.
pub fn expire(root: &Path, options: &ExpireOptions) -> Result<Expired, DatasetError> {
    let Some(folder) = manifests_of(root)? else { return Ok(Expired::default()) };
    check_outside(root)?;
    // This comes before the manifests are listed: a writer that commits meanwhile has named its parts by then.
    let writers = unfinished(&folder)?;
    let (taken, mut versions): (Vec<u64>, Vec<u64>) =
        versions_in(&folder)?.into_iter().partition(|version| is_expired(&folder.join(name_of(*version))));
    if taken.last() > versions.last() {
        // If the newest manifest is damaged, this returns the error.
        Manifest::latest(root)?;
    }
    let kept = versions.split_off(versions.len().saturating_sub(options.n_versions.max(1)));
    let files_of = |version: u64| -> Result<Vec<PathBuf>, DatasetError> {
        let files = Manifest::numbered(&folder, root, version)?.map(Manifest::into_files);
        Ok(files.into_iter().flatten().map(|file| file.path).collect())
    };
    let mut named = HashSet::new();
    for version in kept {
        named.extend(files_of(version)?);
    }
    let mut expired = Expired::default();
    // Files come first: a remaining manifest says which other files must be removed.
    for version in versions {
        for path in files_of(version)?.into_iter().filter(|path| !named.contains(path)) {
            expired.n_files = expired.n_files.saturating_add(removed(&path)?);
        }
        // A writer that has seen the version before it cannot take its number.
        let empty = empty_beside(root)?;
        let named = fs::rename(&empty.path, folder.join(name_of(version)));
        named.map_err(|error| DatasetError::at(&empty.path, error))?;
        expired.n_versions = expired.n_versions.saturating_add(1);
    }
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
        // Parts without a mark are ordinary files.
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

/// An empty new file beside the manifests. Its time is the current time of the file system.
fn empty_beside(root: &Path) -> Result<AttemptName, DatasetError> {
    let empty = AttemptName::create(root, random_id())?;
    fs::File::create_new(&empty.path).map_err(|error| DatasetError::at(&empty.path, error))?;
    Ok(empty)
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

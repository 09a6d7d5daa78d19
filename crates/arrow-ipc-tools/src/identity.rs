//! Detects whether two paths refer to the same file.

use std::{fs::Metadata, path::Path};

/// Identifies a regular file. All hard and symbolic links to a file have the same identity.
///
/// ```
/// use arrow_ipc_tools::identity::FileIdentity;
///
/// assert_eq!(FileIdentity::of("Cargo.toml".as_ref()), FileIdentity::of("./Cargo.toml".as_ref()));
/// assert_ne!(FileIdentity::of("Cargo.toml".as_ref()), FileIdentity::of("README.md".as_ref()));
/// assert_eq!(FileIdentity::of("src".as_ref()), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileIdentity(Identity);

/// On Unix: the device, and the inode number.
#[cfg(unix)]
type Identity = (u64, u64);

/// On other systems: the path, with all links resolved.
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

impl FileIdentity {
    /// The identity of the file at a path; `None` if there is no regular file at the path.
    pub fn of(path: &Path) -> Option<FileIdentity> {
        let metadata = path.metadata().ok().filter(Metadata::is_file)?;
        identity(path, &metadata).map(FileIdentity)
    }

    /// Whether both paths refer to the same regular file. Writing to one would then overwrite the other.
    pub fn is_same_file(left: &Path, right: &Path) -> bool {
        FileIdentity::of(left).is_some_and(|left| FileIdentity::of(right) == Some(left))
    }
}

#[cfg(unix)]
fn identity(_: &Path, metadata: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> Option<Identity> {
    path.canonicalize().ok()
}

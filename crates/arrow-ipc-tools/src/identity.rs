//! Detects whether two paths refer to the same file or device.

use std::{
    fs::{File, Metadata},
    path::Path,
};

/// Identifies a regular file or, on Unix, a block device. All hard and symbolic links to a file have the same identity, and all nodes
/// of a device.
///
/// ```
/// use std::fs::File;
///
/// use arrow_ipc_tools::identity::FileIdentity;
///
/// let manifest = FileIdentity::from_path("Cargo.toml".as_ref());
/// assert_eq!(manifest, FileIdentity::from_path("./Cargo.toml".as_ref()));
/// assert_eq!(manifest, FileIdentity::from_file(&File::open("Cargo.toml")?));
/// assert_ne!(manifest, FileIdentity::from_path("README.md".as_ref()));
/// assert_eq!(FileIdentity::from_path("src".as_ref()), None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileIdentity(Identity);

/// On Unix the device and the inode number, which is 0 for the device itself, on Windows the serial number of the volume and the file index.
#[cfg(any(unix, windows))]
type Identity = (u64, u64);

/// On other systems: the path, with all links resolved.
#[cfg(not(any(unix, windows)))]
type Identity = std::path::PathBuf;

impl FileIdentity {
    /// The identity of the file at a path; `None` if there is neither a regular file nor a block device.
    pub fn from_path(path: &Path) -> Option<FileIdentity> {
        let metadata = path.metadata().ok().filter(has_identity)?;
        identity_of_path(path, &metadata).map(FileIdentity)
    }

    /// The identity of an open file; `None` if it is neither a regular file nor a block device, or the system does not say which
    /// file it is.
    pub fn from_file(file: &File) -> Option<FileIdentity> {
        let metadata = file.metadata().ok().filter(has_identity)?;
        identity_of_file(file, &metadata).map(FileIdentity)
    }

    /// Whether both paths refer to the same file or device. Writing to one would then overwrite the other.
    pub fn is_same_file(left: &Path, right: &Path) -> bool {
        FileIdentity::from_path(left).is_some_and(|left| FileIdentity::from_path(right) == Some(left))
    }
}

/// Whether writing to the file would overwrite what is read from it. Pipes and character devices do not keep what is written.
#[cfg(unix)]
fn has_identity(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.is_file() || metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
fn has_identity(metadata: &Metadata) -> bool {
    metadata.is_file()
}

#[cfg(unix)]
fn identity_of_path(_: &Path, metadata: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(if metadata.is_file() { (metadata.dev(), metadata.ino()) } else { (metadata.rdev(), 0) })
}

#[cfg(unix)]
fn identity_of_file(_: &File, metadata: &Metadata) -> Option<Identity> {
    identity_of_path(Path::new(""), metadata)
}

#[cfg(windows)]
fn identity_of_path(path: &Path, metadata: &Metadata) -> Option<Identity> {
    use std::os::windows::fs::OpenOptionsExt;
    // The identity of a file that may not be read is known, too.
    let file = File::options().access_mode(0).open(path).ok()?;
    identity_of_file(&file, metadata)
}

#[cfg(windows)]
fn identity_of_file(file: &File, _: &Metadata) -> Option<Identity> {
    let information = winapi_util::file::information(file).ok()?;
    Some((information.volume_serial_number(), information.file_index()))
}

#[cfg(not(any(unix, windows)))]
fn identity_of_path(path: &Path, _: &Metadata) -> Option<Identity> {
    path.canonicalize().ok()
}

#[cfg(not(any(unix, windows)))]
fn identity_of_file(_: &File, _: &Metadata) -> Option<Identity> {
    None
}

//! Groups and permissions of what replaces a file or folder.

#[cfg(unix)]
use std::{
    fs::Permissions,
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
};
use std::{
    fs::{File, Metadata, OpenOptions},
    io,
};

/// Opens a new file with no more permissions than the file that it replaces.
#[cfg_attr(not(unix), expect(unused_variables))] // Other systems take permissions from the folder.
pub(crate) fn new_file(before: Option<&Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(before) = before {
        // The permissions of the group are added together with the group.
        options.mode(before.mode() & 0o700);
    }
    options
}

/// Gives a new file the group and the permissions of the file that it replaces. If the group cannot be set, it gets no
/// permissions.
#[cfg(unix)]
pub(crate) fn permit_file(file: &File, before: &Metadata) -> io::Result<()> {
    let mode = if set_group(file, before).is_ok() {
        before.mode() & 0o777
    } else {
        // Members of the old group now count as other users. They keep only the permissions that both the group and
        // other users had.
        before.mode() & 0o700 | before.mode() & before.mode() >> 3 & 0o007
    };
    file.set_permissions(Permissions::from_mode(mode))
}

/// Gives a new folder the group and permissions of the folder that it will replace.
///
/// # Errors
/// If its owner or group would change.
#[cfg(unix)]
pub(crate) fn permit_folder(folder: &File, before: &Metadata) -> io::Result<()> {
    if folder.metadata()?.uid() != before.uid() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    set_group(folder, before)?;
    folder.set_permissions(Permissions::from_mode(before.mode() & 0o7777))
}

#[cfg(unix)]
fn set_group(new: &File, before: &Metadata) -> io::Result<()> {
    if new.metadata()?.gid() == before.gid() { Ok(()) } else { fchown(new, None, Some(before.gid())) }
}

#[cfg(not(unix))]
pub(crate) fn permit_file(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn permit_folder(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

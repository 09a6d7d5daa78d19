//! The mark of a folder whose files do not all have their names yet.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// The name of the mark, without extension. While it is in a folder, readers of the folder return an error. Its extension
/// is that of the other files, and its content is no Arrow data, so other programs that read the folder fail, too.
const NAME: &str = "arrow-ipc-incomplete";

/// The content of the mark.
pub(crate) const EXPLANATION: &[u8] =
    b"This folder is incomplete: the program that writes its files runs, or was killed. \
If it no longer runs, remove the content of this folder, and run it again.\n";

/// What is wrong with a folder that has the mark.
pub const INCOMPLETE_FOLDER: &str = "the folder is incomplete: the program that writes its files runs, or was \
     killed; if it no longer runs, remove the content of the folder, and run it again";

/// The path of the mark in a folder.
pub(crate) fn mark_in(folder: &Path, extension: &str) -> PathBuf {
    folder.join(NAME).with_extension(extension)
}

/// Whether a file name is that of the mark.
pub fn marks_incomplete(name: &OsStr) -> bool {
    Path::new(name).file_stem().is_some_and(|stem| stem == NAME)
}

//! Folders of files that are given to users, from what cargo has built.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// The licences of the project, in its root.
pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The folder in which cargo puts what it builds with a profile.
pub(crate) fn built(root: &Path, profile: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join(if profile == "dev" { "debug" } else { profile })
}

/// A folder that is being filled. Each file is printed with its length.
pub(crate) struct Package {
    pub(crate) folder: PathBuf,
}

impl Package {
    pub(crate) fn new(folder: &Path) -> Result<Package, Failure> {
        let folder = std::path::absolute(folder).map_err(|error| Failure::io(folder.display(), &error))?;
        Ok(Package { folder })
    }

    /// The path of a file, whose folder is there.
    fn place(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
        Ok(path)
    }

    pub(crate) fn copy(&self, from: &Path, name: &str) -> Outcome {
        let to = self.place(name)?;
        let n_bytes = fs::copy(from, &to).map_err(|error| Failure::io(from.display(), &error))?;
        println!("{n_bytes:>10} {}", to.display());
        Ok(())
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Outcome {
        let path = self.place(name)?;
        fs::write(&path, text).map_err(|error| Failure::io(path.display(), &error))?;
        println!("{:>10} {}", text.len(), path.display());
        Ok(())
    }
}

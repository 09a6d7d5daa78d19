//! Files of one input in a folder: all of them appear, or none.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use arrow_ipc_tools::Target;

use crate::{
    exit::Failure,
    interrupt::folder_removed_when_interrupted,
    names::OutputName,
    output::{Output, check_is_local},
};

/// Files that are not yet complete. Dropped before they are [kept](PartFiles::keep), nothing stays of them and their folders.
pub(crate) struct PartFiles {
    root: PathBuf,
    extension: &'static str,
    /// The folders that were made, outer ones first.
    folders: Vec<PathBuf>,
    names: Vec<OutputName>,
    /// What has been written to the files of the names, in their order.
    pub(crate) outputs: Vec<Output>,
}

impl PartFiles {
    /// # Errors
    /// If the output is no folder, or one that is not empty.
    pub(crate) fn begin(output: &OutputName, target: Target) -> Result<PartFiles, Failure> {
        check_is_local(output)?;
        let failed = |error| Failure::Write { name: output.clone(), error };
        let OutputName::Path(root) = output else {
            return Err(Failure::Needs { option: "splitting into several files", other: "a folder as OUT" });
        };
        let extension = match target {
            Target::Stream => "arrows",
            Target::File => "arrow",
        };
        match fs::read_dir(root).map(|mut names| names.next()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Ok(None) => {}
            Ok(Some(_)) => {
                let what = "the folder is not empty: its files and the new ones would be one data set";
                return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, what)));
            }
            Err(error) => return Err(failed(error)),
        }
        let (root, folders) = (root.clone(), Vec::new());
        Ok(PartFiles { root, extension, folders, names: Vec::new(), outputs: Vec::new() })
    }

    /// Begins a file in a folder below that of all.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(crate) fn create(&mut self, folder: &str, stem: &str) -> Result<Output, Failure> {
        let folder = self.root.join(folder);
        let name = OutputName::Path(folder.join(format!("{stem}.{}", self.extension)));
        let made = self.make(&folder);
        made.map_err(|error| Failure::Write { name: OutputName::Path(folder), error })?;
        let output = Output::create(&name)?;
        self.names.push(name);
        Ok(output)
    }

    fn make(&mut self, folder: &Path) -> io::Result<()> {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.make(parent)?;
        }
        folder_removed_when_interrupted(folder)?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// Gives all files their names.
    ///
    /// # Errors
    /// If one cannot be stored.
    pub(crate) fn keep(mut self) -> Result<(), Failure> {
        let outputs = std::mem::take(&mut self.outputs);
        outputs.into_iter().zip(&self.names).try_for_each(|(output, name)| output.keep(name))?;
        self.folders.clear();
        Ok(())
    }
}

impl Drop for PartFiles {
    fn drop(&mut self) {
        // Each removes its file.
        self.outputs.clear();
        for folder in self.folders.iter().rev() {
            // One that is not empty stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

//! The files that `split` writes from one input.

use std::{
    io,
    path::{Path, PathBuf},
};

use arrow_ipc_tools::{PartStore, ToolError};

use crate::{
    exit::{Failure, encode_advice},
    interrupt::{all_are_complete, folder_removed_when_interrupted, kept_with_others},
    names::OutputName,
    output::{Output, check_is_local},
};

/// The path of the output, as the folder for several files.
///
/// # Errors
/// If the output is not a folder.
pub(crate) fn folder_of_parts(output: &OutputName) -> Result<PathBuf, Failure> {
    check_is_local(output)?;
    match output {
        OutputName::Path(root) => Ok(root.clone()),
        OutputName::Stdout => {
            Err(Failure::Needs { option: "splitting into several files", other: "a folder as OUT" })
        }
    }
}

/// Creates outputs below a folder. A signal removes unfinished outputs.
pub(crate) struct PartOutputs<'a> {
    pub(crate) folder: &'a OutputName,
}

impl PartStore for PartOutputs<'_> {
    type File = Output;
    type Failure = Failure;

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        folder_removed_when_interrupted(path)
    }

    fn create(&self, path: &Path) -> Result<Output, Failure> {
        Output::create(&OutputName::Path(path.to_owned()))
    }

    fn store(&self, output: &mut Output, path: &Path) -> Result<(), Failure> {
        output.store().map_err(|error| self.of_path(path, error))
    }

    fn keep(&self, output: Output, path: &Path) -> Result<(), Failure> {
        kept_with_others(path, || output.keep(&OutputName::Path(path.to_owned())))
    }

    fn complete(&self) {
        all_are_complete();
    }

    fn of_path(&self, path: &Path, error: io::Error) -> Failure {
        Failure::Write { name: OutputName::Path(path.to_owned()), error }
    }

    fn of_tool(&self, error: ToolError) -> Failure {
        Failure::of_output(self.folder, error, encode_advice)
    }
}

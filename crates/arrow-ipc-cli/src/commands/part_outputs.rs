//! The files that `split` writes from one input.

use std::{
    io,
    path::{Path, PathBuf},
};

use arrow_ipc_dataset::AtomicFolder;
use arrow_ipc_tools::{
    ToolError,
    convert::{PartPath, PartStore},
};

use crate::{
    exit::{Failure, encode_advice},
    interrupt::folder_removed_when_interrupted,
    names::OutputName,
    output::{
        Output,
        destination::{Destination, OutputRule},
    },
};

/// The path of the output, as the folder for several files.
///
/// # Errors
/// If the output is not a folder, or the rule does not allow it.
pub(crate) fn folder_of_parts(rule: OutputRule<'_>, output: &OutputName) -> Result<PathBuf, Failure> {
    match output {
        OutputName::Path(root) if root.is_file() => Err(Failure::FileForParts { name: output.clone() }),
        OutputName::Path(root) => rule.allow(output).map(|_allowed| root.clone()),
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

    fn create_folder(&self, create: impl FnOnce() -> io::Result<AtomicFolder>) -> io::Result<AtomicFolder> {
        folder_removed_when_interrupted(create)
    }

    fn create(&self, path: &PartPath) -> Result<Output, Failure> {
        let created = Output::create(&Destination::from_part(path));
        created.map_err(|failure| match failure {
            Failure::Write { error, .. } => self.io_failure(&path.path, error),
            failure => failure,
        })
    }

    fn store(&self, output: Output, path: &PartPath) -> Result<(), Failure> {
        output.keep(&OutputName::Path(path.path.clone()))
    }

    fn io_failure(&self, path: &Path, error: io::Error) -> Failure {
        Failure::Write { name: OutputName::Path(path.to_owned()), error }
    }

    fn tool_failure(&self, error: ToolError) -> Failure {
        Failure::from_output(self.folder, error, encode_advice)
    }
}

//! Decides for all commands which existing file an output replaces: by the identity of files, and not by their names.

use std::{
    cell::LazyCell,
    collections::HashSet,
    io,
    ops::Deref,
    path::{Path, PathBuf},
};

use arrow_ipc::AtomicFile;
use arrow_ipc_tools::{convert::PartPath, identity::FileIdentity};

use crate::{
    exit::Failure,
    names::{InputArg, OutputName, stdin_handle, stdout_handle},
};

/// The name of an output that replaces nothing by mistake. Only such an output is created.
///
/// **Invariant:** [`OutputRule`] has allowed it.
#[derive(Debug, Clone)]
pub(crate) struct Destination(OutputName);

impl Deref for Destination {
    type Target = OutputName;

    fn deref(&self) -> &OutputName {
        &self.0
    }
}

impl Destination {
    /// The destination of one of several files in a folder that was new or empty.
    pub(crate) fn from_part(path: &PartPath) -> Destination {
        Destination(OutputName::Path(path.temporary.clone()))
    }
}

/// What a command reads, and how the command line gives its output.
///
/// A file with data is replaced only if an option names it, or if it is the input: the same path twice, which a shell makes of no
/// pattern. No other input is written to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutputRule<'a> {
    pub(crate) inputs: &'a [InputArg],
    /// A file that an option names and that is read, too.
    pub(crate) schema: Option<&'a Path>,
    /// Whether an option names the output. Otherwise it is the last path, which a shell may have made of a pattern that was meant
    /// to match inputs.
    pub(crate) is_output_named: bool,
    /// Whether the output of an input may be this input.
    pub(crate) replaces_input: bool,
}

impl OutputRule<'_> {
    /// Allows an output.
    ///
    /// # Errors
    /// - If the output is a URL, or the path of a descriptor that is an open file.
    /// - If the output would be in a data set that is an input: the next command would read its rows twice.
    /// - If the output is an input, unless the command replaces its input.
    /// - If the output is a file with data, and the last path, and no input has this path.
    pub(crate) fn allow(&self, output: &OutputName) -> Result<Destination, Failure> {
        self.check_each([output], output)?;
        Ok(Destination(output.clone()))
    }

    /// Allows the outputs of several inputs in a folder. None of them is an input.
    ///
    /// # Errors
    /// The errors of [`allow`](OutputRule::allow), for the first output that has one.
    pub(crate) fn allow_each<T>(
        &self,
        outputs: Vec<(T, OutputName)>,
        folder: &OutputName,
    ) -> Result<Vec<(T, Destination)>, Failure> {
        let rule = OutputRule { replaces_input: false, ..*self };
        rule.check_each(outputs.iter().map(|(_, output)| output), folder)?;
        Ok(outputs.into_iter().map(|(input, output)| (input, Destination(output))).collect())
    }

    /// Checks outputs; `given` is the output in the arguments.
    fn check_each<'o>(
        &self,
        outputs: impl IntoIterator<Item = &'o OutputName>,
        given: &OutputName,
    ) -> Result<(), Failure> {
        let sets: Vec<&InputArg> = self.inputs.iter().filter(|input| input.is_set()).collect();
        // Most outputs do not exist, and nothing is compared with them.
        let inputs: LazyCell<HashSet<FileIdentity>, _> =
            LazyCell::new(|| self.inputs.iter().flat_map(identities_of).collect());
        let schema = self.schema.and_then(FileIdentity::from_path);
        for output in outputs {
            check_is_local(output)?;
            let in_set = |set: &InputArg| Failure::OutputInSet { name: output.clone(), input: set.clone() };
            if let Some(set) = sets.iter().find(|set| is_inside(output, set)) {
                return Err(in_set(set));
            }
            let identity = match output {
                OutputName::Stdout => stdout_handle().ok().and_then(|file| FileIdentity::from_file(&file)),
                OutputName::Path(path) => FileIdentity::from_path(path),
            };
            if identity.is_some() && identity == schema {
                return Err(Failure::SameFile { name: output.clone() });
            }
            let read = identity.filter(|identity| inputs.contains(identity));
            let is_read = |set: &&&InputArg| identities_of(set).any(|file| Some(file) == read);
            if let Some(set) = sets.iter().filter(|_| read.is_some() && output.path().is_some()).find(is_read)
            {
                return Err(in_set(set));
            }
            // All else is written to while the input is read.
            let may_overwrite = self.replaces_input && output.is_pending();
            if read.is_some() && !may_overwrite {
                return Err(Failure::SameFile { name: output.clone() });
            }
            if !self.is_output_named && output.has_data() && !self.is_repeated(output) {
                let (name, given) = (output.clone(), given.clone());
                return Err(Failure::ExistingOutput { name, given, is_read: read.is_some() });
            }
            if output.is_open_file() {
                let what = "a file that is open is not replaced; give its path, or redirect standard output and write to `-`";
                let error = io::Error::new(io::ErrorKind::Unsupported, what);
                return Err(Failure::Write { name: output.clone(), error });
            }
        }
        Ok(())
    }

    /// Whether an input has the path of the output.
    fn is_repeated(&self, output: &OutputName) -> bool {
        self.inputs.iter().any(|input| input.path() == output.path())
    }
}

/// The files and devices that are read for an input.
fn identities_of(input: &InputArg) -> impl Iterator<Item = FileIdentity> + use<> {
    let stdin = match input {
        InputArg::Stdin => stdin_handle().ok().and_then(|file| FileIdentity::from_file(&file)),
        InputArg::Path(_) | InputArg::Url(_) => None,
    };
    let files = input.files().into_iter();
    files.filter_map(|file| file.path().and_then(FileIdentity::from_path)).chain(stdin)
}

/// Whether an output, which may not exist yet, would be in a folder that is a data set.
fn is_inside(output: &OutputName, set: &InputArg) -> bool {
    let folder = set.path().filter(|set| set.is_dir()).and_then(|set| set.canonicalize().ok());
    let parent = |path: PathBuf| {
        let parent = path.parent()?;
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        parent.canonicalize().ok()
    };
    let parent = output.path().map(AtomicFile::target_of).and_then(parent);
    parent.zip(folder).is_some_and(|(parent, folder)| parent.starts_with(folder))
}

/// Checks that the output can be written.
///
/// # Errors
/// If the output is a URL. URLs can only be read.
pub(crate) fn check_is_local(name: &OutputName) -> Result<(), Failure> {
    let what = "nothing is written to URLs; write a file and upload it";
    let error = || io::Error::new(io::ErrorKind::Unsupported, what);
    if name.is_url() { Err(Failure::Write { name: name.clone(), error: error() }) } else { Ok(()) }
}

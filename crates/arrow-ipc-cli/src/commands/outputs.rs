//! Where results are written: to one output, or to a file for each input in a folder.

use std::{
    collections::HashMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf, is_separator},
};

use arrow_ipc::WrittenContainer;
use arrow_ipc_tools::import::TextFormat;
use arrow_text::format::{Counted, Grouped};

use crate::{
    context::Context,
    exit::{Failure, Status},
    inputs::attempt,
    names::{InputArg, OutputName},
    output::destination::{Destination, OutputRule},
    terminal::is_stdout_terminal,
};

/// The output for each input.
pub(crate) struct Outputs<'a> {
    container: WrittenContainer,
    pairs: Vec<(&'a InputArg, Destination)>,
    /// The folder in which each input has its output; `None` if the output is not a folder.
    folder: Option<PathBuf>,
}

impl<'a> Outputs<'a> {
    /// Derives the outputs from names and options, before any input is read.
    ///
    /// # Errors
    /// If the container is unknown, or the output is a terminal. If there are several inputs, but no folder for their
    /// outputs. If two inputs would be written to one file. If the rule allows an output not.
    pub(crate) fn try_new(
        rule: OutputRule<'a>,
        output: &OutputName,
        to: Option<WrittenContainer>,
    ) -> Result<Outputs<'a>, Failure> {
        let inputs = rule.inputs;
        // Text is written from the batches of a stream, and can be compressed as a whole.
        let is_text = TextFormat::name_of_extension(&output.to_string()).is_some();
        let to = if !output.is_packed() || is_text { to } else { None };
        if let Some(folder) = folder_of(output) {
            // The name of a folder does not say which container to write.
            let container = to.unwrap_or(WrittenContainer::File);
            let pairs = rule.allow_each(pairs_in(folder, inputs, container)?, output)?;
            return Ok(Outputs { container, pairs, folder: Some(folder.to_owned()) });
        }
        let [input] = inputs else {
            return Err(Failure::NoFolder { name: output.clone(), n_inputs: inputs.len() });
        };
        let container = container_of_one(inputs, output, to)?;
        Ok(Outputs { container, pairs: vec![(input, rule.allow(output)?)], folder: None })
    }

    /// The container of all outputs, which is a stream if text is written.
    pub(crate) fn container(&self) -> WrittenContainer {
        self.container
    }

    /// Runs `run` for each input, and returns the worst status. If the outputs are in a folder, reports failures, and
    /// continues with the next input. A new folder in which nothing is written is removed.
    ///
    /// # Errors
    /// The failure of the only input. If the folder cannot be created.
    pub(crate) fn each(
        &self,
        context: &Context,
        mut run: impl FnMut(&InputArg, &Destination) -> Result<Status, Failure>,
    ) -> Result<Status, Failure> {
        let failed =
            |folder: &Path, error| Failure::Write { name: OutputName::Path(folder.to_owned()), error };
        let created = self
            .folder
            .as_deref()
            .map(|folder| NewFolders::create(folder).map_err(|error| failed(folder, error)));
        let _removed_if_empty = created.transpose()?;
        if let ([(input, output)], None) = (&self.pairs[..], &self.folder) {
            return run(input, output);
        }
        let mut worst = Status::Fine;
        let mut written = Vec::new();
        for (input, output) in &self.pairs {
            let done = run(input, output);
            written.extend(done.is_ok().then_some(output));
            if attempt(context, done, &mut worst).is_break() {
                break;
            }
        }
        self.note_written(context, &written);
        Ok(worst)
    }

    /// Says which outputs were written, if others were not.
    fn note_written(&self, context: &Context, written: &[&Destination]) {
        const MAX_NAMES: usize = 10;
        if written.is_empty() || written.len() == self.pairs.len() {
            return;
        }
        let names = written.iter().take(MAX_NAMES).map(|output| output.to_string());
        let more = if written.len() > MAX_NAMES { ", …" } else { "" };
        let names = names.collect::<Vec<_>>().join(", ");
        let of = Counted(self.pairs.len() as u64, "output");
        context.note(&format!("{} of {of} were written: {names}{more}", Grouped(written.len() as u64)));
    }
}

/// The folders that were created for outputs. Dropping this removes those that are empty.
struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// Creates a folder, and those above it that do not exist.
    ///
    /// # Errors
    /// If a folder cannot be created.
    fn create(folder: &Path) -> io::Result<NewFolders> {
        let missing =
            folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let created = NewFolders(missing.map(Path::to_owned).collect());
        fs::create_dir_all(folder)?;
        Ok(created)
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        // A folder with files stays, as do the folders above it.
        self.0.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

/// The container of an output that is not a folder: `to`, or that of its name. Standard output gets a stream.
///
/// # Errors
/// If the container is unknown, or the output is a terminal.
pub(crate) fn container_of_one(
    inputs: &[InputArg],
    output: &OutputName,
    to: Option<WrittenContainer>,
) -> Result<WrittenContainer, Failure> {
    let by_name = || output.path().map_or(Some(WrittenContainer::Stream), WrittenContainer::from_file_name);
    let Some(container) = to.or_else(by_name) else {
        let input = if let [input] = inputs { Some(input.into()) } else { None };
        return Err(Failure::UnknownContainer { name: output.clone(), input });
    };
    if *output == OutputName::Stdout && is_stdout_terminal() {
        return Err(Failure::Terminal { name: output.clone() });
    }
    Ok(container)
}

/// The path of an output, if it is a folder or ends with a separator; otherwise `None`.
pub(crate) fn folder_of(output: &OutputName) -> Option<&Path> {
    let OutputName::Path(path) = output else { return None };
    let is_named_so = path.to_string_lossy().ends_with(is_separator);
    (is_named_so || path.is_dir()).then_some(path)
}

/// Each input with its output in the folder.
///
/// # Errors
/// If an input has no name, or two inputs would get the same output.
fn pairs_in<'a>(
    folder: &Path,
    inputs: &'a [InputArg],
    container: WrittenContainer,
) -> Result<Vec<(&'a InputArg, OutputName)>, Failure> {
    let mut pairs: Vec<(&InputArg, OutputName)> = Vec::with_capacity(inputs.len());
    for input in inputs {
        let mut name = stem_of(input).ok_or_else(|| Failure::Unnamed { input: input.clone() })?;
        name.push(".");
        name.push(container.extension());
        pairs.push((input, OutputName::Path(folder.join(name))));
    }
    let mut named = HashMap::new();
    for (b, name) in &pairs {
        if let Some(a) = named.insert(name.path(), *b) {
            let [a, b] = [a, b].map(InputArg::clone);
            return Err(Failure::SameOutput { a, b, name: name.clone() });
        }
    }
    Ok(pairs)
}

/// The name of an input without folder, and without the extensions of its codec and format. A pattern has the name of the only
/// file that matches it; `None` if there are several.
fn stem_of(input: &InputArg) -> Option<OsString> {
    let path = match input {
        InputArg::Stdin => return None,
        InputArg::Path(path) if input.is_set() && !path.is_dir() => match &input.files()[..] {
            [InputArg::Path(file)] => file.clone(),
            _ => return None,
        },
        InputArg::Path(path) => path.clone(),
        InputArg::Url(_) => PathBuf::from(input.to_string()),
    };
    let name = Path::new(path.file_name()?);
    let is_compressed = name.extension().is_some_and(|extension| {
        ["gz", "zst", "lz4"].iter().any(|compressed| extension.eq_ignore_ascii_case(compressed))
    });
    let name = if is_compressed { Path::new(name.file_stem()?) } else { name };
    name.file_stem().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_called_as_inputs() {
        let cases = [
            ("a.csv", Some("a")),
            ("b/a.jsonl.gz", Some("a")),
            ("b/a.b.arrow", Some("a.b")),
            ("a.arrows.ZST", Some("a")),
            ("a.csv.lz4", Some("a")),
            ("a", Some("a")),
            (".arrow", Some(".arrow")),
            ("https://ada:secret@example.org/b/a.arrow?x=/c.arrow", Some("a")),
            ("-", None),
            ("..", None),
        ];
        for (input, expected) in cases {
            let stem = stem_of(&InputArg::from(OsString::from(input)));
            assert_eq!(stem, expected.map(OsString::from), "{input}");
        }
    }
}

//! Files of other producers, and hostile ones, say the same of themselves wherever their bytes are.

use std::{
    fs,
    io::{self, Cursor},
    ops::{ControlFlow, Range},
    path::{Path, PathBuf},
};

use arrow_buffer::Buffer;
use arrow_ipc::Source;
use arrow_ipc_tools::{
    DiffOptions, Difference, Input, InputName, InspectOptions, JsonReport, ToolError, ValidateOptions, diff,
    inspect, validate,
};

/// A source that does not have all its bytes in memory.
pub(crate) struct Remote(pub(crate) Buffer);

impl Source for Remote {
    fn n_bytes(&self) -> io::Result<u64> {
        self.0.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.0.fetch(range)
    }
}

fn files() -> Vec<PathBuf> {
    let corpus = testing_support::corpus_dir();
    let kinds =
        [("hostile", ".arrow_file"), ("hostile", ".stream"), ("golden", ".arrow"), ("golden", ".arrows")];
    let files: Vec<PathBuf> = kinds
        .iter()
        .flat_map(|(folder, suffix)| testing_support::files_below(&corpus.join(folder), suffix))
        .collect();
    assert!(files.len() > 500, "{} files", files.len());
    files
}

/// The same bytes in a file, in memory, and on a server.
fn positioned(path: &Path) -> [Result<Input, ToolError>; 3] {
    let (name, bytes) = (InputName::from(path), Buffer::from(fs::read(path).unwrap()));
    [
        Input::open(path),
        Input::try_from_buffer(name.clone(), bytes.clone()),
        Input::try_from_source(name, Remote(bytes)),
    ]
}

fn piped(path: &Path) -> Result<Input, ToolError> {
    Input::try_from_reader(InputName::from(path), Cursor::new(fs::read(path).unwrap()))
}

#[test]
fn validation_gives_the_same_answer() {
    let check = |input: Result<Input, ToolError>| {
        let checked = input.and_then(|input| validate(input, &ValidateOptions::new(), &mut ()));
        checked.map_err(|error| (error.to_string(), error.position()))
    };
    let mut n_valid = 0;
    for path in files() {
        let [file, memory, remote] = positioned(&path).map(check);
        assert_eq!(memory, file, "{}", path.display());
        assert_eq!(remote, file, "{}", path.display());
        // Of a pipe, bytes that trail are counted as far as they were read.
        assert_eq!(check(piped(&path)).is_ok(), file.is_ok(), "{}", path.display());
        n_valid += usize::from(file.is_ok());
    }
    assert!(n_valid > 200, "{n_valid} are valid");
}

#[test]
fn inspection_finds_the_same() {
    let look = |input: Result<Input, ToolError>| {
        let mut found = Vec::new();
        let mut report = JsonReport::new(|object| {
            found.push(object);
            ControlFlow::Continue(())
        });
        let options = InspectOptions::new().with_buffers();
        let inspected = input.and_then(|input| inspect(input, &options, &mut report, &mut ()));
        let texts = inspected.map(|inspected| {
            let damage = inspected.damage.iter().map(ToString::to_string);
            damage.chain(inspected.notes.iter().map(ToString::to_string)).collect::<Vec<_>>()
        });
        (found, texts.map_err(|error| error.to_string()))
    };
    for path in files() {
        let [file, memory, remote] = positioned(&path).map(look);
        assert_eq!(memory, file, "{}", path.display());
        assert_eq!(remote, file, "{}", path.display());
    }
}

#[test]
fn inputs_are_equal_to_themselves() {
    for path in files() {
        let [file, memory, remote] = positioned(&path);
        let against = |a: Result<Input, ToolError>, b: Result<Input, ToolError>| {
            let mut found: Vec<Difference> = Vec::new();
            let verdict = a.and_then(|a| diff(a, b?, &DiffOptions::new(), &mut found));
            assert!(found.is_empty(), "{}: {found:?}", path.display());
            verdict.map_err(|error| error.to_string())
        };
        let pipe = against(memory, piped(&path));
        assert_eq!(against(file, remote).is_ok(), pipe.is_ok(), "{}", path.display());
    }
}

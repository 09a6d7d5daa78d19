//! Golden and hostile files: a tool gives the same result for a file on a disk, in memory, on a server or in a pipe.

use std::{
    fs,
    io::{self, Cursor},
    ops::{ControlFlow, Range},
    path::{Path, PathBuf},
};

use arrow_buffer::Buffer;
use arrow_data::DataErrorKind;
use arrow_ipc::{Container, FileReader, FormatErrorKind, IpcError, IpcErrorKind, Source, file::Block};
use arrow_ipc_report::JsonReport;
use arrow_ipc_report::{
    NoteText, explain,
    explain::{Finding, FindingKind},
};
use arrow_ipc_tools::{
    DiffOptions, Difference, Input, InputName, InspectOptions, Note, NoteKind, Observer, SummaryOptions,
    ToolError, ValidateOptions, diff, inspect, summarize, validate,
};
use testing_support::Hunt;

/// A source that fetches its bytes, and does not have them in memory.
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
        Input::try_new(name, Remote(bytes)),
    ]
}

/// The bytes in a file, and in memory and on a server: in a short run in one of both, in turn.
fn file_and_others(path: &Path, case: usize) -> (Result<Input, ToolError>, Vec<Result<Input, ToolError>>) {
    let [file, memory, remote] = positioned(path);
    let mut others = vec![memory, remote];
    if !Hunt::from_env().is_on() {
        drop(others.swap_remove(case % 2));
    }
    (file, others)
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
    for (idx, path) in files().into_iter().enumerate() {
        let (file, others) = file_and_others(&path, idx);
        let file = check(file);
        for other in others {
            assert_eq!(check(other), file, "{}", path.display());
        }
        // For a pipe, the number of trailing bytes is not compared: the tool reads only some of them.
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
            damage.chain(inspected.notes.iter().map(|note| NoteText(note).to_string())).collect::<Vec<_>>()
        });
        (found, texts.map_err(|error| error.to_string()))
    };
    for (idx, path) in files().into_iter().enumerate() {
        let (file, others) = file_and_others(&path, idx);
        let file = look(file);
        for other in others {
            assert_eq!(look(other), file, "{}", path.display());
        }
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

/// If `validate` refuses the metadata of an input, or has a note about it, `explain` has a finding, and vice versa.
#[test]
fn what_is_invalid_is_odd() {
    /// Counts the notes, but those about metadata of the footer, which `explain` has no finding for.
    #[derive(Default)]
    struct Notes(usize);

    impl Observer for Notes {
        fn note(&mut self, note: &Note) {
            self.0 += usize::from(!matches!(note.kind, NoteKind::FooterMetadata { .. }));
        }
    }

    let of_validity = |finding: &Finding, is_file: bool| match finding.kind {
        FindingKind::Damage { .. } | FindingKind::UnlistedMessages { .. } => true,
        FindingKind::Unsupported { .. } | FindingKind::Contradiction { .. } => true,
        FindingKind::TrailingBytes { .. } | FindingKind::BytesBeforeFooter(_) => true,
        FindingKind::ExtraValidity { .. } | FindingKind::MixedVersions { .. } => true,
        FindingKind::TextNotUtf8 => true,
        // A file is complete without an end marker.
        FindingKind::NoEndMarker => !is_file,
        _ => false,
    };
    let (mut n_odd, mut wrong) = (0, Vec::new());
    for (idx, path) in files().into_iter().enumerate() {
        let bytes = Buffer::from(fs::read(&path).unwrap());
        // In a short run, each input has two of these lengths, and each of them one of these endings, in turn.
        for &n_cut in Hunt::from_env().some_of(&[0, 1, 8, 9], 2, idx) {
            let bytes = bytes.slice(..bytes.len().saturating_sub(n_cut));
            let all = [&b""[..], b"\0\0\0\0", b"not a stream"];
            for trailing in Hunt::from_env().some_of(&all, 1, idx + n_cut) {
                let bytes = Buffer::from([&bytes[..], *trailing].concat());
                let input = || Input::try_from_buffer(InputName::from(&*path), bytes.clone());
                let Ok(input_of_validate) = input() else { continue };
                let mut notes = Notes::default();
                let checked = validate(input_of_validate, &ValidateOptions::new(), &mut notes);
                let Ok((explanation, _)) = explain(input().unwrap(), None, &mut ()) else {
                    continue;
                };
                let is_file = explanation.container == Container::File;
                let odd: Vec<&Finding> =
                    explanation.findings.iter().filter(|finding| of_validity(finding, is_file)).collect();
                let is_invalid = checked.is_err() || notes.0 > 0;
                // `explain` does not read values and compressed frames.
                let is_inside =
                    checked.as_ref().is_err_and(|error| match error.ipc_error().map(IpcError::kind) {
                        Some(kind) => is_in_bodies(kind),
                        None => false,
                    });
                if is_invalid == odd.is_empty() && !is_inside {
                    let checked = checked.map(drop).map_err(|error| error.to_string());
                    wrong.push(format!(
                        "{} -{n_cut} +{}: {checked:?}, {odd:?}",
                        path.display(),
                        trailing.len()
                    ));
                }
                n_odd += usize::from(is_invalid);
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_odd > 400, "{n_odd} are odd");
}

/// Returns whether only a reader of values or compressed frames finds the error.
fn is_in_bodies(kind: &IpcErrorKind) -> bool {
    match kind {
        IpcErrorKind::Data(error) => !matches!(
            error.kind(),
            DataErrorKind::BufferTooShort { .. }
                | DataErrorKind::ChildLength { .. }
                | DataErrorKind::TooManyNulls { .. }
                | DataErrorKind::MissingValidity { .. }
                | DataErrorKind::RowCount { .. }
                | DataErrorKind::SizeOverflow { .. }
        ),
        IpcErrorKind::Frame { .. } | IpcErrorKind::Format(FormatErrorKind::LimitExceeded { .. }) => true,
        _ => false,
    }
}

/// Some files of polars and arrow-js have their schema only in the footer.
#[test]
fn columns_rows_and_bytes_are_those_of_the_reader() {
    let golden = testing_support::corpus_dir().join("golden");
    let mut n_without_message = 0;
    for path in testing_support::files_below(&golden, ".arrow") {
        let shown = path.display();
        let bytes = Buffer::from(fs::read(&path).unwrap());
        let input = || Input::try_from_buffer(InputName::from(&*path), bytes.clone()).unwrap();
        let reader = FileReader::try_from_buffer(bytes.clone()).unwrap();
        let footer = reader.footer();
        let blocks = || footer.dictionaries().iter().chain(footer.batches());
        let n_body_bytes: u64 = blocks().map(Block::n_body_bytes).sum();
        let (n_columns, n_rows) = (reader.schema().fields().len(), reader.n_rows().unwrap());

        let (explanation, inspected) = explain(input(), None, &mut ()).unwrap();
        assert!(inspected.damage.is_empty(), "{shown}: {:?}", inspected.damage);
        assert!(explanation.version.is_some(), "{shown}");
        assert_eq!((explanation.n_columns, explanation.n_rows), (n_columns as u64, n_rows), "{shown}");
        assert_eq!(explanation.n_body_bytes, n_body_bytes, "{shown}");
        let n_in_buffers = n_body_bytes - explanation.n_padding_bytes;
        assert_eq!(explanation.columns.len(), n_columns, "{shown}");
        let n_in_columns: u64 = explanation.columns.iter().map(|column| column.n_bytes).sum();
        assert_eq!(n_in_columns, n_in_buffers, "{shown}");

        let summary = summarize(input(), &SummaryOptions::new(), &mut ()).unwrap();
        assert_eq!((summary.columns.len(), summary.n_rows), (n_columns, n_rows), "{shown}");
        let n_stored: u64 = summary.columns.iter().map(|column| column.n_bytes.unwrap()).sum();
        assert_eq!(n_stored, n_in_buffers, "{shown}");

        let (mut has_message, mut n_shown) = (false, 0);
        let mut report = JsonReport::new(|object| {
            // A schema message of polars has no prefix.
            has_message |= object["kind"] == "schema" && !shown.to_string().contains("polars");
            let buffers = object["buffers"].as_array().into_iter().flatten();
            n_shown += buffers.map(|buffer| buffer["n_bytes"].as_u64().unwrap()).sum::<u64>();
            ControlFlow::Continue(())
        });
        inspect(input(), &InspectOptions::new().with_buffers(), &mut report, &mut ()).unwrap();
        assert_eq!(n_shown, n_in_buffers, "{shown}");
        let has_note =
            explanation.findings.iter().any(|finding| finding.kind == FindingKind::NoSchemaMessage);
        assert_eq!(has_note, !has_message, "{shown}");
        n_without_message += usize::from(!has_message);
    }
    assert!(n_without_message > 50, "{n_without_message} files");
}

/// Files of polars begin with a schema message without a prefix.
#[test]
fn messages_of_files_without_footer_are_shown() {
    let messages = |bytes: Buffer| {
        let mut found = Vec::new();
        let mut report = JsonReport::new(|object| {
            let key = object["position"].as_u64().zip(object["kind"].as_str().map(str::to_owned));
            found.extend(key.map(|key| (key, object["buffers"].clone())));
            ControlFlow::Continue(())
        });
        let input = Input::try_from_buffer(InputName::from(Path::new("cut")), bytes).unwrap();
        inspect(input, &InspectOptions::new().with_buffers(), &mut report, &mut ()).unwrap();
        found
    };
    let golden = testing_support::corpus_dir().join("golden/polars-2.1.0");
    for path in testing_support::files_below(&golden, ".arrow") {
        let bytes = Buffer::from(fs::read(&path).unwrap());
        let whole = messages(bytes.clone());
        let cut = messages(bytes.slice(..bytes.len() - 20));
        assert_eq!(cut[0].0, (8, "schema".to_owned()), "{}", path.display());
        assert_eq!(cut, whole, "{}", path.display());
    }
}

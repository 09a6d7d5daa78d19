//! Reads and checks everything in a file or in streams.

use arrow_ipc::{Container, FileReader, Limits, ReadOptions, Validation};

use crate::{
    agreement::check_agreement,
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    observer::{Note, NoteKind, Observer, Pass, Unit},
    streams::Streams,
    tensors::Tensors,
    trailing::TrailingBytes,
};

/// What [`validate`] checks.
#[derive(Debug, Clone)]
pub struct ValidateOptions {
    validation: Validation,
    limits: Limits,
    end: End,
}

/// Whether the end of a stream has to be marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// If it is not, the observer gets a note.
    Any,
    /// If it is not, that is an error.
    Marked,
}

impl ValidateOptions {
    /// All rules on which readers rely, with the default limits.
    pub fn new() -> ValidateOptions {
        ValidateOptions { validation: Validation::Content, limits: Limits::default(), end: End::Any }
    }

    /// Also rules that some producers are known to break: see [`Validation::Strict`].
    #[must_use]
    pub fn strict(self) -> ValidateOptions {
        ValidateOptions { validation: Validation::Strict, ..self }
    }

    /// Refuses streams whose end is not marked. A writer that is stopped between two messages leaves a stream that is valid so
    /// far, without the end marker; some writers never write one. Files have a footer instead, and tensors that are alone need
    /// no marker.
    #[must_use]
    pub fn requiring_end(self) -> ValidateOptions {
        ValidateOptions { end: End::Marked, ..self }
    }

    /// With other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ValidateOptions {
        ValidateOptions { limits, ..self }
    }
}

impl Default for ValidateOptions {
    fn default() -> ValidateOptions {
        ValidateOptions::new()
    }
}

/// Reads and checks everything, also dictionaries that no column uses and tensors. Of a file, the footer is compared with
/// the stream inside. Columns of later streams may differ from those of the first. If the last stream has no end marker, the
/// observer gets a [note](NoteKind::NoEndMarker).
///
/// ```
/// use arrow_ipc::{ErrorClass, StreamWriter, WriteOptions};
/// use arrow_ipc_tools::{Input, ToolErrorKind, ValidateOptions, validate};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let mut stream = StreamWriter::try_new(Vec::new(), schema, WriteOptions::new())?.finish()?;
/// let check = |bytes: &[u8]| {
///     validate(Input::try_from_buffer("stream", bytes.to_vec().into())?, &ValidateOptions::new(), &mut ())
/// };
/// check(&stream)?;
///
/// let error = check(&stream[..100]).unwrap_err();
/// assert_eq!(error.ipc_error().map(|error| error.class()), Some(ErrorClass::Truncated));
///
/// // The end marker is missing.
/// let strict = ValidateOptions::new().requiring_end();
/// let unmarked = stream[..stream.len() - 8].to_vec();
/// check(&unmarked)?;
/// let error = validate(Input::try_from_buffer("stream", unmarked.into())?, &strict, &mut ()).unwrap_err();
/// assert!(matches!(error.kind(), ToolErrorKind::NoEndMarker { .. }), "{error}");
///
/// stream.extend(b"more");
/// let error = check(&stream).unwrap_err().to_string();
/// assert!(error.ends_with("4 trailing bytes are not a stream, and not read"), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first rule that is broken; if the input fails, or the observer stops the work.
pub fn validate(
    mut input: Input,
    options: &ValidateOptions,
    observer: &mut dyn Observer,
) -> Result<(), ToolError> {
    let reading = ReadOptions::new().with_validation(options.validation).with_limits(options.limits.clone());
    if input.container() == Container::File {
        validate_file(input, &reading, observer)
    } else if input.holds_tensors_alone()? {
        validate_tensors(input, &reading, observer)
    } else {
        validate_streams(input, (&reading, options.end), observer)
    }
}

fn validate_streams(
    input: Input,
    (options, end): (&ReadOptions, End),
    observer: &mut dyn Observer,
) -> Result<(), ToolError> {
    let name = input.name().clone();
    let mut streams = Streams::open_any(input, options)?;
    let mut pass = Pass::begin(observer, &name, (Unit::Bytes, streams.n_bytes()))?;
    while streams.next_part()?.is_some() {
        pass.set(streams.n_bytes_consumed())?;
    }
    refuse(&name, streams.trailing_bytes())?;
    let position = streams.n_bytes_consumed();
    match end {
        _ if streams.has_end_marker() => {}
        End::Any => observer.note(&Note { input: name, kind: NoteKind::NoEndMarker { position } }),
        End::Marked => return Err(ToolError::new(name, ToolErrorKind::NoEndMarker { position })),
    }
    Ok(())
}

fn validate_tensors(
    input: Input,
    options: &ReadOptions,
    observer: &mut dyn Observer,
) -> Result<(), ToolError> {
    let (name, n_bytes) = (input.name().clone(), input.n_bytes());
    let mut tensors = Tensors::open(input, options)?;
    let mut pass = Pass::begin(observer, &name, (Unit::Bytes, n_bytes))?;
    while tensors.next_tensor()?.is_some() {
        pass.set(tensors.n_bytes_consumed())?;
    }
    refuse(&name, tensors.trailing_bytes())
}

fn refuse(name: &InputName, rest: Option<TrailingBytes>) -> Result<(), ToolError> {
    match rest {
        None => Ok(()),
        Some(rest) => Err(ToolError::new(name.clone(), ToolErrorKind::TrailingBytes(rest))),
    }
}

fn validate_file(input: Input, options: &ReadOptions, observer: &mut dyn Observer) -> Result<(), ToolError> {
    let name = input.name().clone();
    let invalid = |kind| ToolError::new(name.clone(), kind);
    let failed = |error| invalid(ToolErrorKind::Input(error));
    let file = input.into_source()?;
    let reader = FileReader::try_from_source(file.clone(), options.clone()).map_err(failed)?;
    reader.check_dictionaries().map_err(failed)?;
    let mut pass = Pass::begin(observer, &name, (Unit::Batches, Some(reader.n_batches() as u64)))?;
    for batch_idx in 0..reader.n_batches() {
        let batch = reader.batch(batch_idx);
        batch.map_err(|error| invalid(ToolErrorKind::Batch { batch_idx, error }))?;
        pass.set(batch_idx as u64 + 1)?;
    }
    match check_agreement(&file, reader.footer(), options.limits()).map_err(failed)? {
        None => Ok(()),
        Some(what) => Err(invalid(ToolErrorKind::Contradiction(what))),
    }
}

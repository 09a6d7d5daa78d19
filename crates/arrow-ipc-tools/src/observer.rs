//! Progress, notes about inputs, and the observer that receives them; what every command reports about an input.

pub(crate) mod unknown_zone;

use std::ops::ControlFlow;

use arrow_ipc::ReadStats;
use arrow_schema::DataType;

use self::unknown_zone::UnknownZone;
use crate::{
    byte_counter::ByteCounter,
    error::{Contradiction, ToolError, ToolErrorKind, name::InputName, trailing::TrailingBytes},
    source::before_footer::BytesBeforeFooter,
};

/// Receives progress and notes, and may stop the work. `()` ignores both.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use arrow_ipc_tools::{Note, Observer, Progress};
///
/// /// Counts notes, and stops after ten million bytes.
/// struct NoteCounter(usize);
///
/// impl Observer for NoteCounter {
///     fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
///         if progress.n_done < 10_000_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
///     }
///
///     fn note(&mut self, _: &Note) {
///         self.0 += 1;
///     }
/// }
/// ```
pub trait Observer {
    /// Receives the progress: 0 at the start of each pass over an input, then a number after each batch or message.
    /// While many rows of one batch are compared, the same number may be reported several times.
    ///
    /// [`Break`](ControlFlow::Break) stops the work with the error [`Stopped`](ToolErrorKind::Stopped).
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }

    /// Receives a note about an input. The work continues.
    fn note(&mut self, note: &Note) {
        let _ = note;
    }
}

impl Observer for () {}

/// How far a pass over an input has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What the numbers count.
    pub unit: Unit,
    /// The number of units that are done.
    pub n_done: u64,
    /// The total number of units; `None` if it is unknown.
    pub n_total: Option<u64>,
}

/// What progress counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a stream.
    Bytes,
    /// Batches of a file.
    Batches,
    /// Pairs of rows with the same key.
    Rows,
}

/// Information about an input that is not an error.
#[derive(Debug)]
pub struct Note {
    /// The name of the input.
    pub input: InputName,
    /// What the note is about.
    pub kind: NoteKind,
}

/// What a note says. The enum is exhaustive, because programs handle each kind in their own way.
#[derive(Debug)]
pub enum NoteKind {
    /// Bytes follow the last stream. They were not read.
    TrailingBytes(TrailingBytes),
    /// The last stream has no end marker: its writer was stopped, or never writes end markers.
    NoEndMarker {
        /// The byte offset at which the stream ends.
        position: u64,
    },
    /// Some batches or dictionaries have a validity buffer for columns without a validity bitmap.
    ExtraValidity,
    /// Some batches or dictionaries have another metadata version than the schema of the stream, or of the footer.
    MixedVersions,
    /// Some names, time zones or custom metadata are not UTF-8. They are shown as escaped text.
    TextNotUtf8,
    /// A timestamp has a time zone that nothing knows. Only strict validation says so.
    UnknownZone(UnknownZone),
    /// In a file, harmless bytes are between the stream and the footer.
    BeforeFooter(BytesBeforeFooter),
    /// The custom metadata of the footer has pairs that the schema message does not have. The specification requires the same
    /// in both since May 2026.
    FooterMetadata {
        /// The keys of these pairs. A key may be absent, or repeat.
        keys: Vec<Option<String>>,
    },
    /// The footer of a file contradicts the stream inside the file.
    Contradiction(Contradiction),
    /// Tensors between the batches were not compared.
    TensorsNotCompared {
        /// The number of tensors.
        n_tensors: u64,
    },
    /// Some rows have a null in their key. Two nulls count as equal.
    NullKeys {
        /// The number of rows with a null in their key.
        n_rows: u64,
    },
    /// Later streams have other metadata than the first stream. It was not compared.
    LaterMetadataNotCompared,
    /// A folder column changes between text and another type. The rows that were split have the type `from`. Readers
    /// of the data set find the type `data_type`, because they derive it from the names of the folders.
    FolderType {
        /// The name of the column.
        column: String,
        /// The type in the rows that were split.
        from: DataType,
        /// The type that readers of the data set find.
        data_type: DataType,
    },
    /// The output has no statistics in its footer, although they were requested, or the input has some.
    NoStatistics(StatisticsLoss),
}

/// What is unusual in messages, and read nevertheless.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Oddities {
    has_extra_validity: bool,
    has_other_version: bool,
    has_text_not_utf8: bool,
}

impl Oddities {
    /// Adds those of a reader.
    pub(crate) fn and(self, stats: ReadStats) -> Oddities {
        let ReadStats { has_extra_validity, has_other_version, has_text_not_utf8, .. } = stats;
        self.or(Oddities { has_extra_validity, has_other_version, has_text_not_utf8 })
    }

    pub(crate) fn or(self, other: Oddities) -> Oddities {
        Oddities {
            has_extra_validity: self.has_extra_validity || other.has_extra_validity,
            has_other_version: self.has_other_version || other.has_other_version,
            has_text_not_utf8: self.has_text_not_utf8 || other.has_text_not_utf8,
        }
    }

    pub(crate) fn has_text_not_utf8(self) -> bool {
        self.has_text_not_utf8
    }

    pub(crate) fn notes(self) -> impl Iterator<Item = NoteKind> {
        let extra = self.has_extra_validity.then_some(NoteKind::ExtraValidity);
        let mixed = self.has_other_version.then_some(NoteKind::MixedVersions);
        let text = self.has_text_not_utf8.then_some(NoteKind::TextNotUtf8);
        [extra, mixed, text].into_iter().flatten()
    }
}

/// Why an output has no statistics in its footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatisticsLoss {
    /// The statistics of the input are unreadable, or do not fit its batches.
    Unreadable,
    /// Even the statistics of a single column would take more than 2 % of the file, or the footer would be longer than
    /// readers accept by default.
    TooLarge,
    /// The footer of the input has statistics, but the options do not ask for statistics of the output.
    Unwanted,
}

/// Reports the progress of several passes as the progress of a single pass. If their units differ or a total is unknown,
/// each pass is reported by itself.
pub(crate) struct Passes<'a> {
    observer: &'a mut dyn Observer,
    n_before: u64,
    n_total: Option<u64>,
}

impl<'a> Passes<'a> {
    /// `work` has the unit and the total of each pass.
    pub(crate) fn new(observer: &'a mut dyn Observer, work: &[(Unit, Option<u64>)]) -> Passes<'a> {
        let is_one_unit = work.iter().all(|(unit, _)| Some(*unit) == work.first().map(|(first, _)| *first));
        let n_total =
            work.iter().map(|(_, n_total)| *n_total).try_fold(0_u64, |sum, next| sum.checked_add(next?));
        Passes { observer, n_before: 0, n_total: if is_one_unit { n_total } else { None } }
    }

    /// Reports the pass at `pass_idx` of `n_passes` passes. Each pass has `n_total` units.
    pub(crate) fn nth(
        observer: &'a mut dyn Observer,
        pass_idx: u64,
        n_passes: u64,
        n_total: Option<u64>,
    ) -> Passes<'a> {
        let n_before = n_total.unwrap_or_default().saturating_mul(pass_idx);
        Passes { observer, n_before, n_total: n_total.and_then(|each| each.checked_mul(n_passes)) }
    }

    /// Ends a pass of this work.
    pub(crate) fn end(&mut self, (_, n_total): (Unit, Option<u64>)) {
        self.n_before = self.n_before.saturating_add(n_total.unwrap_or_default());
    }
}

impl Observer for Passes<'_> {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.observer.progress(match self.n_total {
            Some(_) => {
                let n_done = self.n_before.saturating_add(progress.n_done);
                Progress { n_done, n_total: self.n_total, ..progress }
            }
            None => progress,
        })
    }

    fn note(&mut self, note: &Note) {
        self.observer.note(note);
    }
}

/// One pass over an input. Reports its progress to an observer, which may stop the work.
pub(crate) struct Pass<'a> {
    observer: &'a mut dyn Observer,
    input: InputName,
    progress: Progress,
    /// The counter that is reported as progress; `None` if [`set`](Pass::set) passes the number.
    counter: Option<ByteCounter>,
}

impl<'a> Pass<'a> {
    /// Begins a pass, and reports that nothing is done yet.
    ///
    /// # Errors
    /// If the observer stops the work.
    pub(crate) fn begin(
        observer: &'a mut dyn Observer,
        input: &InputName,
        (unit, n_total): (Unit, Option<u64>),
    ) -> Result<Pass<'a>, ToolError> {
        let progress = Progress { unit, n_done: 0, n_total };
        let mut pass = Pass { observer, input: input.clone(), progress, counter: None };
        pass.set(0)?;
        Ok(pass)
    }

    /// Reports the number of `counter` as progress, if there is a counter.
    pub(crate) fn with_byte_counter(self, counter: Option<ByteCounter>) -> Pass<'a> {
        Pass { counter, ..self }
    }

    pub(crate) fn note(&mut self, kind: NoteKind) {
        self.observer.note(&Note { input: self.input.clone(), kind });
    }

    pub(crate) fn input(&self) -> &InputName {
        &self.input
    }

    pub(crate) fn unit(&self) -> Unit {
        self.progress.unit
    }

    /// Reports that `n_done` units are done.
    ///
    /// # Errors
    /// If the observer stops the work.
    pub(crate) fn set(&mut self, n_done: u64) -> Result<(), ToolError> {
        self.progress.n_done = self.counter.as_ref().map_or(n_done, ByteCounter::n_read);
        match self.observer.progress(self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(self.stopped()),
        }
    }

    /// The error for work that the observer has stopped.
    pub(crate) fn stopped(&self) -> ToolError {
        ToolError::new(&self.input, ToolErrorKind::Stopped)
    }
}

/// What an input has beside the rows that were read: bytes and tensors that have no rows, and text that breaks a rule of the format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputRemarks {
    /// The bytes after the last stream, or before the footer of a file, that were not read, if any.
    pub trailing_bytes: Option<TrailingBytes>,
    /// The number of tensors between the batches of streams that were read. Tensors have no rows.
    pub n_tensors: u64,
    /// Whether a name, a time zone or custom metadata of what was read is not UTF-8. It was
    /// [escaped](arrow_schema::decode_text), and writers of IPC write the same bytes again.
    pub has_text_not_utf8: bool,
}

impl InputRemarks {
    /// The notes about bytes that are not read, and about text that is not UTF-8. What is said about tensors depends on what is done with the
    /// rows.
    pub fn notes(&self, input: &InputName) -> impl Iterator<Item = Note> {
        let InputRemarks { trailing_bytes, n_tensors: _, has_text_not_utf8 } = self;
        let rest = trailing_bytes.clone().map(NoteKind::TrailingBytes);
        let text = has_text_not_utf8.then_some(NoteKind::TextNotUtf8);
        [rest, text].into_iter().flatten().map(|kind| Note { input: input.clone(), kind })
    }
}

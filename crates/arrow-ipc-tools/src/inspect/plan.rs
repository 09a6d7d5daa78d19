//! Plans an inspection without I/O: says which bytes it reads, and inspects them once they are in memory.

use std::{
    io, mem,
    ops::{ControlFlow, Range},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use arrow_buffer::Buffer;
use arrow_ipc::{
    Container, FetchCost, Limits, Source,
    file::Footer,
    planner::{MetadataWindows, PlannedRequest, RangePlanner},
};

use super::{
    InspectOptions, InspectReport, inspect,
    view::{InspectItem, InspectSink},
};
use crate::{
    error::{ToolError, ToolErrorKind, name::InputName},
    input::{Input, MAGIC_BYTES},
    source::SharedSource,
    walk::first_block,
};

/// An inspection of an input whose bytes the caller fetches, for programs whose I/O this crate cannot call. It needs the
/// metadata of all messages and the footer, and of bodies what the [options](InspectOptions) say.
///
/// At most 64 MiB of 65,536 ranges are in memory. If the metadata of all messages is longer, the input is inspected up to
/// the first message that is not in memory. If only what is read of bodies is too much, bodies are not read.
///
/// ```
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_report::JsonReport;
/// use arrow_ipc_tools::{InspectOptions, inspect::{InspectPlan, InspectPlanStep}};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// let mut plan = InspectPlan::new("stream", stream.len() as u64, InspectOptions::new());
/// let gathered = loop {
///     match plan.step()? {
///         InspectPlanStep::Ready(gathered) => break gathered,
///         InspectPlanStep::Need(ranges) => {
///             for range in ranges {
///                 let bytes = &stream[range.start as usize..range.end as usize];
///                 plan.provide(range.start, bytes.to_vec().into());
///             }
///         }
///     }
/// };
/// let mut kinds = Vec::new();
/// let mut report = JsonReport::new(|object| {
///     kinds.push(object["what"].to_string());
///     std::ops::ControlFlow::Continue(())
/// });
/// let (inspected, is_whole) = gathered.inspect(&mut report)?;
/// assert_eq!(kinds, ["\"container\"", "\"message\"", "\"end\""]);
/// assert!(is_whole && inspected.damage.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct InspectPlan {
    name: InputName,
    options: InspectOptions,
    bytes: Arc<FetchedBytes>,
    /// The metadata of messages, if their positions were known from the start.
    metadata: Option<Vec<Range<u64>>>,
    /// What to request for metadata at unknown positions.
    windows: MetadataWindows,
    stage: Stage,
    n_rehearsals: u32,
    requested: Vec<PlannedRequest>,
}

/// What a plan needs next.
#[derive(Debug)]
pub enum InspectPlanStep {
    /// These ranges, which do not overlap.
    Need(Vec<Range<u64>>),
    /// Nothing: the input can be inspected.
    Ready(FetchedInput),
}

/// An input of which all that an inspection reads is in memory, or as much as there may be.
#[derive(Debug)]
pub struct FetchedInput {
    name: InputName,
    options: InspectOptions,
    bytes: Arc<FetchedBytes>,
}

/// What the plan is about to find out.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    /// Which container it is.
    Container,
    /// Where the messages of a file are.
    Footer,
    /// The metadata at known positions.
    Metadata(Vec<Range<u64>>),
    /// The metadata from a position on, one message after the other.
    Walk(u64, Container),
    /// What else an inspection reads. It is tried until it lacks nothing.
    Rehearsal,
}

/// The bytes in memory, as a source that notes what it lacks.
#[derive(Debug)]
struct FetchedBytes {
    n_bytes: u64,
    state: Mutex<FetchedState>,
}

#[derive(Debug, Default)]
struct FetchedState {
    planner: RangePlanner,
    missing: Vec<Range<u64>>,
    /// Whether something was missing that was not noted.
    is_full: bool,
}

/// Ranges with at most 16,000 bytes between them are one request.
const REQUESTS: FetchCost = FetchCost::new(Duration::from_micros(16), 1_000_000_000);

/// At positions from a footer, which may be wrong, no longer metadata is fetched before its length is known.
const MAX_METADATA_BYTES: u64 = 1 << 20;

/// The maximal number of rehearsals. A valid input needs three: for the end of the stream, and for what is read of bodies.
const MAX_REHEARSALS: u32 = 32;

impl InspectPlan {
    /// A plan for an input of this length.
    pub fn new(name: impl Into<InputName>, n_bytes: u64, options: InspectOptions) -> InspectPlan {
        let bytes = Arc::new(FetchedBytes { n_bytes, state: Mutex::default() });
        InspectPlan {
            name: name.into(),
            options,
            bytes,
            metadata: None,
            windows: MetadataWindows::new(&REQUESTS, n_bytes),
            stage: Stage::Container,
            n_rehearsals: 0,
            requested: Vec::new(),
        }
    }

    /// Uses the positions of messages in a footer that was read before, or that [was made](arrow_ipc::file::StreamIndex) of a
    /// stream, so that all metadata is fetched at once.
    #[must_use]
    pub fn with_blocks_of(self, footer: &Footer) -> InspectPlan {
        InspectPlan { metadata: Some(self.metadata_in(footer)), ..self }
    }

    /// Continues the plan.
    ///
    /// # Errors
    /// If the input is no stream or file of Arrow IPC.
    pub fn step(&mut self) -> Result<InspectPlanStep, ToolError> {
        loop {
            self.bytes.state().missing.clear();
            match mem::replace(&mut self.stage, Stage::Rehearsal) {
                Stage::Container => {
                    let opened = self.input();
                    if self.lacks(Stage::Container) {
                        return Ok(self.need());
                    }
                    let container = opened?.container();
                    self.stage = match (self.metadata.take(), container) {
                        (Some(metadata), _) => Stage::Metadata(metadata),
                        (None, Container::File) => Stage::Footer,
                        (None, _) => Stage::Walk(0, container),
                    };
                }
                Stage::Footer => {
                    let footer = Footer::read(&self.source(), &Limits::default());
                    if self.lacks(Stage::Footer) {
                        return Ok(self.need());
                    }
                    self.stage = match footer {
                        Ok(footer) => Stage::Metadata(self.metadata_in(&footer)),
                        Err(_) => Stage::Walk(MAGIC_BYTES, Container::File),
                    };
                }
                Stage::Metadata(metadata) => {
                    self.bytes.state().missing = metadata;
                    if self.lacks(Stage::Rehearsal) {
                        return Ok(self.need());
                    }
                }
                Stage::Walk(position, container) => {
                    let position = self.walked(position, container);
                    let missing = mem::take(&mut self.bytes.state().missing);
                    let windows = missing.into_iter().flat_map(|range| self.windows.requests(range));
                    self.bytes.state().missing = windows.collect();
                    if self.lacks(Stage::Walk(position, container)) {
                        return Ok(self.need());
                    }
                }
                Stage::Rehearsal => {
                    if !self.bytes.state().is_full && self.n_rehearsals < MAX_REHEARSALS {
                        self.n_rehearsals += 1;
                        // An error is found again when the input is inspected.
                        let _ = inspect(self.input()?, &self.options, &mut NoSink, &mut ());
                        if self.lacks(Stage::Rehearsal) {
                            return Ok(self.need());
                        }
                    }
                    if self.bytes.state().is_full && self.options.reads_bodies {
                        // Without bodies, it may be complete.
                        self.options.reads_bodies = false;
                        self.bytes.state().is_full = false;
                        continue;
                    }
                    let InspectPlan { name, options, bytes, .. } = self;
                    let (name, options, bytes) = (name.clone(), options.clone(), Arc::clone(bytes));
                    return Ok(InspectPlanStep::Ready(FetchedInput { name, options, bytes }));
                }
            }
        }
    }

    /// Provides the bytes of a range that [`step`](InspectPlan::step) has returned, from its start on. Bytes of other ranges are
    /// ignored.
    pub fn provide(&mut self, start: u64, bytes: Buffer) {
        let end = start.saturating_add(bytes.len() as u64);
        if let Some(request) = self.requested.iter().find(|request| request.range() == (start..end)) {
            self.bytes.state().planner.provide(request, &bytes);
        }
    }

    fn source(&self) -> SharedSource {
        SharedSource::new(Arc::clone(&self.bytes))
    }

    fn input(&self) -> Result<Input, ToolError> {
        Input::try_new(self.name.clone(), Arc::clone(&self.bytes))
    }

    /// The metadata of all messages in a footer, and the bytes before the first block.
    fn metadata_in(&self, footer: &Footer) -> Vec<Range<u64>> {
        let n_bytes = self.bytes.n_bytes;
        let metadata_range = |start: u64, length: u64| {
            start.min(n_bytes)
                ..start.saturating_add(length.clamp(MAGIC_BYTES, MAX_METADATA_BYTES)).min(n_bytes)
        };
        let blocks = footer.dictionaries().iter().chain(footer.batches());
        let metadata = blocks.map(|block| metadata_range(block.position(), block.n_metadata_bytes()));
        [metadata_range(0, first_block(footer))].into_iter().chain(metadata).collect()
    }

    /// Walks over the messages that are in memory. Returns the position of the first that is not.
    fn walked(&mut self, from: u64, container: Container) -> u64 {
        let mut position = from;
        loop {
            let scan = self.source().scan(position..u64::MAX);
            let Ok(scan) = scan else { return position };
            let is_file = container == Container::File;
            let mut scan = if is_file { scan.with_skipped_gaps().with_bare_schema() } else { scan };
            while let Ok(Some(message)) = scan.next_message() {
                position = scan.position();
                self.windows.passed(message.position()..position, message.body_position());
            }
            // Another stream may follow.
            if !scan.has_end_marker() || scan.position() <= position {
                return position;
            }
            position = scan.position();
        }
    }

    /// Whether something is missing. Then the next step begins with this stage, and the ranges that are missing are
    /// requested.
    fn lacks(&mut self, stage: Stage) -> bool {
        let mut state = self.bytes.state();
        let mut missing = mem::take(&mut state.missing);
        missing.retain(|range| !range.is_empty() && state.planner.find(range).is_none());
        let mut n_bytes = state.planner.n_bytes();
        let n_most = RangePlanner::MAX_RANGES.saturating_sub(state.planner.n_ranges());
        let n_fitting = missing.iter().take(n_most).take_while(|range| {
            n_bytes = n_bytes.saturating_add(range.end.saturating_sub(range.start));
            n_bytes <= RangePlanner::MAX_BYTES
        });
        let n_fitting = n_fitting.count();
        state.is_full |= n_fitting < missing.len();
        missing.truncate(n_fitting);
        self.requested = state.planner.requests(missing, &REQUESTS).into_iter().flatten().collect();
        let is_lacking = !self.requested.is_empty();
        if is_lacking {
            self.stage = stage;
        }
        is_lacking
    }

    fn need(&self) -> InspectPlanStep {
        InspectPlanStep::Need(self.requested.iter().map(PlannedRequest::range).collect())
    }
}

impl FetchedInput {
    /// Inspects the input. Returns also whether that was all of it; if not, the report has no damage and no notes, and totals are
    /// those of the messages up to the first that is not in memory.
    ///
    /// # Errors
    /// The errors of [`inspect`](crate::inspect()).
    pub fn inspect(self, report: &mut dyn InspectSink) -> Result<(InspectReport, bool), ToolError> {
        self.bytes.state().missing.clear();
        let input = Input::try_new(self.name, Arc::clone(&self.bytes))?;
        let mut report = SinkOfPart { report, bytes: &self.bytes };
        let inspected = inspect(input, &self.options, &mut report, &mut ());
        if self.bytes.lacks_any() {
            return match inspected {
                Err(error) if !matches!(error.kind(), ToolErrorKind::Stopped) => Err(error),
                _ => Ok((InspectReport::default(), false)),
            };
        }
        Ok((inspected?, true))
    }
}

impl FetchedBytes {
    fn state(&self) -> MutexGuard<'_, FetchedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lacks_any(&self) -> bool {
        !self.state().missing.is_empty()
    }
}

impl Source for FetchedBytes {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.n_bytes)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        if range.end > self.n_bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut state = self.state();
        if let Some(found) = state.planner.find(&range) {
            return Ok(found);
        }
        if range.is_empty() {
            return Ok(Buffer::new());
        }
        if state.missing.len() <= RangePlanner::MAX_RANGES {
            state.missing.push(range);
        }
        Err(io::ErrorKind::WouldBlock.into())
    }

    fn fetch_cost(&self) -> FetchCost {
        FetchCost::FREE_REQUESTS
    }
}

struct NoSink;

impl InspectSink for NoSink {
    fn item(&mut self, _: InspectItem<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Ends before the first item that lacks bytes.
struct SinkOfPart<'a> {
    report: &'a mut dyn InspectSink,
    bytes: &'a FetchedBytes,
}

impl InspectSink for SinkOfPart<'_> {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        if self.bytes.lacks_any() { ControlFlow::Break(()) } else { self.report.item(item) }
    }
}

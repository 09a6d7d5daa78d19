//! Collects where the bytes of an input are: its messages, buffers and footer, and what each field costs.

mod buffers;
mod data;
mod messages;

use std::{collections::HashMap, ops::ControlFlow};

use arrow_array::{ColumnText, Scalar};
use arrow_ipc::{Container, IpcSchema, file::Footer, message::Header};
use arrow_ipc_statistics::FileStatistics;
use arrow_ipc_tools::{
    InputName, InspectReport, InspectSink,
    inspect::{InspectItem, MessageView},
};
use arrow_schema::Metadata;
use serde_json::Value;

use self::{
    buffers::Buffers,
    data::InspectedMap,
    messages::{Group, Groups},
};
use crate::{
    explain::{Explanation, Facts},
    json::JsonObject,
    style::CELL_STYLE,
    totals::BufferSpan,
};

/// Collects the results of an inspection, and writes them as JSON: the positions of messages and buffers, the totals of fields,
/// damage and notes, and what [`explain`](crate::explain()) finds. Inspect
/// [`with_unused_bytes`](arrow_ipc_tools::InspectOptions::with_unused_bytes) for all findings; for the positions of buffers,
/// [`with_buffers`](arrow_ipc_tools::InspectOptions::with_buffers) is enough.
///
/// The memory and the length of the JSON are limited. If there are more than 20,000 buffers or 4,096 messages,
/// adjacent ones are joined, the smallest first. The totals of fields stay exact. After 20,000 fields, or 2 MiB of
/// names and types, all further fields are joined into one.
///
/// ```
/// use arrow_ipc::StreamWriter;
/// use arrow_ipc_report::ByteMap;
/// use arrow_ipc_tools::{Input, InspectOptions, inspect};
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let stream = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
/// let input = Input::try_from_buffer("stream", stream.into())?;
/// let mut map = ByteMap::new(input.name());
/// let inspected = inspect(input, &InspectOptions::new().with_buffers(), &mut map, &mut ())?;
/// assert!(map.into_json(&inspected).contains(r#""kind":["schema"]"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ByteMap {
    pub(crate) name: InputName,
    pub(crate) container: Option<Container>,
    n_bytes: Option<u64>,
    schema: Option<Value>,
    pub(crate) messages: Groups,
    /// What `explain` finds, and the totals of fields and batches.
    facts: Facts,
    pub(crate) buffers: Buffers,
    /// The position of each end of a stream, and whether it is marked.
    ends: Vec<(u64, bool)>,
    footer: Option<Value>,
    bounds: BoundTexts,
    is_part: bool,
}

/// The least and the greatest value of columns, and of fields inside structs, from the statistics in the footer. The
/// key is the path.
type BoundTexts = HashMap<String, [Option<String>; 2]>;

/// The maximal number of stream ends in the map.
const MAX_ENDS: usize = 1_000;

impl ByteMap {
    /// Makes an empty map of an input with this name.
    pub fn new(name: &InputName) -> ByteMap {
        ByteMap {
            name: name.clone(),
            container: None,
            n_bytes: None,
            schema: None,
            messages: Groups::default(),
            facts: Facts::default(),
            buffers: Buffers::default(),
            ends: Vec::new(),
            footer: None,
            bounds: BoundTexts::new(),
            is_part: false,
        }
    }

    /// Says whether the inspection ended before the end of the input. Totals are then those of a part.
    #[must_use]
    pub fn with_part(self, is_part: bool) -> ByteMap {
        ByteMap { is_part, ..self }
    }

    /// Writes the map with the damage and the notes of the inspection as a JSON object. The members are those of the [`Explanation`] as
    /// `explanation`, the command line for each of its findings as `commands`, and tables as columns.
    pub fn into_json(mut self, inspected: &InspectReport) -> String {
        let explanation = &self.explained(inspected);
        let map = InspectedMap { map: &self, inspected, explanation };
        serde_json::to_string(&JsonObject(map)).expect("keys are text, and writing to a string cannot fail")
    }

    /// Ends the collection, after the last item.
    pub(crate) fn explained(&mut self, inspected: &InspectReport) -> Explanation {
        self.buffers.merge(&self.messages);
        self.facts.explained(inspected)
    }

    /// Adds the first schema of the input to the map; ignores all others. `whole` is the metadata of the schema
    /// message.
    fn schema(&mut self, schema: &IpcSchema, whole: Option<&Metadata>) {
        self.schema.get_or_insert_with(|| data::schema_json(schema, whole));
    }

    fn message(&mut self, view: &MessageView<'_>) {
        self.messages.push(Group::new(view));
        let (buffers, messages) = (&mut self.buffers, &self.messages);
        self.facts.add(InspectItem::Message(view), &mut |span| buffers.push(span, messages));
        match &view.header {
            Ok(Header::Schema(schema)) => self.schema(schema, view.metadata.as_ref().ok()),
            Ok(Header::RecordBatch(_) | Header::DictionaryBatch { .. })
                if matches!(view.buffer_map, Some(Ok(_))) => {}
            Ok(_) | Err(_) => self.whole_body(view),
        }
    }

    /// Adds a body whose buffers are unknown, as a single item.
    fn whole_body(&mut self, view: &MessageView<'_>) {
        let start = view.message.body_position();
        let n_bytes = view.message.n_body_bytes();
        if n_bytes > 0 {
            let mut span = BufferSpan::whole_body(start, n_bytes);
            span.cut_at(start.saturating_add(view.n_body_bytes()));
            self.buffers.push(span, &self.messages);
        }
    }
}

fn bounds_in(footer: &Footer) -> BoundTexts {
    let Some(known) = FileStatistics::from_footer(footer) else { return BoundTexts::new() };
    let texts = known.columns().filter_map(|path| {
        let field = footer.schema().field_by_path(path)?;
        let bounds = known.bounds_of_all(path);
        let text = |bound: Option<Scalar>| {
            let array = bound?.as_array().data().clone();
            Some(ColumnText::try_with_field(&array, field, CELL_STYLE).ok()?.value(0).to_string())
        };
        Some((path.to_string(), [text(bounds.min), text(bounds.max)]))
    });
    texts.filter(|(_, bounds)| bounds.iter().any(Option::is_some)).collect()
}

impl InspectSink for ByteMap {
    fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
        if !matches!(item, InspectItem::Message(_)) {
            self.facts.add(item, &mut |_| ());
        }
        match item {
            InspectItem::Container(container, n_bytes) => {
                self.container = Some(container);
                self.n_bytes = n_bytes;
            }
            InspectItem::FooterSchema(schema) => self.schema(schema, None),
            InspectItem::Message(view) => self.message(view),
            InspectItem::End { position, is_marked } => {
                if self.ends.len() < MAX_ENDS {
                    self.ends.push((position, is_marked));
                }
            }
            InspectItem::Footer { footer, n_bytes } => {
                self.footer = Some(data::from_footer(footer, n_bytes));
                self.bounds = bounds_in(footer);
            }
        }
        ControlFlow::Continue(())
    }
}

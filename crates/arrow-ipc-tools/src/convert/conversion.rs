//! Opened inputs that are ready to be rewritten.

use std::sync::Arc;

use arrow_ipc::{IpcSchema, WriteOptions};
use arrow_schema::{Metadata, Schema};

use super::{input::ConvertInput, options::ConvertOptions};
use crate::{error::name::InputName, source::SharedSource};

/// Inputs with the same columns, and the options of the output. The schemas of the inputs have been read.
///
/// Messages of files, and of streams that are read by position, are copied without decoding if the output then has
/// the same rows. This needs the byte order of this machine, and dictionaries that do not change. If inputs have
/// different dictionaries, the output must be a stream, because only streams can replace dictionaries. All other
/// messages are decoded, checked and written again.
///
/// A program can create its output between [`open`](Conversion::open) and [`write_to`](Conversion::write_to). If an
/// input is not an Arrow file or stream, an existing output then stays unchanged.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{StreamWriter, WrittenContainer};
/// use arrow_ipc_tools::{Conversion, ConvertOptions, Input, RowWindow, Rows};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut stream = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// stream.write(&batch)?;
/// let stream = arrow_buffer::Buffer::from(stream.finish()?);
/// let inputs = ["a", "b"].map(|name| Input::try_from_buffer(name, stream.clone()));
///
/// let two = std::num::NonZero::new(2).expect("it is not 0");
/// let options = ConvertOptions { rows: RowWindow::from_rows(1..4), n_batch_rows: Some(two), ..ConvertOptions::copying(WrittenContainer::File) };
/// let inputs = inputs.into_iter().collect::<Result<_, _>>()?;
/// let (file, _) = Conversion::open(inputs, &options, &mut ())?.write_to(Vec::new(), &mut ())?;
/// let Rows::File { reader } = Rows::open(Input::try_from_buffer("both", file.into())?)? else { panic!() };
/// assert_eq!((reader.batch(0)?.n_rows(), reader.batch(1)?.n_rows()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Conversion {
    /// The name of the first input, for errors that concern all inputs together.
    pub(crate) name: InputName,
    pub(crate) schema: IpcSchema,
    pub(crate) inputs: Vec<ConvertInput>,
    pub(crate) options: ConvertOptions,
    pub(crate) writing: WriteOptions,
    /// Set if the messages of the inputs can be copied; `None` if they must be decoded.
    pub(crate) relayed: Option<RelayedInputs>,
}

impl Conversion {
    /// The name of the first input; errors that concern all inputs together have this name.
    pub fn name(&self) -> &InputName {
        &self.name
    }

    /// The schema of the rows that are written.
    pub fn schema(&self) -> &Arc<Schema> {
        self.schema.schema()
    }
}

#[derive(Debug, Default)]
pub(crate) struct RelayedInputs {
    pub(crate) sources: Vec<SharedSource>,
    /// Whether the dictionaries of all inputs are equal.
    pub(crate) same_dictionaries: bool,
    /// For each input, the metadata of its dictionary messages. Empty if there is only one input.
    pub(crate) dictionary_metadata: Vec<Vec<Metadata>>,
}

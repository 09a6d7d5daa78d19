//! A stream that is decoded once for several outputs, each of which gets some of its rows.

use arrow_ipc::{Container, DictionaryPolicy, WrittenContainer};

use super::{Conversion, losses::NamedLoss, options::ConvertOptions};
use crate::{
    error::{ToolError, ToolErrorKind, loss::Loss, name::InputName},
    input::Input,
    observer::Observer,
    rows::row_window::RowWindow,
    source::SharedSource,
};

/// A temporary file with all rows of a stream and their final columns. The rows of a file can be found by their
/// numbers; to find those of a stream, all batches before them are decoded.
pub(super) struct SpooledStream {
    name: InputName,
    file: SharedSource,
    /// What the file lacks of the stream.
    pub(super) losses: Vec<NamedLoss>,
}

impl SpooledStream {
    /// Writes the temporary file, for an input of `n_rows` rows. `None` if each output can read the input itself: if it is a file, or if its messages are
    /// copied. Also `None` if the file cannot be made, such as for dictionaries that change: each output then decodes
    /// the stream up to its last row.
    ///
    /// # Errors
    /// If the observer stops the work.
    pub(super) fn try_new(
        input: Input,
        n_rows: u64,
        options: &ConvertOptions,
        observer: &mut dyn Observer,
    ) -> Result<Option<SpooledStream>, ToolError> {
        if input.container() == Container::File {
            return Ok(None);
        }
        let name = input.name().clone();
        let limits = input.limits().clone();
        let whole = ConvertOptions {
            container: WrittenContainer::File,
            dictionaries: Some(DictionaryPolicy::Error),
            unifies_dictionaries: false,
            writes_statistics: false,
            // As for an output: if only some rows are wanted, messages are copied less often.
            rows: RowWindow::from_rows(0..n_rows),
            batches: None,
            n_batch_rows: None,
            ..options.clone()
        };
        let write = |observer: &mut dyn Observer| {
            let opened = Conversion::open(vec![input], &whole, observer)?;
            if opened.relayed.is_some() {
                return Ok(None);
            }
            let file =
                tempfile::tempfile().map_err(|error| ToolError::new(&name, ToolErrorKind::Spool(error)))?;
            opened.write_to(file, observer).map(Some)
        };
        let (file, mut losses) = match write(observer) {
            Ok(Some(written)) => written,
            Err(error) if matches!(error.kind(), ToolErrorKind::Stopped) => return Err(error),
            Ok(None) | Err(_) => return Ok(None),
        };
        if options.container == WrittenContainer::Stream {
            for (_, loss) in &mut losses {
                if let Loss::Tensors { n_tensors } = *loss {
                    *loss = Loss::UnselectedTensors { n_tensors };
                }
            }
        }
        Ok(Some(SpooledStream { name, file: SharedSource::new(file).with_limits(limits.into()), losses }))
    }

    /// The temporary file as an input, and the options for an output from it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn input(&self, options: &ConvertOptions) -> Result<(Input, ConvertOptions), ToolError> {
        let input = Input::try_new(self.name.clone(), self.file.clone())?;
        let input = input.with_limits(self.file.limits().clone());
        Ok((input, ConvertOptions { reshaping: None, ..options.clone() }))
    }
}

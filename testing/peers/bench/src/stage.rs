//! Prepares the data of a case in memory and in files.

use crate::case::{Case, Codec};
use crate::contestant::error_text;
use crate::data::{Data, Recipe, Set};
use crate::format::Format;
use crate::{ours, theirs};
use arrow_ipc::{Compression, DictionaryPolicy, WriteOptions};
use rs_ipc::CompressionType;
use rs_ipc::writer::IpcWriteOptions;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// The data that was prepared last, since consecutive cases often have the same data; and a folder for files.
pub struct Stage {
    set: Set,
    folder: PathBuf,
    recipe: Option<Recipe>,
    data: Data,
    form: Option<(Option<Codec>, Format)>,
    input: Vec<u8>,
}

impl Stage {
    /// Makes a folder, which is removed when the value is dropped.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn try_new(set: Set) -> Result<Stage, String> {
        // Tests of one process have a stage each.
        static N_STAGES: AtomicU32 = AtomicU32::new(0);
        let stage_idx = N_STAGES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("arrow-bench-{}-{stage_idx}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(error_text)?;
        Ok(Stage { set, folder, recipe: None, data: Data::default(), form: None, input: Vec::new() })
    }

    /// Makes the data of a case.
    ///
    /// # Errors
    /// If the data cannot be made or written.
    pub fn prepare(&mut self, case: &Case) -> Result<(), String> {
        if self.recipe.as_ref() != Some(&case.data) {
            self.form = None;
            self.data = Data::make(&case.data, self.set)?;
            self.recipe = Some(case.data.clone());
            std::fs::write(self.plain_path(), &self.data.plain).map_err(error_text)?;
        }
        let form = (case.codec, case.container());
        if self.form != Some(form) {
            self.input = write(&self.data, case.codec, case.container())?;
            self.form = Some(form);
            std::fs::write(self.input_path(), &self.input).map_err(error_text)?;
        }
        Ok(())
    }

    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The batches in the container and with the codec of the case.
    pub fn input(&self) -> &[u8] {
        &self.input
    }

    pub fn input_path(&self) -> PathBuf {
        self.folder.join("input")
    }

    pub fn plain_path(&self) -> PathBuf {
        self.folder.join("plain")
    }

    pub fn output_path(&self) -> PathBuf {
        self.folder.join("output")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Files that remain in a temporary folder do no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Writes the input with arrow-rs, so that no reader has the advantage of its own writer. If arrow-rs does not support
/// the data, our writer writes it.
fn write(data: &Data, codec: Option<Codec>, container: Format) -> Result<Vec<u8>, String> {
    by_arrow_rs(data, codec, container).or_else(|_| {
        let compression = codec.map(|codec| match codec {
            Codec::Lz4 => Compression::lz4(),
            Codec::Zstd => Compression::zstd().with_level(1),
            Codec::Zstd3 => Compression::zstd().with_level(3),
        });
        let options = WriteOptions::default().with_compression(compression);
        let options = options.with_dictionaries(DictionaryPolicy::Delta);
        ours::write_with_options(&data.schema, &data.batches, options, container).map_err(error_text)
    })
}

fn by_arrow_rs(data: &Data, codec: Option<Codec>, container: Format) -> Result<Vec<u8>, String> {
    if data.is_by_ours {
        return Err("dictionaries grow, or arrow-rs does not know the type".to_owned());
    }
    let (schema, batches) = theirs::read(&data.plain, Format::Stream).map_err(error_text)?;
    let compression = codec.map(|codec| match codec {
        Codec::Lz4 => CompressionType::LZ4_FRAME,
        Codec::Zstd | Codec::Zstd3 => CompressionType::ZSTD,
    });
    let options = IpcWriteOptions::default().try_with_compression(compression).map_err(error_text)?;
    let options = match codec.and_then(Codec::level) {
        None => options,
        level => options.try_with_compression_level(level).map_err(error_text)?,
    };
    let source = theirs::Source { schema, batches, options, footer_metadata: Vec::new() };
    theirs::write(&source, container).map_err(error_text)
}

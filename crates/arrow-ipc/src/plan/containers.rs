//! Plans of files and of streams. Both contain an [`Image`].

use std::ops::{Deref, Range};

use super::{builder::PlanBuilder, image::Image, refused::check_options};
use crate::{
    dictionary::Replacement,
    error::Result,
    file::{ContainerEncoder, FileEncoder},
    options::WriteOptions,
    protocol::WrittenContainer,
    schema::IpcSchema,
    stream::StreamEncoder,
};

/// The exact bytes of an IPC file, planned from the shapes of its batches. It is an [`Image`]; a
/// [`BufferProvider`](crate::plan::BufferProvider) provides its buffers when it is read.
///
/// ```
/// use arrow_ipc::{WriteOptions, plan::{BatchShape, FilePlan}};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("id", DataType::Int64)]);
/// let mut builder = FilePlan::builder(schema, WriteOptions::default())?;
/// builder.push(&BatchShape::new(6_250), 20_000)?;
/// let plan = builder.finish()?;
/// assert!(plan.len() > 1_000_000_000);
/// assert!(plan.batch(19_999)?.end <= plan.footer().start);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct FilePlan(Image);

/// The exact bytes of an IPC stream, planned from the shapes of its batches. It is an [`Image`]; a
/// [`BufferProvider`](crate::plan::BufferProvider) provides its buffers when it is read.
///
/// ```
/// use arrow_ipc::{WriteOptions, plan::{BatchShape, StreamPlan}};
/// use arrow_schema::{DataType, Field, Schema};
///
/// let schema = Schema::new([Field::new("id", DataType::Int64)]);
/// let mut builder = StreamPlan::builder(schema, WriteOptions::default())?;
/// builder.push(&BatchShape::new(8), 3)?;
/// let plan = builder.finish()?;
/// // The end of the stream has 8 bytes.
/// assert_eq!(plan.batch(2)?.end + 8, plan.len());
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct StreamPlan(Image);

impl FilePlan {
    /// Begins the plan of a file that is written with these options.
    ///
    /// # Errors
    /// The errors of [`FileEncoder::try_new`]. If an option makes lengths depend on values: compression, blank null
    /// slots, shared buffers, unused values or items, or the dictionary policies `Delta` and `Unify`.
    pub fn builder(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<PlanBuilder<FilePlan>> {
        check_options(&options)?;
        let replacement = Replacement::of(options.dictionaries(), WrittenContainer::File);
        let mut encoder = FileEncoder::try_new(schema, options)?;
        let start = encoder.start()?.to_bytes().freeze();
        PlanBuilder::new(ContainerEncoder::File(Box::new(encoder)), start, replacement)
    }

    /// The range of the footer.
    pub fn footer(&self) -> Range<u64> {
        // Every file has a footer.
        self.footer_range().unwrap_or_default()
    }
}

impl StreamPlan {
    /// Begins the plan of a stream that is written with these options.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`]. If one of the options is set that [`FilePlan::builder`] refuses.
    pub fn builder(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<PlanBuilder<StreamPlan>> {
        check_options(&options)?;
        let replacement = Replacement::of(options.dictionaries(), WrittenContainer::Stream);
        let mut encoder = StreamEncoder::try_new(schema, options)?;
        let start = encoder.start()?.to_bytes().freeze();
        PlanBuilder::new(ContainerEncoder::Stream(Box::new(encoder)), start, replacement)
    }
}

impl Deref for FilePlan {
    type Target = Image;

    fn deref(&self) -> &Image {
        &self.0
    }
}

impl Deref for StreamPlan {
    type Target = Image;

    fn deref(&self) -> &Image {
        &self.0
    }
}

impl PlanBuilder<FilePlan> {
    /// Completes the plan: adds the dictionaries that no batch has needed, the end of the stream, and the footer.
    ///
    /// # Errors
    /// If the footer, or the file, is longer than the format can express.
    pub fn finish(self) -> Result<FilePlan> {
        self.into_image().map(FilePlan)
    }
}

impl PlanBuilder<StreamPlan> {
    /// Completes the plan: adds the end of the stream.
    ///
    /// # Errors
    /// If the stream has more than 2^63 bytes, which is the longest supported stream.
    pub fn finish(self) -> Result<StreamPlan> {
        self.into_image().map(StreamPlan)
    }
}

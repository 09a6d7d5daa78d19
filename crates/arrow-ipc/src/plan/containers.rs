//! `FilePlan` and `StreamPlan`: wrappers of [`Image`] that tell files from streams.

use std::ops::{Deref, Range};

use super::{builder::PlanBuilder, image::Image};
use crate::{error::Result, options::WriteOptions, protocol::WrittenContainer, schema::IpcSchema};

/// The exact bytes of an IPC file, planned from the shapes of its batches. A `FilePlan` dereferences to an [`Image`].
/// When the file is read, a [`BufferProvider`](crate::plan::BufferProvider) supplies the content of its buffers.
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

/// The exact bytes of an IPC stream, planned from the shapes of its batches. A `StreamPlan` dereferences to an
/// [`Image`]. When the stream is read, a [`BufferProvider`](crate::plan::BufferProvider) supplies the content of its
/// buffers.
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
    /// Returns a builder for the plan of a file with these options.
    ///
    /// # Errors
    /// The errors of [`FileEncoder::try_new`](crate::FileEncoder::try_new). If an option makes lengths depend on values: compression, zeros in null
    /// slots, shared buffers, leaving out unused values or items, or the dictionary policies `Delta` and `Unify`.
    pub fn builder(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<PlanBuilder<FilePlan>> {
        PlanBuilder::try_new(schema.into(), options, WrittenContainer::File)
    }

    /// The range of the footer in the file, in bytes. It ends before the length of the footer.
    pub fn footer(&self) -> Range<u64> {
        // Every file has a footer.
        self.footer_range().unwrap_or_default()
    }
}

impl StreamPlan {
    /// Returns a builder for the plan of a stream with these options.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`](crate::StreamEncoder::try_new). If an option is set that [`FilePlan::builder`] refuses.
    pub fn builder(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<PlanBuilder<StreamPlan>> {
        PlanBuilder::try_new(schema.into(), options, WrittenContainer::Stream)
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
    /// Completes the plan with the bytes after the last batch: empty dictionaries for those that were not pushed, the
    /// end of the stream, and the footer.
    ///
    /// # Errors
    /// If the footer, or the file, is longer than the format can express.
    pub fn finish(self) -> Result<FilePlan> {
        self.into_image().map(FilePlan)
    }
}

impl PlanBuilder<StreamPlan> {
    /// Completes the plan with the end of the stream.
    ///
    /// # Errors
    /// If the stream is longer than 2^63 − 1 bytes.
    pub fn finish(self) -> Result<StreamPlan> {
        self.into_image().map(StreamPlan)
    }
}

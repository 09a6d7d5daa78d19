//! Options for reading: validation, limits, projection, and how bytes are fetched and memory is used.

use arrow_buffer::MemoryBudget;
use arrow_data::Validation;

use super::Projection;
use crate::{
    error::{CopyCause, IpcErrorKind, Result},
    recycled::RecycledMemory,
    source::FetchCost,
    threads::Threads,
};
use arrow_ipc_format::Limits;

/// The default number of bytes that are read at the end of a file. Shorter files are read whole.
const MAX_TAIL_BYTES: u64 = 64 << 10;

/// Options for reading streams and files.
///
/// ```
/// use arrow_ipc::{Projection, ReadOptions, Validation};
///
/// let options = ReadOptions::new()
///     .with_validation(Validation::Structure)
///     .with_projection(Projection::names(["id", "name"]));
/// assert_eq!(options.validation(), Validation::Structure);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    pub(crate) validation: Validation,
    pub(crate) limits: Limits,
    pub(crate) projection: Projection,
    pub(crate) fetch_cost: Option<FetchCost>,
    pub(crate) prefetch_bytes: Option<u64>,
    pub(crate) tail_bytes: Option<u64>,
    pub(crate) metadata_cache_bytes: Option<u64>,
    pub(crate) whole_file_bytes: Option<u64>,
    pub(crate) threads: Threads,
    pub(crate) recycled_memory: Option<RecycledMemory>,
    pub(crate) memory_budget: Option<MemoryBudget>,
    pub(crate) has_exact_reads: bool,
    pub(crate) copies: Copies,
}

/// Whether a reader may copy bytes of bodies that are in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Copies {
    /// Bytes are copied where they cannot be shared. [`ReadStats`](crate::ReadStats) counts them.
    #[default]
    Allowed,
    /// Reading is an error if bytes would be copied.
    Refused,
}

impl ReadOptions {
    /// The default options. Each `with_…` method states its default.
    pub fn new() -> ReadOptions {
        ReadOptions::default()
    }

    /// Sets how much of the data is checked. Default [`Validation::Content`].
    #[must_use]
    pub fn with_validation(self, validation: Validation) -> ReadOptions {
        ReadOptions { validation, ..self }
    }

    /// Sets limits on the lengths and counts that an input may state.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ReadOptions {
        ReadOptions { limits, ..self }
    }

    /// Sets the columns that are decoded. Readers of files read only the buffers of these columns. Default: all.
    #[must_use]
    pub fn with_projection(self, projection: Projection) -> ReadOptions {
        ReadOptions { projection, ..self }
    }

    /// Sets the cost of a request for bytes of the file. From this cost, a reader decides which ranges it requests
    /// together. Default: the cost that the [`Source`](crate::Source) returns; for a decoder without a source,
    /// [`FetchCost::DISK`].
    #[must_use]
    pub fn with_fetch_cost(self, fetch_cost: FetchCost) -> ReadOptions {
        ReadOptions { fetch_cost: Some(fetch_cost), ..self }
    }

    /// Sets the number of bytes to prefetch. When batches are read in order, the reader fetches the next batches
    /// together: at least one batch, and at most this number of bytes. Default: enough bytes to keep all concurrent
    /// requests of the [`fetch_cost`](ReadOptions::with_fetch_cost) busy, at most 64 MiB. Without concurrent requests,
    /// the default is the bytes that cost as much as four requests: 16,000 on a local disk. With 0, the reader fetches
    /// each batch when the caller requests it.
    #[must_use]
    pub fn with_prefetch_bytes(self, prefetch_bytes: u64) -> ReadOptions {
        ReadOptions { prefetch_bytes: Some(prefetch_bytes), ..self }
    }

    /// Sets the number of bytes at the end of a file that are read in one request when the file is opened. These bytes
    /// should contain the footer. They stay in memory. A shorter file is read whole. Default: files of up to 64 KiB are
    /// read whole. From a longer file, the reader requests the bytes that cost as much as two requests of the
    /// [`fetch_cost`](ReadOptions::with_fetch_cost), at most 64 KiB: 8,000 on a local disk.
    #[must_use]
    pub fn with_tail_bytes(self, tail_bytes: u64) -> ReadOptions {
        ReadOptions { tail_bytes: Some(tail_bytes), ..self }
    }

    /// Limits how many bytes of metadata of batches and dictionaries a reader of a file caches, so it need not read
    /// them again. Default 16 MiB.
    #[must_use]
    pub fn with_metadata_cache_bytes(self, metadata_cache_bytes: u64) -> ReadOptions {
        ReadOptions { metadata_cache_bytes: Some(metadata_cache_bytes), ..self }
    }

    /// Sets the length up to which a far file stays in memory as a whole, until its reader is dropped, once a read has needed three
    /// quarters of it by several requests. Later reads then make no requests. Default 64 MiB; 0 stores no file.
    #[must_use]
    pub fn with_whole_file_bytes(self, whole_file_bytes: u64) -> ReadOptions {
        ReadOptions { whole_file_bytes: Some(whole_file_bytes), ..self }
    }

    /// Sets which threads decompress buffers. Default [`Threads::Pool`].
    #[must_use]
    pub fn with_threads(self, threads: Threads) -> ReadOptions {
        ReadOptions { threads, ..self }
    }

    /// Sets the memory into which bodies are read and decompressed. Readers that share this memory reuse the memory of
    /// dropped batches. Default: memory of this reader alone. With a [memory budget](ReadOptions::with_memory_budget), the
    /// default reuses no memory of bodies, because unused memory would stay charged.
    #[must_use]
    pub fn with_recycled_memory(self, memory: RecycledMemory) -> ReadOptions {
        ReadOptions { recycled_memory: Some(memory), ..self }
    }

    /// Sets the budget for the memory of bodies. The reader charges the budget before it allocates memory to read,
    /// gather, decompress, align, byte-swap or repair buffers. A batch stays charged until the last of its buffers is
    /// dropped. Values that deltas add to a dictionary stay charged while the reader has that dictionary. Not charged
    /// are bytes that the caller provides, metadata (which [`Limits`] bound), and the structures of arrays. Default: no
    /// budget.
    ///
    /// ```
    /// use arrow_buffer::MemoryBudget;
    /// use arrow_ipc::{ErrorClass, ReadOptions, StreamReader, StreamWriter};
    /// # use arrow_data::{ArrayData, ArrayParts, RecordBatch};
    /// # use arrow_schema::DataType;
    ///
    /// # let ids = ArrayData::try_new(ArrayParts {
    /// #     buffers: [vec![0_i64; 10_000].into(), arrow_buffer::Buffer::new()],
    /// #     ..ArrayParts::new(DataType::Int64, 10_000)
    /// # })?;
    /// # let batch = RecordBatch::try_from_columns([("id", ids)])?;
    /// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
    /// writer.write(&batch)?;
    /// let stream = writer.finish()?;
    ///
    /// let budget = MemoryBudget::new(1 << 20);
    /// let options = ReadOptions::new().with_memory_budget(budget.clone());
    /// let batch = StreamReader::try_new_with(&*stream, options)?.next();
    /// assert!(budget.n_bytes_allocated() >= 80_000);
    /// drop(batch);
    /// assert_eq!(budget.n_bytes_allocated(), 0);
    ///
    /// let options = ReadOptions::new().with_memory_budget(MemoryBudget::new(50_000));
    /// let refused = StreamReader::try_new_with(&*stream, options)?.next().expect("a result");
    /// assert_eq!(refused.unwrap_err().class(), ErrorClass::LimitExceeded);
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    #[must_use]
    pub fn with_memory_budget(self, budget: MemoryBudget) -> ReadOptions {
        ReadOptions { memory_budget: Some(budget), ..self }
    }

    /// Makes readers of streams request only the bytes of the next message. They read no byte after the end marker, so
    /// other code can read the bytes that follow on a connection. Reading a message takes three or more reads of the
    /// source. The end marker of legacy framing is four bytes shorter, so there the reader reads four bytes too many.
    /// By default, readers request as many bytes as fit into their buffer.
    ///
    /// ```
    /// use arrow_ipc::{ReadOptions, StreamReader, StreamWriter};
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let schema = Schema::new([Field::new("id", DataType::Int64)]);
    /// let mut bytes = StreamWriter::try_new(Vec::new(), schema)?.finish()?;
    /// bytes.extend(b"what follows");
    ///
    /// let mut connection = &*bytes;
    /// let options = ReadOptions::new().with_exact_reads();
    /// assert!(StreamReader::try_new_with(&mut connection, options)?.next().is_none());
    /// assert_eq!(connection, b"what follows");
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    #[must_use]
    pub fn with_exact_reads(self) -> ReadOptions {
        ReadOptions { has_exact_reads: true, ..self }
    }

    /// Sets whether a reader may copy bytes of bodies that are in memory or in a memory map. Default [`Copies::Allowed`].
    /// With [`Copies::Refused`], batches share the memory that the reader was given. If they cannot, reading them is the error
    /// [`CopyRefused`](crate::IpcErrorKind::CopyRefused), which says where and [why](crate::error::CopyCause). Files that
    /// `arrow-ipc convert` or a [`FileWriter`](crate::FileWriter) writes with default options are read without copies,
    /// unless they have deltas of dictionaries.
    ///
    /// Bytes that are read from a source into memory, as from a socket or a file that is not mapped, are not copied by that.
    /// But in a stream from such a source, the body of a message must be there as a whole after one read, or a part of it
    /// would be copied. Metadata and the structures of arrays are never shared.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_buffer::Buffer;
    /// use arrow_data::RecordBatch;
    /// use arrow_ipc::{Copies, FileReader, FileWriter, IpcErrorKind, ReadOptions};
    ///
    /// let batches = [RecordBatch::try_from_columns([("id", Int64Array::from_iter([7, 8]).into())])?];
    /// let file = FileWriter::write_to_buffer(batches[0].schema(), &batches)?;
    /// let options = ReadOptions::new().with_copies(Copies::Refused);
    /// let reader = FileReader::try_from_buffer_with(file.clone(), options.clone())?;
    /// assert_eq!(reader.batch(0)?, batches[0]);
    ///
    /// // The same bytes at an odd address.
    /// let moved = Buffer::copy_from(&[&[0], &*file].concat()).slice(1..);
    /// let error = FileReader::try_from_buffer_with(moved, options)?.batch(0).unwrap_err();
    /// assert!(matches!(error.kind(), IpcErrorKind::CopyRefused { n_bytes: 16, .. }));
    /// assert_eq!(error.location().field.as_ref().map(|path| path.to_string()).as_deref(), Some("id"));
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    #[must_use]
    pub fn with_copies(self, copies: Copies) -> ReadOptions {
        ReadOptions { copies, ..self }
    }

    /// See [`with_copies`](ReadOptions::with_copies).
    pub fn copies(&self) -> Copies {
        self.copies
    }

    /// # Errors
    /// If copies are refused, and there is something to copy.
    pub(crate) fn allow_copy(&self, cause: CopyCause, n_bytes: u64) -> Result<()> {
        if self.copies == Copies::Allowed || n_bytes == 0 {
            return Ok(());
        }
        Err(IpcErrorKind::CopyRefused { cause, n_bytes }.into())
    }

    /// See [`with_validation`](ReadOptions::with_validation).
    pub fn validation(&self) -> Validation {
        self.validation
    }

    /// See [`with_limits`](ReadOptions::with_limits).
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// See [`with_projection`](ReadOptions::with_projection).
    pub fn projection(&self) -> &Projection {
        &self.projection
    }

    /// See [`with_fetch_cost`](ReadOptions::with_fetch_cost); `None` if the source decides.
    pub fn fetch_cost(&self) -> Option<FetchCost> {
        self.fetch_cost
    }

    /// The number that was set, or else the default, which depends on the fetch cost: see
    /// [`with_prefetch_bytes`](ReadOptions::with_prefetch_bytes).
    pub fn prefetch_bytes(&self) -> u64 {
        self.prefetch_bytes.unwrap_or_else(|| self.known_fetch_cost().n_bytes_in_flight())
    }

    pub(crate) fn known_fetch_cost(&self) -> FetchCost {
        self.fetch_cost.unwrap_or(FetchCost::DISK)
    }

    /// The greatest number of bytes at the end of a file that are read in one request: see
    /// [`with_tail_bytes`](ReadOptions::with_tail_bytes).
    pub fn tail_bytes(&self) -> u64 {
        self.tail_bytes.unwrap_or(MAX_TAIL_BYTES)
    }

    /// The number of bytes that the first request reads at the end of a file of `file_bytes` bytes.
    #[cfg(feature = "file")]
    pub(crate) fn tail_bytes_of(&self, file_bytes: u64) -> u64 {
        match (self.tail_bytes, self.fetch_cost) {
            (None, Some(cost)) if file_bytes > MAX_TAIL_BYTES => {
                cost.n_bytes_per_request().saturating_mul(2).min(MAX_TAIL_BYTES)
            }
            _ => self.tail_bytes(),
        }
    }

    /// See [`with_threads`](ReadOptions::with_threads).
    pub fn threads(&self) -> Threads {
        self.threads
    }

    /// See [`with_recycled_memory`](ReadOptions::with_recycled_memory).
    pub fn recycled_memory(&self) -> Option<&RecycledMemory> {
        self.recycled_memory.as_ref()
    }

    /// The memory that was set, or new memory for one reader.
    pub(crate) fn memory_to_recycle(&self) -> RecycledMemory {
        match (&self.recycled_memory, &self.memory_budget) {
            (Some(memory), _) => memory.clone(),
            (None, None) => RecycledMemory::new(),
            (None, Some(_)) => RecycledMemory::within_budget(),
        }
    }

    /// The options of one reader: all its parts recycle the same memory.
    pub(crate) fn for_one_reader(self) -> ReadOptions {
        ReadOptions { recycled_memory: Some(self.memory_to_recycle()), ..self }
    }

    /// See [`with_memory_budget`](ReadOptions::with_memory_budget).
    pub fn memory_budget(&self) -> Option<&MemoryBudget> {
        self.memory_budget.as_ref()
    }

    /// See [`with_exact_reads`](ReadOptions::with_exact_reads).
    pub fn has_exact_reads(&self) -> bool {
        self.has_exact_reads
    }

    /// See [`with_metadata_cache_bytes`](ReadOptions::with_metadata_cache_bytes).
    pub fn metadata_cache_bytes(&self) -> u64 {
        self.metadata_cache_bytes.unwrap_or(16 << 20)
    }

    /// See [`with_whole_file_bytes`](ReadOptions::with_whole_file_bytes).
    pub fn whole_file_bytes(&self) -> u64 {
        self.whole_file_bytes.unwrap_or(64 << 20)
    }
}

//! Decodes a batch: finds the nodes and buffers of columns in the lists of its header, and checks their bytes.

mod decompress;
mod whole_columns;

use std::cell::OnceCell;

use arrow_buffer::{Bitmap, Buffer, BufferMut, MemoryBudget};
use arrow_data::{ArrayData, BufferSpec, DataError, DataErrorKind, RecordBatch, Repairs, Role, Validation};
use arrow_schema::PathStep;

#[cfg(feature = "file")]
pub(crate) use self::decompress::BodyBuffers;
#[cfg(feature = "file")]
pub(super) use self::decompress::EntryBuffer;
use self::whole_columns::WholeColumns;
#[cfg(feature = "rayon")]
use self::whole_columns::check_by_threads;
use super::{
    account::Account,
    select::{ProjectedSchema, SelectedColumn},
    union_nulls::with_nulls,
};
use crate::{
    batch::Counters,
    dictionary::{DictionaryQuota, DictionaryStore},
    error::{Context, CopyCause, FormatErrorKind, IpcError, IpcErrorKind, Result},
    frame::Body,
    options::{Copies, ReadOptions},
    recycled::BufferPool,
};
#[cfg(feature = "file")]
use arrow_ipc_format::BodyRange;
use arrow_ipc_format::{
    BatchView, Endianness, FieldNode, Limits, MetadataVersion, check_metadata_utf8,
    columns::{Column, Columns, EntryOrigin, ExtraBuffer, ExtraValidity},
};

/// What decoding needs besides the message. It is the same for all batches of a stream or file.
#[derive(Clone, Copy)]
pub(crate) struct DecodeContext<'a> {
    pub(crate) dictionaries: &'a DictionaryStore,
    pub(crate) options: &'a ReadOptions,
    /// The byte order of bodies.
    pub(crate) endianness: Endianness,
    /// The metadata version of the schema. Each message is read by its own version.
    pub(crate) version: MetadataVersion,
    pub(crate) counters: &'a Counters,
    pub(crate) pool: &'a BufferPool,
}

impl<'a> DecodeContext<'a> {
    pub(super) fn level(&self) -> Validation {
        self.options.validation
    }

    pub(super) fn budget(&self) -> Option<&'a MemoryBudget> {
        self.options.memory_budget.as_ref()
    }
}

/// Decodes one batch. First it compares the lengths of the lists in the header with the columns. Then it reads each
/// node and each buffer once.
pub(crate) struct BatchDecoder<'a> {
    pub(super) columns: &'a Columns,
    pub(super) message: &'a BatchView,
    /// Which columns have an extra validity buffer.
    pub(super) extra: ExtraValidity,
    pub(super) context: DecodeContext<'a>,
    /// Element `i` is the number of data buffers of the first `i + 1` view columns. Computed when first needed.
    variadic_before: OnceCell<Vec<usize>>,
    pub(super) account: Account,
    /// For a compressed body, the decompressed buffers, in the order in which the walk over the columns reads them.
    pub(super) decompressed: Option<DecompressedBuffers>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HeaderCursor {
    pub(super) node: usize,
    pub(super) buffer: usize,
    pub(super) variadic: usize,
}

/// The decompressed buffers, each with its position in the list of buffers, in ascending order.
pub(super) type DecompressedBuffers = std::vec::IntoIter<(usize, Buffer)>;

/// What stands before the data buffers of a column.
pub(super) enum ValidityBuffer {
    Absent,
    Bitmap,
    /// The bitmap of a union in V4, whose nulls move to its children.
    UnionNulls,
    /// An extra buffer that is no bitmap.
    Skipped(ExtraBuffer),
}

impl<'a> BatchDecoder<'a> {
    /// Checks that the header lists as many nodes and buffers as the columns need.
    ///
    /// # Errors
    /// If there are too many or too few nodes or buffers. Unsupported columns may have any number of buffers.
    pub(crate) fn try_new(
        columns: &'a Columns,
        message: &'a BatchView,
        context: DecodeContext<'a>,
    ) -> Result<BatchDecoder<'a>> {
        let extra = columns.check_lists(message.list_lengths())?;
        if message.envelope().version() != context.version {
            context.counters.other_version();
        }
        let level = context.options.validation();
        context.counters.utf8(check_metadata_utf8(message.custom_metadata()), level)?;
        Ok(BatchDecoder {
            columns,
            message,
            extra,
            context,
            variadic_before: OnceCell::new(),
            account: Account::new(message.envelope().n_body_bytes(), &context.options.limits),
            decompressed: None,
        })
    }

    /// Limits the number of bytes to which the values of a dictionary may decompress.
    pub(crate) fn with_dictionary_quota(mut self, quota: DictionaryQuota) -> Self {
        self.account.dictionary_quota = Some(quota);
        self
    }

    /// Continues with `account`, which already has the charges for other columns of this batch.
    #[cfg(feature = "file")]
    pub(crate) fn with_account(mut self, account: Option<&Account>) -> Self {
        self.account = account.cloned().unwrap_or(self.account);
        self
    }

    #[cfg(feature = "file")]
    pub(crate) fn into_account(self) -> Account {
        self.account
    }

    pub(crate) fn record_batch(&mut self, selection: &ProjectedSchema, body: &Body) -> Result<RecordBatch> {
        let n_rows = to_usize(self.message.n_rows(), "rows")?;
        if self.decompressed.is_none()
            && let Some(codec) = self.message.compression()
        {
            let ranges = selection.ranges(self.columns);
            self.decompressed = Some(self.decompress(codec, ranges, body)?);
        }
        let mut arrays = Vec::with_capacity(selection.roots().len());
        let mut columns = WholeColumns::new(self, body);
        let mut roots = selection.roots().iter();
        let decoded = roots.try_for_each(|selected| columns.column(selected, &mut arrays));
        #[cfg(feature = "rayon")]
        check_by_threads(self, &mut arrays);
        self.validate(selection.roots(), &mut arrays)?;
        // Reports the error of an earlier column first.
        decoded?;
        selection.record_batch(arrays, n_rows, self.context.level())
    }

    /// Decodes a dictionary batch, which has one column.
    pub(crate) fn dictionary_values(mut self, body: &Body) -> Result<ArrayData> {
        let [root] = self.columns.roots() else {
            let found = self.columns.roots().len() as u64;
            return Err(IpcErrorKind::DictionaryColumns { found }.into());
        };
        if let Some(codec) = self.message.compression() {
            let ranges = std::iter::once(*root..self.columns.at(*root).end());
            self.decompressed = Some(self.decompress(codec, ranges, body)?);
        }
        let root = SelectedColumn::Whole(*root);
        let mut values = Vec::with_capacity(1);
        WholeColumns::new(&mut self, body).column(&root, &mut values)?;
        self.validate(std::slice::from_ref(&root), &mut values)?;
        let values =
            values.pop().ok_or_else(|| IpcError::internal("a plan waits for a body that has arrived"))?;
        let (expected, found) = (self.message.n_rows(), values.len() as u64);
        if expected != found {
            return self.locate(&root, DataErrorKind::RowCount { expected, found }.into());
        }
        Ok(values)
    }

    #[cfg(feature = "file")]
    pub(crate) fn needed_ranges(&self, selection: &ProjectedSchema) -> Result<Vec<BodyRange>> {
        let mut ranges = Vec::new();
        for columns in selection.ranges(self.columns) {
            let start = self.position_in_lists(columns.start)?.buffer;
            let end = self.header_position(columns.end, self.columns.entry_origin(columns.start))?.buffer;
            for buffer_idx in start..end {
                ranges.push(self.message.buffer(buffer_idx)?);
            }
        }
        Ok(ranges)
    }

    /// The positions of a column's node, first buffer and variadic count in the lists of the header.
    pub(super) fn position_in_lists(&self, position: usize) -> Result<HeaderCursor> {
        self.header_position(position, self.columns.entry_origin(position))
    }

    /// The position in each list after all columns before `position`.
    fn header_position(&self, position: usize, from: EntryOrigin) -> Result<HeaderCursor> {
        let before = self.columns.counts_before(position);
        let n_fixed_buffers = self.columns.n_fixed_buffers_before(position, self.extra);
        let left_out = match from {
            EntryOrigin::Start(left_out) => {
                let n_variadic = self.n_variadic_before(before.n_variadic_counts())?;
                let buffer = n_fixed_buffers.saturating_add(n_variadic).saturating_add(left_out.n_buffers);
                let node = before.n_nodes().saturating_add(left_out.n_nodes);
                return Ok(HeaderCursor { node, buffer, variadic: before.n_variadic_counts() });
            }
            EntryOrigin::End(left_out) => left_out,
        };
        let totals = self.columns.totals();
        let message = self.message;
        let node = index_from_end(message.n_nodes(), (before.n_nodes(), totals.n_nodes()), left_out.n_nodes);
        let node = node.map_err(|(expected, found)| FormatErrorKind::NodeCount { expected, found })?;
        let n_counts = message.n_variadic_counts();
        let variadic = index_from_end(n_counts, (before.n_variadic_counts(), totals.n_variadic_counts()), 0);
        let variadic =
            variadic.map_err(|(expected, found)| FormatErrorKind::VariadicCount { expected, found })?;
        // No overflow: the first sum includes the second.
        let n_variadic = self.n_variadic_before(n_counts)? - self.n_variadic_before(variadic)?;
        let fixed = (n_fixed_buffers, self.columns.n_fixed_buffers(self.extra));
        let buffer =
            index_from_end(message.n_buffers(), fixed, left_out.n_buffers.saturating_add(n_variadic));
        let buffer = buffer.map_err(|(expected, found)| FormatErrorKind::BufferCount { expected, found })?;
        Ok(HeaderCursor { node, buffer, variadic })
    }

    /// The number of data buffers of the first `n_counts` view columns. The first call computes the sums.
    fn n_variadic_before(&self, n_counts: usize) -> Result<usize> {
        if n_counts == 0 {
            return Ok(0);
        }
        let sums = match self.variadic_before.get() {
            Some(sums) => sums,
            None => {
                let mut sum = 0usize;
                let add = |idx| {
                    sum = sum.saturating_add(self.message.variadic_count(idx)?);
                    Ok(sum)
                };
                let sums = (0..self.message.n_variadic_counts()).map(add).collect::<Result<Vec<usize>>>()?;
                self.variadic_before.get_or_init(|| sums)
            }
        };
        let sum = n_counts.checked_sub(1).and_then(|last| sums.get(last)).copied();
        sum.ok_or_else(|| IpcError::internal("the message has fewer variadic counts than were checked"))
    }

    /// Which validity buffer the column has.
    #[inline]
    pub(super) fn validity_buffer(&self, column: &Column) -> ValidityBuffer {
        match column.extra_buffer(self.extra) {
            Some(ExtraBuffer::Bitmap) => ValidityBuffer::UnionNulls,
            Some(extra @ (ExtraBuffer::Empty | ExtraBuffer::Ignored)) => ValidityBuffer::Skipped(extra),
            None if column.layout.has_validity() => ValidityBuffer::Bitmap,
            None => ValidityBuffer::Absent,
        }
    }

    /// Checks that an extra validity buffer is empty if it must be.
    pub(super) fn skip_extra(&self, extra: ExtraBuffer, buffer_idx: usize) -> Result<()> {
        self.context.counters.extra_validity();
        let n_bytes = self.message.buffer(buffer_idx)?.n_bytes();
        extra.check(n_bytes).in_buffer(buffer_idx, Some(Role::Validity))
    }

    /// Moves the nulls of a union in V4, whose array was appended last, to its children.
    #[cold]
    pub(super) fn move_union_nulls(&mut self, nulls: &Bitmap, arrays: &mut Vec<ArrayData>) -> Result<()> {
        let Some(array) = arrays.pop() else { return Ok(()) };
        let n_bytes = nulls.len().div_ceil(8) as u64;
        self.context.options.allow_copy(CopyCause::UnionNulls, n_bytes)?;
        arrays.push(with_nulls(array, nulls, &mut self.account.copied)?);
        Ok(())
    }

    /// Returns the bytes in the byte order of this machine, aligned for the elements of the buffer. Copies them only
    /// if necessary.
    #[inline]
    pub(super) fn native_bytes(&mut self, spec: &BufferSpec, bytes: Buffer) -> Result<Buffer> {
        let is_native = self.context.endianness == Endianness::NATIVE || !spec.swap.changes_bytes();
        if is_native && bytes.is_aligned_to(spec.alignment_bytes()) {
            return Ok(bytes);
        }
        self.realign_or_swap(spec, bytes)
    }

    #[cold]
    fn realign_or_swap(&mut self, spec: &BufferSpec, bytes: Buffer) -> Result<Buffer> {
        let n_bytes = bytes.len() as u64;
        if self.context.endianness == Endianness::NATIVE || !spec.swap.changes_bytes() {
            self.context.options.allow_copy(CopyCause::Misaligned, n_bytes)?;
            self.account.copied.spend("bytes of realigned buffers", n_bytes)?;
            self.context.counters.realigned(bytes.len());
            return Ok(Buffer::try_copy_in(&bytes, self.context.budget())?);
        }
        self.context.options.allow_copy(CopyCause::ByteOrder, n_bytes)?;
        self.account.copied.spend("bytes of swapped buffers", n_bytes)?;
        self.context.counters.swapped(bytes.len());
        let mut swapped = BufferMut::try_with_capacity_in(bytes.len(), self.context.budget())?;
        swapped.extend_from_slice(&bytes);
        spec.swap.to_native(&mut swapped);
        Ok(swapped.freeze())
    }

    /// Validates columns in their order. The arrays are not moved, since moving a large array costs as much as
    /// decoding it.
    pub(super) fn validate(&mut self, roots: &[SelectedColumn], arrays: &mut [ArrayData]) -> Result<()> {
        let level = self.context.level();
        if level == Validation::Structure {
            return Ok(());
        }
        let mut repairs = self.repairs();
        for (root, array) in roots.iter().zip(arrays) {
            if let Err(error) = array.validate_in_place(level, &mut repairs) {
                return self.locate(root, error);
            }
            if repairs.n_buffers() > 0 {
                self.account.copied.spend("bytes of repaired buffers", repairs.n_bytes())?;
                self.context.counters.repaired(&repairs);
                repairs = self.repairs();
            }
        }
        Ok(())
    }

    fn repairs(&self) -> Repairs {
        let max_bytes = match self.context.options.copies {
            Copies::Allowed => self.account.copied.n_left(),
            Copies::Refused => 0,
        };
        Repairs::new(max_bytes).with_memory_budget(self.context.budget().cloned())
    }

    /// Adds the buffer and the field to an error about the array of a column, or of its child.
    #[cold]
    pub(super) fn locate<T>(&self, selected: &SelectedColumn, error: DataError) -> Result<T> {
        let path = || self.columns.path(selected.position());
        if let (Copies::Refused, DataErrorKind::TooManyRepairs { n_bytes, .. }) =
            (self.context.options.copies, error.kind())
        {
            let refused = self.context.options.allow_copy(CopyCause::InvalidNulls, *n_bytes);
            let buffer = self.buffer_of(selected, &error);
            let mut error = error;
            error.prefix_path(&path());
            let refused = match buffer {
                Some((buffer_idx, role)) => refused.in_buffer(buffer_idx, Some(role)),
                None => refused,
            };
            refused.in_field(|| error.path().clone())?;
            return Err(error.into());
        }
        match self.buffer_of(selected, &error) {
            Some((buffer_idx, role)) => Err(error).in_buffer(buffer_idx, Some(role)).in_field(path),
            None => Err(error).in_field(path),
        }
    }

    /// The buffer that an error is about, as its position in the list and its role. `None` for errors in
    /// dictionaries, whose buffers are in other messages.
    fn buffer_of(&self, selected: &SelectedColumn, error: &DataError) -> Option<(usize, Role)> {
        let child = |parent: SelectedColumn, step: &PathStep| match step {
            PathStep::Child { position, .. } => {
                parent.children(self.columns).nth(usize::try_from(*position).ok()?)
            }
            PathStep::Dictionary => None,
        };
        let position = error.path().steps().iter().try_fold(selected.clone(), child)?.position();
        let column = self.columns.at(position);
        let role = error.role()?;
        let buffer_idx = column.layout.buffers().iter().position(|spec| spec.role == role)?;
        let first = self.position_in_lists(position).ok()?.buffer;
        Some((first + usize::from(column.extra_buffer(self.extra).is_some()) + buffer_idx, role))
    }
}

/// The index of an entry in a list of `found` entries. The last `total + n_others` entries are `total` entries for the
/// columns, and then `n_others` more. Returns the index after the first `before` of the `total`. If the list is too
/// short, the error is the required and the actual length.
fn index_from_end(
    found: usize,
    (before, total): (usize, usize),
    n_others: usize,
) -> std::result::Result<usize, (u64, u64)> {
    let n_after = total.checked_sub(before).and_then(|n_after| n_after.checked_add(n_others));
    let position = n_after.and_then(|n_after| found.checked_sub(n_after));
    position.ok_or((n_after.map_or(u64::MAX, |n_after| n_after as u64), found as u64))
}

pub(super) fn to_usize(n: u64, what: &'static str) -> Result<usize> {
    Ok(Limits::fit(what, n, usize::MAX as u64)?)
}

/// The number of nulls that a node declares, for an array of all its slots.
#[inline]
pub(super) fn declared_null_count(node: FieldNode) -> Option<usize> {
    Some(usize::try_from(node.null_count()?).unwrap_or(usize::MAX))
}

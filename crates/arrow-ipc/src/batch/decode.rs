//! Decodes a batch: finds the nodes and buffers of columns in the lists of its header, and checks their bytes.

mod decompressed;
mod entries;
#[cfg(feature = "file")]
mod parts;

use std::cell::OnceCell;

use arrow_buffer::{Buffer, BufferMut, MemoryBudget};
use arrow_data::{ArrayData, BufferSpec, DataError, DataErrorKind, Repairs, Role, Validation};
use arrow_schema::PathStep;

#[cfg(feature = "file")]
pub(super) use self::entries::EntryBuffer;
#[cfg(feature = "file")]
pub(crate) use self::parts::BodyBuffers;
use super::{account::Account, select::SelectedColumn};
use crate::{
    batch::Counters,
    dictionary::{DictionaryQuota, DictionaryStore},
    error::{Context, CopyCause, FormatErrorKind, IpcError, Result},
    options::{Copies, ReadOptions},
    recycled::BufferPool,
};
use arrow_ipc_format::{
    BatchView, Endianness, Limits, MetadataVersion, check_metadata_utf8,
    columns::{Columns, EntryOrigin, ExtraBuffer, ExtraValidity},
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
    pub(crate) fn within(mut self, quota: DictionaryQuota) -> Self {
        self.account.dictionary_quota = Some(quota);
        self
    }

    /// The positions of a column's node, first buffer and variadic count in the lists of the header.
    pub(super) fn position_in_lists(&self, position: usize) -> Result<HeaderCursor> {
        self.counted(position, self.columns.entry_origin(position))
    }

    /// The position in each list after all columns before `position`.
    fn counted(&self, position: usize, from: EntryOrigin) -> Result<HeaderCursor> {
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
        let node = from_end(message.n_nodes(), (before.n_nodes(), totals.n_nodes()), left_out.n_nodes);
        let node = node.map_err(|(expected, found)| FormatErrorKind::NodeCount { expected, found })?;
        let n_counts = message.n_variadic_counts();
        let variadic = from_end(n_counts, (before.n_variadic_counts(), totals.n_variadic_counts()), 0);
        let variadic =
            variadic.map_err(|(expected, found)| FormatErrorKind::VariadicCount { expected, found })?;
        // No overflow: the first sum includes the second.
        let n_variadic = self.n_variadic_before(n_counts)? - self.n_variadic_before(variadic)?;
        let fixed = (n_fixed_buffers, self.columns.n_fixed_buffers(self.extra));
        let buffer = from_end(message.n_buffers(), fixed, left_out.n_buffers.saturating_add(n_variadic));
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

    /// Checks that an extra validity buffer is empty if it must be.
    pub(super) fn skip_extra(&self, extra: ExtraBuffer, buffer_idx: usize) -> Result<()> {
        self.context.counters.extra_validity();
        let n_bytes = self.message.buffer(buffer_idx)?.n_bytes();
        extra.check(n_bytes).in_buffer(buffer_idx, Some(Role::Validity))
    }

    /// Returns the bytes in the byte order of this machine, aligned for the elements of the buffer. Copies them only
    /// if necessary.
    #[inline]
    pub(super) fn finished(&mut self, spec: &BufferSpec, bytes: Buffer) -> Result<Buffer> {
        let is_native = self.context.endianness == Endianness::NATIVE || !spec.swap.changes_bytes();
        if is_native && bytes.is_aligned_to(spec.alignment_bytes()) {
            return Ok(bytes);
        }
        self.copied(spec, bytes)
    }

    #[cold]
    fn copied(&mut self, spec: &BufferSpec, bytes: Buffer) -> Result<Buffer> {
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
fn from_end(
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

//! The tracker of the policies `Replace` and `Error`. Dictionaries are written unchanged. A changed dictionary is written
//! again if the policy allows this. If a dictionary grows, as in batches that were read from a stream with deltas, only
//! the new values are written.

use std::sync::Arc;

use arrow_data::{ArrayData, Validation};
use arrow_schema::visit as work;

use super::{
    DictionaryPolicy, DictionaryTracker, PendingDictionary,
    recent::{RecentDictionaries, UnusedDictionary},
    walk::{WriteOrder, for_each_encoded},
};
use crate::error::{IpcErrorKind, Result};
use arrow_ipc_format::{
    WrittenContainer,
    columns::{Columns, DictionaryColumns, DictionaryIdx, SchemaColumns},
};

#[derive(Debug)]
pub(crate) struct ReplacingDictionaries {
    replacement: Replacement,
    container: WrittenContainer,
    order: Arc<WriteOrder>,
    /// The state of each dictionary, by its position in the columns of the schema.
    entries: Vec<ReplacedDictionary>,
    pending: Vec<PendingDictionary>,
    /// Whether entries have the state of a batch that is not committed. If not, copied messages need no walk over the
    /// entries.
    has_looked: bool,
}

#[derive(Debug, Clone, Default)]
struct ReplacedDictionary {
    /// The values that the reader has.
    written: Option<Arc<ArrayData>>,
    /// Other arrays with the written values, as weak references.
    same: RecentDictionaries<()>,
    /// Whether the last values were written as a delta. Later values are then compared with the written values, since a
    /// growing dictionary may have moved to larger memory.
    has_grown: bool,
    /// Whether the file had the values before this writer opened it.
    is_foreign: bool,
    /// The values in the batch, if a valid index refers to them.
    needed: Option<RequiredDictionary>,
    /// Whether values that will be written refer to this dictionary. Readers may need the dictionary as soon as they read
    /// these values.
    is_inside: bool,
    /// Whether the batch replaces the values of the reader.
    is_replaced: bool,
    idle: UnusedDictionary,
}

#[derive(Debug, Clone)]
struct RequiredDictionary {
    values: Arc<ArrayData>,
    written: WrittenValues,
}

/// How many values of the batch's dictionary the reader has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WrittenValues {
    All,
    /// The first values, and the reader has no other values. The rest may be appended.
    Start,
    No,
}

/// Whether other values may replace the written values of a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replacement {
    Allowed,
    /// Not in a file, since its batches are read in any order.
    RefusedInFile,
    /// Not with a policy that forbids it.
    RefusedByPolicy,
}

impl Replacement {
    pub(super) fn from_policy(policy: &DictionaryPolicy, container: WrittenContainer) -> Replacement {
        match (policy, container) {
            (DictionaryPolicy::Error, _) => Replacement::RefusedByPolicy,
            (_, WrittenContainer::File) => Replacement::RefusedInFile,
            (_, WrittenContainer::Stream) => Replacement::Allowed,
        }
    }

    /// # Errors
    /// If written values may not be replaced.
    pub(crate) fn check(self, id: i64) -> Result<()> {
        match self {
            Replacement::Allowed => Ok(()),
            Replacement::RefusedInFile => Err(IpcErrorKind::ReplacedDictionary { id }.into()),
            Replacement::RefusedByPolicy => Err(IpcErrorKind::ChangedDictionary { id }.into()),
        }
    }
}

impl ReplacingDictionaries {
    pub(super) fn new(
        columns: &SchemaColumns,
        container: WrittenContainer,
        replacement: Replacement,
    ) -> ReplacingDictionaries {
        ReplacingDictionaries {
            replacement,
            container,
            order: Arc::new(WriteOrder::new(columns)),
            entries: vec![ReplacedDictionary::default(); columns.dictionaries.len()],
            pending: Vec::new(),
            has_looked: false,
        }
    }

    /// Marks the dictionaries inside values that will be written.
    fn observe_nested(&mut self) {
        for dictionary in self.order.inner_first.iter().rev() {
            let ReplacedDictionary { needed, is_inside, .. } = &self.entries[dictionary.0];
            if *is_inside || needed.as_ref().is_some_and(|needed| needed.written != WrittenValues::All) {
                for inner in &self.order.inside[dictionary.0] {
                    self.entries[inner.0].is_inside = true;
                }
            }
        }
    }

    fn forget_entries(&mut self) {
        work(self.entries.len());
        self.pending.clear();
        for entry in &mut self.entries {
            entry.needed = None;
            entry.idle.forget();
            entry.is_inside = false;
            entry.is_replaced = false;
        }
    }

    fn visit(
        &mut self,
        schema: &SchemaColumns,
        columns: &Columns,
        position: usize,
        array: &ArrayData,
    ) -> Result<()> {
        for_each_encoded(columns, position, array, &mut |encoded| {
            if encoded.is_idle() {
                self.entries[encoded.dictionary.0].idle.observe(encoded.values);
                return Ok(());
            }
            self.need(schema, encoded.dictionary, encoded.values)
        })
    }

    fn need(
        &mut self,
        schema: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        let DictionaryColumns { id, columns, .. } = &schema.dictionaries[dictionary.0];
        let entry = &mut self.entries[dictionary.0];
        if let Some(RequiredDictionary { values: needed, written }) = entry.needed.clone() {
            let is_same = match written {
                WrittenValues::All => entry.is_written(values)?,
                WrittenValues::Start | WrittenValues::No => same_values(&needed, values)?,
            };
            if is_same {
                return Ok(());
            }
            return Err(IpcErrorKind::SharedDictionaryValues { id: *id }.into());
        }
        let written = match (entry.is_written(values)?, self.replacement) {
            (true, _) => WrittenValues::All,
            (false, Replacement::Allowed | Replacement::RefusedInFile)
                if entry.continues(values, self.replacement)? =>
            {
                WrittenValues::Start
            }
            (false, replacement) => {
                if entry.written.is_some() {
                    replacement.check(*id)?;
                }
                WrittenValues::No
            }
        };
        entry.needed = Some(RequiredDictionary { values: Arc::clone(values), written });
        // Most dictionaries have no dictionaries inside.
        if self.order.inside[dictionary.0].is_empty() {
            return Ok(());
        }
        columns.roots().iter().try_for_each(|root| self.visit(schema, columns, *root, values))
    }
}

impl DictionaryTracker for ReplacingDictionaries {
    #[cfg(feature = "file")]
    fn register(
        &mut self,
        _: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        let written = Some(Arc::clone(values));
        self.entries[dictionary.0] =
            ReplacedDictionary { written, is_foreign: true, ..ReplacedDictionary::default() };
        Ok(())
    }

    fn pending(&self) -> &[PendingDictionary] {
        &self.pending
    }

    fn observe(&mut self, columns: &SchemaColumns, arrays: &[ArrayData]) -> Result<()> {
        if self.entries.is_empty() {
            return Ok(());
        }
        self.forget();
        self.has_looked = true;
        for pair in Arc::clone(&self.order).pairs(columns, arrays) {
            let (root, array) = pair?;
            self.visit(columns, &columns.batch, root, array)?;
        }
        self.observe_nested();
        for dictionary in &self.order.inner_first {
            let entry = &self.entries[dictionary.0];
            let is_early = entry.is_inside || self.container == WrittenContainer::Stream;
            // If a dictionary inside these values is replaced, the indices in the values would select other values. So
            // the values are written again.
            let is_stale =
                self.order.inside[dictionary.0].iter().any(|inner| self.entries[inner.0].is_replaced);
            if let (
                Some(RequiredDictionary { values, written: WrittenValues::Start }),
                Some(written),
                false,
            ) = (&entry.needed, &entry.written, is_stale)
            {
                let n_known = written.len();
                let dictionary = *dictionary;
                let values = Arc::new(values.try_slice(n_known, values.len() - n_known)?);
                self.pending.push(PendingDictionary { dictionary, values, is_delta: true });
                continue;
            }
            let values = match (&entry.needed, &entry.written) {
                (Some(needed), _) => {
                    (needed.written != WrittenValues::All || is_stale).then(|| Arc::clone(&needed.values))
                }
                (None, None) if is_early => Some(entry.idle.stand_in(&columns.dictionaries[dictionary.0])),
                (None, Some(_)) if is_stale => {
                    Some(Arc::new(ArrayData::new_empty(&columns.dictionaries[dictionary.0].value_type)))
                }
                (None, _) => None,
            };
            let is_replaced = entry.written.is_some() && values.is_some();
            self.entries[dictionary.0].is_replaced = is_replaced;
            self.pending.extend(values.map(|values| PendingDictionary {
                dictionary: *dictionary,
                values,
                is_delta: false,
            }));
        }
        Ok(())
    }

    fn observe_end(&mut self, columns: &SchemaColumns) {
        self.forget();
        self.has_looked = true;
        for dictionary in &self.order.inner_first {
            let entry = &self.entries[dictionary.0];
            if entry.written.is_none() {
                let values = entry.idle.stand_in(&columns.dictionaries[dictionary.0]);
                self.pending.push(PendingDictionary { dictionary: *dictionary, values, is_delta: false });
            }
        }
    }

    fn commit(&mut self) {
        if !self.has_looked {
            return;
        }
        work(self.entries.len());
        for pending in self.pending.drain(..) {
            let entry = &mut self.entries[pending.dictionary.0];
            entry.same.clear();
            entry.has_grown = pending.is_delta;
            entry.is_foreign = false;
            entry.written = match entry.needed.take() {
                Some(needed) if pending.is_delta => Some(needed.values),
                Some(_) | None => Some(pending.values),
            };
        }
        for entry in &mut self.entries {
            entry.idle.commit();
            if entry.written.is_some() {
                entry.idle = UnusedDictionary::default();
            }
        }
        self.forget();
    }

    fn reset(&mut self) {
        self.forget();
        self.entries.fill(ReplacedDictionary::default());
    }

    #[inline]
    fn forget(&mut self) {
        if std::mem::take(&mut self.has_looked) {
            self.forget_entries();
        }
    }
}

impl ReplacedDictionary {
    /// Whether the reader has these values. Compares each array once.
    fn is_written(&mut self, values: &Arc<ArrayData>) -> Result<bool> {
        let Some(written) = &self.written else { return Ok(false) };
        if Arc::ptr_eq(written, values) || self.same.recall(values).is_some() {
            return Ok(true);
        }
        let is_same = same_values(written, values)?;
        if is_same {
            self.same.remember(values, ());
        }
        Ok(is_same)
    }

    /// Whether the values continue the written values. Compares them only if the dictionary has grown before, or if the
    /// output is a file, where a dictionary cannot be replaced. In other cases, equal first values may be chance, and
    /// some readers do not support deltas. So an empty dictionary, which each dictionary continues, is replaced in streams.
    fn continues(&self, values: &ArrayData, replacement: Replacement) -> Result<bool> {
        let Some(written) = self.written.as_ref().filter(|written| written.len() < values.len()) else {
            return Ok(false);
        };
        let compares = self.has_grown || replacement == Replacement::RefusedInFile;
        Ok(!self.is_foreign
            && (!written.is_empty() || replacement == Replacement::RefusedInFile)
            && (values.continues_memory(written) || compares && values.begins_with(written)?))
    }
}

/// Whether two dictionaries have the same type, and the same values in the same order. Compares dictionaries inside them
/// by value, too.
fn same_values(left: &Arc<ArrayData>, right: &Arc<ArrayData>) -> Result<bool> {
    let is_same = Arc::ptr_eq(left, right) || left.same_memory(right);
    Ok(is_same
        || left.data_type().same_type(right.data_type())
            && left.len() == right.len()
            && !differs_at_ends(left, right)?
            && left.same_values(right)?)
}

/// Whether the first or the last values differ. Most new dictionaries differ there, so not all values must be checked and
/// compared.
fn differs_at_ends(left: &ArrayData, right: &ArrayData) -> Result<bool> {
    let is_checked = |array: &ArrayData| array.checked() >= Validation::Content;
    // A slice of an array with children keeps all items, so only arrays without children are sliced.
    let is_flat = |array: &ArrayData| array.children().is_empty() && array.dictionary().is_none();
    if is_checked(left) && is_checked(right) || !is_flat(left) || !is_flat(right) {
        return Ok(false);
    }
    for slot in [Some(0), left.len().checked_sub(1)].into_iter().flatten().filter(|slot| *slot < left.len()) {
        if !left.try_slice(slot, 1)?.same_values(&right.try_slice(slot, 1)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Buffer;
    use arrow_data::ArrayParts;
    use arrow_schema::DataType;

    use super::*;

    /// Words of one byte each, with unchecked content.
    fn letters(letters: &[u8]) -> Arc<ArrayData> {
        let offsets: Vec<i32> = (0..=letters.len() as i32).collect();
        let buffers = [Buffer::from(offsets), Buffer::copy_from(letters)];
        let parts = ArrayParts { buffers, ..ArrayParts::new(DataType::Utf8, letters.len()) };
        Arc::new(ArrayData::try_new(parts).unwrap())
    }

    /// The byte in the middle is not UTF-8. The comparison only looks at this byte if it has to compare all values.
    #[test]
    fn content_is_not_checked_for_nothing() {
        let written = letters(b"abc");
        for (other, expected) in
            [(&b"xbc"[..], Some(false)), (b"abx", Some(false)), (b"ab", Some(false)), (b"abc", Some(true))]
        {
            assert_eq!(same_values(&written, &letters(other)).ok(), expected, "{other:?}");
        }
        assert_eq!(same_values(&letters(b"a\xffc"), &letters(b"x\xffc")).ok(), Some(false));
        assert!(same_values(&letters(b"a\xffc"), &letters(b"a\xffc")).is_err());
        assert_eq!(same_values(&letters(b""), &letters(b"")).ok(), Some(true));
    }
}

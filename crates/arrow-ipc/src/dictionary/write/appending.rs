//! The policies `Delta` and `Unify`: dictionaries that only grow. New values are appended to the written values. Indices are
//! changed if a value has another index in the written dictionary.

mod order;
mod pool;
mod unify;
mod written_values;

use std::sync::Arc;

use arrow_data::ArrayData;
use arrow_select::{Select, SelectError, SelectErrorKind, ValueTable};

pub(crate) use self::pool::{IndexMaps, Mapping};
pub use self::unify::{DictionaryUnifier, UnifiedDictionaries};
use self::{
    order::ValueOrder,
    pool::{MergeResult, NewSlots},
    written_values::{KnownValues, checked},
};
use super::{
    DictionaryTracker, PendingDictionary,
    recent::{RecentDictionaries, UnusedDictionary},
    walk::{EncodedArray, WriteOrder, for_each_encoded},
};
use crate::error::{IpcErrorKind, Result};
use arrow_ipc_format::{
    WrittenContainer,
    columns::{Columns, DictionaryColumns, DictionaryIdx, SchemaColumns},
};

/// The tracker of the policies `Delta` and `Unify`. It recognises a known dictionary by its address, and a dictionary
/// that continues the written values by its memory or its values ([`KnownValues`]). In any other dictionary, it looks
/// each value up once.
#[derive(Debug)]
pub(crate) struct AppendingDictionaries {
    container: WrittenContainer,
    order: Arc<WriteOrder>,
    /// The state of each dictionary, by its position in the columns of the schema.
    entries: Vec<AppendedDictionary>,
    maps: IndexMaps,
    pending: Vec<PendingDictionary>,
    /// The dictionaries that the current batch has changed, possibly with repetitions.
    changed: Vec<DictionaryIdx>,
    /// Whether new values are copied, so that they do not keep the dictionary of a batch in memory. Otherwise they are slices of
    /// it if possible, which are written at once.
    copies_values: bool,
    /// The order of the values of each dictionary. Empty in a writer, and if no dictionary is ordered.
    orders: Vec<CollectedOrder>,
    /// How often a dictionary was committed or forgotten.
    #[cfg(test)]
    pub(super) n_visited: usize,
}

/// The order of the values of a dictionary, for a [`DictionaryUnifier`](super::DictionaryUnifier).
#[derive(Debug, Default)]
struct CollectedOrder {
    order: ValueOrder,
    /// Whether a batch has an ordered dictionary with the values at other positions. If not, each dictionary begins the
    /// collected values, so these have the right order.
    is_needed: bool,
    was_needed: bool,
}

#[derive(Debug, Default)]
struct AppendedDictionary {
    known: KnownValues,
    base: DeltaBase,
    /// The unified values, to which no value may be added; `None` if the dictionary may grow.
    unified: Option<Arc<ArrayData>>,
    recent: RecentDictionaries<Mapping>,
    idle: UnusedDictionary,
}

/// The state of the first message of a dictionary, which is not a delta.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum DeltaBase {
    #[default]
    None,
    Pending,
    Written,
}

impl AppendingDictionaries {
    pub(super) fn new(columns: &SchemaColumns, container: WrittenContainer) -> AppendingDictionaries {
        let n_dictionaries = columns.dictionaries.len();
        AppendingDictionaries {
            container,
            order: Arc::new(WriteOrder::new(columns)),
            entries: std::iter::repeat_with(AppendedDictionary::default).take(n_dictionaries).collect(),
            maps: IndexMaps::new(n_dictionaries),
            pending: Vec::new(),
            changed: Vec::new(),
            copies_values: false,
            orders: Vec::new(),
            #[cfg(test)]
            n_visited: 0,
        }
    }

    /// Makes the dictionaries collect values that a writer will write: as copies, and with the order of the values of
    /// ordered dictionaries.
    pub(super) fn with_collected_values(self, columns: &SchemaColumns) -> AppendingDictionaries {
        let n_orders = if columns.has_ordered_dictionary() { self.entries.len() } else { 0 };
        let orders = std::iter::repeat_with(CollectedOrder::default).take(n_orders).collect();
        AppendingDictionaries { copies_values: true, orders, ..self }
    }

    /// Like `observe` for the arrays `used`: those of the batch, or the same without unused values. The dictionaries of
    /// `arrays` have all values, and only they tell the order of the values.
    pub(super) fn observe_used(
        &mut self,
        columns: &SchemaColumns,
        arrays: &[ArrayData],
        used: &[ArrayData],
    ) -> Result<()> {
        self.forget();
        if !self.orders.is_empty() {
            for pair in Arc::clone(&self.order).pairs(columns, arrays) {
                let (root, array) = pair?;
                self.see_orders(columns, &columns.batch, root, array)?;
            }
        }
        self.visit_all(columns, used)
    }

    fn visit_all(&mut self, columns: &SchemaColumns, arrays: &[ArrayData]) -> Result<()> {
        for pair in Arc::clone(&self.order).pairs(columns, arrays) {
            let (root, array) = pair?;
            self.visit(columns, &columns.batch, root, array)?;
        }
        Ok(())
    }

    /// Collects the order of the values of ordered dictionaries.
    fn see_orders(
        &mut self,
        schema: &SchemaColumns,
        columns: &Columns,
        position: usize,
        array: &ArrayData,
    ) -> Result<()> {
        for_each_encoded(columns, position, array, &mut |encoded| {
            if encoded.is_idle() {
                return Ok(());
            }
            let idx = encoded.dictionary;
            if is_ordered(columns, encoded)
                && let Some(collected) = self.orders.get_mut(idx.0)
            {
                self.changed.push(idx);
                collected.order.observe(encoded.values)?;
            }
            self.see_orders_inside(schema, idx, encoded.values)
        })
    }

    /// Collects the order of the values of ordered dictionaries inside the values of a dictionary.
    pub(super) fn see_orders_inside(
        &mut self,
        schema: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &ArrayData,
    ) -> Result<()> {
        if self.orders.is_empty() || self.order.inside[dictionary.0].is_empty() {
            return Ok(());
        }
        let DictionaryColumns { columns: inside, .. } = &schema.dictionaries[dictionary.0];
        inside.roots().iter().try_for_each(|root| self.see_orders(schema, inside, *root, values))
    }

    /// The numbers of distinct values and of pairs of neighbours of an ordered dictionary.
    #[cfg(test)]
    pub(super) fn order_counts(&self, dictionary_idx: usize) -> (usize, usize) {
        self.orders[dictionary_idx].order.counts()
    }

    /// The collected values of a dictionary, in the order that all ordered dictionaries agree on.
    ///
    /// # Errors
    /// If there is no such order.
    pub(super) fn in_order(
        &mut self,
        columns: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: Arc<ArrayData>,
    ) -> Result<Arc<ArrayData>> {
        let Some(collected) = self.orders.get_mut(dictionary.0).filter(|of| of.is_needed) else {
            return Ok(values);
        };
        let id = columns.dictionaries[dictionary.0].id;
        let Some(slots) = collected.order.sort(id, &values)? else { return Ok(values) };
        // The values are looked up in their new order.
        self.entries[dictionary.0].known = KnownValues::default();
        Ok(Arc::new(values.take(&slots)?))
    }

    /// Sets the unified values of a dictionary, to which no value can be added.
    pub(super) fn unify(&mut self, dictionary: DictionaryIdx, pool: ValueTable, values: Arc<ArrayData>) {
        let known = KnownValues::new(Arc::clone(&values), pool);
        self.entries[dictionary.0] =
            AppendedDictionary { known, unified: Some(values), ..AppendedDictionary::default() };
    }

    pub(super) fn is_unified(&self, dictionary: DictionaryIdx) -> bool {
        self.entries[dictionary.0].unified.is_some()
    }

    pub(super) fn inner_first(&self) -> Vec<DictionaryIdx> {
        self.order.inner_first.clone()
    }

    pub(super) fn into_pools(self) -> impl Iterator<Item = ValueTable> {
        self.entries.into_iter().map(|entry| entry.known.into_table())
    }

    /// The values to write for a dictionary to which no valid index of any batch refers.
    pub(super) fn stand_in(&self, columns: &SchemaColumns, dictionary: DictionaryIdx) -> Arc<ArrayData> {
        self.entries[dictionary.0].idle.stand_in(&columns.dictionaries[dictionary.0])
    }

    /// Adds the dictionaries inside `values`, which will be written.
    pub(super) fn observe_nested(
        &mut self,
        columns: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &ArrayData,
    ) -> Result<()> {
        if self.order.inside[dictionary.0].is_empty() {
            return Ok(());
        }
        let DictionaryColumns { columns: inside, .. } = &columns.dictionaries[dictionary.0];
        inside.roots().iter().try_for_each(|root| self.visit(columns, inside, *root, values))?;
        // When readers read the outer dictionary, they look for the inner one, so the inner one must have a message.
        self.open_inside(columns, dictionary);
        Ok(())
    }

    fn visit(
        &mut self,
        schema: &SchemaColumns,
        columns: &Columns,
        position: usize,
        array: &ArrayData,
    ) -> Result<()> {
        for_each_encoded(columns, position, array, &mut |encoded| {
            self.changed.push(encoded.dictionary);
            if encoded.is_idle() {
                self.entries[encoded.dictionary.0].idle.observe(encoded.values);
                return Ok(());
            }
            let mapping = self.need(schema, encoded.dictionary, encoded.values)?;
            if !is_ordered(columns, encoded) {
                return Ok(());
            }
            let Some(table) = mapping.table() else { return Ok(()) };
            if let Some(collected) = self.orders.get_mut(encoded.dictionary.0) {
                collected.is_needed = true;
                return Ok(());
            }
            // The order of indices into an ordered dictionary is the order of the values, so it must not change.
            if self.is_unified(encoded.dictionary) && table.is_sorted() {
                Ok(())
            } else {
                Err(SelectError::from(SelectErrorKind::OrderedDictionaries).into())
            }
        })
    }

    /// Finds the values of a dictionary among the written values, and plans a message with the new values.
    fn need(
        &mut self,
        schema: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<Mapping> {
        if let Some(mapping) = self.maps.get(dictionary, values) {
            return Ok(mapping.clone());
        }
        if let Some(mapping) = self.entries[dictionary.0].recent.recall(values).cloned() {
            self.maps.add(dictionary, values, mapping.clone());
            return Ok(mapping);
        }
        let (mapping, added) = self.absorb(schema, dictionary, values)?;
        if let Some(added) = added {
            // Inner dictionaries are written first, since the values refer to them.
            self.observe_nested(schema, dictionary, &added)?;
            self.push(dictionary, added);
        }
        self.maps.add(dictionary, values, mapping.clone());
        Ok(mapping)
    }

    /// Looks the values up among the written values, and returns the values that must be written.
    #[inline(never)]
    fn absorb(
        &mut self,
        schema: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<(Mapping, Option<Arc<ArrayData>>)> {
        let entry = &mut self.entries[dictionary.0];
        let MergeResult { mapping, added } = entry.known.absorb(values)?;
        if entry.unified.is_some() {
            if added.is_empty() {
                return Ok((mapping, None));
            }
            return Err(IpcErrorKind::NotUnified { id: schema.dictionaries[dictionary.0].id }.into());
        }
        let added = match added {
            added if added.is_empty() && entry.base != DeltaBase::None => None,
            NewSlots::Range(range) if range.len() == values.len() => Some(checked(values)?),
            NewSlots::Range(range) => {
                let added = checked(&Arc::new(values.try_slice(range.start, range.len())?))?;
                if self.copies_values {
                    Some(Arc::new(added.take(&(0..range.len()).collect::<Vec<usize>>())?))
                } else {
                    Some(added)
                }
            }
            NewSlots::Slots(slots) => Some(Arc::new(values.take(&slots)?)),
        };
        Ok((mapping, added))
    }

    /// Plans an empty first message for a dictionary without one, since a delta needs a dictionary.
    fn open(&mut self, schema: &SchemaColumns, dictionary: DictionaryIdx) {
        if self.entries[dictionary.0].base != DeltaBase::None {
            return;
        }
        self.open_inside(schema, dictionary);
        let value_type = &schema.dictionaries[dictionary.0].value_type;
        self.push(dictionary, Arc::new(ArrayData::new_empty(value_type)));
    }

    fn open_inside(&mut self, schema: &SchemaColumns, dictionary: DictionaryIdx) {
        let order = Arc::clone(&self.order);
        order.inside[dictionary.0].iter().for_each(|inner| self.open(schema, *inner));
    }

    fn write_unified(&mut self, schema: &SchemaColumns, dictionary: DictionaryIdx) -> Result<()> {
        let AppendedDictionary { unified, base, .. } = &self.entries[dictionary.0];
        if let (Some(values), DeltaBase::None) = (unified, base) {
            let values = Arc::clone(values);
            self.observe_nested(schema, dictionary, &values)?;
            self.push(dictionary, values);
        }
        Ok(())
    }

    fn push(&mut self, dictionary: DictionaryIdx, values: Arc<ArrayData>) {
        self.changed.push(dictionary);
        let base = &mut self.entries[dictionary.0].base;
        let is_delta = *base != DeltaBase::None;
        if !is_delta {
            *base = DeltaBase::Pending;
        }
        self.pending.push(PendingDictionary { dictionary, values, is_delta });
    }
}

impl DictionaryTracker for AppendingDictionaries {
    #[cfg(feature = "file")]
    fn register(
        &mut self,
        columns: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        let entry = &mut self.entries[dictionary.0];
        if let Some(unified) = &entry.unified {
            // Written values cannot be changed.
            if !unified.same_values(values)? {
                return Err(
                    IpcErrorKind::ReplacedDictionary { id: columns.dictionaries[dictionary.0].id }.into()
                );
            }
        } else {
            entry.known.absorb(&checked(values)?)?;
            entry.known.commit();
            entry.recent.remember(values, Mapping::Same);
        }
        entry.base = DeltaBase::Written;
        Ok(())
    }

    fn observe(&mut self, columns: &SchemaColumns, arrays: &[ArrayData]) -> Result<()> {
        self.forget();
        let order = Arc::clone(&self.order);
        for dictionary in &order.inner_first {
            self.write_unified(columns, *dictionary)?;
        }
        self.visit_all(columns, arrays)?;
        if self.container == WrittenContainer::Stream {
            order.inner_first.iter().for_each(|dictionary| self.open(columns, *dictionary));
        }
        Ok(())
    }

    fn observe_end(&mut self, columns: &SchemaColumns) {
        self.forget();
        for dictionary in &Arc::clone(&self.order).inner_first {
            if self.entries[dictionary.0].base == DeltaBase::None {
                let values = self.stand_in(columns, *dictionary);
                self.push(*dictionary, values);
            }
        }
    }

    fn pending(&self) -> &[PendingDictionary] {
        &self.pending
    }

    fn maps(&self) -> &IndexMaps {
        &self.maps
    }

    fn commit(&mut self) {
        self.pending.clear();
        #[cfg(test)]
        (self.n_visited += self.changed.len());
        for dictionary in self.changed.drain(..) {
            let entry = &mut self.entries[dictionary.0];
            for (values, mapping) in self.maps.drain(dictionary) {
                entry.recent.remember(&values, mapping);
            }
            entry.known.commit();
            if entry.base == DeltaBase::Pending {
                entry.base = DeltaBase::Written;
            }
            entry.idle.commit();
            if !entry.known.is_empty() {
                entry.idle = UnusedDictionary::default();
            }
            if let Some(collected) = self.orders.get_mut(dictionary.0) {
                collected.order.commit();
                collected.was_needed = collected.is_needed;
            }
        }
    }

    fn reset(&mut self) {
        self.forget();
        for entry in &mut self.entries {
            if entry.unified.is_none() {
                entry.known = KnownValues::default();
                entry.recent.clear();
            }
            entry.base = DeltaBase::None;
            entry.idle = UnusedDictionary::default();
        }
    }

    fn forget(&mut self) {
        self.pending.clear();
        #[cfg(test)]
        (self.n_visited += self.changed.len());
        for dictionary in self.changed.drain(..) {
            drop(self.maps.drain(dictionary));
            let entry = &mut self.entries[dictionary.0];
            entry.known.forget();
            if entry.base == DeltaBase::Pending {
                entry.base = DeltaBase::None;
            }
            entry.idle.forget();
            if let Some(collected) = self.orders.get_mut(dictionary.0) {
                collected.order.forget();
                collected.is_needed = collected.was_needed;
            }
        }
    }
}

fn is_ordered(columns: &Columns, encoded: EncodedArray<'_>) -> bool {
    columns.at(encoded.position).data_type.as_dictionary().is_some_and(|of| of.is_ordered())
}

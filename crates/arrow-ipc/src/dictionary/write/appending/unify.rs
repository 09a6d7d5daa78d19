//! Collects the values of all batches in one dictionary before the first batch is written.

use std::{fmt, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_select::{ValueTable, concat};

use super::AppendingDictionaries;
use crate::{
    dictionary::write::DictionaryTracker,
    error::{Context, IpcErrorKind, Result},
    unused::UnusedData,
};
use arrow_ipc_format::{
    IpcSchema, WrittenContainer,
    columns::{DictionaryIdx, SchemaColumns},
};

/// Collects the dictionaries of batches that a writer with [`DictionaryPolicy::Unify`] will write.
/// [`WriteOptions::dictionary_unifier`](crate::WriteOptions::dictionary_unifier) makes one for a writer that leaves out unused
/// values.
///
/// The unifier must read all batches before the first batch is written. So the batches must be in memory, or in a source
/// that can be read twice. The unifier stores each distinct value of a dictionary twice: in an array, and as bytes in a
/// lookup table.
///
/// ```
/// use arrow_array::{DictionaryBuilder, Utf8Builder};
/// use arrow_buffer::Buffer;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{DictionaryPolicy, FileReader, FileWriter, WriteOptions, dictionary::DictionaryUnifier};
/// use arrow_schema::IndexType;
///
/// let batch = |words: [&str; 2]| -> Result<RecordBatch, Box<dyn std::error::Error>> {
///     let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new())?;
///     words.into_iter().for_each(|word| column.append(word));
///     Ok(RecordBatch::try_from_columns([("word", column.finish()?.into())])?)
/// };
/// let batches = [batch(["ada", "grace"])?, batch(["grace", "edsger"])?];
///
/// let mut unifier = DictionaryUnifier::try_new(batches[0].schema())?;
/// batches.iter().try_for_each(|batch| unifier.observe(batch))?;
/// let unified = unifier.finish()?;
/// assert_eq!(unified.values(0).map(|values| values.len()), Some(3));
///
/// let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Unify(unified));
/// let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options)?;
/// batches.iter().try_for_each(|batch| writer.write(batch))?;
/// let file = FileReader::try_from_buffer(Buffer::from(writer.finish()?))?;
/// assert_eq!(file.footer().dictionaries().len(), 1);
/// assert!(file.batch(1)?.same_values(&batches[1])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`DictionaryPolicy::Unify`]: crate::DictionaryPolicy::Unify
#[derive(Debug)]
pub struct DictionaryUnifier {
    schema: IpcSchema,
    columns: SchemaColumns,
    appending: AppendingDictionaries,
    unused: UnusedData,
    /// For each dictionary, the new values of each batch, in order.
    pieces: Vec<Vec<ArrayData>>,
}

/// Dictionaries with the values of all batches, from a [`DictionaryUnifier`]. Cloning copies nothing.
#[derive(Clone)]
pub struct UnifiedDictionaries {
    all: Arc<Vec<UnifiedDictionary>>,
}

#[derive(Clone)]
struct UnifiedDictionary {
    id: i64,
    pool: ValueTable,
    values: Arc<ArrayData>,
}

impl PartialEq for UnifiedDictionaries {
    /// Whether both have the same dictionaries, in the same order, with equal values.
    fn eq(&self, other: &UnifiedDictionaries) -> bool {
        let identified = |dictionaries: &UnifiedDictionaries| -> Vec<(i64, Arc<ArrayData>)> {
            dictionaries
                .all
                .iter()
                .map(|dictionary| (dictionary.id, Arc::clone(&dictionary.values)))
                .collect()
        };
        Arc::ptr_eq(&self.all, &other.all) || identified(self) == identified(other)
    }
}

impl DictionaryUnifier {
    /// Makes a unifier without values. All batches must have this schema. All values of their dictionaries are retained.
    ///
    /// # Errors
    /// If a dictionary contains itself, or fields of different types share a dictionary.
    pub fn try_new(schema: impl Into<IpcSchema>) -> Result<DictionaryUnifier> {
        DictionaryUnifier::try_with_unused(schema.into(), UnusedData::KEEP)
    }

    pub(crate) fn try_with_unused(schema: IpcSchema, unused: UnusedData) -> Result<DictionaryUnifier> {
        let columns = SchemaColumns::try_new(&schema)?;
        let appending =
            AppendingDictionaries::new(&columns, WrittenContainer::File).with_collected_values(&columns);
        let pieces = vec![Vec::new(); columns.dictionaries.len()];
        Ok(DictionaryUnifier { schema, columns, appending, unused, pieces })
    }

    /// Adds the dictionaries of a batch. Reads a dictionary that several batches share only once.
    ///
    /// # Errors
    /// If names, types or nullability differ from the schema's. If an unchecked dictionary is invalid. If unused values
    /// are left out, and the content of a column with a dictionary is invalid. After an error, the unifier has the state
    /// before the call.
    pub fn observe(&mut self, batch: &RecordBatch) -> Result<()> {
        if !Arc::ptr_eq(self.schema.schema(), batch.schema()) {
            self.schema.schema().check_same_columns(batch.schema()).map_err(IpcErrorKind::Schema)?;
        }
        let looked = self.observe_used(batch.columns());
        if looked.is_err() {
            self.appending.forget();
        }
        looked?;
        self.keep();
        Ok(())
    }

    fn observe_used(&mut self, arrays: &[ArrayData]) -> Result<()> {
        if self.unused.keeps_all() {
            return self.appending.observe_used(&self.columns, arrays, arrays);
        }
        let columns = &self.columns.batch;
        let used = arrays.iter().zip(columns.roots()).map(|(array, root)| {
            match columns.dictionaries_below(&[*root]).next() {
                Some(_) => self.unused.remove_from(array).in_field(|| columns.path(*root)),
                None => Ok(array.clone()),
            }
        });
        let used = used.collect::<Result<Vec<ArrayData>>>()?;
        self.appending.observe_used(&self.columns, arrays, &used)
    }

    /// Returns the dictionaries, each with the values of all batches. The values of an ordered dictionary have the order
    /// that they have in the dictionaries of all batches; values that are left out count, too.
    ///
    /// # Errors
    /// If the values of a dictionary exceed the 32-bit offsets of their type. If ordered dictionaries have two values in
    /// opposite orders, or do not say which of two values comes first.
    pub fn finish(mut self) -> Result<UnifiedDictionaries> {
        let values = self.join()?;
        let dictionaries = self.columns.dictionaries.iter().zip(self.appending.into_pools()).zip(values);
        let all = dictionaries.map(|((dictionary, pool), (_, values))| UnifiedDictionary {
            id: dictionary.id,
            pool,
            values,
        });
        Ok(UnifiedDictionaries { all: Arc::new(all.collect()) })
    }

    /// Joins the values of each dictionary, in the order of the columns.
    fn join(&mut self) -> Result<Vec<(DictionaryIdx, Arc<ArrayData>)>> {
        let mut values: Vec<(DictionaryIdx, Arc<ArrayData>)> = Vec::new();
        // Outer dictionaries come first: joining them may add values to inner dictionaries that no batch referred to.
        for idx in self.appending.inner_first().into_iter().rev() {
            let joined = match self.pieces[idx.0].as_slice() {
                // No batch has defined the order of dictionaries inside these values.
                [] => {
                    let values = self.appending.stand_in(&self.columns, idx);
                    self.appending.see_orders_inside(&self.columns, idx, &values)?;
                    values
                }
                [only] => Arc::new(only.clone()),
                pieces => Arc::new(concat(pieces)?),
            };
            let joined = match self.appending.in_order(&self.columns, idx, joined) {
                Ok(joined) => joined,
                Err(error) => {
                    let columns = &self.columns.batch;
                    let mut all = 0..columns.n_columns();
                    let position = all.find(|position| columns.at(*position).dictionary == Some(idx));
                    let Some(position) = position else { return Err(error) };
                    return Err(error).in_field(|| columns.path(position));
                }
            };
            self.appending.observe_nested(&self.columns, idx, &joined)?;
            self.keep();
            values.push((idx, joined));
        }
        values.sort_unstable_by_key(|(idx, _)| idx.0);
        Ok(values)
    }

    /// Appends the new values of the last batch to `pieces`.
    fn keep(&mut self) {
        for pending in self.appending.pending() {
            if !pending.values.is_empty() {
                self.pieces[pending.dictionary.0].push(ArrayData::clone(&pending.values));
            }
        }
        self.appending.commit();
    }
}

impl UnifiedDictionaries {
    /// Unifies the dictionaries of batches in memory. Use [`DictionaryUnifier`] to pass batches one by one.
    ///
    /// # Errors
    /// The errors of [`DictionaryUnifier::observe`] and [`DictionaryUnifier::finish`].
    pub fn try_from_batches<'a>(
        schema: impl Into<IpcSchema>,
        batches: impl IntoIterator<Item = &'a RecordBatch>,
    ) -> Result<UnifiedDictionaries> {
        let mut unifier = DictionaryUnifier::try_new(schema)?;
        batches.into_iter().try_for_each(|batch| unifier.observe(batch))?;
        unifier.finish()
    }

    /// The values of the dictionary with this id; `None` if there is no such dictionary.
    pub fn values(&self, id: i64) -> Option<&Arc<ArrayData>> {
        self.all.iter().find(|unified| unified.id == id).map(|unified| &unified.values)
    }

    /// Makes a tracker that writes these dictionaries.
    pub(crate) fn into_appending(
        self,
        columns: &SchemaColumns,
        container: WrittenContainer,
    ) -> Result<AppendingDictionaries> {
        let mut appending = AppendingDictionaries::new(columns, container);
        // Moves the dictionaries if nothing else refers to them; otherwise copies them.
        let all = Arc::unwrap_or_clone(self.all);
        for UnifiedDictionary { id, pool, values } in all {
            let Some(idx) = columns.dictionary(id) else { continue };
            if columns.dictionaries[idx.0].value_type.same_type(values.data_type()) {
                appending.unify(idx, pool, values);
            }
        }
        let missing = (0..columns.dictionaries.len()).find(|idx| !appending.is_unified(DictionaryIdx(*idx)));
        if let Some(missing) = missing {
            return Err(IpcErrorKind::NotUnified { id: columns.dictionaries[missing].id }.into());
        }
        Ok(appending)
    }
}

impl fmt::Debug for UnifiedDictionaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.all.iter().map(|unified| (unified.id, unified.values.len()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Buffer;
    use arrow_data::ArrayParts;
    use arrow_schema::{DataType, DictionaryOrder, DictionaryType, Field, IndexType, Schema};
    use arrow_select::UnusedValues;
    use testing_support::{Rng, ints};

    use super::*;

    /// Dictionaries of lists, each with a dictionary of its own inside.
    fn schema(n_fields: usize) -> Schema {
        let encoded = |value| DataType::dictionary(IndexType::Int8, value).unwrap();
        let item = || Field::new("item", encoded(DataType::Utf8));
        let fields = (0..n_fields).map(|k| Field::new(format!("f{k}"), encoded(DataType::list(item()))));
        Schema::new(fields.collect::<Vec<Field>>())
    }

    /// Batches that use few values of one ordered dictionary tell its order once.
    #[test]
    fn used_values_define_no_order() {
        let values = Arc::new(ints(0..1000));
        let data_type = DataType::Dictionary(
            DictionaryType::try_new(IndexType::Int32, DataType::Int32, DictionaryOrder::Ordered)
                .unwrap()
                .into(),
        );
        let schema = Arc::new(Schema::new([Field::new("f", data_type.clone())]));
        let rng = &mut Rng::new(1);
        for unused in [UnusedData::KEEP, UnusedData::new(UnusedValues::Keep, UnusedValues::Remove)] {
            let mut unifier = DictionaryUnifier::try_with_unused(schema.clone().into(), unused).unwrap();
            for _ in 0..50 {
                let indices: Vec<i32> = (0..20).map(|_| rng.below(1000) as i32).collect();
                let column = ArrayData::try_new(ArrayParts {
                    buffers: [Buffer::from(indices), Buffer::new()],
                    dictionary: Some(Arc::clone(&values)),
                    ..ArrayParts::new(data_type.clone(), 20)
                });
                unifier.observe(&RecordBatch::try_new(schema.clone(), [column.unwrap()]).unwrap()).unwrap();
            }
            assert_eq!(unifier.appending.order_counts(0), (1000, 999));
            let unified = unifier.finish().unwrap();
            let n_values = unified.all[0].values.len();
            assert!(if unused.keeps_all() { n_values == 1000 } else { (400..=999).contains(&n_values) });
        }
    }

    #[test]
    fn work_is_in_proportion_to_dictionaries() {
        let n_visited = |n_fields: usize| {
            let mut unifier = DictionaryUnifier::try_new(schema(n_fields)).unwrap();
            for _ in 0..3 {
                let schema = Arc::clone(unifier.schema.schema());
                let columns = schema.fields().iter().map(|field| ArrayData::new_empty(field.data_type()));
                let columns: Vec<ArrayData> = columns.collect();
                unifier.observe(&RecordBatch::try_new(schema, columns).unwrap()).unwrap();
            }
            assert_eq!(unifier.join().unwrap().len(), 2 * n_fields);
            unifier.appending.n_visited
        };
        let few = n_visited(200);
        let many = n_visited(400);
        assert!(few > 0 && many <= 2 * few, "{few}, {many}");
    }
}

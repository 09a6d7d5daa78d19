//! Flattens a schema and the values of its dictionaries.

use std::{collections::HashMap, sync::Arc};

use arrow_data::{ChildLen, Layout, Physical, layout};
use arrow_schema::{DataType, Field};

use super::{
    Column, Columns, DICTIONARY_STEP, DictionaryColumns, DictionaryIdx, EntryCounts, Origin, SchemaColumns,
    extra::{ExtensionLevel, ExtraColumn, ExtraKinds},
    unsupported::UnsupportedEntries,
};
use crate::{
    error::{FormatErrorKind, Result},
    schema::IpcSchema,
};

impl SchemaColumns {
    /// Flattens a schema in which all columns are supported.
    ///
    /// # Errors
    /// If a column is unsupported, if a dictionary contains itself, or if fields of different types share a dictionary.
    pub fn try_new(schema: &IpcSchema) -> Result<SchemaColumns> {
        schema.check_supported()?;
        SchemaColumns::to_read(schema)
    }

    /// Like [`try_new`](SchemaColumns::try_new), but skips unsupported columns.
    ///
    /// # Errors
    /// If a dictionary contains itself, or fields of different types share a dictionary.
    pub fn to_read(schema: &IpcSchema) -> Result<SchemaColumns> {
        let fields = schema.schema().shared_fields();
        let mut builder = ColumnsBuilder {
            ids: schema.dictionary_ids().iter(),
            // Exact unless fields share a dictionary.
            dictionaries: Vec::with_capacity(schema.dictionary_ids().len()),
            by_id: HashMap::with_capacity(schema.dictionary_ids().len()),
            fields,
            steps: Vec::new(),
            layouts: RecentLayouts::default(),
        };
        let mut batch = Columns::new(Origin::Fields(Arc::clone(fields)));
        batch.roots.reserve_exact(fields.len());
        builder.add_children(&mut batch, fields)?;
        batch.unsupported =
            UnsupportedEntries::try_new(schema.unsupported_columns(), &batch.roots, batch.all.len());
        let ColumnsBuilder { dictionaries, mut by_id, .. } = builder;
        // No entry is `None`: `add_dictionary` sets each entry that it adds, or fails.
        let dictionaries = dictionaries.into_iter().flatten().collect();
        for id in schema.unsupported_columns().iter().flat_map(|column| &column.dictionary_ids) {
            by_id.entry(*id).or_insert(None);
        }
        Ok(SchemaColumns { batch, dictionaries, by_id })
    }
}

struct ColumnsBuilder<'a> {
    fields: &'a Arc<[Field]>,
    /// The path to the current field.
    steps: Vec<ColumnStep<'a>>,
    ids: std::slice::Iter<'a, i64>,
    /// An entry is `None` until all columns of its values have been added.
    dictionaries: Vec<Option<DictionaryColumns>>,
    by_id: HashMap<i64, Option<DictionaryIdx>>,
    layouts: RecentLayouts,
}

/// The 16 most recent different layouts.
#[derive(Default)]
struct RecentLayouts {
    found: [Option<Arc<Layout>>; 16],
    next: usize,
}

impl RecentLayouts {
    fn layout_of(&mut self, data_type: &DataType) -> Arc<Layout> {
        let layout = layout(data_type);
        if let Some(known) = self.found.iter().flatten().find(|known| ***known == layout) {
            return Arc::clone(known);
        }
        let layout = Arc::new(layout);
        if let Some(oldest) = self.found.get_mut(self.next) {
            *oldest = Some(Arc::clone(&layout));
        }
        self.next = (self.next + 1) % self.found.len();
        layout
    }
}

#[derive(Clone, Copy)]
enum ColumnStep<'a> {
    Child(usize, &'a Field),
    Dictionary,
}

impl<'a> ColumnsBuilder<'a> {
    fn add_children(&mut self, columns: &mut Columns, fields: &'a [Field]) -> Result<()> {
        // Reserves the exact capacity, since these fields may be most of the schema.
        if fields.len() > columns.all.len() {
            columns.all.reserve_exact(fields.len());
        }
        let are_roots = self.steps.is_empty();
        for (position, field) in fields.iter().enumerate() {
            if are_roots {
                columns.roots.push(columns.all.len());
            }
            self.steps.push(ColumnStep::Child(position, field));
            self.add(columns, field.data_type())?;
            self.steps.pop();
        }
        Ok(())
    }

    /// Adds a column with all its descendants. Ids are assigned in pre-order. The id of a dictionary comes before the ids
    /// of dictionaries inside its values.
    fn add(&mut self, columns: &mut Columns, data_type: &'a DataType) -> Result<()> {
        let position = columns.all.len();
        // Neighbouring columns often have the same type. Comparing types without children is faster than comparing
        // layouts.
        let layout = match columns.all.last().filter(|before| !has_children(&before.layout)) {
            Some(before) if before.data_type.same_type(data_type) => Arc::clone(&before.layout),
            Some(_) | None => self.layouts.layout_of(data_type),
        };
        let dictionary = match data_type.as_dictionary() {
            Some(dictionary) if is_dictionary(&layout) => Some(self.add_dictionary(dictionary.value())?),
            Some(_) | None => None,
        };
        let first = columns.totals;
        columns.totals = first.with(&layout).ok_or_else(|| too_many(first))?;
        let has_children = has_children(&layout);
        // A preliminary `end`, replaced below if there are children.
        let end = columns.totals.n_nodes;
        let extra = ExtraKinds::new(&layout, || self.extension_level());
        if !extra.is_none() {
            ExtraColumn::add(&mut columns.extra, first.n_nodes, extra);
        }
        columns.all.push(Column { data_type: data_type.clone(), layout, dictionary, first, end, extra });
        if has_children {
            self.add_children(columns, data_type.children())?;
            columns.all[position].end = columns.totals.n_nodes;
        }
        Ok(())
    }

    /// Whether the field of the current column has an extension type.
    fn extension_level(&self) -> ExtensionLevel {
        match self.steps.as_slice() {
            [.., ColumnStep::Child(_, field)] if field.extension().is_some() => ExtensionLevel::Field,
            [.., ColumnStep::Child(_, field), ColumnStep::Dictionary] if field.extension().is_some() => {
                ExtensionLevel::Dictionary
            }
            _ => ExtensionLevel::None,
        }
    }

    fn add_dictionary(&mut self, value_type: &'a DataType) -> Result<DictionaryIdx> {
        // There is an id for each dictionary: `IpcSchema` has compared the numbers.
        let id = self.ids.next().copied().ok_or(FormatErrorKind::Missing { what: "a dictionary id" })?;
        let known = self.by_id.get(&id).copied().flatten();
        let idx = known.unwrap_or(DictionaryIdx(self.dictionaries.len()));
        match known.map(|known| &self.dictionaries[known.0]) {
            None => {
                self.by_id.insert(id, Some(idx));
                self.dictionaries.push(None);
            }
            Some(None) => return Err(FormatErrorKind::CyclicDictionary { id }.into()),
            Some(Some(dictionary)) if !dictionary.value_type.same_type(value_type) => {
                let first = dictionary.value_type.clone();
                let second = value_type.clone();
                return Err(FormatErrorKind::SharedDictionaryType { id, first, second }.into());
            }
            Some(Some(_)) => {}
        }
        // The values of a shared dictionary are walked for each use, since ids inside these values are listed for each
        // use.
        self.steps.push(ColumnStep::Dictionary);
        let steps = self.steps.iter().map(ColumnStep::number).collect();
        let mut columns = Columns::new(Origin::Dictionary(Arc::clone(self.fields), steps));
        // Most values have no children, so one column is enough.
        columns.all.reserve_exact(1);
        columns.roots = vec![0];
        self.add(&mut columns, value_type)?;
        self.steps.pop();
        let inner = |columns: &Columns| columns.dictionaries_below(columns.roots()).collect::<Vec<_>>();
        if let Some(first) = &self.dictionaries[idx.0]
            && inner(&first.columns) != inner(&columns)
        {
            return Err(FormatErrorKind::SharedDictionaryInner { id }.into());
        }
        if known.is_none() {
            let value_type = value_type.clone();
            self.dictionaries[idx.0] = Some(DictionaryColumns { id, value_type, columns });
        }
        Ok(idx)
    }
}

impl ColumnStep<'_> {
    fn number(&self) -> u32 {
        match self {
            ColumnStep::Child(position, _) => u32::try_from(*position).unwrap_or(DICTIONARY_STEP),
            ColumnStep::Dictionary => DICTIONARY_STEP,
        }
    }
}

fn too_many(counts: EntryCounts) -> FormatErrorKind {
    let requested = u64::from(counts.n_nodes);
    let limit = u32::MAX.into();
    FormatErrorKind::LimitExceeded { what: "fields and their buffers", requested, limit }
}

fn is_dictionary(layout: &Layout) -> bool {
    matches!(layout.physical(), Physical::Dictionary(_))
}

fn has_children(layout: &Layout) -> bool {
    layout.child_len() != ChildLen::NoChildren
}

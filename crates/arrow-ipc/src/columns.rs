//! The schema flattened once: for each field where its entries are in a message's flat lists.
//!
//! A batch needs no walk over types: its lists are compared with the counts here before anything is decoded, and
//! each column knows its first node and buffer, up to the view columns before it, whose buffers each batch counts.

use std::{collections::HashMap, sync::Arc};

use arrow_data::{Layout, Nulls, layout};
use arrow_schema::{DataType, Field, FieldPath};

use crate::{
    error::{IpcErrorKind, Result},
    ipc_schema::{IpcSchema, MetadataVersion},
};

/// The columns of a schema and of its dictionaries.
#[derive(Debug)]
pub(crate) struct SchemaColumns {
    /// The fields of record batches.
    pub(crate) batch: Columns,
    /// The dictionaries, each once however many fields share it.
    pub(crate) dictionaries: Vec<DictionaryColumns>,
    by_id: HashMap<i64, DictionaryIdx>,
}

/// The position of a dictionary in [`SchemaColumns::dictionaries`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DictionaryIdx(pub(crate) usize);

/// The fields of a dictionary batch: its values, as one column.
#[derive(Debug)]
pub(crate) struct DictionaryColumns {
    pub(crate) id: i64,
    pub(crate) value_type: DataType,
    pub(crate) columns: Columns,
}

/// The fields of one tree of columns in pre-order. A dictionary-encoded field is a leaf.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    all: Vec<Column>,
    roots: Vec<usize>,
    root_paths: Vec<FieldPath>,
    totals: Counts,
}

/// One field of the tree.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) data_type: DataType,
    pub(crate) layout: Layout,
    pub(crate) dictionary: Option<DictionaryIdx>,
    /// Entries of all fields before this one.
    pub(crate) first: Counts,
    /// The position behind the last field below this one.
    pub(crate) end: usize,
}

/// How many entries some fields have in a message's lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) n_nodes: usize,
    pub(crate) n_buffers: usize,
    pub(crate) n_variadic_counts: usize,
    n_unions: usize,
}

impl Counts {
    /// Buffers without variadic ones. Before V5, unions have a validity bitmap too.
    pub(crate) fn n_fixed_buffers(&self, version: MetadataVersion) -> usize {
        match version {
            MetadataVersion::V4 => self.n_buffers + self.n_unions,
            MetadataVersion::V5 => self.n_buffers,
        }
    }
}

impl Column {
    /// Whether messages of this version have a validity bitmap that the layout does not have.
    pub(crate) fn has_legacy_validity(&self, version: MetadataVersion) -> bool {
        version == MetadataVersion::V4 && is_union(&self.layout)
    }
}

/// Unions are the layouts that keep nulls in their children and yet have buffers; runs have none.
fn is_union(layout: &Layout) -> bool {
    layout.nulls() == Nulls::InChildren && !layout.buffers().is_empty()
}

impl Columns {
    /// The position of each top-level column.
    pub(crate) fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// The entries of all columns.
    pub(crate) fn totals(&self) -> &Counts {
        &self.totals
    }

    /// The column at a position; positions come from [`roots`](Columns::roots) and
    /// [`children`](Columns::children) only.
    pub(crate) fn at(&self, position: usize) -> &Column {
        &self.all[position]
    }

    /// The entries of all columns before a position, which may be the one behind the last.
    pub(crate) fn counts_before(&self, position: usize) -> &Counts {
        self.all.get(position).map_or(&self.totals, |column| &column.first)
    }

    /// The positions of the children of a column.
    pub(crate) fn children(&self, position: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.at(position).end;
        let mut next = position + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.at(child).end;
                child
            })
        })
    }

    /// The dictionaries that these top-level columns need, not those inside of other dictionaries.
    pub(crate) fn dictionaries_below(&self, roots: &[usize]) -> impl Iterator<Item = DictionaryIdx> {
        let columns = roots.iter().flat_map(|root| *root..self.at(*root).end);
        columns.filter_map(|position| self.at(position).dictionary)
    }

    /// The path of a column, with names; walked only for messages.
    pub(crate) fn path(&self, position: usize) -> FieldPath {
        let root_idx = self.roots.partition_point(|root| *root <= position).saturating_sub(1);
        let (Some(path), Some(root)) = (self.root_paths.get(root_idx), self.roots.get(root_idx)) else {
            return FieldPath::root();
        };
        let (mut path, mut parent) = (path.clone(), *root);
        while parent != position {
            let inside = |child: &usize| (*child..self.at(*child).end).contains(&position);
            let Some((child_idx, child)) = self.children(parent).enumerate().find(|(_, child)| inside(child))
            else {
                break;
            };
            let name = self.at(parent).data_type.children().get(child_idx).map_or("", Field::name);
            path = path.child(u32::try_from(child_idx).unwrap_or(u32::MAX), name);
            parent = child;
        }
        path
    }
}

impl SchemaColumns {
    /// Flattens a schema.
    ///
    /// # Errors
    /// If a dictionary contains itself, or fields of different types share one.
    pub(crate) fn try_new(schema: &IpcSchema) -> Result<SchemaColumns> {
        let fields = schema.schema().fields();
        let mut builder =
            Builder { ids: schema.dictionary_ids().iter(), dictionaries: Vec::new(), by_id: HashMap::new() };
        let mut batch = Columns::default();
        batch.all.reserve(fields.len());
        for (position, field) in fields.iter().enumerate() {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let path = FieldPath::root().child(position, Arc::clone(field.shared_name()));
            builder.add_root(&mut batch, field.data_type(), path)?;
        }
        let Builder { dictionaries, by_id, .. } = builder;
        // Every place has been filled: `add_dictionary` fills the one that it opens, or fails.
        let dictionaries = dictionaries.into_iter().flatten().collect();
        Ok(SchemaColumns { batch, dictionaries, by_id })
    }

    /// The dictionary with this id.
    pub(crate) fn dictionary(&self, id: i64) -> Option<DictionaryIdx> {
        self.by_id.get(&id).copied()
    }
}

struct Builder<'a> {
    ids: std::slice::Iter<'a, i64>,
    /// `None` while the columns of its values are being made.
    dictionaries: Vec<Option<DictionaryColumns>>,
    by_id: HashMap<i64, DictionaryIdx>,
}

impl Builder<'_> {
    fn add_root(&mut self, columns: &mut Columns, data_type: &DataType, path: FieldPath) -> Result<()> {
        columns.roots.push(columns.all.len());
        columns.root_paths.push(path.clone());
        self.add(columns, data_type, &path)
    }

    /// Adds a field and all below it. Ids are taken in pre-order, those inside a dictionary's values after its own.
    fn add(&mut self, columns: &mut Columns, data_type: &DataType, path: &FieldPath) -> Result<()> {
        let position = columns.all.len();
        let layout = layout(data_type);
        let dictionary = match data_type.as_dictionary() {
            Some(dictionary) => Some(self.add_dictionary(dictionary.value(), path)?),
            None => None,
        };
        let first = columns.totals;
        columns.totals.n_nodes += 1;
        columns.totals.n_buffers += layout.buffers().len();
        columns.totals.n_variadic_counts += usize::from(layout.is_variadic());
        columns.totals.n_unions += usize::from(is_union(&layout));
        columns.all.push(Column { data_type: data_type.clone(), layout, dictionary, first, end: position });
        for (child_idx, field) in data_type.children().iter().enumerate() {
            let child_idx = u32::try_from(child_idx).unwrap_or(u32::MAX);
            let path = path.clone().child(child_idx, Arc::clone(field.shared_name()));
            self.add(columns, field.data_type(), &path)?;
        }
        columns.all[position].end = columns.all.len();
        Ok(())
    }

    fn add_dictionary(&mut self, value_type: &DataType, path: &FieldPath) -> Result<DictionaryIdx> {
        // There is an id for each: `IpcSchema` has compared the numbers.
        let id = self.ids.next().copied().ok_or(IpcErrorKind::Missing { what: "a dictionary id" })?;
        let known = self.by_id.get(&id).copied();
        let idx = known.unwrap_or(DictionaryIdx(self.dictionaries.len()));
        if known.is_none() {
            self.by_id.insert(id, idx);
            self.dictionaries.push(None);
        }
        if let Some(known) = known {
            match &self.dictionaries[known.0] {
                None => return Err(IpcErrorKind::CyclicDictionary { id }.into()),
                Some(dictionary) if !dictionary.value_type.same_type(value_type) => {
                    let (first, second) = (dictionary.value_type.clone(), value_type.clone());
                    return Err(IpcErrorKind::SharedDictionaryType { id, first, second }.into());
                }
                Some(_) => {}
            }
        }
        // The values are walked for a shared dictionary too: ids inside of them are listed for every use.
        let mut columns = Columns::default();
        self.add_root(&mut columns, value_type, path.clone().dictionary())?;
        if known.is_none() {
            let value_type = value_type.clone();
            self.dictionaries[idx.0] = Some(DictionaryColumns { id, value_type, columns });
        }
        Ok(idx)
    }
}

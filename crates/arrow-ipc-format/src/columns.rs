//! The columns of a schema, in pre-order, and the positions of their nodes and buffers in the lists of a message.
//!
//! With these positions, batches are decoded without walking the types again. Each column stores the number of nodes and
//! buffers before it. Before decoding, the lengths of the lists are compared with the totals, which also tells which
//! columns have an extra validity buffer. Only data buffers of view columns are counted for each batch.

use std::{collections::HashMap, ops::Range, sync::Arc};

use arrow_data::{BufferSpec, Layout, Physical, Role};
use arrow_schema::{DataType, DictionaryType, Field, FieldPath, PathStep};

use crate::{
    error::{FormatError, FormatErrorKind, Result},
    message::VectorLengths,
    protocol::MetadataVersion,
};

mod build;
mod extra;
mod unsupported;

pub use self::{
    extra::{ExtraBuffer, ExtraValidity},
    unsupported::{EntryOrigin, UnsupportedCounts},
};
use self::{
    extra::{ExtraColumn, ExtraKinds},
    unsupported::UnsupportedEntries,
};

/// The columns of a schema: those of its record batches, and those of each dictionary.
///
/// ```
/// use arrow_ipc_format::{IpcSchema, columns::SchemaColumns};
/// use arrow_schema::Schema;
///
/// let schema: Schema = "id: int64\ntags: list<item: utf8>".parse()?;
/// let columns = SchemaColumns::try_new(&IpcSchema::from(schema))?;
/// let paths: Vec<String> = columns.batch.paths().iter().map(ToString::to_string).collect();
/// assert_eq!(paths, ["id", "tags", "tags.item"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SchemaColumns {
    /// The columns of record batches.
    pub batch: Columns,
    /// The dictionaries. A dictionary that several fields share occurs once.
    pub dictionaries: Vec<DictionaryColumns>,
    /// The dictionary of each id; `None` if only unsupported columns use the id.
    by_id: HashMap<i64, Option<DictionaryIdx>>,
}

/// An index into [`SchemaColumns::dictionaries`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DictionaryIdx(pub usize);

/// A dictionary, and the columns of a dictionary batch: its values are one top-level column.
#[derive(Debug)]
pub struct DictionaryColumns {
    /// Its id.
    pub id: i64,
    /// The type of its values.
    pub value_type: DataType,
    /// The columns of its batches. The values are the only top-level column.
    pub columns: Columns,
}

/// A tree of columns in pre-order. A dictionary-encoded column is a leaf.
#[derive(Debug)]
pub struct Columns {
    all: Vec<Column>,
    roots: Vec<usize>,
    origin: Origin,
    totals: EntryCounts,
    /// The columns that may have an extra validity buffer, in order.
    extra: Vec<ExtraColumn>,
    unsupported: Option<Box<UnsupportedEntries>>,
}

/// The schema or dictionary to which a tree of columns belongs. Paths in error messages begin there.
#[derive(Debug)]
enum Origin {
    Fields(Arc<[Field]>),
    /// The values of the dictionary of a field of these fields. The steps lead to the values: the index of a child, or
    /// [`DICTIONARY_STEP`]. A path with names would take too much memory, since many dictionaries can be below one long
    /// name.
    Dictionary(Arc<[Field]>, Box<[u32]>),
}

/// A step from a field to the values of its dictionary. No list of fields is so long that it is an index.
const DICTIONARY_STEP: u32 = u32::MAX;

/// A column of a tree: its type, its layout, and which entries of a header are its own.
#[derive(Debug)]
pub struct Column {
    /// The type of its values.
    pub data_type: DataType,
    /// The layout. Columns with equal layouts share one.
    pub layout: Arc<Layout>,
    /// The dictionary of its indices; `None` if it is not dictionary-encoded.
    pub dictionary: Option<DictionaryIdx>,
    /// The counts of all columns before this one, in pre-order.
    first: EntryCounts,
    /// The position after the last descendant of this column, in pre-order.
    end: u32,
    extra: ExtraKinds,
}

/// How many nodes and buffers some columns have in the lists of a message. The integers are small, since they are in
/// memory for all columns, even if a reader needs one of ten thousand.
#[derive(Debug, Clone, Copy, Default)]
pub struct EntryCounts {
    n_nodes: u32,
    n_buffers: u32,
    n_variadic_counts: u32,
}

impl EntryCounts {
    /// The number of nodes.
    #[inline]
    pub fn n_nodes(self) -> usize {
        self.n_nodes as usize
    }

    /// The number of variadic counts.
    #[inline]
    pub fn n_variadic_counts(self) -> usize {
        self.n_variadic_counts as usize
    }

    /// Adds one column with this layout; `None` if a count would overflow.
    fn with(self, layout: &Layout) -> Option<EntryCounts> {
        let add = |count: u32, n: usize| count.checked_add(n.try_into().ok()?);
        Some(EntryCounts {
            n_nodes: add(self.n_nodes, 1)?,
            n_buffers: add(self.n_buffers, layout.buffers().len())?,
            n_variadic_counts: add(self.n_variadic_counts, layout.is_variadic().into())?,
        })
    }
}

impl Column {
    /// The position after its last descendant.
    #[inline]
    pub fn end(&self) -> usize {
        // No loss: `end` is at most the number of columns.
        self.end as usize
    }

    /// The buffers in the order of a message, each with its role and its entry in the layout. Data buffers of views, and
    /// an extra validity buffer, have no entry.
    #[inline]
    pub fn buffers(
        &self,
        extra: ExtraValidity,
        n_variadic: usize,
    ) -> impl Iterator<Item = (Role, Option<&BufferSpec>)> {
        let extra = self.extra_buffer(extra).map(|_| (Role::Validity, None));
        let fixed = self.layout.buffers().iter().map(|spec| (spec.role, Some(spec)));
        extra.into_iter().chain(fixed).chain(std::iter::repeat_n((Role::Variadic, None), n_variadic))
    }

    /// The number of buffers in a message, without data buffers of views.
    #[inline]
    pub fn n_fixed_buffers(&self, extra: ExtraValidity) -> usize {
        self.layout.buffers().len() + usize::from(self.extra_buffer(extra).is_some())
    }

    /// The validity buffer of the column that its layout does not list, in messages of this kind.
    #[inline]
    pub fn extra_buffer(&self, extra: ExtraValidity) -> Option<ExtraBuffer> {
        self.extra.buffer(extra)
    }
}

fn layout_since_v5(layout: &Layout) -> Option<&'static str> {
    match layout.physical() {
        Physical::Runs(_) => Some("run-end encoding"),
        Physical::Views => Some("the layout of views"),
        Physical::ListView(_) => Some("the layout of list views"),
        Physical::Null
        | Physical::Bits
        | Physical::Fixed(_)
        | Physical::Bytes(_)
        | Physical::List(_)
        | Physical::FixedSizeList(_)
        | Physical::Struct
        | Physical::Union(_)
        | Physical::Dictionary(_) => None,
    }
}

impl Origin {
    fn path(&self, root_idx: usize) -> FieldPath {
        match self {
            Origin::Fields(fields) => match fields.get(root_idx) {
                Some(field) => path_below(FieldPath::root(), root_idx, field),
                None => FieldPath::root(),
            },
            Origin::Dictionary(fields, steps) => {
                let (mut path, mut data_type) = (FieldPath::root(), None::<&DataType>);
                for step in steps {
                    if *step == DICTIONARY_STEP {
                        path.push(PathStep::Dictionary);
                        data_type = data_type.and_then(DataType::as_dictionary).map(DictionaryType::value);
                        continue;
                    }
                    let position = *step as usize;
                    let fields = data_type.map_or(&**fields, DataType::children);
                    let Some(field) = fields.get(position) else { break };
                    path.push(step_to(position, field));
                    data_type = Some(field.data_type());
                }
                path
            }
        }
    }
}

impl Columns {
    fn new(origin: Origin) -> Columns {
        Columns {
            all: Vec::new(),
            roots: Vec::new(),
            origin,
            totals: EntryCounts::default(),
            extra: Vec::new(),
            unsupported: None,
        }
    }

    /// The positions of the top-level columns.
    #[inline]
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// The number of columns, with all descendants.
    #[inline]
    pub fn n_columns(&self) -> usize {
        self.all.len()
    }

    /// The counts of all supported columns.
    #[inline]
    pub fn totals(&self) -> EntryCounts {
        self.totals
    }

    /// The column at a position, which must come from [`roots`](Columns::roots) or [`children`](Columns::children).
    ///
    /// # Panics
    /// If the position is not less than [`n_columns`](Columns::n_columns).
    #[inline]
    pub fn at(&self, position: usize) -> &Column {
        &self.all[position]
    }

    /// The type of the column at a position; `None` if there is no such column.
    pub fn data_type(&self, position: usize) -> Option<&DataType> {
        self.all.get(position).map(|column| &column.data_type)
    }

    /// The counts of all columns before `position`. If it is the number of columns, returns the totals.
    #[inline]
    pub fn counts_before(&self, position: usize) -> EntryCounts {
        self.all.get(position).map_or(self.totals, |column| column.first)
    }

    /// The number of buffers of all columns before `position`, without data buffers of views.
    #[inline]
    pub fn n_fixed_buffers_before(&self, position: usize, extra: ExtraValidity) -> usize {
        let n_buffers = self.counts_before(position).n_buffers as usize;
        n_buffers + ExtraColumn::n_before(&self.extra, position, extra)
    }

    /// The number of buffers of all columns, without data buffers of views.
    pub fn n_fixed_buffers(&self, extra: ExtraValidity) -> usize {
        self.n_fixed_buffers_before(self.n_columns(), extra)
    }

    /// The positions of the children of a column.
    #[inline]
    pub fn children(&self, position: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.at(position).end();
        let mut next = position + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.at(child).end();
                child
            })
        })
    }

    /// The dictionaries that these top-level columns need directly, without dictionaries inside the values.
    pub fn dictionaries_below(&self, roots: &[usize]) -> impl Iterator<Item = DictionaryIdx> {
        roots.iter().flat_map(|root| self.dictionaries_in(*root..self.at(*root).end()))
    }

    /// The dictionaries that the columns at these positions need directly.
    ///
    /// # Panics
    /// If a position is not less than [`n_columns`](Columns::n_columns).
    pub fn dictionaries_in(&self, range: Range<usize>) -> impl Iterator<Item = DictionaryIdx> {
        range.filter_map(|position| self.at(position).dictionary)
    }

    /// The paths of all columns, in order. Faster than calling [`path`](Columns::path) for each column.
    pub fn paths(&self) -> Vec<FieldPath> {
        let mut paths = Vec::with_capacity(self.all.len());
        for (root_idx, root) in self.roots.iter().enumerate() {
            self.add_paths(*root, self.origin.path(root_idx), &mut paths);
        }
        paths
    }

    /// Adds the paths of a column and of all columns below it.
    fn add_paths(&self, position: usize, path: FieldPath, paths: &mut Vec<FieldPath>) {
        let fields = self.at(position).data_type.children();
        let position = paths.len();
        paths.push(path);
        for (child_idx, (child, field)) in self.children(position).zip(fields).enumerate() {
            self.add_paths(child, path_below(paths[position].clone(), child_idx, field), paths);
        }
    }

    /// The path of the first column: in the batches of a dictionary, of its values.
    pub fn values_path(&self) -> FieldPath {
        self.origin.path(0)
    }

    /// The path of a column, with names. Searches the tree, so only error messages use it.
    pub fn path(&self, position: usize) -> FieldPath {
        let root_idx = self.roots.partition_point(|root| *root <= position).saturating_sub(1);
        let Some(root) = self.roots.get(root_idx) else { return FieldPath::root() };
        let mut path = self.origin.path(root_idx);
        let mut parent = *root;
        while parent != position {
            let inside = |child: &usize| (*child..self.at(*child).end()).contains(&position);
            let Some((child_idx, child)) = self.children(parent).enumerate().find(|(_, child)| inside(child))
            else {
                break;
            };
            if let Some(field) = self.at(parent).data_type.children().get(child_idx) {
                path = path_below(path, child_idx, field);
            }
            parent = child;
        }
        path
    }

    /// Whether batches also have columns that this library does not support.
    #[inline]
    pub fn has_unsupported(&self) -> bool {
        self.unsupported.is_some()
    }

    /// Compares the lengths of the lists of a batch with the numbers that the columns need. Returns which columns have an
    /// extra validity buffer.
    ///
    /// # Errors
    /// If there are too many or too few nodes, buffers or variadic counts. With unsupported columns, more buffers and
    /// variadic counts are allowed.
    pub fn check_lists(&self, lists: VectorLengths) -> Result<ExtraValidity> {
        let unsupported = self.unsupported.as_deref();
        let totals = self.totals();
        let expected = (totals.n_nodes() as u64).saturating_add(unsupported.map_or(0, |it| it.n_nodes));
        let found = lists.n_nodes as u64;
        if expected != found {
            return Err(FormatErrorKind::NodeCount { expected, found }.into());
        }
        // Unsupported columns may have any number of buffers.
        let fits =
            |expected: u64, found: u64| found == expected || (unsupported.is_some() && found > expected);
        let expected = totals.n_variadic_counts() as u64;
        let found = lists.n_variadic_counts as u64;
        if !fits(expected, found) {
            let error = FormatError::from(FormatErrorKind::VariadicCount { expected, found });
            return Err(match self.without_count(lists.n_variadic_counts) {
                Some(position) => error.in_field(&|| self.path(position)),
                None => error,
            });
        }
        let n_known =
            (lists.n_variadic_buffers? as u64).saturating_add(unsupported.map_or(0, |it| it.n_known_buffers));
        let needed = |extra| (self.n_fixed_buffers(extra) as u64).saturating_add(n_known);
        let specified = ExtraValidity::specified(lists.version);
        let found = lists.n_buffers as u64;
        if unsupported.is_none_or(UnsupportedEntries::is_known)
            && let Some(extra) =
                ExtraValidity::for_version(lists.version).iter().find(|extra| needed(**extra) == found)
        {
            return Ok(*extra);
        }
        let expected = needed(specified);
        if fits(expected, found) {
            return Ok(specified);
        }
        let first_union = || self.all.iter().position(|column| column.data_type.as_union().is_some());
        if found == needed(ExtraValidity::Unions)
            && let Some(union) = first_union()
        {
            let error = FormatError::from(FormatErrorKind::UnionValidity { expected, found });
            return Err(error.in_field(&|| self.path(union)));
        }
        Err(FormatErrorKind::BufferCount { expected, found }.into())
    }

    /// The first column of views that gets no variadic count if there are `n_counts`.
    fn without_count(&self, n_counts: usize) -> Option<usize> {
        let first = self.all.partition_point(|column| column.first.n_variadic_counts() < n_counts);
        let is_without =
            |column: &Column| column.layout.is_variadic() && column.first.n_variadic_counts() >= n_counts;
        let found = self.all.get(first..)?.iter().position(is_without)?;
        Some(first + found)
    }

    /// The extra validity buffers that the specification does not have in a message of this version, with their positions
    /// in the list of buffers. `n_variadic` returns the variadic count with an index.
    ///
    /// # Errors
    /// If a variadic count is invalid.
    pub fn unspecified_buffers(
        &self,
        version: MetadataVersion,
        extra: ExtraValidity,
        n_variadic: impl Fn(usize) -> Result<usize>,
    ) -> Result<Vec<(usize, ExtraBuffer)>> {
        let specified = ExtraValidity::specified(version);
        let mut found = Vec::new();
        let mut buffer_idx = 0usize;
        let mut n_counts = 0;
        if self.n_fixed_buffers(extra) == self.n_fixed_buffers(specified) {
            return Ok(found);
        }
        for column in &self.all {
            if let (Some(extra), None) = (column.extra_buffer(extra), column.extra_buffer(specified)) {
                found.push((buffer_idx, extra));
            }
            let mut n_data_buffers = 0;
            if column.layout.is_variadic() {
                n_data_buffers = n_variadic(n_counts)?;
                n_counts += 1;
            }
            // No overflow: `check_lists` has compared the sum with the number of buffers.
            buffer_idx += column.n_fixed_buffers(extra) + n_data_buffers;
        }
        Ok(found)
    }

    /// Whether the node and buffers of a column are counted from the start or from the end of the lists.
    #[inline]
    pub fn entry_origin(&self, position: usize) -> EntryOrigin {
        let found = self.unsupported.as_ref().and_then(|unsupported| unsupported.find(position));
        found.unwrap_or(EntryOrigin::Start(UnsupportedCounts::default()))
    }

    /// Whether the positions of a column's node and buffers in the lists are unknown.
    pub fn has_unknown_entries(&self, position: usize) -> bool {
        self.unsupported.as_ref().is_some_and(|unsupported| unsupported.find(position).is_none())
    }
}

impl SchemaColumns {
    /// The first column with a layout that metadata V4 does not define, and the name of the layout. A V4 reader would
    /// misread the column. For example, it expects a validity bitmap for runs.
    pub fn first_since_v5(&self) -> Option<(FieldPath, &'static str)> {
        self.trees().find_map(|columns| {
            let first = columns
                .all
                .iter()
                .enumerate()
                .find_map(|(position, column)| Some((position, layout_since_v5(&column.layout)?)));
            first.map(|(position, what)| (columns.path(position), what))
        })
    }

    /// Whether a dictionary is ordered, also one inside the values of a dictionary.
    pub fn has_ordered_dictionary(&self) -> bool {
        let is_ordered = |column: &Column| column.data_type.as_dictionary().is_some_and(|of| of.is_ordered());
        self.trees().any(|columns| columns.all.iter().any(is_ordered))
    }

    /// The columns of record batches, and those of each dictionary.
    fn trees(&self) -> impl Iterator<Item = &Columns> {
        std::iter::once(&self.batch).chain(self.dictionaries.iter().map(|it| &it.columns))
    }

    /// For each of the [`dictionaries`](SchemaColumns::dictionaries), whether the columns at these positions need it,
    /// directly or inside the values of another dictionary.
    ///
    /// # Panics
    /// If a position is not less than the [number of columns](Columns::n_columns) of record batches.
    pub fn needed_dictionaries(&self, ranges: Vec<Range<usize>>) -> Vec<bool> {
        let mut is_needed = vec![false; self.dictionaries.len()];
        let mut found: Vec<DictionaryIdx> =
            ranges.into_iter().flat_map(|range| self.batch.dictionaries_in(range)).collect();
        while let Some(idx) = found.pop() {
            let Some(is_needed) = is_needed.get_mut(idx.0).filter(|is_needed| !**is_needed) else { continue };
            *is_needed = true;
            found.extend(self.dictionaries_inside(idx));
        }
        is_needed
    }

    /// The columns of record batches, or of the batches of a dictionary.
    ///
    /// # Panics
    /// If the index is of another schema, and this schema has fewer dictionaries.
    #[inline]
    pub fn for_dictionary(&self, dictionary: Option<DictionaryIdx>) -> &Columns {
        match dictionary {
            None => &self.batch,
            Some(idx) => &self.dictionaries[idx.0].columns,
        }
    }

    /// The columns of record batches, or of the batches of the dictionary with this id. `None` if only unsupported
    /// columns use the id.
    ///
    /// # Errors
    /// If no field has this id.
    pub fn for_dictionary_id(&self, dictionary: Option<i64>) -> Result<Option<&Columns>> {
        let Some(id) = dictionary else { return Ok(Some(&self.batch)) };
        Ok(self.dictionary_to_read(id)?.map(|idx| self.for_dictionary(Some(idx))))
    }

    /// All dictionaries, each after the dictionaries inside its values. Batches are written in this order.
    pub fn inner_first(&self) -> Vec<DictionaryIdx> {
        let mut order =
            InnerFirstOrder { ordered: Vec::new(), is_ordered: vec![false; self.dictionaries.len()] };
        (0..self.dictionaries.len()).for_each(|idx| order.add(self, DictionaryIdx(idx)));
        order.ordered
    }

    /// The dictionaries inside the values of a dictionary.
    ///
    /// # Panics
    /// Like [`for_dictionary`](SchemaColumns::for_dictionary).
    pub fn dictionaries_inside(&self, dictionary: DictionaryIdx) -> impl Iterator<Item = DictionaryIdx> + '_ {
        let columns = self.for_dictionary(Some(dictionary));
        columns.dictionaries_below(columns.roots())
    }

    /// The dictionary with this id; `None` if no supported column uses the id.
    pub fn dictionary(&self, id: i64) -> Option<DictionaryIdx> {
        self.by_id.get(&id).copied().flatten()
    }

    /// Returns the dictionary with this id. `None` if only unsupported columns use the id.
    ///
    /// # Errors
    /// If no field has this id.
    pub fn dictionary_to_read(&self, id: i64) -> Result<Option<DictionaryIdx>> {
        self.by_id.get(&id).copied().ok_or_else(|| FormatErrorKind::UnknownDictionary { id }.into())
    }
}

/// Sorts dictionaries, inner dictionaries first.
struct InnerFirstOrder {
    ordered: Vec<DictionaryIdx>,
    is_ordered: Vec<bool>,
}

impl InnerFirstOrder {
    /// Adds the dictionaries inside `dictionary`, then `dictionary`. The recursion ends, since a schema with a cycle
    /// was refused.
    fn add(&mut self, schema: &SchemaColumns, dictionary: DictionaryIdx) {
        if std::mem::replace(&mut self.is_ordered[dictionary.0], true) {
            return;
        }
        schema.dictionaries_inside(dictionary).for_each(|inner| self.add(schema, inner));
        self.ordered.push(dictionary);
    }
}

fn path_below(mut path: FieldPath, position: usize, field: &Field) -> FieldPath {
    path.push(step_to(position, field));
    path
}

fn step_to(position: usize, field: &Field) -> PathStep {
    PathStep::Child { position: u32::try_from(position).unwrap_or(u32::MAX), name: field.to_shared_name() }
}

//! Names of columns and paths to fields inside them, and what they select from a schema.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use arrow_ipc::{IpcSchema, Projection, UnsupportedColumn};
use arrow_schema::{Field, FieldPath, LookupError, Schema, visit};

use super::{
    pattern::{matches, matching},
    projected::paths_in_projection,
    selection::{Selection, shown_schema},
    with_wide_integers_as_bytes,
};
use crate::error::ToolErrorKind;

/// Names of columns and paths to fields inside them, in the order of the output.
///
/// ```
/// use arrow_ipc_tools::{ColumnNames, columns::ColumnName};
///
/// let names: ColumnNames = ["id", "address.zip"].into_iter().map(ColumnName::from).collect();
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnNames {
    /// Names before `selected`, whose columns `excluded` does not leave out.
    pub(super) first: Vec<ColumnName>,
    pub(super) selected: Vec<ColumnName>,
    pub(super) excluded: Vec<ColumnName>,
}

/// A name or a path, or all columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnName {
    /// All columns, except those that an earlier name has selected.
    All,
    /// The name of a column.
    Name(String),
    /// The name of a column, or the path of a field if no column has this name.
    NameOrPath(String),
    /// A name or path in which `*` matches any characters. The pattern selects all matching columns, and matching
    /// fields inside structs and lists, in the order of the schema. It skips columns and fields that an earlier name
    /// has selected. If a column has exactly this name, the pattern selects only that column.
    Pattern(String),
    /// A path in the form that [`Schema::path`](arrow_schema::Schema::path) reads: `address.zip`, `"a.b".c`.
    Path(String),
}

/// Makes a [`ColumnName::NameOrPath`].
impl From<&str> for ColumnName {
    fn from(text: &str) -> ColumnName {
        ColumnName::NameOrPath(text.to_owned())
    }
}

impl FromIterator<ColumnName> for ColumnNames {
    fn from_iter<I: IntoIterator<Item = ColumnName>>(names: I) -> ColumnNames {
        ColumnNames { selected: names.into_iter().collect(), ..ColumnNames::default() }
    }
}

impl ColumnNames {
    /// All columns.
    pub fn all() -> ColumnNames {
        ColumnNames::from_iter([ColumnName::All])
    }

    /// Leaves out the columns with these names, or that these patterns match, from those that are selected. Columns are
    /// left out as a whole: the path of a field is an error.
    #[must_use]
    pub fn without(mut self, excluded: ColumnNames) -> ColumnNames {
        self.excluded.extend(excluded.selected);
        self
    }

    /// Whether no columns are selected by name.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty() && self.selected.is_empty()
    }

    /// The schema of the columns and fields that these names and paths select, with their dictionary ids.
    ///
    /// ```
    /// use arrow_ipc::IpcSchema;
    /// use arrow_ipc_tools::{ColumnNames, columns::ColumnName};
    /// use arrow_schema::Schema;
    ///
    /// let schema = IpcSchema::from("id: int64\nplace: struct<town: dictionary<int8, utf8>>".parse::<Schema>()?);
    /// let names: ColumnNames = ["place.town"].into_iter().map(ColumnName::from).collect();
    /// let selected = names.schema_of(&schema).unwrap();
    /// assert_eq!(selected.schema().to_string(), "\"place.town\": dictionary<int8, utf8>");
    /// assert_eq!(selected.dictionary_ids(), schema.dictionary_ids());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the schema does not have exactly one column or field for a name, or if the type of that column is unknown. If
    /// a path selects a field inside a type that can only be selected as a whole.
    pub fn schema_of(&self, schema: &IpcSchema) -> Result<IpcSchema, ToolErrorKind> {
        self.check_supported(schema)?;
        let read = schema.schema();
        let paths = self.paths_in(read)?;
        let shown = shown_schema(read, &paths)?;
        let mut ids = DictionaryIdMap { left: schema.dictionary_ids().iter(), found: BTreeMap::new() };
        ids.fields(read.fields(), &[]);
        let ids_of_paths = paths.iter().flat_map(|path| ids.below(&path.positions().collect::<Vec<u32>>()));
        let ids_of_paths: Vec<i64> = ids_of_paths.collect();
        Ok(schema.try_with_columns(Arc::clone(&shown), ids_of_paths)?)
    }

    /// Checks that the types of all named columns are known.
    ///
    /// # Errors
    /// If a name or path selects a column of an unknown type, or a field inside it.
    pub(crate) fn check_supported(&self, schema: &IpcSchema) -> arrow_ipc::Result<()> {
        if schema.unsupported_columns().is_empty() {
            return Ok(());
        }
        let [first, selected, excluded] =
            [&self.first, &self.selected, &self.excluded].map(|names| with_lookups(names, schema));
        let is_named = |column: &&UnsupportedColumn| {
            is_in(&first, column) || is_in(&selected, column) && !is_in(&excluded, column)
        };
        match schema.unsupported_columns().iter().find(is_named) {
            Some(column) => Ok(column.refuse()?),
            None => Ok(()),
        }
    }

    /// The same names, without those that leave out columns of unknown types alone: the schema lacks these columns.
    pub(crate) fn known_types(&self, schema: &IpcSchema) -> ColumnNames {
        let is_known = |(name, is_column): &(&ColumnName, bool)| {
            let is_of = |column| is_in(&[(*name, *is_column)], column);
            !schema.unsupported_columns().iter().any(is_of) || name.columns(schema.schema()).is_ok()
        };
        let excluded = with_lookups(&self.excluded, schema).into_iter().filter(is_known);
        let excluded = excluded.map(|(name, _)| name.clone()).collect();
        ColumnNames { excluded, ..self.clone() }
    }

    /// Selects the columns with these names, and the fields at these paths.
    ///
    /// # Errors
    /// If the schema does not have exactly one column for each name, or a path selects a field inside a type that can
    /// only be selected as a whole.
    pub(crate) fn select(&self, schema: &Arc<Schema>) -> Result<Selection, ToolErrorKind> {
        let paths = self.paths_in(schema)?;
        if paths.iter().all(|path| path.steps().len() == 1) {
            let projection = Projection::Positions(paths.iter().filter_map(first_of).collect());
            return Ok(Selection::default().with_projection(projection));
        }
        let inside = paths_in_projection(&paths);
        Selection::from_paths(schema, [paths.clone(), paths], inside)
    }

    /// Like [`select`](ColumnNames::select), for batches that have only the columns that these names selected, and those of the
    /// condition. Columns that the names exclude may be absent.
    ///
    /// # Errors
    /// The errors of [`select`](ColumnNames::select).
    pub(crate) fn select_of_narrowed(&self, schema: &Arc<Schema>) -> Result<Selection, ToolErrorKind> {
        let is_there = |name: &&ColumnName| name.columns(schema).is_ok();
        let excluded = self.excluded.iter().filter(is_there).cloned().collect();
        let [first, selected] = [&self.first, &self.selected]
            .map(|names| names.iter().filter(|name| found_paths([*name], schema).is_ok()).cloned().collect());
        let paths = ColumnNames { first, selected, excluded }.paths_in(schema)?;
        let inside = paths.clone();
        let selection = Selection::from_paths(schema, [Vec::new(), paths], inside)?;
        Ok(selection.with_projection(Projection::All))
    }

    /// The positions of the columns in which these names, paths and patterns select something.
    ///
    /// # Errors
    /// If the schema does not have exactly one column or field for each name and path.
    pub fn positions_in(&self, schema: &IpcSchema) -> Result<BTreeSet<usize>, ToolErrorKind> {
        let stored = with_wide_integers_as_bytes(schema);
        let paths = self.paths_in(stored.schema())?;
        let is_known = |position: &usize| {
            !stored.unsupported_columns().iter().any(|column| column.position() == *position)
        };
        let n_columns = stored.schema().fields().len().saturating_add(stored.unsupported_columns().len());
        let positions: Vec<usize> = (0..n_columns).filter(is_known).collect();
        Ok(paths.iter().filter_map(first_of).filter_map(|idx| positions.get(idx).copied()).collect())
    }

    /// The paths of the columns and fields that these names, paths and patterns select.
    ///
    /// # Errors
    /// If the schema does not have exactly one column or field for each name and path. If all columns are excluded.
    pub(crate) fn paths_in(&self, schema: &Arc<Schema>) -> Result<Vec<FieldPath>, ToolErrorKind> {
        let failed = |error| ToolErrorKind::Columns { error, schema: Arc::clone(schema) };
        let paths = self.paths(schema).map_err(failed)?;
        if paths.is_empty() && !self.excluded.is_empty() && !schema.fields().is_empty() {
            return Err(ToolErrorKind::NoColumnLeft);
        }
        Ok(paths)
    }

    fn paths(&self, schema: &Schema) -> Result<Vec<FieldPath>, LookupError> {
        let mut paths = found_paths(self.first.iter().chain(&self.selected), schema)?;
        if !self.excluded.is_empty() {
            let mut excluded = HashSet::new();
            for name in &self.excluded {
                excluded.extend(name.columns(schema)?);
            }
            let n_first = found_paths(&self.first, schema)?.len();
            let others = paths.split_off(n_first).into_iter();
            paths.extend(others.filter(|path| first_of(path).is_none_or(|at| !excluded.contains(&at))));
        }
        Ok(paths)
    }
}

impl ColumnName {
    /// The positions of the columns with this name, or that this pattern matches. Fields inside columns do not count.
    ///
    /// # Errors
    /// If there is no such column, or several have the name.
    fn columns(&self, schema: &Schema) -> Result<Vec<usize>, LookupError> {
        let name = match self {
            ColumnName::All => return Ok((0..schema.fields().len()).collect()),
            ColumnName::Pattern(name)
            | ColumnName::Name(name)
            | ColumnName::NameOrPath(name)
            | ColumnName::Path(name) => name,
        };
        let exact = schema.index_of(name);
        if exact.is_ok() || !matches!(self, ColumnName::Pattern(_)) {
            return exact.map(|position| vec![position]);
        }
        let fields = schema.fields().iter().enumerate();
        let found: Vec<usize> =
            fields.filter(|(_, field)| matches(name, field.name())).map(|(position, _)| position).collect();
        if found.is_empty() { exact.map(|position| vec![position]) } else { Ok(found) }
    }

    fn find(&self, schema: &Schema) -> Result<FieldPath, LookupError> {
        let column = |name: &str| {
            let position = u32::try_from(schema.index_of(name)?).unwrap_or(u32::MAX);
            Ok(FieldPath::root().child(position, name))
        };
        match self {
            ColumnName::All => Err(LookupError::Missing { name: "*".into() }),
            // A pattern is looked up here only as an exact name; `add_matching` adds its other matches.
            ColumnName::Name(name) | ColumnName::Pattern(name) => column(name),
            ColumnName::Path(path) => schema.path(path),
            ColumnName::NameOrPath(text) => schema.column_or_path(text),
        }
    }
}

/// The names, each with whether it is a `NameOrPath` that names a column: the search through the schema is slow.
fn with_lookups<'a>(names: &'a [ColumnName], schema: &IpcSchema) -> Vec<(&'a ColumnName, bool)> {
    let is_column = |name: &ColumnName| match name {
        ColumnName::NameOrPath(text) => schema.schema().index_of(text).is_ok(),
        ColumnName::All | ColumnName::Name(_) | ColumnName::Pattern(_) | ColumnName::Path(_) => false,
    };
    names.iter().map(|name| (name, is_column(name))).collect()
}

/// Whether one of these names selects a column of an unknown type, or a field inside it.
fn is_in(names: &[(&ColumnName, bool)], column: &UnsupportedColumn) -> bool {
    names.iter().any(|(name, is_column)| match name {
        ColumnName::All => true,
        ColumnName::Name(name) => name == column.name(),
        ColumnName::Path(path) => column.is_in_path(path),
        ColumnName::Pattern(pattern) => matches(pattern, column.name()),
        ColumnName::NameOrPath(text) => text == column.name() || (!is_column && column.is_in_path(text)),
    })
}

fn found_paths<'a>(
    names: impl IntoIterator<Item = &'a ColumnName>,
    schema: &Schema,
) -> Result<Vec<FieldPath>, LookupError> {
    let mut paths: Vec<FieldPath> = Vec::new();
    for name in names {
        match name {
            ColumnName::All => add(matching("*", schema), &mut paths),
            ColumnName::Pattern(pattern) => add_matching(pattern, schema, &mut paths)?,
            ColumnName::Name(_) | ColumnName::NameOrPath(_) | ColumnName::Path(_) => {
                paths.push(name.find(schema)?);
            }
        }
    }
    Ok(paths)
}

/// Adds the columns and fields that a pattern matches, except those that are already selected.
///
/// # Errors
/// If the pattern matches nothing.
fn add_matching(pattern: &str, schema: &Schema, paths: &mut Vec<FieldPath>) -> Result<(), LookupError> {
    if let Ok(path) = ColumnName::Name(pattern.to_owned()).find(schema) {
        paths.push(path);
        return Ok(());
    }
    let found = matching(pattern, schema);
    if found.is_empty() {
        return Err(LookupError::Missing { name: pattern.into() });
    }
    add(found, paths);
    Ok(())
}

/// Adds the paths that are not there.
fn add(found: Vec<FieldPath>, paths: &mut Vec<FieldPath>) {
    let known: HashSet<FieldPath> = paths.iter().cloned().collect();
    paths.extend(found.into_iter().filter(|path| !known.contains(path)));
}

/// The position of the first column of a path.
pub(crate) fn first_of(path: &FieldPath) -> Option<usize> {
    path.positions().next().and_then(|position| usize::try_from(position).ok())
}

/// The ids of dictionaries, by the path to their field.
struct DictionaryIdMap<'a> {
    left: std::slice::Iter<'a, i64>,
    found: BTreeMap<Vec<u32>, Vec<i64>>,
}

impl DictionaryIdMap<'_> {
    fn fields(&mut self, fields: &[Field], path: &[u32]) {
        for (position, field) in (0..).zip(fields) {
            visit(1);
            let path = [path, &[position]].concat();
            if field.data_type().as_dictionary().is_some()
                && let Some(id) = self.left.next()
            {
                self.found.entry(path.clone()).or_default().push(*id);
            }
            self.fields(field.data_type().value_children(), &path);
        }
    }

    /// The ids of the dictionaries of the field at `path` and of all fields below it.
    fn below(&self, path: &[u32]) -> Vec<i64> {
        let from = self.found.range(path.to_vec()..);
        from.take_while(|(at, _)| at.starts_with(path)).flat_map(|(_, ids)| ids).copied().collect()
    }
}

//! The columns to read, by names and paths.

mod dictionary;
mod of_schema;
mod pattern;
mod projected;
mod query;
mod selection;
mod unsupported;

pub(crate) use self::selection::first_of;
pub(crate) use self::unsupported::with_wide_integers_as_bytes;
pub use self::{
    dictionary::dictionary_columns, query::RowQuery, selection::Selection,
    unsupported::merge_unsupported_columns,
};

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
    first: Vec<ColumnName>,
    selected: Vec<ColumnName>,
    excluded: Vec<ColumnName>,
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
}

impl FromIterator<ColumnName> for ColumnNames {
    fn from_iter<I: IntoIterator<Item = ColumnName>>(names: I) -> ColumnNames {
        ColumnNames { selected: names.into_iter().collect(), ..ColumnNames::default() }
    }
}

//! A choice of columns, by name, position or path.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use arrow_schema::{FieldPath, LookupError, QuotedText, Schema};

/// The maximum number of names that are searched in the schema one by one. More names are looked up in a hash map.
const N_LOOKED_UP: usize = 8;

/// The columns that a reader decodes.
///
/// A path can select children of structs and of all kinds of lists. Only the selected children are read, and the type
/// of the parent has only these. Parents keep their nulls. If a field loses children, it also loses its extension type.
/// Maps, unions, run-end encoded columns and dictionaries are read with all children.
///
/// Reading fails for a column of an unknown type only if it is selected: see
/// [`IpcSchema::unsupported_columns`](crate::IpcSchema::unsupported_columns). Positions count the columns of
/// [`IpcSchema::schema`](crate::IpcSchema::schema), which leaves out columns of unknown types.
///
/// ```
/// use arrow_ipc::{Projection, ReadOptions};
///
/// // Of `address` only two of its fields.
/// let projection = Projection::paths(["id", "address.city", "address.zip"]);
/// let options = ReadOptions::new().with_projection(projection);
///
/// assert_eq!(Projection::from(["id", "name"]), Projection::names(["id", "name"]));
/// assert_eq!(Projection::from([2, 0]), Projection::Positions(vec![2, 0]));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Projection {
    /// All columns.
    #[default]
    All,
    /// The columns at these positions, in this order.
    Positions(Vec<usize>),
    /// The columns with these names, in this order.
    Names(Vec<Arc<str>>),
    /// The fields at these paths, in the syntax of [`Schema::path`]. The columns of the result are in the order of the
    /// paths; their children are in the order of the schema.
    Paths(Vec<Arc<str>>),
    /// The fields at these paths. Each step of a path is an index of a column or child.
    FieldPaths(Vec<FieldPath>),
}

/// Implements `From` and `FromIterator` for projections of names or positions.
macro_rules! projections {
    ($([$($generics:tt)*] $column:ty => $new:expr;)*) => {$(
        impl<$($generics)*> FromIterator<$column> for Projection {
            fn from_iter<I: IntoIterator<Item = $column>>(columns: I) -> Projection {
                let new: fn(Vec<$column>) -> Projection = $new;
                new(Vec::from_iter(columns))
            }
        }

        impl<$($generics)*> From<Vec<$column>> for Projection {
            fn from(columns: Vec<$column>) -> Projection {
                columns.into_iter().collect()
            }
        }

        impl<$($generics)* const N: usize> From<[$column; N]> for Projection {
            fn from(columns: [$column; N]) -> Projection {
                columns.into_iter().collect()
            }
        }
    )*};
}

projections! {
    ['a,] &'a str => Projection::names;
    [] String => Projection::names;
    [] usize => Projection::Positions;
    [] FieldPath => Projection::FieldPaths;
}

/// A projection whose names are replaced by positions.
#[derive(Debug)]
pub(crate) enum ProjectedColumns {
    All,
    Positions(Vec<usize>),
    Paths(Vec<FieldPath>),
}

impl Projection {
    /// Selects the columns with these names, in this order.
    pub fn names<N: Into<Arc<str>>>(names: impl IntoIterator<Item = N>) -> Projection {
        Projection::Names(names.into_iter().map(Into::into).collect())
    }

    /// Selects the fields at these paths, such as `address.zip`.
    pub fn paths<P: Into<Arc<str>>>(paths: impl IntoIterator<Item = P>) -> Projection {
        Projection::Paths(paths.into_iter().map(Into::into).collect())
    }

    /// Selects columns by name, and fields inside of columns by path. A text is a path only if no column has this name, so
    /// that names with dots need no quotes.
    ///
    /// ```
    /// use arrow_ipc::Projection;
    /// use arrow_schema::Schema;
    ///
    /// let schema: Schema = "\"a.b\": int8\nc: struct<d: int8>".parse()?;
    /// assert_eq!(Projection::names_or_paths(["a.b"], &schema), Projection::names(["a.b"]));
    /// let paths = Projection::paths(["c.d", r#""a.b""#]);
    /// assert_eq!(Projection::names_or_paths(["c.d", "a.b"], &schema), paths);
    /// # Ok::<(), arrow_schema::ParseError>(())
    /// ```
    pub fn names_or_paths<N: AsRef<str>>(names: impl IntoIterator<Item = N>, schema: &Schema) -> Projection {
        let names: Vec<N> = names.into_iter().collect();
        let columns: HashSet<&str> = schema.fields().iter().map(|field| field.name()).collect();
        let is_column = |name: &N| columns.contains(name.as_ref());
        if names.iter().all(is_column) {
            return Projection::names(names.iter().map(AsRef::as_ref));
        }
        // Quotes the names of columns, because dots in them do not separate steps.
        Projection::paths(names.iter().map(|name| {
            if is_column(name) { QuotedText(name.as_ref()).to_string() } else { name.as_ref().to_owned() }
        }))
    }

    pub(crate) fn resolve(&self, schema: &Schema) -> std::result::Result<ProjectedColumns, LookupError> {
        match self {
            Projection::All => Ok(ProjectedColumns::All),
            Projection::Positions(positions) => Ok(ProjectedColumns::Positions(positions.clone())),
            Projection::Paths(paths) => {
                let paths = paths.iter().map(|path| schema.path(path));
                paths.collect::<std::result::Result<_, _>>().map(ProjectedColumns::Paths)
            }
            Projection::FieldPaths(paths) => Ok(ProjectedColumns::Paths(paths.clone())),
            Projection::Names(names) if names.len() <= N_LOOKED_UP => names
                .iter()
                .map(|name| schema.index_of(name))
                .collect::<std::result::Result<_, _>>()
                .map(ProjectedColumns::Positions),
            Projection::Names(names) => {
                // A map takes one pass over the schema instead of one for each name. `index_of` returns the error for a
                // name that is missing or ambiguous.
                let mut positions: HashMap<&str, Option<usize>> = HashMap::new();
                for (position, field) in schema.fields().iter().enumerate() {
                    let first = positions.entry(field.name()).or_insert(Some(position));
                    *first = first.filter(|first| *first == position);
                }
                let find = |name: &Arc<str>| match positions.get(&**name) {
                    Some(Some(position)) => Ok(*position),
                    Some(None) | None => schema.index_of(name),
                };
                names.iter().map(find).collect::<std::result::Result<_, _>>().map(ProjectedColumns::Positions)
            }
        }
    }
}

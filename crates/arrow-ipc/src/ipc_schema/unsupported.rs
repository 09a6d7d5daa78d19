//! Columns with a type that the format does not know: they are set aside, so that the others can be read.

use std::{collections::HashSet, sync::Arc};

use arrow_schema::{FieldPath, PathStep};

use super::IpcSchema;
use crate::error::{Context, IpcErrorKind, Result, Unsupported};

/// A top-level column of a stream or file that cannot be read: its type, or one inside of it, is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsupportedColumn {
    pub(crate) position: usize,
    pub(crate) path: FieldPath,
    pub(crate) what: Unsupported,
    /// Fields in a batch's list: this one, and those below it that are not in a dictionary.
    pub(crate) n_nodes: u64,
    /// Supported columns before this one.
    pub(crate) n_before: usize,
    pub(crate) dictionary_ids: Vec<i64>,
}

impl UnsupportedColumn {
    /// The position among all fields of the stream or file, unsupported ones included.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        match self.path.steps().first() {
            Some(PathStep::Child { name, .. }) => name,
            Some(PathStep::Dictionary) | None => "",
        }
    }

    /// The field whose type is unknown: the column, or one inside of it.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// What is unsupported about it.
    pub fn reason(&self) -> &Unsupported {
        &self.what
    }

    /// The error of selecting this column.
    ///
    /// # Errors
    /// Always.
    pub fn refuse(&self) -> Result<()> {
        let what = self.what.clone();
        Err(IpcErrorKind::Unsupported { what }).in_field(|| self.path.clone())
    }

    /// Whether a path, as [`Schema::path`](arrow_schema::Schema::path) reads them, leads to this column or into it.
    pub fn is_in_path(&self, path: &str) -> bool {
        let mut column = self.path.clone();
        column.truncate(1);
        let rest = path.strip_prefix(&*column.to_string());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl IpcSchema {
    /// The top-level columns that [`schema`](IpcSchema::schema) leaves out, since a type in them is unknown.
    ///
    /// A reader has such a schema only where its projection selects other columns: without a projection they are an
    /// error. Writers refuse the schema.
    pub fn unsupported_columns(&self) -> &[UnsupportedColumn] {
        &self.unsupported
    }

    pub(crate) fn with_unsupported(self, unsupported: Vec<UnsupportedColumn>) -> IpcSchema {
        IpcSchema { unsupported: unsupported.into(), ..self }
    }

    /// # Errors
    /// If a column is unsupported.
    pub(crate) fn check_supported(&self) -> Result<()> {
        self.unsupported.first().map_or(Ok(()), UnsupportedColumn::refuse)
    }

    /// # Errors
    /// If one of these names is that of an unsupported column.
    pub(crate) fn check_names(&self, names: &[Arc<str>]) -> Result<()> {
        if self.unsupported.is_empty() {
            return Ok(());
        }
        let names: HashSet<&str> = names.iter().map(|name| &**name).collect();
        let is_named = |column: &&UnsupportedColumn| names.contains(column.name());
        self.unsupported.iter().find(is_named).map_or(Ok(()), UnsupportedColumn::refuse)
    }

    /// # Errors
    /// If one of these paths leads to an unsupported column, or into it.
    pub(crate) fn check_paths(&self, paths: &[Arc<str>]) -> Result<()> {
        let is_named = |column: &&UnsupportedColumn| paths.iter().any(|path| column.is_in_path(path));
        self.unsupported.iter().find(is_named).map_or(Ok(()), UnsupportedColumn::refuse)
    }
}

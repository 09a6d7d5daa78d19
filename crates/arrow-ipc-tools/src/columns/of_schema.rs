//! Makes the schema of the columns that names and paths select.

use std::{collections::BTreeMap, sync::Arc};

use arrow_ipc::IpcSchema;
use arrow_schema::{Field, visit};

use super::{ColumnNames, selection::shown_schema};
use crate::error::ToolErrorKind;

impl ColumnNames {
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

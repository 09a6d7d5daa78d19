//! Where the dictionaries of a schema are, and which ones are inside of others.

use crate::columns::{DictionaryIdx, SchemaColumns};

/// The dictionaries of a schema as those who write them need to know them.
#[derive(Debug)]
pub(super) struct DictionaryOrder {
    /// The top-level columns with a dictionary somewhere in them.
    pub(super) roots: Vec<usize>,
    /// All dictionaries, inner ones before those whose values they are in.
    pub(super) inner_first: Vec<DictionaryIdx>,
    /// Those directly inside of the values of each, by the place in the schema's columns.
    pub(super) inside: Vec<Vec<DictionaryIdx>>,
}

impl DictionaryOrder {
    pub(super) fn of(columns: &SchemaColumns) -> DictionaryOrder {
        let roots = columns.batch.roots().iter().enumerate();
        let with_dictionary =
            roots.filter(|(_, root)| columns.batch.dictionaries_below(&[**root]).next().is_some());
        let inside = columns.dictionaries.iter();
        DictionaryOrder {
            roots: with_dictionary.map(|(root_idx, _)| root_idx).collect(),
            inner_first: InnerFirst::of(columns),
            inside: inside
                .map(|dictionary| dictionary.columns.dictionaries_below(dictionary.columns.roots()).collect())
                .collect(),
        }
    }
}

/// Puts the dictionaries of a schema in order.
struct InnerFirst {
    ordered: Vec<DictionaryIdx>,
    is_ordered: Vec<bool>,
}

impl InnerFirst {
    fn of(schema: &SchemaColumns) -> Vec<DictionaryIdx> {
        let n_dictionaries = schema.dictionaries.len();
        let mut order = InnerFirst { ordered: Vec::new(), is_ordered: vec![false; n_dictionaries] };
        (0..n_dictionaries).for_each(|idx| order.add(schema, DictionaryIdx(idx)));
        order.ordered
    }

    /// Adds those inside of a dictionary, then itself. There are no cycles: the columns were made without one.
    fn add(&mut self, schema: &SchemaColumns, dictionary: DictionaryIdx) {
        if std::mem::replace(&mut self.is_ordered[dictionary.0], true) {
            return;
        }
        let columns = &schema.dictionaries[dictionary.0].columns;
        columns.dictionaries_below(columns.roots()).for_each(|inner| self.add(schema, inner));
        self.ordered.push(dictionary);
    }
}

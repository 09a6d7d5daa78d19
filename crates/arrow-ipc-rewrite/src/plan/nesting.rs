//! Finds dictionaries that are nested in the values of other dictionaries.

use std::{collections::BTreeSet, sync::Arc};

use arrow_ipc_format::columns::{DictionaryIdx, SchemaColumns};

/// Which dictionaries are nested in which.
#[derive(Debug)]
pub(super) struct Nesting {
    pub(super) inner_first: Arc<[DictionaryIdx]>,
    /// The position of each dictionary in `inner_first`.
    positions: Vec<usize>,
    inward: DictionaryLinks,
    pub(super) outward: DictionaryLinks,
}

impl Nesting {
    pub(super) fn new(columns: &SchemaColumns) -> Nesting {
        let inner_first: Arc<[DictionaryIdx]> = columns.inner_first().into();
        let dictionaries = (0..columns.dictionaries.len()).map(DictionaryIdx);
        let inside: Vec<Vec<DictionaryIdx>> =
            dictionaries.map(|idx| columns.dictionaries_inside(idx).collect()).collect();
        let mut positions = vec![0; inner_first.len()];
        for (position, idx) in inner_first.iter().enumerate() {
            positions[idx.0] = position;
        }
        let mut outward = vec![Vec::new(); inside.len()];
        for (outer_idx, inside) in inside.iter().enumerate() {
            for inner in inside {
                outward[inner.0].push(DictionaryIdx(outer_idx));
            }
        }
        let [inward, outward] = [inside, outward].map(DictionaryLinks);
        Nesting { inner_first, positions, inward, outward }
    }

    /// The dictionaries nested in the values of a dictionary, at any depth. Inner dictionaries come first.
    pub(super) fn inside(&self, dictionary: DictionaryIdx) -> Vec<DictionaryIdx> {
        let mut inside: Vec<DictionaryIdx> = self.inward.reached_from(dictionary).collect();
        inside.sort_unstable_by_key(|idx| self.positions.get(idx.0));
        inside
    }
}

/// For each dictionary, the dictionaries directly inside its values, or the dictionaries directly around it.
#[derive(Debug)]
pub(super) struct DictionaryLinks(Vec<Vec<DictionaryIdx>>);

impl DictionaryLinks {
    /// All dictionaries reachable by links from `dictionary`, in no particular order, each once.
    pub(super) fn reached_from(
        &self,
        dictionary: DictionaryIdx,
    ) -> impl Iterator<Item = DictionaryIdx> + use<> {
        let mut reached = BTreeSet::new();
        let mut next = vec![dictionary];
        while let Some(idx) = next.pop() {
            let found = self.0.get(idx.0).into_iter().flatten();
            next.extend(found.copied().filter(|found| reached.insert(found.0)));
        }
        reached.into_iter().map(DictionaryIdx)
    }
}

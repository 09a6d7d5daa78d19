//! The same work with one thread and with two: compressed text and numbers, and a plain table.

use super::{FILE, READ, WRITE, columns};
use crate::case::{Batches, Case, Checks, Codec, From, Group, Read, To, Work, Write};
use crate::data::{Column, Recipe};
use crate::format::Format;

/// The greatest number of threads of a case.
pub const MAX_THREADS: usize = 2;
const N_COLUMNS: usize = 8;
const N_ROWS: usize = 50_000;
const N_BATCHES: usize = 4;

pub(super) fn all() -> Vec<Case> {
    let kinds = [
        ("words", Column::Words { n_words: 1_000, n_each: 6 }),
        ("addresses", Column::Addresses),
        ("one of twenty words", Column::Words { n_words: 20, n_each: 1 }),
        ("sorted integers", Column::SortedIntegers),
    ];
    let stream = Format::Stream;
    let mut cases = Vec::new();
    for (name, column) in kinds {
        let data = columns(name, column, N_COLUMNS, N_ROWS, N_BATCHES);
        cases.extend(works(&data, Some(Codec::Lz4), stream));
    }
    let mixed = Recipe::Mixed { n_rows: 1 << 17, n_batches: N_BATCHES };
    cases.extend(works(&mixed, Some(Codec::Lz4), FILE));
    cases.extend(works(&mixed, None, FILE));
    cases
}

/// Reading and writing with one thread and with two, without checks of content.
fn works(data: &Recipe, codec: Option<Codec>, container: Format) -> Vec<Case> {
    let read = Read { from: From::Disk, container, checks: Checks::None, ..READ };
    let retained = Read { from: From::Memory, batches: Batches::Retained, ..read };
    let write = Write { to: To::Cleared, container, ..WRITE };
    let works = [
        ("read", Work::Read(read)),
        ("read and keep", Work::Read(retained)),
        ("write", Work::Write(write)),
        ("write to disk", Work::Write(Write { to: To::Disk, ..write })),
    ];
    let coded = codec.map_or("plain", Codec::name);
    let case = |(verb, work), n_threads| {
        let name = format!("{verb} {data}, {coded} {}, threads: {n_threads}", container.name());
        Case { name, data: data.clone(), codec, work, per: (1, "run"), n_threads, group: Group::Threads }
    };
    works.into_iter().flat_map(|work| [1, MAX_THREADS].map(|n_threads| case(work, n_threads))).collect()
}

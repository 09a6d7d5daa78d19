//! The table of cases.

mod published;
mod threads;

pub use self::threads::MAX_THREADS;

use crate::case::{Batches, Case, Checks, Codec, From, Group, Memory, Read, Take, To, What, Work, Write};
use crate::data::{Column, Recipe};
use crate::format::Format;
use testing_support::all_types;

/// All cases. Cases with the same data follow one another.
pub fn all() -> Vec<Case> {
    let mut cases = small();
    cases.extend(wide());
    cases.extend(large());
    cases.extend(slices());
    cases.extend(dictionaries());
    cases.extend(compressed());
    cases.extend(growth());
    cases.extend(types());
    cases.extend(published::all());
    cases.extend(threads::all());
    cases
}

const READ: Read = Read {
    from: From::Memory,
    container: Format::Stream,
    take: Take::All,
    batches: Batches::Dropped,
    checks: Checks::Default,
};

const WRITE: Write = Write { to: To::Reused, container: Format::Stream, what: What::Batches };

const FILE: Format = Format::File;

fn case(data: &Recipe, work: Work) -> Case {
    let name = format!("{} {data}{}", verb(work), manner(work));
    Case { name, data: data.clone(), codec: None, work, per: (1, "run"), n_threads: 1, group: Group::Main }
}

fn verb(work: Work) -> &'static str {
    match work {
        Work::Read(Read { take: Take::Schema, .. }) => "open",
        Work::Read(_) => "read",
        Work::Write(_) | Work::WriteGrowing(..) => "write",
        Work::Shuffle { .. } => "shuffle",
    }
}

/// The part of a name after the data.
fn manner(work: Work) -> String {
    match work {
        Work::Read(read) => {
            let container = read.container.name();
            let from = match read.from {
                From::Memory => format!("{container} in memory"),
                From::Reader => format!("{container} through Read"),
                From::Disk => format!("{container} on disk"),
                From::Map => format!("mapped {container}"),
            };
            let take = match read.take {
                Take::Schema | Take::All => "",
                Take::Batch(_) => ", one batch",
                Take::Column(_) => ", one column",
                Take::EachEighth => ", each eighth column",
            };
            let retained = if read.batches == Batches::Retained { ", all kept" } else { "" };
            let checks = match read.checks {
                Checks::Default | Checks::Usual => "",
                Checks::None => ", unchecked",
            };
            format!(", {from}{take}{retained}{checks}")
        }
        Work::Write(write) => {
            let container = write.container.name();
            let what = match write.what {
                What::Batches => String::new(),
                What::Slices { n_skipped } => format!(" from row {n_skipped} on"),
                What::Parts { n_parts } => format!(" in {n_parts} parts"),
                What::Schema => ", schema alone".to_owned(),
            };
            match write.to {
                To::Reused => format!("{what}, to reused memory"),
                To::Cleared => format!("{what}, {container} in reused memory"),
                To::New => format!("{what}, {container} in new memory"),
                To::Nowhere => format!("{what}, as slices"),
                To::Disk => format!("{what}, {container} on disk"),
            }
        }
        Work::WriteGrowing(Memory::Same, _) => ", values in the same memory".to_owned(),
        Work::WriteGrowing(Memory::Other, _) => ", values in other memory".to_owned(),
        Work::Shuffle { n_outputs } => format!(" to {n_outputs} streams"),
    }
}

fn per_batch(case: Case) -> Case {
    let n_batches = case.data.n_batches() as u32;
    Case { per: (n_batches, "batch"), ..case }
}

fn small() -> Vec<Case> {
    let tiny = Recipe::Tiny { n_batches: 1_000 };
    let works = [
        Work::Write(WRITE),
        Work::Write(Write { to: To::New, ..WRITE }),
        Work::Write(Write { to: To::Disk, ..WRITE }),
        Work::Write(Write { to: To::Disk, container: FILE, ..WRITE }),
        Work::Read(READ),
        Work::Read(Read { from: From::Reader, ..READ }),
        Work::Read(Read { from: From::Disk, ..READ }),
        Work::Read(Read { container: FILE, ..READ }),
        Work::Read(Read { container: FILE, from: From::Disk, ..READ }),
    ];
    let mut cases: Vec<Case> = works.into_iter().map(|work| per_batch(case(&tiny, work))).collect();
    let many = Recipe::Tiny { n_batches: 10_000 };
    let open = Read { container: FILE, take: Take::Schema, ..READ };
    let one = Read { container: FILE, take: Take::Batch(5_000), ..READ };
    for read in [open, one] {
        cases.push(case(&many, Work::Read(read)));
        cases.push(case(&many, Work::Read(Read { from: From::Disk, ..read })));
    }
    cases
}

fn wide() -> Vec<Case> {
    let many = Recipe::Wide { n_columns: 10_000, n_batches: 20 };
    let one = Recipe::Wide { n_columns: 10_000, n_batches: 1 };
    vec![
        per_batch(case(&many, Work::Write(WRITE))),
        per_batch(case(&many, Work::Read(READ))),
        per_batch(case(&many, Work::Read(Read { checks: Checks::None, ..READ }))),
        case(&one, Work::Write(Write { to: To::New, what: What::Schema, ..WRITE })),
        case(&one, Work::Read(Read { take: Take::Schema, ..READ })),
        case(&one, Work::Read(Read { take: Take::Schema, container: FILE, ..READ })),
        case(&one, Work::Read(Read { take: Take::Column(5_000), container: FILE, ..READ })),
    ]
}

fn columns(name: &'static str, column: Column, n_columns: usize, n_rows: usize, n_batches: usize) -> Recipe {
    Recipe::Columns { name, column, n_columns, n_rows, n_batches }
}

fn large() -> Vec<Case> {
    let rows = 1 << 18;
    let texts = [
        Recipe::Mixed { n_rows: rows, n_batches: 4 },
        columns("ascii text", Column::Ascii, 1, rows, 4),
        columns("utf8 with nulls", Column::NullableText, 1, rows, 4),
        columns("multi-byte text", Column::MultiByte, 1, rows, 4),
        columns("views", Column::Views, 1, rows, 4),
        columns("multi-byte views", Column::MultiByteViews, 1, rows, 4),
        columns("lists of structs", Column::ListsOfStructs, 1, rows / 4, 4),
        columns("list views", Column::ListViews, 1, rows, 4),
        columns("an encoded column", Column::Encoded { n_values: 1_000 }, 1, rows, 4),
        columns("booleans", Column::Booleans, 1, rows * 8, 4),
        columns("32 MiB of integers", Column::RandomIntegers, 8, rows / 2, 4),
    ];
    let mut cases = Vec::new();
    for data in &texts {
        let mut add = |work| cases.push(case(data, work));
        add(Work::Read(READ));
        add(Work::Read(Read { from: From::Reader, ..READ }));
        add(Work::Read(Read { from: From::Reader, checks: Checks::None, ..READ }));
        add(Work::Read(Read { from: From::Disk, ..READ }));
        add(Work::Read(Read { from: From::Disk, container: FILE, ..READ }));
        add(Work::Read(Read { from: From::Disk, container: FILE, checks: Checks::None, ..READ }));
        add(Work::Write(WRITE));
        add(Work::Write(Write { to: To::New, ..WRITE }));
        add(Work::Write(Write { to: To::Disk, container: FILE, ..WRITE }));
    }
    let retained = Read { from: From::Reader, batches: Batches::Retained, ..READ };
    cases.push(case(&texts[0], Work::Read(retained)));
    let huge = columns("400 MB of integers", Column::RandomIntegers, 4, 1 << 18, 48);
    cases.push(case(&huge, Work::Read(Read { from: From::Disk, ..READ })));
    cases.push(case(&huge, Work::Read(Read { from: From::Disk, checks: Checks::None, ..READ })));
    cases.push(case(&huge, Work::Read(Read { from: From::Disk, batches: Batches::Retained, ..READ })));
    cases.push(case(&huge, Work::Write(Write { to: To::New, ..WRITE })));
    cases
}

fn slices() -> Vec<Case> {
    let mixed = Recipe::Mixed { n_rows: 1 << 18, n_batches: 1 };
    // At a byte of the bitmaps, and inside of one.
    [64, 67]
        .map(|n_skipped| case(&mixed, Work::Write(Write { what: What::Slices { n_skipped }, ..WRITE })))
        .into()
}

fn dictionaries() -> Vec<Case> {
    let new = Recipe::NewDictionaries { n_batches: 16, n_values: 20_000 };
    vec![per_batch(case(&new, Work::Write(WRITE))), per_batch(case(&new, Work::Read(READ)))]
}

fn compressed() -> Vec<Case> {
    let data = [
        columns("sorted integers", Column::SortedIntegers, 8, 1 << 16, 8),
        columns("random floats", Column::RandomFloats, 8, 1 << 16, 8),
        columns("ascii text, 8 columns", Column::Ascii, 8, 1 << 16, 8),
        columns("sorted integers in buffers of 4 KiB", Column::SortedIntegers, 100, 512, 8),
        columns("ascii text in buffers of 13 KiB", Column::Ascii, 100, 512, 8),
        Recipe::Mixed { n_rows: 1 << 16, n_batches: 8 },
    ];
    let mut cases = Vec::new();
    for data in &data {
        for codec in Codec::ALL {
            let retained = Read { batches: Batches::Retained, ..READ };
            let on_disk = Read { container: FILE, from: From::Disk, ..READ };
            for work in [Work::Read(READ), Work::Read(retained), Work::Read(on_disk), Work::Write(WRITE)] {
                let case = case(data, work);
                let name = format!("{}, {}", case.name, codec.name());
                cases.push(Case { name, codec: Some(codec), ..case });
            }
        }
    }
    cases
}

/// Families of cases in which only one number changes.
fn growth() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |family, size: usize, per: &'static str, case: Case| {
        let (size, name) = (size as u32, format!("{family}: {size}"));
        cases.push(Case { name, per: (size, per), group: Group::Growth { family, size }, ..case });
    };
    for n_batches in [100, 1_000, 10_000] {
        let data = Recipe::Tiny { n_batches };
        let works = [
            ("read a stream of batches", Work::Read(READ)),
            ("read a file of batches", Work::Read(Read { container: FILE, ..READ })),
            ("open a file of batches", Work::Read(Read { container: FILE, take: Take::Schema, ..READ })),
            ("write a stream of batches", Work::Write(Write { to: To::New, ..WRITE })),
            ("write a file of batches", Work::Write(Write { to: To::New, container: FILE, ..WRITE })),
        ];
        works.into_iter().for_each(|(family, work)| add(family, n_batches, "batch", case(&data, work)));
    }
    for n_columns in [10, 100, 1_000, 10_000, 100_000] {
        let data = Recipe::Wide { n_columns, n_batches: 1 };
        let works = [
            ("read a stream of columns, with its schema", Work::Read(READ)),
            ("write columns, schema apart", Work::Write(WRITE)),
            ("write a stream of columns, with its schema", Work::Write(Write { to: To::New, ..WRITE })),
        ];
        works.into_iter().for_each(|(family, work)| add(family, n_columns, "column", case(&data, work)));
    }
    for n_batches in [100, 1_000, 4_000] {
        let data = Recipe::Growing { n_batches, n_words: 100 };
        let works = [
            ("read deltas of 100 words", Work::Read(READ)),
            (
                "write deltas of 100 words, values in the same memory",
                Work::WriteGrowing(Memory::Same, Format::Stream),
            ),
            (
                "write deltas of 100 words, values in other memory",
                Work::WriteGrowing(Memory::Other, Format::Stream),
            ),
        ];
        works.into_iter().for_each(|(family, work)| add(family, n_batches, "delta", case(&data, work)));
    }
    for n_values in [100, 10_000, 1_000_000] {
        let data = columns("dictionary values", Column::Encoded { n_values }, 1, n_values, 1);
        let works = [
            ("read a dictionary", Work::Read(READ)),
            ("write a dictionary", Work::Write(Write { to: To::New, ..WRITE })),
        ];
        works.into_iter().for_each(|(family, work)| add(family, n_values, "value", case(&data, work)));
    }
    cases
}

fn types() -> Vec<Case> {
    let all = all_types();
    let works = [
        Work::Read(READ),
        Work::Read(Read { container: FILE, from: From::Disk, ..READ }),
        Work::Write(WRITE),
        Work::Write(Write { container: FILE, to: To::New, ..WRITE }),
    ];
    let types = all.into_iter().map(|(name, _)| Recipe::Type { name });
    types.flat_map(|data| works.map(|work| Case { group: Group::Types, ..case(&data, work) })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_of_one_case_each() {
        let mut names = BTreeSet::new();
        for case in all() {
            assert!(names.insert(case.name.clone()), "{} is repeated", case.name);
        }
        assert!(names.len() > 400, "{} cases", names.len());
    }

    #[test]
    fn growing_families_have_several_sizes() {
        let mut sizes = std::collections::BTreeMap::<&str, BTreeSet<u32>>::new();
        for case in all() {
            if let Group::Growth { family, size } = case.group {
                assert_eq!(case.per.0, size, "{}", case.name);
                assert!(sizes.entry(family).or_default().insert(size), "{}", case.name);
            }
        }
        assert!(sizes.len() >= 10 && sizes.values().all(|sizes| sizes.len() >= 3), "{sizes:?}");
    }
}

//! Checks that all contestants do the same work: before measuring, the outcome of each is compared with the data once.

use crate::case::{Case, Take, What, Work, parts};
use crate::data::Data;
use crate::format::Format;
use arrow_data::RecordBatch;

/// Compares the outcome of a contestant, a stream or file, with the expected batches.
///
/// # Errors
/// The first difference.
pub fn check(case: &Case, data: &Data, outcome: &[u8]) -> Result<(), String> {
    let format = if outcome.starts_with(b"ARROW1") { Format::File } else { Format::Stream };
    let (schema, found) = crate::ours::read(outcome, format).map_err(|error| error.to_string())?;
    let expected = expected(case, &data.batches)?;
    let names = |schema: &arrow_schema::Schema| -> Vec<String> {
        schema.fields().iter().map(|field| field.name().to_owned()).collect()
    };
    let expected_names = match case.work {
        Work::Read(read) if matches!(read.take, Take::Column(_) | Take::EachEighth) => {
            expected.first().map(|batch| names(batch.schema())).unwrap_or_default()
        }
        _ => names(&data.schema),
    };
    if names(&schema) != expected_names {
        return Err("other names of fields".to_owned());
    }
    if found.len() != expected.len() {
        return Err(format!("{} batches instead of {}", found.len(), expected.len()));
    }
    for (batch_idx, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let lengths = [found.n_rows(), expected.n_rows()];
        if lengths[0] != lengths[1] || found.n_columns() != expected.n_columns() {
            return Err(format!("batch {batch_idx}: {lengths:?} rows"));
        }
        for (column_idx, (found, expected)) in found.columns().iter().zip(expected.columns()).enumerate() {
            if !found.same_values(expected).map_err(|error| error.to_string())? {
                return Err(format!("batch {batch_idx}, column {column_idx}: other values"));
            }
        }
    }
    Ok(())
}

/// The batches that a case reads or writes.
fn expected(case: &Case, batches: &[RecordBatch]) -> Result<Vec<RecordBatch>, String> {
    let nth = |idx: usize| batches.get(idx).cloned().ok_or("there is no such batch");
    Ok(match case.work {
        Work::Read(read) => match read.take {
            Take::Schema => Vec::new(),
            Take::Batch(idx) => vec![nth(idx)?],
            Take::Column(idx) => vec![nth(0)?.project(&[idx]).map_err(|error| error.to_string())?],
            Take::EachEighth => {
                let project = |batch: &RecordBatch| {
                    let each_eighth: Vec<usize> = (0..batch.n_columns()).step_by(8).collect();
                    batch.project(&each_eighth).map_err(|error| error.to_string())
                };
                batches.iter().map(project).collect::<Result<_, _>>()?
            }
            Take::All => batches.iter().take(case.max_compared()).cloned().collect(),
        },
        Work::Write(write) => match write.what {
            What::Schema => Vec::new(),
            What::Batches => batches.to_vec(),
            What::Slices { n_skipped } => {
                batches.iter().map(|batch| batch.slice(n_skipped, batch.n_rows() - n_skipped)).collect()
            }
            What::Parts { n_parts } => {
                let divide = |batch: &RecordBatch| {
                    let slice = |(start, n_rows)| batch.slice(start, n_rows);
                    parts(batch.n_rows(), n_parts).map(slice).collect::<Vec<_>>()
                };
                batches.iter().flat_map(divide).collect()
            }
        },
        Work::WriteGrowing(..) | Work::Shuffle { .. } => batches.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Suite;
    use crate::case::{From, To};
    use crate::cases;
    use crate::contestant::{Contestant, Job, RECYCLING};
    use crate::contestants::{ArrowRs, Floor, Ours, Polars};
    use crate::data::{Column, Recipe, Set};
    use crate::stage::Stage;

    fn texts(n_columns: usize) -> Recipe {
        Recipe::Columns { name: "", column: Column::NullableText, n_columns, n_rows: 100, n_batches: 3 }
    }

    /// The work of each case once, with little data.
    fn small_cases() -> Vec<Case> {
        let mut found: Vec<Case> = Vec::new();
        for mut case in cases::all() {
            if let Work::Read(read) = &mut case.work {
                read.take = match read.take {
                    Take::Batch(_) => Take::Batch(1),
                    Take::Column(_) => Take::Column(1),
                    other => other,
                };
            }
            case.data = match case.work {
                Work::WriteGrowing(..) => Recipe::Growing { n_batches: 3, n_words: 5 },
                _ => texts(2),
            };
            let key = |case: &Case| (case.work, case.codec, case.n_threads);
            if !found.iter().any(|known| key(known) == key(&case)) {
                found.push(case);
            }
        }
        found
    }

    fn outcome(contestant: &mut dyn Contestant, case: &Case, stage: &mut Stage) -> Result<Vec<u8>, String> {
        stage.prepare(case)?;
        let job = Job {
            case,
            data: stage.data(),
            input: stage.input(),
            input_path: &stage.input_path(),
            plain_path: &stage.plain_path(),
            output_path: &stage.output_path(),
        };
        contestant.enter(&job)?.outcome()
    }

    #[test]
    fn every_work_of_everybody_is_compared() {
        let ours = [Ours::default(), Ours::recycling()].map(|ours| Box::new(ours) as Box<dyn Contestant>);
        let peers: [Box<dyn Contestant>; 2] = [Box::new(ArrowRs), Box::new(Polars)];
        let mut stage = Stage::try_new(Set::Tuned).unwrap();
        let other = Data::make(&texts(2), Set::HeldOut).unwrap();
        let renamed = Recipe::Mixed { n_rows: 100, n_batches: 3 };
        let renamed = Data::make(&renamed, Set::Tuned).unwrap();
        let mut n_absent = 0;
        for mut contestant in ours.into_iter().chain(peers) {
            let name = contestant.name();
            for case in small_cases() {
                let location = format!("{name}: {}", case.name);
                let outcome = match outcome(&mut *contestant, &case, &mut stage) {
                    Ok(outcome) => outcome,
                    Err(why) => {
                        let may_be_absent = match name {
                            "ours" => false,
                            RECYCLING => !matches!(case.work, Work::Read(_)),
                            "arrow-rs" => case.n_threads > 1,
                            _ => true,
                        };
                        assert!(may_be_absent, "{location}: {why}");
                        n_absent += usize::from(name == "polars-arrow" && Suite::Own.has(&case));
                        continue;
                    }
                };
                check(&case, stage.data(), &outcome).unwrap_or_else(|error| panic!("{location}: {error}"));
                check(&case, &renamed, &outcome).expect_err(&location);
                let is_schema = match case.work {
                    Work::Read(read) => read.take == Take::Schema,
                    Work::Write(write) => write.what == What::Schema,
                    Work::WriteGrowing(..) | Work::Shuffle { .. } => false,
                };
                assert_eq!(check(&case, &other, &outcome).is_ok(), is_schema, "{location}");
            }
        }
        // Codecs, deltas, and streams without checks.
        let n_cases = small_cases().iter().filter(|case| Suite::Own.has(case)).count();
        assert!(n_absent < n_cases / 2, "{n_absent} of {n_cases}");
    }

    #[test]
    fn the_floor_takes_part_in_all_that_has_one() {
        let mut stage = Stage::try_new(Set::Tuned).unwrap();
        let absent = |case: &&Case| outcome(&mut Floor, case, &mut stage).is_err();
        let absent: Vec<Case> = small_cases().iter().filter(absent).cloned().collect();
        let is_part = |case: &Case| match case.work {
            Work::Read(read) => read.take != Take::All || read.from == From::Map,
            Work::Write(write) => write.what == What::Schema || write.to == To::Nowhere,
            Work::WriteGrowing(..) | Work::Shuffle { .. } => false,
        };
        assert!(!absent.is_empty() && absent.iter().all(is_part));
    }
}

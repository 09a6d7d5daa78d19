//! `diff`: compares the schema, metadata and rows of two inputs.
//!
//! Their encoding does not matter: container, batch boundaries, dictionaries.

mod fields;
mod metadata;
mod report;
mod rows;
mod show;
mod side;

use self::{
    fields::compare_schemas,
    metadata::compare_metadata,
    report::{Report, Verdict},
    rows::compare_rows,
    side::Side,
};
use crate::{
    args::DiffArgs,
    exit::{Failure, Status},
    names::InputName,
};

/// The answer is a status. Failures have other statuses, so that they cannot be mistaken for an answer.
pub(crate) fn run(args: &DiffArgs) -> Result<Status, Failure> {
    let n_times = [&args.a, &args.b].into_iter().filter(|name| **name == InputName::Stdin).count();
    if n_times > 1 {
        return Err(Failure::RepeatedStdin { n_times });
    }
    Ok(match compare(args) {
        Ok(Verdict::Same) => Status::Fine,
        Ok(Verdict::Different) => Status::No,
        Ok(Verdict::Unknown) => Status::NoAnswer,
        Err(failure) => match failure.report() {
            // The reader of the output has closed the pipe, after at least one difference.
            Status::Fine => Status::No,
            Status::No => Status::NoAnswer,
            status => status,
        },
    })
}

fn compare(args: &DiffArgs) -> Result<Verdict, Failure> {
    let mut a = Side::open(&args.a, args.columns.as_ref())?;
    let mut b = Side::open(&args.b, args.columns.as_ref())?;
    let mut report = Report::new(args, a.progress());
    if !args.ignore_metadata {
        compare_metadata("the whole", [a.metadata(), b.metadata()], &mut report)?;
        compare_metadata("the schema", [a.schema().metadata(), b.schema().metadata()], &mut report)?;
    }
    let pairs = compare_schemas([&a, &b], &mut report)?;
    if !report.is_decided() {
        compare_rows([&mut a, &mut b], &pairs, &mut report)?;
    }
    if !report.is_decided() {
        for side in [&a, &b] {
            if side.note_rest().is_some() {
                report.incomplete();
            }
        }
    }
    report.finish()
}

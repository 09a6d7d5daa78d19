//! `count`: the number of rows.

use std::io::Write;

use arrow_ipc::Limits;
use arrow_ipc_tools::count_rows;

use crate::{
    args::CountArgs,
    exit::{Failure, Status, note},
    names::OutputName,
    output::buffered_stdout,
};

pub(crate) fn run(args: &CountArgs) -> Result<Status, Failure> {
    let count = count_rows(args.file.open()?, &Limits::default())?;
    let mut out = buffered_stdout();
    let written = writeln!(out, "{}", count.n_rows).and_then(|()| out.flush());
    written.map_err(|error| Failure::Write { name: OutputName::Stdout, error })?;
    Ok(match count.trailing_bytes {
        None => Status::Fine,
        Some(rest) => {
            note(&format!("{}: {rest}", args.file));
            Status::DataLost
        }
    })
}

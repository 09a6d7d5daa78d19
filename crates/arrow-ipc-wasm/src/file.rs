//! Files and streams that are read at random.

use std::time::Duration;

use arrow_ipc::{FetchCost, FileDecoder, Limits, Projection, ReadOptions};

use crate::{
    failure::{Failure, Result},
    plan::Plan,
};

/// A file or stream, with what requests of its bytes cost.
pub(crate) struct File {
    pub(crate) decoder: FileDecoder,
    pub(crate) cost: FetchCost,
}

/// A request of a browser: a slice of a file on a disk goes through another process.
const SLICE: FetchCost = FetchCost::new(Duration::from_micros(300), 1_000_000_000).with_requests_in_flight(4);

/// A server: a browser sends six requests to one at a time.
const SERVER: FetchCost = FetchCost::new(Duration::from_millis(30), 12_000_000).with_requests_in_flight(6);

/// Names and values that JavaScript has written in turn, each with NUL after it.
pub(crate) fn pairs_of(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut words = text.split_terminator('\0');
    std::iter::from_fn(move || Some((words.next()?, words.next()?)))
}

/// The limits with these names, which are those of `ReadOptions::with_named`. That function would be a twentieth of the module.
fn limits_of(text: &str) -> Result<Limits> {
    pairs_of(text).try_fold(Limits::new(), |limits, (name, value)| {
        let number: u64 = value.parse().map_err(Failure::misuse)?;
        Ok(match name {
            "max_metadata_bytes" => limits.with_max_metadata_bytes(number),
            "max_body_bytes" => limits.with_max_body_bytes(number),
            "max_decompressed_bytes" => limits.with_max_decompressed_bytes(number),
            "max_dictionary_bytes" => limits.with_max_dictionary_bytes(number),
            "max_slots" => limits.with_max_slots(number),
            "max_fields" => limits.with_max_fields(number),
            "max_depth" => limits.with_max_depth(usize::try_from(number).unwrap_or(usize::MAX)),
            _ => return Err(Failure::misuse("there is no such limit")),
        })
    })
}

impl File {
    pub(crate) fn new(decoder: FileDecoder, cost: FetchCost) -> File {
        File { decoder, cost }
    }

    /// The cost of a source. The numbers are those of `js/src/source.js`.
    pub(crate) fn cost_of(kind: u32) -> Result<FetchCost> {
        match kind {
            0 => Ok(FetchCost::MEMORY),
            1 => Ok(SLICE),
            2 => Ok(SERVER),
            _ => Err(Failure::misuse("there is no such kind of source")),
        }
    }

    /// `limits` are names of options of reading and their values in turn; NUL follows each of them.
    pub(crate) fn plan_open(n_bytes: u64, cost: FetchCost, limits: &str) -> Result<Plan> {
        // No column, so that a column of an unknown type is no error until it is read.
        let options =
            ReadOptions::new().with_fetch_cost(cost).with_projection(Projection::Positions(Vec::new()));
        let options = options.with_limits(limits_of(limits)?);
        Ok(Plan::open(FileDecoder::plan_open_with(n_bytes, options), cost))
    }

    pub(crate) fn plan_rows_of_each(&self, start: usize, end: usize) -> Result<Plan> {
        Ok(Plan::rows_of_each(self.decoder.plan_n_rows_of_each(start..end)?, self.cost))
    }

    pub(crate) fn plan_check_end(&self) -> Plan {
        Plan::check_end(self.decoder.plan_check_end(), self.cost)
    }

    pub(crate) fn plan_unreferenced_bytes(&self) -> Plan {
        Plan::unreferenced_bytes(self.decoder.plan_unreferenced_bytes(), self.cost)
    }
}

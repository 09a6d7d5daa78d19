//! Files and streams that are read at random.

use std::time::Duration;

use arrow_ipc::{FetchCost, FileDecoder, Projection, ReadOptions};

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

    pub(crate) fn plan_open(n_bytes: u64, cost: FetchCost) -> Plan {
        // No column, so that a column of an unknown type is no error until it is read.
        let options =
            ReadOptions::new().with_fetch_cost(cost).with_projection(Projection::Positions(Vec::new()));
        Plan::open(FileDecoder::plan_open_with(n_bytes, options), cost)
    }

    pub(crate) fn plan_rows_of_each(&self, start: usize, end: usize) -> Result<Plan> {
        Ok(Plan::rows_of_each(self.decoder.plan_n_rows_of_each(start..end)?, self.cost))
    }

    pub(crate) fn plan_check_end(&self) -> Plan {
        Plan::check_end(self.decoder.plan_check_end(), self.cost)
    }
}

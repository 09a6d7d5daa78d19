//! Inspections of inputs, also of those that are too damaged to be opened.

use std::{ops::Range, path::PathBuf};

use arrow_buffer::Buffer;
use arrow_ipc_report::ByteMap;
use arrow_ipc_tools::{
    InputName, InspectOptions,
    inspect::{InspectPlan, InspectPlanStep},
};

use crate::{
    failure::{Failure, Result},
    file::File,
};

/// An inspection, until its result is ready.
pub(crate) struct Inspection {
    name: InputName,
    plan: InspectPlan,
    json: Option<String>,
}

impl Inspection {
    /// An inspection of an input of this name and length. If the file is open, the positions of its messages are known.
    pub(crate) fn new(name: String, n_bytes: u64, reads_bodies: bool, file: Option<&File>) -> Inspection {
        let options = InspectOptions::new();
        let options =
            if reads_bodies { options.with_unused_bytes() } else { options.with_buffers().without_bodies() };
        // A path, so that commands name it.
        let name = InputName::Path(PathBuf::from(name));
        let plan = InspectPlan::new(&name, n_bytes, options);
        let plan = file.into_iter().fold(plan, |plan, file| plan.with_blocks_of(file.decoder.footer()));
        Inspection { name, plan, json: None }
    }

    /// Continues. Returns the ranges to fetch; none if the result is ready.
    pub(crate) fn step(&mut self) -> Result<Vec<Range<u64>>> {
        if self.json.is_some() {
            return Ok(Vec::new());
        }
        let gathered = match self.plan.step()? {
            InspectPlanStep::Need(ranges) => return Ok(ranges),
            InspectPlanStep::Ready(gathered) => gathered,
        };
        let mut map = ByteMap::new(&self.name);
        let (inspected, is_whole) = gathered.inspect(&mut map)?;
        self.json = Some(map.with_part(!is_whole).into_json(&inspected));
        Ok(Vec::new())
    }

    pub(crate) fn provide(&mut self, start: u64, bytes: Buffer) {
        self.plan.provide(start, bytes);
    }

    /// The result as JSON.
    pub(crate) fn finish(self) -> Result<String> {
        self.json.ok_or_else(|| Failure::misuse("the inspection is not ready"))
    }
}

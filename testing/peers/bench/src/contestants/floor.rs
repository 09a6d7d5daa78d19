//! The least work that any implementation must do: copy the same bytes in memory, or read them to a small buffer that
//! stays in the cache, or write them once.

use crate::case::{From, Take, To, What, Work};
use crate::contestant::{Contestant, Entry, Job, Local, LocalWork, error_text};
use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Write};

/// The number of bytes that are read at once.
const PIECE: usize = 256 << 10;

pub struct Floor;

impl Contestant for Floor {
    fn name(&self) -> &'static str {
        "floor"
    }

    fn version(&self) -> String {
        "of the standard library".to_owned()
    }

    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String> {
        let mut memory = vec![1; job.data.plain.len().max(PIECE)];
        let is_disk = match job.case.work {
            Work::Read(read) if read.take != Take::All || read.from == From::Map => {
                return Err("the least is not known".to_owned());
            }
            Work::Write(write) if write.what == What::Schema || write.to == To::Nowhere => {
                return Err("the least is not known".to_owned());
            }
            Work::Read(read) => read.from == From::Disk,
            Work::Write(write) => write.to == To::Disk,
            Work::WriteGrowing(..) | Work::Shuffle { .. } => false,
        };
        let work: LocalWork<'a> = match job.case.work {
            Work::Read(_) if is_disk => Box::new(move |_| {
                let mut file = File::open(job.input_path).map_err(error_text)?;
                while file.read(&mut memory[..PIECE]).map_err(error_text)? > 0 {}
                black_box(&memory);
                Ok(Vec::new())
            }),
            Work::Write(_) if is_disk => Box::new(move |_| {
                let mut file = File::create(job.output_path).map_err(error_text)?;
                file.write_all(job.input).map_err(error_text)?;
                Ok(Vec::new())
            }),
            _ => Box::new(move |_| {
                memory[..job.data.plain.len()].copy_from_slice(&job.data.plain);
                black_box(&memory);
                Ok(Vec::new())
            }),
        };
        Ok(Local::entry(work))
    }
}

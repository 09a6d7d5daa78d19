//! The contestants, and the work that they do.

use crate::case::{Batches, Case, Codec, Work};
use crate::clock::Time;
use crate::data::Data;
use crate::format::Format;
use std::path::Path;

/// An implementation of Arrow, or the least work that any implementation must do.
pub trait Contestant {
    fn name(&self) -> &'static str;

    /// The exact version.
    fn version(&self) -> String;

    /// Prepares a case.
    ///
    /// # Errors
    /// The reason why the contestant cannot do the work.
    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String>;
}

/// The name of our reader with the memory of earlier ones. It is no peer.
pub const RECYCLING: &str = "ours, recycled memory";

/// A contestant that is prepared for a case.
pub trait Entry {
    /// Does the work once. Returns what was written, or the batches that were read as an uncompressed stream or file.
    ///
    /// # Errors
    /// If the work cannot be done.
    fn outcome(&mut self) -> Result<Vec<u8>, String>;

    /// Does the work `n_times` times.
    ///
    /// # Errors
    /// If the work cannot be done. The case is then not compared.
    fn run(&mut self, n_times: u32) -> Result<Time, String>;

    /// The number of bytes that the work has written, where the outcome is not what it has written.
    fn n_written(&self) -> Option<usize> {
        None
    }

    /// What is called, if there are several ways to do the work: the fastest of them.
    fn way(&self) -> Option<&str> {
        None
    }
}

/// A case with its data.
pub struct Job<'a> {
    pub case: &'a Case,
    pub data: &'a Data,
    /// The batches as a stream or file, with the compression of the case.
    pub input: &'a [u8],
    /// The same stream or file, at a path.
    pub input_path: &'a Path,
    /// The batches as an uncompressed stream, at a path.
    pub plain_path: &'a Path,
    /// The path for work that writes to a file.
    pub output_path: &'a Path,
}

impl Job<'_> {
    /// The positions of the first column of each eight.
    pub fn each_eighth(&self) -> Vec<usize> {
        (0..self.data.schema.fields().len()).step_by(8).collect()
    }

    /// The content of the written file; empty if `want` does not request the outcome.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn output(&self, want: Want) -> Result<Vec<u8>, String> {
        match want {
            Want::Outcome => std::fs::read(self.output_path).map_err(error_text),
            Want::Nothing => Ok(Vec::new()),
        }
    }
}

/// Work in this process. It returns its outcome if this is requested.
pub struct Local<'a> {
    work: LocalWork<'a>,
}

/// Whether the outcome of the work is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    Outcome,
    Nothing,
}

pub type LocalWork<'a> = Box<dyn FnMut(Want) -> Result<Vec<u8>, String> + 'a>;

impl<'a> Local<'a> {
    pub fn entry(work: LocalWork<'a>) -> Box<dyn Entry + 'a> {
        Box::new(Local { work })
    }
}

impl Entry for Local<'_> {
    fn outcome(&mut self) -> Result<Vec<u8>, String> {
        (self.work)(Want::Outcome)
    }

    fn run(&mut self, n_times: u32) -> Result<Time, String> {
        Time::of(|| (0..n_times).try_for_each(|_| (self.work)(Want::Nothing).map(drop)))
    }
}

/// Receives the batches of a reader. Drops or keeps them, and returns them if the outcome is requested.
pub struct Taken<B> {
    max_retained: usize,
    pub batches: Vec<B>,
}

impl<B> Taken<B> {
    pub fn new(job: &Job<'_>, want: Want) -> Taken<B> {
        let is_retained = match job.case.work {
            Work::Read(read) => read.batches == Batches::Retained,
            _ => false,
        };
        let max_retained = match want {
            Want::Outcome => job.case.max_compared(),
            Want::Nothing if is_retained => usize::MAX,
            Want::Nothing => 0,
        };
        Taken { max_retained, batches: Vec::new() }
    }

    /// Keeps all batches.
    pub fn all() -> Taken<B> {
        Taken { max_retained: usize::MAX, batches: Vec::new() }
    }

    pub fn take(&mut self, batch: B) {
        if self.batches.len() < self.max_retained {
            self.batches.push(batch);
        } else {
            drop(std::hint::black_box(batch));
        }
    }
}

/// The batches of streams that were dealt in turns, as one stream.
///
/// # Errors
/// If one of the streams cannot be read.
pub fn merged(streams: &[Vec<u8>]) -> Result<Vec<u8>, String> {
    let read = |bytes: &Vec<u8>| crate::ours::read(bytes, Format::Stream).map_err(error_text);
    let streams: Vec<_> = streams.iter().map(read).collect::<Result<_, _>>()?;
    let (schema, longest) = streams.first().ok_or("there are no streams")?;
    let turn = |idx: usize| streams.iter().filter_map(move |(_, batches)| batches.get(idx)).cloned();
    let batches: Vec<_> = (0..longest.len()).flat_map(turn).collect();
    crate::ours::write(schema, &batches, Format::Stream).map_err(error_text)
}

/// Converts any error to the reason why a contestant cannot do the work.
pub fn error_text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// For contestants without codecs: an error if the case has a codec.
pub fn refuse_codec(codec: Option<Codec>) -> Result<(), String> {
    codec.map_or(Ok(()), |codec| Err(format!("built without {}", codec.name())))
}

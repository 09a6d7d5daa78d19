//! Who takes part, and what is asked of them.

use crate::case::{Batches, Case, Codec, Work};
use crate::clock::Time;
use crate::data::Data;
use std::path::Path;

/// An implementation of Arrow, or the least that any of them has to do.
pub trait Contestant {
    fn name(&self) -> &'static str;

    /// What is measured, exactly.
    fn version(&self) -> String;

    /// Gets ready for a case.
    ///
    /// # Errors
    /// Why it cannot take part.
    fn enter<'a>(&'a mut self, job: &'a Job<'a>) -> Result<Box<dyn Entry + 'a>, String>;
}

/// A contestant that is ready.
pub trait Entry {
    /// Does the work once, and gives what it read or wrote, as a stream or file that is not compressed if it was read.
    ///
    /// # Errors
    /// If the work cannot be done.
    fn outcome(&mut self) -> Result<Vec<u8>, String>;

    /// Does the work so many times.
    ///
    /// # Errors
    /// If it cannot be done; the case is not judged then.
    fn run(&mut self, n_times: u32) -> Result<Time, String>;
}

/// A case with its data.
pub struct Job<'a> {
    pub case: &'a Case,
    pub data: &'a Data,
    /// The batches as a stream or file, compressed where the case says so.
    pub input: &'a [u8],
    /// The same in a file.
    pub input_path: &'a Path,
    /// The batches as a stream that is not compressed, in a file.
    pub plain_path: &'a Path,
    /// Where to write, for works that write to a file.
    pub output_path: &'a Path,
}

impl Job<'_> {
    /// What was written to the file, if it is asked for.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn output(&self, want: Want) -> Result<Vec<u8>, String> {
        match want {
            Want::Outcome => std::fs::read(self.output_path).map_err(told),
            Want::Nothing => Ok(Vec::new()),
        }
    }
}

/// Work that is done in this process. If it is asked for its outcome, it gives it.
pub struct Local<'a> {
    work: LocalWork<'a>,
}

/// What work is to give back.
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

/// Takes the batches that a reader gives: dropped or kept, and given back if the outcome is wanted.
pub struct Taken<B> {
    max_kept: usize,
    pub batches: Vec<B>,
}

impl<B> Taken<B> {
    pub fn new(job: &Job<'_>, want: Want) -> Taken<B> {
        let is_kept = match job.case.work {
            Work::Read(read) => read.batches == Batches::Kept,
            _ => false,
        };
        let max_kept = match want {
            Want::Outcome => job.case.max_compared(),
            Want::Nothing if is_kept => usize::MAX,
            Want::Nothing => 0,
        };
        Taken { max_kept, batches: Vec::new() }
    }

    /// Keeps all.
    pub fn all() -> Taken<B> {
        Taken { max_kept: usize::MAX, batches: Vec::new() }
    }

    pub fn take(&mut self, batch: B) {
        if self.batches.len() < self.max_kept {
            self.batches.push(batch);
        } else {
            drop(std::hint::black_box(batch));
        }
    }
}

/// Errors of any kind, as the reason why somebody does not take part.
pub fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// For contestants without codecs.
pub fn refuse_codec(codec: Option<Codec>) -> Result<(), String> {
    codec.map_or(Ok(()), |codec| Err(format!("built without {}", codec.name())))
}

//! Stands in for a codec that is not built in. `check_available` refuses the codec before any of these functions is
//! called.

use super::steps::{FrameEncoder, Next};
use crate::error::{FrameError, FrameResult as Result};

const ABSENT: FrameError = FrameError::Kind { what: "the codec is not built in" };

/// Has no values, since no frame is read.
#[derive(Debug)]
pub(super) enum Header {}

pub(super) fn walk(_: &[u8], _: u64) -> Result<(Header, u64)> {
    Err(ABSENT)
}

pub(super) fn decompress(header: &Header, _: &[u8], _: &mut [u8]) -> Result<()> {
    match *header {}
}

pub(super) fn most_of(_: u64) -> u64 {
    0
}

/// Has no values, since no frame is read.
#[derive(Debug)]
pub(super) enum Stream {}

impl Stream {
    pub(super) fn open(_: &[u8], _: u64) -> Result<Option<(Stream, usize)>> {
        Err(ABSENT)
    }

    pub(super) fn max_kept_bytes(&self) -> u64 {
        match *self {}
    }

    pub(super) fn next(&mut self, _: &[u8], _: usize) -> Result<Next<'_>> {
        match *self {}
    }
}

pub(super) fn levels() -> Option<(i32, i32)> {
    None
}

pub(super) fn encoder(_: Option<i32>) -> Result<Box<dyn FrameEncoder>> {
    Err(ABSENT)
}

//! Replaces a codec that is not built in. The codec is refused before any of these functions is called.

use arrow_buffer::BufferMut;

use super::steps::{Next, Piece};
use crate::error::{FrameError, FrameResult as Result};

const ABSENT: FrameError = FrameError::Kind { what: "the codec is not built in" };

/// Has no value.
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

/// Has no value.
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

/// Has no value.
pub(crate) enum Encoder {}

impl Encoder {
    pub(super) fn try_new(_: Option<i32>) -> Result<Encoder> {
        Err(ABSENT)
    }

    pub(super) fn room(_: usize) -> usize {
        0
    }

    pub(super) fn compress(&mut self, _: &[u8], _: &mut [u8]) -> Result<usize> {
        match *self {}
    }

    pub(super) fn begin(&mut self, _: u64, _: &mut BufferMut) -> Result<()> {
        match *self {}
    }

    pub(super) fn add(&mut self, _: Piece<'_>, _: &mut BufferMut) -> Result<()> {
        match *self {}
    }
}

//! Sources and sinks that are callbacks of C.

use std::{
    ffi::c_int,
    io::{self, Write},
    ops::Range,
    sync::{Mutex, MutexGuard, PoisonError},
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_ipc::{ReadAt, Source};

use crate::{
    failure::{Failure, Result},
    pointers::{ReleaseCallback, UserData},
};

/// `struct aipc_source` after its size
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct SourceCallbacks {
    length: Option<extern "C" fn(UserData, &mut u64) -> c_int>,
    read_at: Option<extern "C" fn(UserData, u64, *mut u8, usize, &mut usize) -> c_int>,
    release: ReleaseCallback,
    user: UserData,
    is_thread_safe: c_int,
}

/// `struct aipc_sink` after its size
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct SinkCallbacks {
    write: Option<extern "C" fn(UserData, *const u8, usize) -> c_int>,
    flush: Option<extern "C" fn(UserData) -> c_int>,
    release: ReleaseCallback,
    user: UserData,
}

/// Calls the release callback when it is dropped.
struct Released(ReleaseCallback, UserData);

impl Drop for Released {
    fn drop(&mut self) {
        if let Some(release) = self.0 {
            release(self.1);
        }
    }
}

/// Bytes that callbacks return by range.
pub(crate) struct CallbackSource {
    callbacks: SourceCallbacks,
    /// Threads call the callbacks one after the other, unless these may be called at once.
    turn: Option<Mutex<()>>,
    _released: Released,
}

impl SourceCallbacks {
    /// # Errors
    /// If a callback is NULL. The user data are released then, too.
    pub(crate) fn to_source(self) -> Result<CallbackSource> {
        let _released = Released(self.release, self.user);
        self.length.ok_or_else(|| Failure::null("length"))?;
        self.read_at.ok_or_else(|| Failure::null("read_at"))?;
        let turn = (self.is_thread_safe == 0).then(|| Mutex::new(()));
        Ok(CallbackSource { callbacks: self, turn, _released })
    }
}

fn failed(callback: &str, code: c_int) -> io::Error {
    io::Error::other(format!("the callback `{callback}` returned {code}"))
}

impl CallbackSource {
    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        self.turn.as_ref().map(|turn| turn.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Source for CallbackSource {
    fn n_bytes(&self) -> io::Result<u64> {
        let _turn = self.turn();
        let length = self.callbacks.length.ok_or(io::ErrorKind::InvalidInput)?;
        let mut n_bytes = 0;
        match length(self.callbacks.user, &mut n_bytes) {
            0 => Ok(n_bytes),
            code => Err(failed("length", code)),
        }
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        /// Memory grows with the bytes that arrive: a length may be a lie.
        const MAX_FIRST_BYTES: usize = 1 << 20;
        let n_bytes = range.end.saturating_sub(range.start);
        let n_bytes = usize::try_from(n_bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = BufferMut::new();
        while bytes.len() < n_bytes {
            let position = range.start.saturating_add(bytes.len() as u64);
            let n_wanted = n_bytes.saturating_sub(bytes.len()).min(bytes.len().max(MAX_FIRST_BYTES));
            let buffer = bytes.try_spare(n_wanted).map_err(|_| io::ErrorKind::OutOfMemory)?;
            let buffer = buffer.get_mut(..n_wanted).unwrap_or_default();
            let n_read = ReadAt::read_at(self, buffer, position)?;
            bytes.filled(n_read);
        }
        Ok(bytes.freeze())
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        Some(self)
    }
}

impl ReadAt for CallbackSource {
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let _turn = self.turn();
        let read_at = self.callbacks.read_at.ok_or(io::ErrorKind::InvalidInput)?;
        let n_requested = buffer.len();
        let mut n_read = 0;
        match read_at(self.callbacks.user, position, buffer.as_mut_ptr(), n_requested, &mut n_read) {
            0 if n_read == 0 => {
                let text =
                    format!("the callback `read_at` has no bytes at {position}, which `length` counts");
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, text))
            }
            0 if n_read > n_requested => Err(io::Error::other(format!(
                "the callback `read_at` was asked for {n_requested} bytes, and says that it read {n_read}"
            ))),
            0 => Ok(n_read),
            code => Err(failed("read_at", code)),
        }
    }
}

/// Bytes that a callback takes.
pub(crate) struct CallbackSink {
    callbacks: SinkCallbacks,
    _released: Released,
}

impl SinkCallbacks {
    /// # Errors
    /// If `write` is NULL. The user data are released then, too.
    pub(crate) fn to_sink(self) -> Result<CallbackSink> {
        let _released = Released(self.release, self.user);
        self.write.ok_or_else(|| Failure::null("write"))?;
        Ok(CallbackSink { callbacks: self, _released })
    }
}

impl Write for CallbackSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let write = self.callbacks.write.ok_or(io::ErrorKind::InvalidInput)?;
        match write(self.callbacks.user, bytes.as_ptr(), bytes.len()) {
            0 => Ok(bytes.len()),
            code => Err(failed("write", code)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.callbacks.flush.map_or(0, |flush| flush(self.callbacks.user)) {
            0 => Ok(()),
            code => Err(failed("flush", code)),
        }
    }
}

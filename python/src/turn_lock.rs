//! A lock whose holder may call Python code. Threads use the value in turns. If a thread asks for its turn again,
//! this is an error, because it would wait for itself.

use std::{
    ops::{Deref, DerefMut},
    process, ptr,
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
};

use pyo3::{prelude::*, sync::MutexExt};

use crate::error::misuse;

/// A value that only one thread uses at a time.
pub(crate) struct TurnLock<T> {
    what: &'static str,
    value: Mutex<T>,
    holder: Holder,
}

/// Which thread currently uses the value.
#[derive(Default)]
struct Holder {
    /// Identifies the thread that holds the lock; 0 if no thread holds it.
    thread: AtomicUsize,
    /// The id of the process that the thread belongs to.
    process: AtomicU32,
}

thread_local! {
    /// The address of this variable identifies the thread.
    static HERE: u8 = const { 0 };
}

impl<T> TurnLock<T> {
    /// `what` is the name of the value in errors.
    pub(crate) fn new(what: &'static str, value: T) -> TurnLock<T> {
        TurnLock { what, value: Mutex::new(value), holder: Holder::default() }
    }

    /// Waits for the turn, without the interpreter's lock, because the thread that has the turn may need it.
    ///
    /// # Errors
    /// If this thread already has the turn: code that it called uses the object again. If another thread had the turn
    /// when the process was forked, because that thread does not exist in this process.
    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<TurnGuard<'_, T>> {
        self.check()?;
        Ok(self.guard_for(self.value.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)))
    }

    /// Like [`take`](TurnLock::take), for a thread without the interpreter's lock.
    pub(crate) fn take_detached(&self) -> PyResult<TurnGuard<'_, T>> {
        self.check()?;
        Ok(self.guard_for(self.value.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// The turn, if the value is free; `None` if a thread has the turn.
    pub(crate) fn try_take(&self) -> Option<TurnGuard<'_, T>> {
        match self.value.try_lock() {
            Ok(guard) => Some(self.guard_for(guard)),
            // A panic leaves the value consistent.
            Err(TryLockError::Poisoned(poisoned)) => Some(self.guard_for(poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn check(&self) -> PyResult<()> {
        let what = self.what;
        let thread = self.holder.thread.load(Ordering::Relaxed);
        if thread == current_thread() {
            return Err(misuse(
                "Reentered",
                format!("{what} is in use, and code that it calls cannot use it"),
            ));
        }
        if thread != 0 && self.holder.process.load(Ordering::Relaxed) != process::id() {
            let text = format!(
                "{what} was in use by another thread when the process was forked: open it again in the new process"
            );
            return Err(misuse("Forked", text));
        }
        Ok(())
    }

    fn guard_for<'a>(&'a self, guard: MutexGuard<'a, T>) -> TurnGuard<'a, T> {
        self.holder.process.store(process::id(), Ordering::Relaxed);
        self.holder.thread.store(current_thread(), Ordering::Relaxed);
        TurnGuard { guard, holder: &self.holder }
    }
}

fn current_thread() -> usize {
    HERE.with(|current_thread| ptr::from_ref(current_thread).addr())
}

/// The turn of this thread. It ends when this value is dropped.
pub(crate) struct TurnGuard<'a, T> {
    guard: MutexGuard<'a, T>,
    holder: &'a Holder,
}

impl<T> Deref for TurnGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> DerefMut for TurnGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

impl<T> Drop for TurnGuard<'_, T> {
    fn drop(&mut self) {
        self.holder.thread.store(0, Ordering::Relaxed);
    }
}

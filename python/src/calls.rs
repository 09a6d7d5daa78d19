//! Calls Python code of other libraries, such as `read` of a file-like object, from work that does not have the
//! interpreter's lock.
//! Before Python 3.14, if a thread waits for the lock when the interpreter ends, its stack is unwound. Destructors
//! would then use an interpreter that no longer exists. To prevent this, such a thread stops here until the process
//! ends, as in newer interpreters.

use std::{
    fmt,
    hint::black_box,
    ptr::null_mut,
    sync::mpsc::{self, RecvTimeoutError},
    thread::{self, park},
    time::Duration,
};

use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyRuntimeError, PyTypeError},
    ffi::{self, PyObject},
    prelude::*,
    types::PyTuple,
};

use crate::error::exception;

/// The declared type of `PyObject_Call`, as a function that does not unwind.
type DeclaredCall = unsafe extern "C" fn(*mut PyObject, *mut PyObject, *mut PyObject) -> *mut PyObject;

/// The type of the same function, if it may unwind.
type Call = unsafe extern "C-unwind" fn(*mut PyObject, *mut PyObject, *mut PyObject) -> *mut PyObject;

/// Stops the thread if it is dropped by unwinding, before the call has returned.
struct UnwindGuard {
    has_returned: bool,
}

impl Drop for UnwindGuard {
    fn drop(&mut self) {
        if self.has_returned {
            return;
        }
        loop {
            park();
        }
    }
}

/// Calls a method of an object.
pub(crate) fn method<'py, A>(object: &Bound<'py, PyAny>, name: &str, args: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple>,
{
    call(&object.getattr(name)?, args)
}

/// Calls an object.
pub(crate) fn call<'py, A>(callable: &Bound<'py, PyAny>, args: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple>,
{
    call_with(callable, args.into_bound_py_any(callable.py())?.cast()?)
}

#[inline(never)]
fn call_with<'py>(callable: &Bound<'py, PyAny>, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    let function: DeclaredCall = ffi::PyObject_Call;
    // SAFETY: both are pointers to functions, with the same arguments and the same way to pass them.
    let function = black_box(unsafe { std::mem::transmute::<DeclaredCall, Call>(function) });
    let mut stop = UnwindGuard { has_returned: false };
    // SAFETY: the thread is attached, which `Bound` shows; a callable, a tuple, and no keywords.
    let found = unsafe { function(callable.as_ptr(), args.as_ptr(), null_mut()) };
    stop.has_returned = true;
    // SAFETY: the call gave a new reference, or nothing and an exception.
    unsafe { Bound::from_owned_ptr_or_err(callable.py(), found) }
}

/// Imports a module.
pub(crate) fn import<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    // With a list of names, `__import__` returns a module inside a package. Without it, it would return the package.
    let none = py.None();
    method(py.import("builtins")?.as_any(), "__import__", (name, &none, &none, ("__name__",)))
}

/// Runs `work` in another thread, without the interpreter's lock, and returns its result. Ctrl-C ends the call.
/// The thread then finishes its work, and drops the result.
///
/// # Errors
/// If the call is interrupted, or no thread can be started.
pub(crate) fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    const TURN: Duration = Duration::from_millis(20);
    py.detach(|| {
        let (done, result) = mpsc::channel();
        let thread = thread::Builder::new().name("arrow-ipc work".to_owned());
        // After an interrupt, there is no receiver.
        thread.spawn(move || drop(done.send(work())))?;
        loop {
            match result.recv_timeout(TURN) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => {
                    Python::attach(|py| py.check_signals())?;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(exception::<PyRuntimeError>("the thread ended without a result"));
                }
            }
        }
    })
}

/// Runs a function that another library calls, such as a callback of a stream.
///
/// If our Python call has called the library, the library may have released the interpreter's lock. pyo3 does not
/// notice this, and would let our code use the interpreter without the lock. A thread that Python has a state for
/// therefore takes the lock here, and releases it in a way that pyo3 notices. Other threads were not called from
/// Python, and need no lock here.
pub(crate) fn outside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    // SAFETY: may be called at any time.
    let is_running = unsafe { ffi::Py_IsInitialized() } != 0;
    // SAFETY: as before.
    if !is_running || unsafe { ffi::PyGILState_GetThisThreadState() }.is_null() {
        return work();
    }
    let _locked = InterpreterLock::new();
    // SAFETY: the thread is attached until `_locked` is dropped.
    unsafe { Python::assume_attached() }.detach(work)
}

/// A reference to a Python object. It can be dropped with or without the interpreter's lock.
///
/// Without that lock, pyo3 puts a dropped reference on a list. This list has a lock of its own, which would stay
/// locked in a process that is forked at that moment.
pub(crate) struct ObjectRef<T>(Option<Py<T>>);

impl<T> ObjectRef<T> {
    pub(crate) fn new(object: &Bound<'_, T>) -> ObjectRef<T> {
        ObjectRef(Some(object.clone().unbind()))
    }

    pub(crate) fn bind<'py>(&self, py: Python<'py>) -> &Bound<'py, T> {
        self.0.as_ref().expect("it is there until it is dropped").bind(py)
    }
}

impl<T> fmt::Debug for ObjectRef<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of Python")
    }
}

impl<T> Drop for ObjectRef<T> {
    fn drop(&mut self) {
        outside(|| {
            let _ = Python::try_attach(|_| drop(self.0.take()));
        });
    }
}

/// Holds the interpreter's lock. The thread may have had it before.
struct InterpreterLock(ffi::PyGILState_STATE);

impl InterpreterLock {
    fn new() -> InterpreterLock {
        // SAFETY: the interpreter runs; if it ends meanwhile, the call does not return.
        InterpreterLock(unsafe { ffi::PyGILState_Ensure() })
    }
}

impl Drop for InterpreterLock {
    fn drop(&mut self) {
        // SAFETY: what the call in `new` returned, in the same thread, and in the order of calls.
        unsafe { ffi::PyGILState_Release(self.0) }
    }
}

/// # Errors
/// If the object is a file that was opened for text, which has no bytes.
pub(crate) fn check_binary(object: &Bound<'_, PyAny>, mode: &str) -> PyResult<()> {
    let py = object.py();
    let text_file = py.import("io")?.getattr("TextIOBase")?;
    if !object.is_instance(&text_file)? {
        return Ok(());
    }
    let found = object.get_type();
    Err(exception::<PyTypeError>(format!(
        "{found} has text and not bytes: use `open(path, \"{mode}\")`, `io.BytesIO`, or the `buffer` of a text file, such as `sys.stdout.buffer`"
    )))
}

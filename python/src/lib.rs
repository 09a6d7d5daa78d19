//! The extension module of the Python package `arrow_ipc`. It has thin classes over `arrow-ipc`, and the Arrow
//! PyCapsule interface, which exchanges batches with other libraries without a copy.
//!
//! **Invariant:** a thread that holds the interpreter's lock does no work, and waits for no lock of this module. What
//! other libraries call runs in `calls::outside`.
//!
//! These files use `unsafe`: `memory.rs` for the buffer protocol, `capsule.rs` for capsules, `dlpack.rs` for the capsules
//! of tensors, `calls.rs` for calls that the end of the interpreter interrupts, and `source.rs` for memory maps.
//! `docs/UNSAFE.md` lists each use.

#![deny(unsafe_code)]

mod array;
mod batch;
#[allow(unsafe_code)] // Calls what may unwind.
mod calls;
#[allow(unsafe_code)] // Takes structures out of capsules.
mod capsule;
mod construct;
mod data;
mod dataset;
mod dataset_write;
#[allow(unsafe_code)] // Makes capsules of tensors.
mod dlpack;
mod engines;
mod error;
mod exceptions;
mod file;
mod file_batches;
mod forks;
mod hints;
mod joined_rows;
mod location;
#[allow(unsafe_code)] // Calls the buffer protocol.
mod memory;
mod numbers;
mod options;
mod origin;
mod pickle;
mod prefetch;
mod program;
mod ranges;
mod relation;
mod rows;
mod schema;
mod show;
mod sink;
#[allow(unsafe_code)] // Maps files.
mod source;
mod store_folder;
mod stream;
mod stream_end;
mod suggestions;
mod tools;
mod turn_lock;
mod unify;
mod values;
mod walked_streams;
mod widen;
mod write;

use pyo3::prelude::*;

#[cfg(all(Py_GIL_DISABLED, refused))]
compile_error!(
    "arrow_ipc has not been tested with a Python without the interpreter's lock, so it is not built for one. Use a Python with the lock, or \
     set ARROW_IPC_FREE_THREADED=1 to build it for trials"
);

const INTERVAL: &str = "A calendar interval: months and days have no fixed length.\n\n\
                        >>> arrow_ipc.MonthDayNano(months=14, days=-3, nanoseconds=0)\n\
                        MonthDayNano(months=14, days=-3, nanoseconds=0)";
const INTERVAL_FIELDS: [&str; 3] = [
    "The months.\n\n>>> arrow_ipc.MonthDayNano(14, -3, 0).months\n14",
    "The days.\n\n>>> arrow_ipc.MonthDayNano(14, -3, 0).days\n-3",
    "What is less than a day, in nanoseconds.\n\n>>> arrow_ipc.MonthDayNano(14, -3, 0).nanoseconds\n0",
];

#[pymodule(gil_used = false)]
mod _arrow_ipc {
    use pyo3::{
        prelude::*,
        types::{PyDict, PyMapping, PySequence},
    };

    use super::{INTERVAL, INTERVAL_FIELDS};

    #[pymodule_export]
    use crate::{
        array::Array,
        batch::{_batch_of, RecordBatch, concat},
        construct::{
            _array_of, _array_of_memory, _columns_of, _decimals_of, _in_field, _lists_of, _maps_of,
            _reinterpreted, _structs_of, _times_of, _types_of, _zones_of,
        },
        dataset::{_task, Dataset, Task, dataset},
        dataset_write::{_dataset_writer, _part, DatasetWriter, Part},
        error::ArrowIpcError,
        exceptions::_escaped,
        file::{_opened_again, File, open},
        file_batches::Batches,
        location::Location,
        options::set_max_fields,
        pickle::_unpickled,
        program::_run_program,
        schema::{Field, Schema},
        stream::{Stream, read_stream},
        tools::{
            append::append,
            assemble::{concat_files, split_file},
            convert::convert,
            describe::{count, explain, stats},
            diff::diff,
            inspect,
            recover::recover,
            text::{_quoted, read_csv, read_json, write_csv, write_json},
            validate,
        },
        write::{Writer, write_file, write_stream},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let options = PyDict::new(py);
        options.set_item("module", "arrow_ipc")?;
        let fields = ["months", "days", "nanoseconds"];
        let named_tuple = py.import("collections")?.getattr("namedtuple")?;
        let interval = named_tuple.call(("MonthDayNano", fields), Some(&options))?;
        interval.setattr("__doc__", INTERVAL)?;
        for (field, doc) in fields.into_iter().zip(INTERVAL_FIELDS) {
            interval.getattr(field)?.setattr("__doc__", doc)?;
        }
        module.add("MonthDayNano", interval)?;
        module.add("UnsupportedError", crate::error::unsupported(py))?;
        // pyo3 looks up these types once, under a lock. If the process forked at that moment, the lock would stay
        // locked.
        let _ = (py.get_type::<PyMapping>(), py.get_type::<PySequence>());
        py.import("collections.abc")?
            .getattr("Sequence")?
            .call_method1("register", (py.get_type::<Array>(),))?;
        Ok(())
    }
}

//! Where errors occur in their input.

use arrow_compute::{CastError, CastErrorKind};
use arrow_schema::FieldPath;
use pyo3::prelude::*;

use crate::{pickle::Reduction, show::literal};

/// Where an error is in a stream or file. Unknown attributes are `None`.
///
/// >>> from pathlib import Path
/// >>> damaged = Path("people.arrow").read_bytes().replace(b"ada", b"\xffda")
/// >>> try:
/// ...     arrow_ipc.open(damaged).batch(0)
/// ... except arrow_ipc.ArrowIpcError as error:
/// ...     error.location
/// Location(block=('record batch', 0), byte_offset=192, field="name", buffer=4, role="bytes", slot=0)
#[pyclass(frozen, module = "arrow_ipc", get_all, eq)]
#[derive(Default, PartialEq)]
pub(crate) struct Location {
    /// The index of the message, counted from 0.
    ///
    /// >>> arrow_ipc.Location(message=2).message
    /// 2
    pub(crate) message: Option<u64>,
    /// The block in the footer of a file, as kind and index: `("record batch", 3)`. For a value that cannot be cast, the batch
    /// of a file, stream or text.
    ///
    /// >>> arrow_ipc.Location(block=("record batch", 3)).block
    /// ('record batch', 3)
    pub(crate) block: Option<(String, usize)>,
    /// The byte offset at which the message begins.
    ///
    /// >>> arrow_ipc.Location(byte_offset=64).byte_offset
    /// 64
    pub(crate) byte_offset: Option<u64>,
    /// The path of the field.
    ///
    /// >>> arrow_ipc.Location(field="address.city").field
    /// 'address.city'
    pub(crate) field: Option<String>,
    /// The index of the buffer in the message.
    ///
    /// >>> arrow_ipc.Location(buffer=1).buffer
    /// 1
    pub(crate) buffer: Option<u64>,
    /// The role of the buffer: "offsets", "validity", "values" and so on.
    ///
    /// >>> arrow_ipc.Location(role="offsets").role
    /// 'offsets'
    pub(crate) role: Option<String>,
    /// The slot in the array of the field.
    ///
    /// >>> arrow_ipc.Location(slot=7).slot
    /// 7
    pub(crate) slot: Option<u64>,
    /// The line in the text, from 1.
    ///
    /// >>> arrow_ipc.Location(line=3).line
    /// 3
    pub(crate) line: Option<u64>,
}

impl Location {
    /// Where a value is that cannot be cast.
    pub(crate) fn from_cast_error(error: &CastError) -> Location {
        let slot = match error.kind() {
            CastErrorKind::OutOfRange { slot, .. }
            | CastErrorKind::LostDigits { slot, .. }
            | CastErrorKind::LostPart { slot, .. }
            | CastErrorKind::LocalTime { slot, .. }
            | CastErrorKind::NotUtf8 { slot, .. } => u64::try_from(*slot).ok(),
            _ => None,
        };
        let path = error.path();
        Location { field: (!path.is_root()).then(|| path.to_string()), slot, ..Location::default() }
    }
}

impl Location {
    /// The location of a slot in the array of a field.
    pub(crate) fn at_slot(path: &FieldPath, slot: usize) -> Location {
        Location {
            field: (!path.is_root()).then(|| path.to_string()),
            slot: Some(slot as u64),
            ..Location::default()
        }
    }
}

#[pymethods]
impl Location {
    #[new]
    #[pyo3(signature = (message = None, block = None, byte_offset = None, field = None, buffer = None, role = None, slot = None, line = None))]
    #[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
    fn new(
        message: Option<u64>,
        block: Option<(String, usize)>,
        byte_offset: Option<u64>,
        field: Option<String>,
        buffer: Option<u64>,
        role: Option<String>,
        slot: Option<u64>,
        line: Option<u64>,
    ) -> Location {
        Location { message, block, byte_offset, field, buffer, role, slot, line }
    }

    /// Pickles the location, to send errors to other processes.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Reduction<'py>> {
        let at = this.get();
        let parts = (at.message, &at.block, at.byte_offset, &at.field, at.buffer, &at.role, at.slot, at.line);
        Ok((this.get_type().into_any(), parts.into_pyobject(this.py())?))
    }

    fn __repr__(&self) -> String {
        let mut known = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            known.extend(value.map(|value| format!("{name}={value}")));
        };
        add("message", self.message.map(|message| message.to_string()));
        add("block", self.block.as_ref().map(|(kind, idx)| format!("('{kind}', {idx})")));
        add("byte_offset", self.byte_offset.map(|offset| offset.to_string()));
        add("field", self.field.as_ref().map(|field| literal(field)));
        add("buffer", self.buffer.map(|buffer| buffer.to_string()));
        add("role", self.role.as_ref().map(|role| literal(role)));
        add("slot", self.slot.map(|slot| slot.to_string()));
        add("line", self.line.map(|line| line.to_string()));
        format!("Location({})", known.join(", "))
    }
}

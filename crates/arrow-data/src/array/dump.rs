//! The buffers of an array as text, for tests and for people who search for a wrong byte.

use std::fmt;

use arrow_schema::{FieldPath, PathStep};

use crate::{array::ArrayData, layout::Role};

/// Shows an array buffer by buffer: see [`ArrayData::dump`].
#[derive(Debug, Clone, Copy)]
pub struct Dump<'a> {
    array: &'a ArrayData,
    n_shown_bytes: usize,
}

impl<'a> Dump<'a> {
    pub(super) fn new(array: &'a ArrayData) -> Dump<'a> {
        Dump { array, n_shown_bytes: 64 }
    }

    /// Shows at most `n_shown_bytes` bytes of each buffer.
    #[must_use]
    pub fn with_shown_bytes(self, n_shown_bytes: usize) -> Self {
        Dump { n_shown_bytes, ..self }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, array: &ArrayData, path: &mut FieldPath) -> fmt::Result {
        write_header(f, array, path)?;
        if let Some(validity) = array.validity() {
            write_path(f, path)?;
            write!(f, "{}, {} bits, ", Role::Validity, validity.len())?;
            for bit in validity.iter().take(self.n_shown_bytes) {
                f.write_str(if bit { "1" } else { "0" })?;
            }
            f.write_str(if validity.len() > self.n_shown_bytes { "…\n" } else { "\n" })?;
        }
        for (k, spec) in array.layout().data_buffers().iter().enumerate() {
            self.write_buffer(f, path, spec.role, array.buffer(k))?;
        }
        for buffer in array.variadic() {
            self.write_buffer(f, path, Role::Variadic, buffer)?;
        }
        let n_steps = path.steps().len();
        for (position, (field, child)) in
            array.data_type().children().iter().zip(array.children()).enumerate()
        {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            path.push(PathStep::Child { position, name: field.to_shared_name() });
            self.write(f, child, path)?;
            path.truncate(n_steps);
        }
        if let Some(dictionary) = array.dictionary() {
            path.push(PathStep::Dictionary);
            self.write(f, dictionary, path)?;
            path.truncate(n_steps);
        }
        Ok(())
    }

    fn write_buffer(
        &self,
        f: &mut fmt::Formatter<'_>,
        path: &FieldPath,
        role: Role,
        bytes: &[u8],
    ) -> fmt::Result {
        write_path(f, path)?;
        write!(f, "{role}, {} bytes,", bytes.len())?;
        for byte in bytes.iter().take(self.n_shown_bytes) {
            write!(f, " {byte:02x}")?;
        }
        f.write_str(if bytes.len() > self.n_shown_bytes { " …\n" } else { "\n" })
    }
}

impl fmt::Display for Dump<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.array, &mut FieldPath::root())
    }
}

fn write_header(f: &mut fmt::Formatter<'_>, array: &ArrayData, path: &FieldPath) -> fmt::Result {
    write_path(f, path)?;
    let null_count = array.null_count();
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    write!(f, "{}, {} slot{}, ", array.data_type(), array.len(), plural(array.len()))?;
    write!(f, "{null_count} null{}", plural(null_count))?;
    if array.offset() > 0 {
        write!(f, ", offset {}", array.offset())?;
    }
    f.write_str("\n")
}

fn write_path(f: &mut fmt::Formatter<'_>, path: &FieldPath) -> fmt::Result {
    if path.is_root() { f.write_str(".: ") } else { write!(f, "{path}: ") }
}

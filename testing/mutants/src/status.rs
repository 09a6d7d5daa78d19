//! The progress of the worker, in a file that remains if the worker ends.

use std::{fs, io, path::Path};

/// The numbers in the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// The number of the current mutant.
    pub(crate) number: u64,
    pub(crate) n_readable: u64,
    pub(crate) n_above_plain: u64,
    pub(crate) n_findings: u64,
}

impl Status {
    /// The content of the file; zeros if there is no file.
    pub(crate) fn read(path: &Path) -> Status {
        let bytes = fs::read(path).unwrap_or_default();
        let number = |idx: usize| {
            let found = bytes.get(8 * idx..8 * idx + 8).and_then(|bytes| bytes.try_into().ok());
            found.map_or(0, u64::from_le_bytes)
        };
        Status { number: number(0), n_readable: number(1), n_above_plain: number(2), n_findings: number(3) }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let numbers = [self.number, self.n_readable, self.n_above_plain, self.n_findings];
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        fs::write(path, self.bytes())
    }
}

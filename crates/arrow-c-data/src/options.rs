//! Options of imports, and counts of copies.

use arrow_data::Validation;

/// Options for importing.
///
/// ```
/// use arrow_c_data::ImportOptions;
/// use arrow_data::Validation;
///
/// let options = ImportOptions::new().with_validation(Validation::Deferred);
/// assert_eq!(options.validation(), Validation::Deferred);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    validation: Validation,
}

impl ImportOptions {
    /// The defaults.
    pub fn new() -> ImportOptions {
        ImportOptions::default()
    }

    /// Sets the level of the check of data. Default: [`Validation::Content`].
    #[must_use]
    pub fn with_validation(self, validation: Validation) -> ImportOptions {
        ImportOptions { validation }
    }

    /// See [`with_validation`](ImportOptions::with_validation).
    pub fn validation(&self) -> Validation {
        self.validation
    }
}

/// Counts the copies that were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CopyStats {
    n_buffers: u64,
    n_bytes: u64,
}

impl CopyStats {
    /// No copies.
    pub const fn new() -> CopyStats {
        CopyStats { n_buffers: 0, n_bytes: 0 }
    }

    /// Buffers that were copied.
    pub const fn n_buffers_copied(&self) -> u64 {
        self.n_buffers
    }

    /// Bytes that were copied.
    pub const fn n_bytes_copied(&self) -> u64 {
        self.n_bytes
    }

    pub(crate) fn add(&mut self, n_buffers: u64, n_bytes: u64) {
        self.n_buffers = self.n_buffers.saturating_add(n_buffers);
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
    }
}

//! Options for reading and writing objects.

/// Options for reading an object.
///
/// ```
/// use arrow_ipc_object_store::ObjectOptions;
///
/// assert!(!ObjectOptions::new().allows_untagged());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ObjectOptions {
    allows_untagged: bool,
}

impl ObjectOptions {
    /// The default options: an object without a tag is refused.
    pub fn new() -> ObjectOptions {
        ObjectOptions::default()
    }

    /// Also reads objects of stores that return no etag, no version and no time of modification. You promise that these
    /// objects do not change while they are read: only a change of the length is detected.
    #[must_use]
    pub fn allowing_untagged(self) -> ObjectOptions {
        ObjectOptions { allows_untagged: true }
    }

    /// Whether [`allowing_untagged`](ObjectOptions::allowing_untagged) was called.
    pub fn allows_untagged(&self) -> bool {
        self.allows_untagged
    }
}

/// Options for writing an object.
///
/// ```
/// use arrow_ipc_object_store::UploadOptions;
///
/// let options = UploadOptions::new().with_part_bytes(32 << 20);
/// assert_eq!((options.part_bytes(), options.max_parts()), (32 << 20, 8));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadOptions {
    part_bytes: usize,
    max_parts: usize,
}

impl UploadOptions {
    /// The default options: parts of 10 MiB, and at most 8 parts at the same time.
    pub fn new() -> UploadOptions {
        UploadOptions::default()
    }

    /// Sets the size of each part except the last, in bytes; 0 counts as 1. Default: 10 MiB. S3 requires parts of at
    /// least 5 MiB, and allows at most 10,000 parts. If a plan needs more than 10,000 parts of this size, its parts are
    /// made larger. An object that is shorter than one part is uploaded with one request.
    #[must_use]
    pub fn with_part_bytes(self, part_bytes: usize) -> UploadOptions {
        UploadOptions { part_bytes: part_bytes.max(1), ..self }
    }

    /// Sets the maximum number of parts that are uploaded at the same time; 0 counts as 1. Default: 8. All of these
    /// parts are in memory.
    #[must_use]
    pub fn with_max_parts(self, max_parts: usize) -> UploadOptions {
        UploadOptions { max_parts: max_parts.max(1), ..self }
    }

    /// The size of each part except the last, in bytes.
    pub fn part_bytes(&self) -> usize {
        self.part_bytes
    }

    /// The maximum number of parts that are uploaded at the same time.
    pub fn max_parts(&self) -> usize {
        self.max_parts
    }
}

impl Default for UploadOptions {
    fn default() -> UploadOptions {
        UploadOptions { part_bytes: 10 << 20, max_parts: 8 }
    }
}

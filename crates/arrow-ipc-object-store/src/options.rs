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
    /// The default options, which refuse objects without a tag.
    pub fn new() -> ObjectOptions {
        ObjectOptions::default()
    }

    /// Also reads objects without an etag, a version or a time of modification. Make sure that these objects do not
    /// change while you read them: only a change of the length is detected.
    #[must_use]
    pub fn with_untagged_objects(self) -> ObjectOptions {
        ObjectOptions { allows_untagged: true }
    }

    /// Whether [`with_untagged_objects`](ObjectOptions::with_untagged_objects) was called.
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

    /// Sets the length of each part except the last, in bytes. Default: 10 MiB; 0 counts as 1. S3 requires parts of at
    /// least 5 MiB, and at most 10,000 parts. A plan that needs more than 10,000 parts gets longer parts. An object
    /// that is shorter than one part is uploaded with one request.
    #[must_use]
    pub fn with_part_bytes(self, part_bytes: usize) -> UploadOptions {
        UploadOptions { part_bytes: part_bytes.max(1), ..self }
    }

    /// Sets how many parts are uploaded at the same time at most. Default: 8; 0 counts as 1. All of these parts are in
    /// memory.
    #[must_use]
    pub fn with_max_parts(self, max_parts: usize) -> UploadOptions {
        UploadOptions { max_parts: max_parts.max(1), ..self }
    }

    /// The length of each part except the last, in bytes.
    pub fn part_bytes(&self) -> usize {
        self.part_bytes
    }

    /// How many parts are uploaded at the same time at most.
    pub fn max_parts(&self) -> usize {
        self.max_parts
    }
}

impl Default for UploadOptions {
    fn default() -> UploadOptions {
        UploadOptions { part_bytes: 10 << 20, max_parts: 8 }
    }
}

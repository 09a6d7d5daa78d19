//! The two forms in which batches are stored.

/// Stream or file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Stream,
    File,
}

impl Format {
    pub const ALL: [Self; 2] = [Self::Stream, Self::File];

    /// The name in `cases.tsv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::File => "file",
        }
    }

    /// The end of file names.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Stream => "arrows",
            Self::File => "arrow",
        }
    }
}

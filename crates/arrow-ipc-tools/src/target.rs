//! What is written.

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An Arrow IPC stream.
    Stream,
    /// An Arrow IPC file.
    File,
}

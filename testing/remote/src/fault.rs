//! Faults of a server.

/// How the answer to one request is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Every bit of the body is inverted; the headers are correct.
    OtherBytes,
    /// The body ends ten bytes earlier, and its announced length is correct for this.
    FewerBytes,
    /// The body has ten bytes more, and its announced length is correct for this.
    MoreBytes,
    /// The headers and the body are those of a range that ends ten bytes earlier.
    ShorterRange,
    /// The headers announce all bytes, but the connection is closed ten bytes earlier.
    ClosedInBody,
    /// The connection is closed without an answer.
    NoAnswer,
    /// The headers have a different etag.
    OtherTag,
    /// The headers have neither an etag nor a modification time.
    NoTag,
    /// The answer has the right length, but its `Content-Range` begins ten bytes later.
    OtherRange,
    /// The answer has status 206, but no `Content-Range`.
    NoRange,
    /// The `Content-Range` has a wrong length of the object.
    OtherLength,
    /// The body is the whole object, with status 200.
    WholeBody,
    /// The answer has only a status, such as 416 or 503.
    Status(u16),
}

impl Fault {
    /// All faults, with two statuses.
    pub const ALL: [Fault; 14] = [
        Fault::OtherBytes,
        Fault::FewerBytes,
        Fault::MoreBytes,
        Fault::ShorterRange,
        Fault::ClosedInBody,
        Fault::NoAnswer,
        Fault::OtherTag,
        Fault::NoTag,
        Fault::OtherRange,
        Fault::NoRange,
        Fault::OtherLength,
        Fault::WholeBody,
        Fault::Status(416),
        Fault::Status(503),
    ];
}

//! What a server can do wrong.

/// How the answer to one request is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Every bit of the body is turned; the head is as it should be.
    OtherBytes,
    /// The body ends ten bytes earlier, and its length is announced so.
    FewerBytes,
    /// The body has ten bytes more, and its length is announced so.
    MoreBytes,
    /// Head and body are those of a range that ends ten bytes earlier.
    ShorterRange,
    /// The head announces all bytes, the body ends ten bytes earlier, and the connection with it.
    ClosedInBody,
    /// The connection is closed without an answer.
    NoAnswer,
    /// The head has another etag.
    OtherTag,
    /// The head has no etag, nor a time of modification.
    NoTag,
    /// The answer has the right length, but its `Content-Range` begins ten bytes later.
    OtherRange,
    /// The answer is partial, and does not say where it begins.
    NoRange,
    /// The `Content-Range` says that the object has another length.
    OtherLength,
    /// All of the object, with status 200.
    WholeBody,
    /// Only a status, such as 416 or 503.
    Status(u16),
}

impl Fault {
    /// All of them, with two statuses.
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

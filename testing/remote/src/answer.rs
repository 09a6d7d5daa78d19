//! Answers to requests, also with faults.

use std::{fmt::Write as _, io, ops::Range, sync::Arc};

use arrow_buffer::Buffer;
use arrow_ipc::Source;

use crate::{fault::Fault, request::Request};

/// The headers with which a server identifies the version of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags {
    /// The header `ETag`, with its quotes.
    pub etag: Option<String>,
    /// The header `Last-Modified`.
    pub last_modified: Option<String>,
}

/// An object under one path.
#[derive(Clone)]
pub(crate) struct Object {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) tags: Tags,
}

/// An answer to send.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) head: Vec<u8>,
    pub(crate) body: Buffer,
    /// Whether the connection is closed after the answer.
    pub(crate) closes: bool,
}

/// The number of bytes by which a faulty answer is wrong.
const N_WRONG: usize = 10;

/// The reason phrases of the statuses, by number.
const REASONS: [(u16, &str); 7] = [
    (200, "OK"),
    (206, "Partial Content"),
    (404, "Not Found"),
    (412, "Precondition Failed"),
    (416, "Range Not Satisfiable"),
    (500, "Internal Server Error"),
    (503, "Service Unavailable"),
];

impl Answer {
    /// The answer to a request; `None` if the connection is closed without an answer.
    pub(crate) fn new(
        request: &Request,
        object: Option<&Object>,
        fault: Option<Fault>,
    ) -> io::Result<Option<Answer>> {
        let object = match (fault, object) {
            (Some(Fault::NoAnswer), _) => return Ok(None),
            (Some(Fault::Status(status)), _) => return Ok(Some(Answer::status(status))),
            (_, None) => return Ok(Some(Answer::status(404))),
            (_, Some(object)) => object,
        };
        if !object.meets(request) {
            return Ok(Some(Answer::status(412)));
        }
        let n_bytes = object.source.n_bytes()?;
        let (status, mut range) = match request.range(n_bytes) {
            None => (200, 0..n_bytes),
            Some(_) if fault == Some(Fault::WholeBody) => (200, 0..n_bytes),
            Some(Some(range)) => (206, range),
            Some(None) => return Ok(Some(Answer::status(416))),
        };
        if fault == Some(Fault::ShorterRange) {
            range.end = range.end.saturating_sub(N_WRONG as u64).max(range.start);
        }
        let whole = if request.is_head { Buffer::new() } else { object.source.fetch(range.clone())? };
        let n_fewer_bytes = whole.len().saturating_sub(N_WRONG);
        let (body, closes) = match fault {
            Some(Fault::OtherBytes) => (whole.iter().map(|byte| !byte).collect::<Vec<u8>>().into(), false),
            Some(Fault::MoreBytes) => ([&whole[..], &[0; N_WRONG]].concat().into(), false),
            Some(Fault::FewerBytes) => (whole.slice(..n_fewer_bytes), false),
            Some(Fault::ClosedInBody) => (whole.slice(..n_fewer_bytes), true),
            _ => (whole.clone(), false),
        };
        let n_announced_bytes = match fault {
            _ if request.is_head => range.end.saturating_sub(range.start),
            Some(Fault::ClosedInBody) => whole.len() as u64,
            _ => body.len() as u64,
        };
        let head = Head { status, range, n_announced_bytes, n_bytes, tags: &object.tags }.text(fault);
        Ok(Some(Answer { head: head.into_bytes(), body, closes }))
    }

    fn status(status: u16) -> Answer {
        let reason = reason(status);
        let head = format!("HTTP/1.1 {status} {reason}\r\nContent-Length: 0\r\n\r\n");
        Answer { head: head.into_bytes(), body: Buffer::new(), closes: false }
    }
}

impl Object {
    /// Whether the conditions of a request are true. Times are compared as text: clients send back the text that they
    /// received.
    fn meets(&self, request: &Request) -> bool {
        // A weak etag never equals one that a request names.
        let strong = self.tags.etag.as_deref().filter(|etag| !etag.starts_with("W/"));
        let is_same = |name: &str, tag: Option<&str>| match request.header(name) {
            None => true,
            wanted => wanted == tag,
        };
        is_same("if-match", strong) && is_same("if-unmodified-since", self.tags.last_modified.as_deref())
    }
}

/// The head of an answer with a body.
struct Head<'a> {
    status: u16,
    range: Range<u64>,
    /// The length of the body.
    n_announced_bytes: u64,
    /// The length of the object.
    n_bytes: u64,
    tags: &'a Tags,
}

impl Head<'_> {
    fn text(&self, fault: Option<Fault>) -> String {
        let Head { status, range: Range { start, end }, n_announced_bytes, n_bytes, tags } = self;
        let mut text = format!("HTTP/1.1 {status} {}\r\nAccept-Ranges: bytes\r\n", reason(*status));
        let mut add = |name: &str, value: &str| {
            write!(text, "{name}: {value}\r\n").expect("text takes all");
        };
        add("Content-Length", &n_announced_bytes.to_string());
        let (shift, n_more) = match fault {
            Some(Fault::OtherRange) => (N_WRONG as u64, 0),
            Some(Fault::OtherLength) => (0, N_WRONG as u64),
            _ => (0, 0),
        };
        if *status == 206 && fault != Some(Fault::NoRange) {
            let last = (end + shift).saturating_sub(1);
            add("Content-Range", &format!("bytes {}-{last}/{}", start + shift, n_bytes + n_more));
        }
        if fault != Some(Fault::NoTag) {
            let other = (fault == Some(Fault::OtherTag)).then(|| "\"another\"".to_owned());
            let etag = if tags.etag.is_some() { other.as_ref().or(tags.etag.as_ref()) } else { None };
            let times = ["Thu, 01 Jan 2026 00:00:09 GMT".to_owned()];
            let other = (fault == Some(Fault::OtherTag)).then_some(&times[0]);
            let time = tags.last_modified.as_ref().map(|time| other.unwrap_or(time));
            etag.into_iter().for_each(|etag| add("ETag", etag));
            time.into_iter().for_each(|time| add("Last-Modified", time));
        }
        text.push_str("\r\n");
        text
    }
}

fn reason(status: u16) -> &'static str {
    REASONS.iter().find(|(known, _)| *known == status).map_or("Unknown", |(_, reason)| reason)
}

//! Requests of HTTP/1.1, as far as a server of files needs them.

use std::ops::Range;

/// The greatest length of a request line with its headers.
pub(super) const MAX_HEADER_BYTES: usize = 16 << 10;

/// The header of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request<'a> {
    pub(super) method: Method,
    /// The path, without a query.
    pub(super) path: &'a str,
    pub(super) host: &'a str,
    range: Option<&'a str>,
    if_match: Option<&'a str>,
    if_range: Option<&'a str>,
}

/// What a request wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Head,
    /// A method that is refused, if the request has the token.
    Other,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    Malformed,
    OtherHost,
    NotFound,
    Method,
    Changed,
    Range,
    HeaderTooLong,
    Slow,
    Unreadable,
    Busy,
}

impl Refusal {
    pub(super) fn status(self) -> &'static str {
        match self {
            Refusal::Malformed => "400 Bad Request",
            Refusal::OtherHost => "403 Forbidden",
            Refusal::NotFound => "404 Not Found",
            Refusal::Method => "405 Method Not Allowed",
            Refusal::Slow => "408 Request Timeout",
            Refusal::Changed => "412 Precondition Failed",
            Refusal::Range => "416 Range Not Satisfiable",
            Refusal::HeaderTooLong => "431 Request Header Fields Too Large",
            Refusal::Unreadable => "500 Internal Server Error",
            Refusal::Busy => "503 Service Unavailable",
        }
    }
}

impl<'a> Request<'a> {
    /// Parses a header, which ends with an empty line.
    pub(super) fn parse(header: &'a [u8]) -> Result<Request<'a>, Refusal> {
        let text = std::str::from_utf8(header).map_err(|_| Refusal::Malformed)?;
        let mut lines = text.strip_suffix("\r\n\r\n").ok_or(Refusal::Malformed)?.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(Refusal::Malformed);
        };
        if !["HTTP/1.1", "HTTP/1.0"].contains(&version) || !target.starts_with('/') {
            return Err(Refusal::Malformed);
        }
        let method = match method {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            _ => Method::Other,
        };
        let path = target.split_once('?').map_or(target, |(path, _)| path);
        let (mut host, mut range, mut if_match, mut if_range) = (None, None, None, None);
        for line in lines {
            let (name, value) = line.split_once(':').ok_or(Refusal::Malformed)?;
            let is_token = |byte: u8| byte.is_ascii_graphic() && byte != b':';
            if name.is_empty() || !name.bytes().all(is_token) || value.contains(['\r', '\n', '\0']) {
                return Err(Refusal::Malformed);
            }
            let slot = match name {
                _ if name.eq_ignore_ascii_case("host") => &mut host,
                _ if name.eq_ignore_ascii_case("range") => &mut range,
                _ if name.eq_ignore_ascii_case("if-match") => &mut if_match,
                _ if name.eq_ignore_ascii_case("if-range") => &mut if_range,
                _ => continue,
            };
            if slot.replace(value.trim_matches([' ', '\t'])).is_some() {
                return Err(Refusal::Malformed);
            }
        }
        let host = host.ok_or(Refusal::Malformed)?;
        Ok(Request { method, path, host, range, if_match, if_range })
    }

    /// The bytes that are requested; `None` if all are.
    ///
    /// # Errors
    /// If the content has another version than the request expects, or the range is not in it. Several ranges are refused.
    pub(super) fn range_of(&self, n_bytes: u64, etag: &str) -> Result<Option<Range<u64>>, Refusal> {
        let is_named =
            |list: &str| list == "*" || list.split(',').any(|one| one.trim_matches([' ', '\t']) == etag);
        if self.if_match.is_some_and(|list| !is_named(list)) {
            return Err(Refusal::Changed);
        }
        let Some(range) = self.range.filter(|_| self.if_range.is_none_or(|one| one == etag)) else {
            return Ok(None);
        };
        // A header that is not a range of bytes counts as none.
        let Some(range) = range.strip_prefix("bytes=") else { return Ok(None) };
        if range.contains(',') {
            return Err(Refusal::Range);
        }
        let Some((first, last)) = range.split_once('-') else { return Ok(None) };
        let (first, last) = match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => (first, last.min(n_bytes.saturating_sub(1))),
            (Some(first), None) if last.is_empty() => (first, n_bytes.saturating_sub(1)),
            (None, Some(0)) if first.is_empty() => return Err(Refusal::Range),
            (None, Some(n_last)) if first.is_empty() => {
                (n_bytes.saturating_sub(n_last), n_bytes.saturating_sub(1))
            }
            _ => return Ok(None),
        };
        if first >= n_bytes {
            return Err(Refusal::Range);
        }
        Ok(Some(first..last.saturating_add(1)))
    }
}

/// A number in digits alone.
fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Greater numbers lie beyond every file.
    Some(text.parse().unwrap_or(u64::MAX))
}

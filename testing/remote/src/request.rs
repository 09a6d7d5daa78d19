//! Parses HTTP/1.1 requests, as far as readers of ranges send them.

use std::{
    collections::BTreeMap,
    io::{self, BufRead},
    ops::Range,
};

/// The head of a request without a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) is_head: bool,
    pub(crate) path: String,
    /// The headers, by their names in lower case.
    headers: BTreeMap<String, String>,
}

/// The greatest number of header lines, which is more than any client sends.
const MAX_LINES: usize = 100;
const MAX_LINE_BYTES: u64 = 16 << 10;

impl Request {
    /// Reads the next request; `None` if the client closes the connection.
    pub(crate) fn read(source: &mut impl BufRead) -> io::Result<Option<Request>> {
        let Some(first) = read_line(source)? else { return Ok(None) };
        let malformed = || io::Error::from(io::ErrorKind::InvalidData);
        let mut words = first.split(' ');
        let (Some(method), Some(path)) = (words.next(), words.next()) else { return Err(malformed()) };
        let is_head = match method {
            "GET" => false,
            "HEAD" => true,
            _ => return Err(malformed()),
        };
        let mut request = Request { is_head, path: path.to_owned(), headers: BTreeMap::new() };
        for _ in 0..MAX_LINES {
            let line = read_line(source)?.ok_or_else(malformed)?;
            if line.is_empty() {
                return Ok(Some(request));
            }
            let (name, value) = line.split_once(':').ok_or_else(malformed)?;
            request.headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        Err(malformed())
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The requested range of an object with `n_bytes` bytes. `None` if the whole object is requested; `Some(None)` if
    /// the range does not exist.
    pub(crate) fn range(&self, n_bytes: u64) -> Option<Option<Range<u64>>> {
        let (start, end) = self.header("range")?.strip_prefix("bytes=")?.split_once('-')?;
        let range = match (start.parse::<u64>(), end.parse::<u64>()) {
            (Ok(start), Ok(last)) => start..n_bytes.min(last.saturating_add(1)),
            (Ok(start), Err(_)) => start..n_bytes,
            (Err(_), Ok(n_last)) => n_bytes.saturating_sub(n_last)..n_bytes,
            (Err(_), Err(_)) => return None,
        };
        Some(Some(range).filter(|range| range.start < range.end))
    }
}

/// A line without its end; `None` at the end of the input.
fn read_line(source: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    if io::Read::take(&mut *source, MAX_LINE_BYTES).read_line(&mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_header() {
        let range = |text: &str| {
            let head = format!("GET /a HTTP/1.1\r\nHost: x\r\nRange: {text}\r\n\r\n");
            Request::read(&mut head.as_bytes()).unwrap().unwrap().range(100)
        };
        assert_eq!(range("bytes=0-9"), Some(Some(0..10)));
        assert_eq!(range("bytes=90-200"), Some(Some(90..100)));
        assert_eq!(range("bytes=90-"), Some(Some(90..100)));
        assert_eq!(range("bytes=-10"), Some(Some(90..100)));
        assert_eq!(range("bytes=-200"), Some(Some(0..100)));
        assert_eq!(range("bytes=100-110"), Some(None));
        assert_eq!(range("bytes=-0"), Some(None));
        assert_eq!(range("words=1-2"), None);
    }
}

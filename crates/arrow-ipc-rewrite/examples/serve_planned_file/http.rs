//! The first lines and headers of HTTP/1.1 requests and responses.

use std::{
    io::{self, BufRead, Read},
    ops::Range,
};

const MAX_HEAD_BYTES: u64 = 8 << 10;

/// The first line and the headers of a request or response.
pub(super) struct Head {
    pub(super) first_line: String,
    headers: Vec<(String, String)>,
}

/// The part of the file that a request asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestedRange {
    All,
    Part(Range<u64>),
    /// Something that is not there, or several ranges.
    Nothing,
}

impl Head {
    /// `None` if the connection ends before it begins.
    pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<Head>> {
        let mut from = from.take(MAX_HEAD_BYTES);
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut head = Head { first_line: line.trim_end().to_owned(), headers: Vec::new() };
        loop {
            line.clear();
            if from.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let Some((name, value)) = line.split_once(':') else { break };
            head.headers.push((name.to_owned(), value.trim().to_owned()));
        }
        if line == "\r\n" { Ok(Some(head)) } else { Err(io::ErrorKind::InvalidData.into()) }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(found, _)| found.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.as_str())
    }

    /// By RFC 9110, section 14: other units than bytes are ignored, and invalid ranges may be refused.
    pub(super) fn range_of(&self, n_bytes: u64) -> RequestedRange {
        let ranges = self.header("range").and_then(|value| value.split_once('='));
        let Some((_, range)) = ranges.filter(|(unit, _)| unit.eq_ignore_ascii_case("bytes")) else {
            return RequestedRange::All;
        };
        let number = |text: &str| if text.starts_with('+') { None } else { text.parse::<u64>().ok() };
        let range = range.split_once('-').and_then(|(first, last)| match (first, last) {
            ("", n_last) => Some(n_bytes.saturating_sub(number(n_last)?)..n_bytes),
            (first, "") => Some(number(first)?..n_bytes),
            (first, last) => Some(number(first)?..number(last)?.saturating_add(1).min(n_bytes)),
        });
        range.filter(|range| range.start < range.end).map_or(RequestedRange::Nothing, RequestedRange::Part)
    }
}

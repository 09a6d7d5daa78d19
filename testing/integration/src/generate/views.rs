//! Random views and their data buffers.

use std::fmt::Write;

use super::{
    columns::Generator,
    fields::{Kind, quoted},
};
use crate::{hex::write_hex, separated::separated};

/// When a data buffer has this many bytes, the next one begins.
const BUFFER_BYTES: usize = 32;

const MAX_INLINE_BYTES: usize = 12;

impl Generator {
    /// Appends views and data buffers; views of null slots are empty.
    pub(super) fn write_views(&mut self, out: &mut String, kind: &Kind, valid: &[bool]) {
        let mut buffers: Vec<Vec<u8>> = Vec::new();
        out.push_str(",\"VIEWS\":");
        separated(out, valid, |out, is_valid| {
            let value = if *is_valid { self.view_value(kind) } else { Vec::new() };
            if value.len() <= MAX_INLINE_BYTES {
                let shown = if matches!(kind, Kind::View { text: true, .. }) {
                    quoted(&String::from_utf8_lossy(&value))
                } else {
                    hex(&value)
                };
                let _ = write!(out, "{{\"SIZE\":{},\"INLINED\":{shown}}}", value.len());
                return;
            }
            if buffers.last().is_none_or(|buffer| buffer.len() >= BUFFER_BYTES) {
                buffers.push(Vec::new());
            }
            let buffer_idx = buffers.len() - 1;
            let offset = buffers[buffer_idx].len();
            let prefix = hex(&value[..4]);
            let _ = write!(out, "{{\"SIZE\":{},\"PREFIX_HEX\":{prefix},", value.len());
            let _ = write!(out, "\"BUFFER_INDEX\":{buffer_idx},\"OFFSET\":{offset}}}");
            buffers[buffer_idx].extend_from_slice(&value);
        });
        out.push_str(",\"VARIADIC_DATA_BUFFERS\":");
        separated(out, &buffers, |out, buffer| out.push_str(&hex(buffer)));
    }

    /// A value whose length is near the length up to which values are inlined.
    fn view_value(&mut self, kind: &Kind) -> Vec<u8> {
        let Kind::View { text, long } = *kind else { return Vec::new() };
        let n_chars = self.rng.below(if long { 20 } else { 7 });
        if text {
            let text = self.text(n_chars).into_bytes();
            // Some characters have several bytes.
            return if text.len() > MAX_INLINE_BYTES && !long { Vec::new() } else { text };
        }
        self.rng.bytes(n_chars)
    }
}

/// Bytes as a string of digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    write_hex(&mut text, bytes);
    text.push('"');
    text
}

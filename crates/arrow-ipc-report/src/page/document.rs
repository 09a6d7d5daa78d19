//! Writes the page: its HTML, style and script, and the map of bytes as JSON.

use std::{
    fmt,
    io::{self, Write},
};

use arrow_ipc::Container;
use arrow_ipc_tools::InspectReport;
use serde_json::Value;

use super::{HtmlReport, overview};
use crate::{byte_map::data_of, explain::Explanation};

/// The HTML of the page. Each word between two `@@` is replaced.
const PAGE: &str = include_str!("page.html");
pub(super) const STYLE: &str = include_str!("page.css");
pub(super) const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("model.js"),
    include_str!("strip.js"),
    include_str!("table.js"),
    include_str!("page.js")
);

pub(super) fn write(
    report: &HtmlReport,
    explanation: &Explanation,
    inspected: &InspectReport,
    out: &mut impl Write,
) -> io::Result<()> {
    let is_arrow = matches!(report.map.container, Some(Container::File | Container::Stream));
    for part in PAGE.split("@@") {
        match part {
            "policy" => out.write_all(POLICY.as_bytes())?,
            "style" => write!(out, "{STYLE}")?,
            "script" => write!(out, "{SCRIPT}")?,
            "columns" if is_arrow => out.write_all(overview::columns(explanation).as_bytes())?,
            "findings" if is_arrow => {
                out.write_all(overview::findings(explanation, &report.map.name).as_bytes())?
            }
            "rows" if is_arrow => {
                let rows = overview::first_rows(&report.rows, explanation.n_rows, &report.map.name);
                out.write_all(rows.as_bytes())?;
            }
            "columns" | "findings" | "rows" => {}
            "joined" => {
                let (messages, buffers) = (report.map.messages.iter(), report.map.buffers.iter());
                let n_messages = messages.clone().fold(0, |n: u64, group| n.saturating_add(group.n_messages));
                let n_buffers = buffers.clone().fold(0, |n: u64, span| n.saturating_add(span.n_buffers));
                let messages = [messages.count() as u64, n_messages];
                let buffers = [buffers.count() as u64, n_buffers];
                out.write_all(overview::joined(messages, buffers).as_bytes())?;
            }
            "data" => write!(out, "{}", ScriptJson(&data_of(&report.map, inspected)))?,
            html => write!(out, "{html}")?,
        }
    }
    Ok(())
}

/// The content security policy of the page. The page loads no other files, runs only its own script, and does not
/// turn text into markup.
///
/// The policy has the SHA-256 of the script and of the style in base64 (Content Security Policy 3, section 2.3.1).
/// After a change of the script or style, a test fails and shows the new hash.
pub(super) const POLICY: &str = "default-src 'none'; \
    script-src 'sha256-lhQM8BDL/16mmhRFZoOw3r9Q43HqDQtVbCSiUyVmJyY='; \
    style-src 'sha256-jSPqjlyKcnprB6JQC2Sl6fSAY2cPwiCoBD7w/bQaLvA='; img-src data:; \
    base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Writes JSON inside a script element. Escapes `<`, `>` and `&`, so that the JSON cannot end the element. These
/// characters only occur in strings of JSON.
struct ScriptJson<'a>(&'a Value);

impl fmt::Display for ScriptJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.to_string().split_inclusive(['<', '>', '&']).try_for_each(|piece| {
            let safe = piece.trim_end_matches(['<', '>', '&']);
            f.write_str(safe)?;
            piece
                .get(safe.len()..)
                .unwrap_or_default()
                .bytes()
                .try_for_each(|byte| write!(f, "\\u{byte:04x}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use arrow_text::format::Escaped;

    use super::*;

    #[test]
    fn text_cannot_leave_its_element() {
        let cases = [
            ("plain – ünïcode 🦀", "\"plain – ünïcode 🦀\""),
            ("</script><script>alert(1)", "\"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)\""),
            ("<!--&amp;", "\"\\u003c!--\\u0026amp;\""),
            (
                "a\"\\\n\u{0}\u{1b}\u{9b}\u{202e}\u{2028}",
                "\"a\\\"\\\\\\\\n\\\\u{0}\\\\u{1b}\\\\u{9b}\\\\u{202e}\\\\u{2028}\"",
            ),
        ];
        for (shown, expected) in cases {
            assert_eq!(ScriptJson(&Value::from(Escaped(shown).to_string())).to_string(), expected);
        }
    }
}

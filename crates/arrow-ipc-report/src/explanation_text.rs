//! Explanations as text.

mod command;
mod finding;

use std::fmt;

use arrow_ipc::{Container, Endianness, error::CopyCause};
use arrow_ipc_tools::InputName;
use arrow_text::format::{Counted, Escaped, Grouped};

pub(crate) use self::{command::RemedyCommand, finding::finding_text};
use crate::{
    explain::{Change, Explanation, Finding, FindingKind, Remedy, StatisticsSize},
    numbers::{incomplete, percent_of, ratio_of},
    shell::{quoted, shell_argument},
};

/// Formats an explanation for people, as paragraphs and tables.
#[derive(Debug)]
pub struct ExplanationText<'a> {
    /// The name of the input.
    pub input: &'a InputName,
    /// The explanation to format.
    pub explanation: &'a Explanation,
}

impl fmt::Display for ExplanationText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind(f)?;
        self.layout(f)?;
        self.costs(f)?;
        self.findings(f)
    }
}

impl ExplanationText<'_> {
    fn kind(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let it = self.explanation;
        let kind = if it.container == Container::File {
            "an Arrow file"
        } else if it.n_batches == 0 && it.version.is_none() && it.n_tensors > 0 {
            "a sequence of Arrow tensors"
        } else {
            "an Arrow stream"
        };
        write!(f, "{} is {kind}", Escaped(&self.input.to_string()))?;
        if let Some(n_bytes) = it.n_bytes {
            write!(f, " of {} bytes", Grouped(n_bytes))?;
        }
        if let Some(version) = it.version {
            write!(f, ", metadata {version:?}")?;
        }
        let order = match it.endianness {
            Some(Endianness::Little) => ", little-endian",
            Some(Endianness::Big) => ", big-endian",
            None => "",
        };
        f.write_str(order)?;
        match it.writer {
            Some(writer) => writeln!(f, ". Its metadata names {writer}."),
            None => writeln!(f, "."),
        }
    }

    fn layout(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let it = self.explanation;
        if it.version.is_some() {
            let others = incomplete(it.n_truncated_batches, it.n_unreadable_batches);
            let batches = if others.is_empty() {
                Counted(it.n_batches, "batch")
            } else {
                Counted(it.n_batches, "complete batch")
            };
            write!(
                f,
                "It has {} in {batches} of {}",
                Counted(it.n_rows, "row"),
                Counted(it.n_columns, "column")
            )?;
            match it.batch_rows {
                Some((least, most)) if least == most && it.n_batches > 1 => {
                    write!(f, ", {} each", Counted(least, "row"))?;
                }
                Some((least, most)) if it.n_batches > 1 => {
                    write!(f, ", {} to {} each", Grouped(least), Counted(most, "row"))?;
                }
                _ => {}
            }
            writeln!(f, "{others}.")?;
        }
        if it.n_streams > 1 {
            writeln!(f, "These are {}, one after the other.", Counted(it.n_streams, "stream"))?;
        }
        if it.n_tensors > 0 {
            writeln!(f, "It has {}.", Counted(it.n_tensors, "tensor"))?;
        }
        if it.n_dictionary_batches > 0 {
            let values = Counted(it.n_dictionary_values, "value");
            writeln!(f, "Dictionaries have {values} in {}.", Counted(it.n_dictionary_batches, "message"))?;
        }
        match &it.statistics {
            Some(StatisticsSize { n_bytes, n_columns: Some(n @ 1..), .. }) => {
                let columns = Counted(it.n_columns, "column");
                let bytes = Counted(*n_bytes, "byte");
                write!(f, "The footer has statistics of {} of {columns} in {bytes}: ", Grouped(*n))?;
                writeln!(f, "`--where CONDITION --trust-statistics` skips batches by them.")?;
            }
            Some(StatisticsSize { n_bytes, n_columns: Some(0) | None, .. }) => {
                write!(f, "The footer has statistics of other batches, or none that can be read, in ")?;
                writeln!(f, "{}: no batches are skipped by them.", Counted(*n_bytes, "byte"))?;
            }
            None => {}
        }
        if !it.codecs.is_empty() {
            let codecs: Vec<String> = it.codecs.iter().map(ToString::to_string).collect();
            write!(f, "Bodies are compressed with {}", codecs.join(" and "))?;
            let stored = Counted(it.n_body_bytes, "byte");
            let whole = Grouped(it.n_decompressed_bytes);
            writeln!(f, ": {stored} from {whole}, {}.", ratio_of(it.n_decompressed_bytes, it.n_body_bytes))?;
        }
        self.copies(f)
    }

    /// Writes why readers copy values even from a memory map, and how the input becomes one that they share.
    fn copies(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CAUSES: [(CopyCause, &str, Option<Change>); 4] = [
            (CopyCause::Compressed, "buffers are compressed", Some(Change::Compression(None))),
            (CopyCause::ByteOrder, "numbers have the other byte order", Some(Change::LittleEndian)),
            (CopyCause::Misaligned, "buffers are not aligned", None),
            (CopyCause::Deltas, "dictionaries have deltas", Some(Change::UnifyDictionaries)),
        ];
        let found = CAUSES.iter().filter(|(cause, ..)| self.explanation.copies.contains(cause));
        let (texts, changes): (Vec<&str>, Vec<&Option<Change>>) =
            found.map(|(_, text, change)| (*text, change)).unzip();
        if texts.is_empty() {
            return Ok(());
        }
        let changes = changes.into_iter().flatten().cloned().collect();
        let RemedyCommand { command, options } = RemedyCommand::new(&Remedy::Convert(changes));
        let command: Vec<&str> = [command].into_iter().chain(options.iter().map(String::as_str)).collect();
        write!(f, "It cannot be mapped into memory without a copy: {}", texts.join(", "))?;
        let refuses_work = |finding: &Finding| {
            matches!(finding.kind, FindingKind::Damage { .. } | FindingKind::Unsupported { .. })
        };
        if self.explanation.findings.iter().any(refuses_work) {
            return writeln!(f, ".");
        }
        writeln!(f, "; what `{}` writes can.", command.join(" "))
    }

    /// Writes how many bytes the columns, metadata and padding take. A pipe does not show bytes outside of messages.
    fn costs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_COLUMNS: usize = 12;
        let it = self.explanation;
        let all = it.n_bytes.unwrap_or_else(|| it.n_body_bytes.saturating_add(it.n_metadata_bytes));
        if all == 0 {
            return Ok(());
        }
        writeln!(f, "\nWhat takes the bytes:")?;
        let mut line = |n_bytes: u64, what: fmt::Arguments<'_>| {
            writeln!(f, "  {:>6}  {:>15}  {what}", percent_of(n_bytes, all), Grouped(n_bytes))
        };
        for cost in it.columns.iter().take(MAX_COLUMNS) {
            let ratio = if cost.n_decompressed_bytes == cost.n_bytes || it.codecs.is_empty() {
                String::new()
            } else {
                format!(", from {}", Grouped(cost.n_decompressed_bytes))
            };
            // The command `schema` shows an empty name in the same way.
            let name = if cost.name.is_empty() { "\"\"" } else { &cost.name };
            let name = Escaped(name);
            let data_type = Escaped(&cost.data_type);
            line(cost.n_bytes, format_args!("{name}: {data_type}{ratio}"))?;
        }
        if let Some(others) = it.columns.get(MAX_COLUMNS..).filter(|others| !others.is_empty()) {
            let n_bytes = others.iter().fold(0, |sum: u64, cost| sum.saturating_add(cost.n_bytes));
            let n_others = Grouped(others.len() as u64);
            line(
                n_bytes,
                format_args!("{n_others} more {}", if others.len() == 1 { "column" } else { "columns" }),
            )?;
        }
        let metadata = if it.container == Container::File {
            "metadata of messages, and the footer"
        } else {
            "metadata of messages"
        };
        let others = [
            (it.n_tensor_bytes, if it.n_tensors == 1 { "the tensor" } else { "tensors" }),
            (it.n_unknown_bytes, "bodies of unknown content"),
            (it.n_metadata_bytes, metadata),
            (it.n_padding_bytes, "padding"),
            (it.n_other_bytes, "other bytes"),
        ];
        for (n_bytes, what) in others.into_iter().filter(|(n_bytes, _)| *n_bytes > 0) {
            line(n_bytes, format_args!("{what}"))?;
        }
        match it.n_missing_bytes {
            0 => Ok(()),
            n_bytes => {
                writeln!(f, "{} more are missing: bodies are cut off.", Counted(n_bytes, "byte"))
            }
        }
    }

    /// Writes the findings, and the commands that fix them.
    fn findings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.explanation.findings.is_empty() {
            return writeln!(f, "\nNothing is odd about its layout. `arrow-ipc validate` checks its values.");
        }
        writeln!(f, "\nWhat is odd, or can be better:")?;
        let name = shell_argument(self.input);
        let output = if self.explanation.container == Container::File { "OUT.arrow" } else { "OUT.arrows" };
        for finding in &self.explanation.findings {
            writeln!(f, "- {}", Escaped(&finding_text(&finding.kind)))?;
            if let Some(remedy) = &finding.remedy {
                let RemedyCommand { command, options } = RemedyCommand::new(remedy);
                write!(f, "    arrow-ipc {command} {} {output}", Escaped(&name))?;
                let mut options = options.iter();
                options.try_for_each(|option| write!(f, " {}", Escaped(&quoted(option))))?;
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

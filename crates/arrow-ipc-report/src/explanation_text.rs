//! Explanations as text.

mod command;
mod costs;
mod finding;

use std::fmt;

use arrow_ipc::{Container, Endianness, error::CopyCause};
use arrow_ipc_tools::InputName;
use arrow_text::format::{Counted, Escaped, Grouped};

pub(crate) use self::{
    command::{RemedyCommand, remedy_line},
    costs::{CostPart, cost_lines, missing_bytes, other_columns, shown_name},
    finding::finding_text,
};
use crate::{
    describe::{incomplete, ratio_of},
    explain::{Change, Explanation, Finding, FindingKind, Remedy, StatisticsSize},
    style::TextColors,
};

/// What is said of an input without findings.
pub(crate) const NOTHING_ODD: &str =
    "Nothing is odd about its layout. `arrow-ipc validate` checks its values.";

/// Formats an explanation for people, as paragraphs and tables.
#[derive(Debug)]
pub struct ExplanationText<'a> {
    /// The name of the input.
    pub input: &'a InputName,
    /// The explanation to format.
    pub explanation: &'a Explanation,
    /// The colours of names, types and findings; none by default.
    pub colors: TextColors,
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
            match it.n_decompressed_bytes {
                Some(whole) => {
                    writeln!(f, ": {stored} from {}, {}.", Grouped(whole), ratio_of(whole, it.n_body_bytes))?
                }
                None => writeln!(f, ": {stored}. The decompressed length is unknown.")?,
            }
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

    /// Writes how many bytes the columns, metadata and padding take.
    fn costs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_COLUMNS: usize = 12;
        let lines = cost_lines(self.explanation, MAX_COLUMNS);
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(f, "\nWhat takes the bytes:")?;
        for line in lines {
            write!(f, "  {:>6}  {:>15}  ", line.share(), Grouped(line.n_bytes).to_string())?;
            match line.part {
                CostPart::Column(cost, n_decompressed_bytes) => {
                    let name = self.colors.paint(self.colors.name, Escaped(shown_name(cost)));
                    let data_type = self.colors.paint(self.colors.data_type, Escaped(&cost.data_type));
                    write!(f, "{name}: {data_type}")?;
                    match n_decompressed_bytes {
                        Some(n_bytes) => writeln!(f, ", from {}", Grouped(n_bytes))?,
                        None => writeln!(f)?,
                    }
                }
                CostPart::OtherColumns(n) => writeln!(f, "{} {}", Grouped(n), other_columns(n))?,
                CostPart::Rest(what) => writeln!(f, "{what}")?,
            }
        }
        let missing = missing_bytes(self.explanation);
        missing.iter().try_for_each(|text| writeln!(f, "{}", self.colors.paint(self.colors.problem, text)))
    }

    /// Writes the findings, and the commands that fix them.
    fn findings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.explanation.findings.is_empty() {
            return writeln!(f, "\n{NOTHING_ODD}");
        }
        writeln!(f, "\nWhat is odd, or can be better:")?;
        for finding in &self.explanation.findings {
            let text = finding_text(&finding.kind);
            writeln!(f, "- {}", self.colors.paint(self.colors.problem, Escaped(&text)))?;
            if let Some(remedy) = &finding.remedy {
                writeln!(f, "    {}", remedy_line(remedy, self.input, self.explanation.container))?;
            }
        }
        Ok(())
    }
}

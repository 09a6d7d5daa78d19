//! Passes one input to everything that reads it.

use std::{
    any::Any,
    cell::RefCell,
    fmt::Write,
    panic::{self, AssertUnwindSafe, catch_unwind},
};

use arrow_buffer::Buffer;
use arrow_data::{RecordBatch, Validation};
use testing_support::Rng;

use crate::{
    cost::{Bound, measured_for},
    operations::use_batches,
    readers::{Kind, Outcome, READERS, Reader},
    share::Share,
    wire::{MAGIC, Map},
};

/// The operations on an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The input is read in every way.
    Read,
    /// The result of reading is also used in every way.
    Use,
}

/// The result of checking an input.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The violations that were found, each as a sentence.
    pub findings: Vec<String>,
    /// Whether a reader returned a batch, or found no error.
    pub is_readable: bool,
    /// The number of readers that took more memory than 1 MiB plus four times the input, within a documented limit.
    pub n_above_plain: u64,
    /// The most bytes of memory that a reader took.
    pub max_bytes: u64,
}

/// Metadata by which legacy files declare compression.
const LEGACY_COMPRESSION: &[u8] = b"ARROW:experimental_compression";

/// Most bytes are another letter than the first: no function is called for them.
fn is_legacy_compression(window: &[u8]) -> bool {
    window.first() == LEGACY_COMPRESSION.first() && window == LEGACY_COMPRESSION
}

/// Reads an input in every way, and compares the results.
pub fn check(bytes: &Buffer, depth: Depth) -> Verdict {
    let uses: Option<Uses> = (depth == Depth::Use).then_some(use_batches);
    check_share(bytes, uses, Share::ALL)
}

/// Uses batches that were read with a validation from so many bytes. Returns the findings.
pub(crate) type Uses = fn(&[RecordBatch], Validation, u64, &mut Share) -> Vec<String>;

/// Like [`check`], with all options or with some. The program of a fuzzer that uses nothing has no code that does.
pub(crate) fn check_share(bytes: &Buffer, uses: Option<Uses>, mut share: Share) -> Verdict {
    let mut verdict = Verdict::default();
    let is_compressed =
        Map::of(bytes).is_compressed || bytes.windows(LEGACY_COMPRESSION.len()).any(is_legacy_compression);
    let bound = if is_compressed { Bound::COMPRESSED } else { Bound::DOCUMENTED };
    let is_file = bytes.starts_with(MAGIC);
    // A file has a stream in it.
    let stream = if is_file && bytes.len() > 8 { bytes.slice(8..) } else { bytes.clone() };
    let kinds: &[Kind] = if is_file { &[Kind::Stream, Kind::File] } else { &[Kind::Stream] };
    for &validation in share.of(&[Validation::Content, Validation::Structure]) {
        for &kind in share.of(kinds) {
            let input = if kind == Kind::Stream { &stream } else { bytes };
            let seed = seed_of(input);
            let mut first: Option<Outcome> = None;
            let readers: Vec<&Reader> = READERS.iter().filter(|reader| reader.container == kind).collect();
            let [from_memory, others @ ..] = &readers[..] else { continue };
            for reader in [from_memory].into_iter().chain(share.of(others)) {
                let what = format!("{}, {validation:?}", reader.name);
                let n_bytes = input.len() as u64;
                let read = || caught(|| (reader.read)(input, validation, &mut Rng::new(seed)));
                let (outcome, cost) = measured_for(&bound, n_bytes, read);
                verdict.max_bytes = verdict.max_bytes.max(cost.peak_bytes);
                verdict.n_above_plain += u64::from(Bound::READING.broken_by(cost, n_bytes).is_some());
                let broken = bound.broken_by(cost, n_bytes);
                verdict.findings.extend(broken.map(|broken| format!("{what}: {broken}")));
                let outcome = match outcome {
                    Ok(outcome) => outcome,
                    Err(panic) => {
                        verdict.findings.push(format!("{what}: a panic: {panic}"));
                        continue;
                    }
                };
                verdict.is_readable |= outcome.is_readable();
                match &first {
                    None => first = Some(outcome),
                    Some(first) => verdict.findings.extend(disagreement(kind, first, &outcome, &what)),
                }
            }
            if let (Some(outcome), Some(uses)) = (&first, uses) {
                let used = caught(|| uses(&outcome.batches, validation, bytes.len() as u64, &mut share));
                let findings = used.unwrap_or_else(|panic| vec![format!("a panic: {panic}")]);
                verdict.findings.extend(findings.into_iter().map(|what| format!("{validation:?}: {what}")));
            }
        }
    }
    verdict
}

/// A number that depends only on the input.
pub(crate) fn seed_of(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let numbers =
        words.iter().map(|word| u64::from_le_bytes(*word)).chain(rest.iter().map(|byte| u64::from(*byte)));
    numbers.fold(bytes.len() as u64, |seed, number| Rng::new(seed ^ number).bits())
}

thread_local! {
    /// The message of the last panic of this thread, and its location.
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Stores the messages of panics for findings, and does not print them.
pub fn keep_panics_quiet() {
    panic::set_hook(Box::new(|panic| LAST_PANIC.set(panic.to_string())));
}

/// Runs work. If it panics, the error is the message of the panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = LAST_PANIC.take();
        if said.is_empty() { text_of(&*panic) } else { said }
    })
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("of another kind").to_owned()
}

/// A difference between two ways of reading the same bytes; `None` if there is none.
fn disagreement(kind: Kind, first: &Outcome, other: &Outcome, what: &str) -> Option<String> {
    let mut text = format!("{what}: ");
    let (n_first, n_other) = (first.batches.len(), other.batches.len());
    let is_same = match kind {
        Kind::Stream => n_first == n_other && first.error == other.error,
        // Of several errors of a file, either may be found first.
        Kind::File => {
            first.error.is_some() == other.error.is_some() && (first.error.is_some() || n_first == n_other)
        }
    };
    if !is_same {
        let _ = write!(
            text,
            "{n_other} batches and {:?}, from memory {n_first} and {:?}",
            other.error, first.error
        );
        return Some(text);
    }
    for (idx, (first, other)) in first.batches.iter().zip(&other.batches).enumerate() {
        // What was not checked may be invalid. Then it has no values to compare.
        let has_same_rows = first.n_rows() == other.n_rows() && first.same_values(other) != Ok(false);
        if !has_same_rows || first.schema() != other.schema() {
            let _ = write!(text, "batch {idx} differs in schema or rows from the one from memory");
            return Some(text);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use arrow_array::Int64Array;

    use super::*;

    fn outcome(name: &str, values: &[i64], error: Option<&str>) -> Outcome {
        let column = Int64Array::from_iter(values.iter().copied());
        let batch = RecordBatch::try_from_columns([(name, column.into())]).expect("a column");
        Outcome { batches: vec![batch], error: error.map(str::to_owned) }
    }

    #[test]
    fn readers_disagree_about_names_rows_values_and_errors() {
        let first = outcome("a", &[1, 2], None);
        let differs = |kind, other: &Outcome| disagreement(kind, &first, other, "another reader");
        for kind in [Kind::Stream, Kind::File] {
            assert_eq!(differs(kind, &outcome("a", &[1, 2], None)), None);
            let others = [
                outcome("b", &[1, 2], None),
                outcome("a", &[1], None),
                outcome("a", &[1, 3], None),
                outcome("a", &[1, 2], Some("an error")),
                Outcome::default(),
            ];
            for other in &others {
                assert!(differs(kind, other).is_some(), "{kind:?}, {other:?}");
            }
        }
    }
}

//! Observers get the progress of each pass, and can stop it.

use std::ops::ControlFlow;

use arrow_ipc::{Limits, WrittenContainer};
use arrow_ipc_report::explain;
use arrow_ipc_tools::{
    Conversion, ConvertOptions, Input, InputSet, InspectOptions, InspectSink, Observer, Progress, RowQuery,
    ToolError, ToolErrorKind, Unit, ValidateOptions, count_rows, inspect, inspect::InspectItem, validate,
};

use crate::samples::{file, ids, stream};

/// Collects progress, and stops the operation after `n_left` calls.
struct Patience {
    n_left: usize,
    seen: Vec<Progress>,
}

impl Observer for Patience {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.seen.push(progress);
        match self.n_left.checked_sub(1) {
            Some(n_left) => {
                self.n_left = n_left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

fn watch(bytes: &[u8], n_calls: usize) -> (Result<(), ToolError>, Vec<Progress>) {
    let mut observer = Patience { n_left: n_calls, seen: Vec::new() };
    let input = Input::try_from_buffer("memory", bytes.to_vec().into()).unwrap();
    let result = validate(input, &ValidateOptions::new(), &mut observer).map(drop);
    (result, observer.seen)
}

#[test]
fn progress_begins_at_0_and_ends_at_the_total() {
    let batches = [ids([1]), ids([2]), ids([3])];
    let (result, seen) = watch(&file(&batches), 100);
    result.unwrap();
    let progress = |n_done| Progress { unit: Unit::Batches, n_done, n_total: Some(3) };
    assert_eq!(seen, [0, 1, 2, 3].map(progress));

    let bytes = stream(&batches);
    let (result, seen) = watch(&bytes, 100);
    result.unwrap();
    let done: Vec<u64> = seen.iter().map(|progress| progress.n_done).collect();
    assert!(done.first() == Some(&0) && done.is_sorted() && done.len() == 4, "{done:?}");
    assert!(seen.iter().all(|it| it.unit == Unit::Bytes && it.n_total == Some(bytes.len() as u64)));
}

#[test]
fn observers_stop_the_work() {
    let bytes = file(&[ids([1]), ids([2]), ids([3])]);
    for n_calls in 0..3 {
        let (result, seen) = watch(&bytes, n_calls);
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), ToolErrorKind::Stopped), "{error}");
        assert_eq!(seen.len(), n_calls + 1);
    }
}

/// The files of a data set are compared with their footers before a copy of their rows is written.
#[test]
fn looking_at_the_files_of_a_set_is_observed() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.arrow", "b.arrow", "c.arrow"] {
        std::fs::write(folder.path().join(name), file(&[ids([1])])).unwrap();
    }
    let options = ConvertOptions::new(WrittenContainer::File);
    for n_left in [0, 2, 100] {
        let set = InputSet::open(folder.path(), &RowQuery::new(), &Limits::default()).unwrap().unwrap();
        let mut observer = Patience { n_left, seen: Vec::new() };
        let opened = Conversion::open(vec![set.into_input().unwrap()], &options, &mut observer).map(drop);
        match n_left {
            100 => assert!(opened.is_ok() && observer.seen.len() == 3, "{opened:?}"),
            _ => {
                assert!(matches!(opened.unwrap_err().kind(), ToolErrorKind::Stopped));
                assert_eq!(observer.seen.len(), n_left + 1);
            }
        }
    }
}

struct Ignoring;

impl InspectSink for Ignoring {
    fn item(&mut self, _: InspectItem<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Operations that read only metadata report progress for each message.
#[test]
fn looking_at_metadata_is_observed() {
    type Look = fn(Input, &mut dyn Observer) -> Result<(), ToolError>;
    let looks: [Look; 3] = [
        |input, observer| count_rows(input, observer).map(drop),
        |input, observer| explain(input, None, observer).map(drop),
        |input, observer| inspect(input, &InspectOptions::new(), &mut Ignoring, observer).map(drop),
    ];
    let bytes = stream(&[ids([1]), ids([2]), ids([3])]);
    let input = || Input::try_from_buffer("memory", bytes.clone().into()).unwrap();
    for look in looks {
        let mut observer = Patience { n_left: 100, seen: Vec::new() };
        look(input(), &mut observer).unwrap();
        let done: Vec<u64> = observer.seen.iter().map(|progress| progress.n_done).collect();
        assert!(done.first() == Some(&0) && done.is_sorted() && done.len() == 5, "{done:?}");
        // The end marker comes after the last message.
        assert_eq!(done.last(), Some(&(bytes.len() as u64 - 8)));
        assert!(
            observer.seen.iter().all(|it| it.unit == Unit::Bytes && it.n_total == Some(bytes.len() as u64))
        );
        for n_left in 0..4 {
            let mut observer = Patience { n_left, seen: Vec::new() };
            let error = look(input(), &mut observer).unwrap_err();
            assert!(matches!(error.kind(), ToolErrorKind::Stopped), "{error}");
            assert_eq!(observer.seen.len(), n_left + 1);
        }
    }
}

//! Observers hear of each pass, and stop it.

use std::ops::ControlFlow;

use arrow_ipc_tools::{Input, Observer, Progress, ToolError, ToolErrorKind, Unit, ValidateOptions, validate};

use crate::samples::{file, ids, stream};

/// Collects progress, and stops after so many calls.
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

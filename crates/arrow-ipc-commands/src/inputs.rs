//! Several inputs of one command: each is done, whatever becomes of the others.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::sync_channel,
    },
    thread,
};

use crate::{
    exit::{Failure, Status},
    names::InputName,
};

/// # Errors
/// If standard input is given more than once.
pub(crate) fn check_stdin(names: &[InputName]) -> Result<(), Failure> {
    match names.iter().filter(|name| **name == InputName::Stdin).count() {
        0 | 1 => Ok(()),
        n_times => Err(Failure::RepeatedStdin { n_times }),
    }
}

/// Does each input and reports those that fail, under their names; returns the worst status. After a failure of the output, no
/// more are done.
///
/// # Errors
/// If standard input is given more than once.
pub(crate) fn each(
    names: &[InputName],
    mut run: impl FnMut(&InputName) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    check_stdin(names)?;
    let mut worst = Status::Fine;
    for name in names {
        if attempt(run(name), &mut worst).is_break() {
            break;
        }
    }
    Ok(worst)
}

/// Reports a failure and raises the worst status. A failure of the output ends the work.
pub(crate) fn attempt(done: Result<Status, Failure>, worst: &mut Status) -> ControlFlow<()> {
    let status = match &done {
        Ok(status) => *status,
        Err(failure) => failure.report(),
    };
    *worst = status.max(*worst);
    match done {
        Err(Failure::Write { .. }) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

/// Does several inputs at the same time, with a thread for each up to `n_threads`, and takes what they give in the order of the
/// names.
///
/// # Errors
/// The first of `take`; then no further input is begun.
pub(crate) fn in_order<T: Send>(
    names: &[InputName],
    n_threads: NonZeroUsize,
    work: impl Fn(&InputName) -> T + Sync,
    mut take: impl FnMut(&InputName, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (send, done) = sync_channel(n_threads.get());
    thread::scope(|scope| {
        for _ in 0..n_threads.get().min(names.len()) {
            let (next, work, send) = (&next, &work, send.clone());
            scope.spawn(move || {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(name) = names.get(position) else { break };
                    if send.send((position, work(name))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        // What is done before its turn waits here.
        let mut early = BTreeMap::new();
        let mut turns = names.iter().enumerate();
        let mut turn = turns.next();
        for (position, result) in done {
            early.insert(position, result);
            while let Some((position, name)) = turn {
                let Some(result) = early.remove(&position) else { break };
                turn = turns.next();
                if let Err(failure) = take(name, result) {
                    next.store(names.len(), Ordering::Relaxed);
                    return Err(failure);
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_taken_in_order_until_one_is_refused() {
        let names: Vec<InputName> = (0..20).map(|n| InputName::Path(n.to_string().into())).collect();
        for n_threads in [1, 3, 50] {
            let n_threads = NonZeroUsize::new(n_threads).unwrap();
            for n_wanted in [20, 5, 0] {
                let mut taken = Vec::new();
                let result = in_order(&names, n_threads, InputName::to_string, |name, text| {
                    assert_eq!(name.to_string(), text);
                    if taken.len() == n_wanted {
                        return Err(Failure::RepeatedStdin { n_times: 2 });
                    }
                    taken.push(text);
                    Ok(())
                });
                assert_eq!(result.is_ok(), n_wanted == 20);
                assert!(taken.into_iter().eq((0..n_wanted).map(|n| n.to_string())));
            }
        }
    }
}

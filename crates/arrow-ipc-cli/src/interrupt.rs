//! Handles signals and panics. Both remove unfinished outputs; the installed program aborts on panics and drops no
//! values. Signals also stop work that changes a file in place.

use std::{
    io, panic, process,
    sync::{
        Arc, Mutex, MutexGuard, Once, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use arrow_ipc::AtomicFile;
use arrow_ipc_dataset::AtomicFolder;

/// Creates a file that a signal removes as long as it is not complete. The signal then still ends the program, so
/// shells show a status above 128.
///
/// # Errors
/// If the file cannot be created, or signals cannot be handled.
pub(crate) fn removed_when_interrupted(
    create: impl FnOnce() -> io::Result<AtomicFile>,
) -> io::Result<AtomicFile> {
    // The list is locked, so signals are handled only after the file has been added to it.
    let mut unfinished = watched()?;
    let file = create()?;
    unfinished.removers.push(Box::new(file.remover()));
    Ok(file)
}

/// Creates a folder that a signal removes, unless it was published.
///
/// # Errors
/// If the folder cannot be created, or signals cannot be handled.
pub(crate) fn folder_removed_when_interrupted(
    create: impl FnOnce() -> io::Result<AtomicFolder>,
) -> io::Result<AtomicFolder> {
    // The list is locked, so signals are handled only after the folder has been added to it.
    let mut unfinished = watched()?;
    let folder = create()?;
    unfinished.removers.push(Box::new(folder.remover()));
    Ok(folder)
}

/// Returns the list of outputs that a signal removes. The first call begins to handle signals.
fn watched() -> io::Result<MutexGuard<'static, PartialOutputs>> {
    watch_for_panics();
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut unfinished = unfinished();
    #[cfg(unix)]
    if !unfinished.is_watched {
        watch_for_signals()?;
        unfinished.is_watched = true;
    }
    Ok(unfinished)
}

/// Makes a write beyond the size limit for files return an error, as on a full disk. By default, a signal would end
/// the program without removing its output.
#[cfg(unix)]
pub(crate) fn survive_file_limits() {
    // If no memory is left for a handler, the signal ends the program.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Makes an interruption end nothing but the work of the pager that is shown: it takes Ctrl-C for a key.
pub(crate) fn leave_interrupts_to_the_pager() {
    #[cfg(unix)]
    {
        let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::default());
    }
}

/// Starts a thread that waits for signals. After a signal, it removes unfinished outputs, and ends the program.
#[cfg(unix)]
fn watch_for_signals() -> io::Result<()> {
    let remove_and_end = |signal| {
        // The list stays locked, so no thread can start another output.
        let unfinished = unfinished();
        unfinished.remove();
        end_by(signal);
    };
    if !after_signals(remove_and_end)? {
        // Signals then end the program at once, and temporary files stay.
        for signal in handled_signals() {
            signal_hook::flag::register_conditional_default(signal, Arc::new(AtomicBool::new(true)))?;
        }
    }
    Ok(())
}

/// Starts a thread that calls `run` after each signal that should end the program. Returns `false` if the operating
/// system refuses a thread.
#[cfg(unix)]
fn after_signals(run: impl FnMut(i32) + Send + 'static) -> io::Result<bool> {
    let mut signals = signal_hook::iterator::Signals::new(handled_signals())?;
    let wait = move || signals.forever().for_each(run);
    Ok(std::thread::Builder::new().name("signals".to_owned()).spawn(wait).is_ok())
}

#[cfg(unix)]
fn handled_signals() -> impl Iterator<Item = i32> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    // Some signals may already be ignored, for example if `nohup` has started the program.
    let ignored = ignored_signals();
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(move |signal| !ignored.contains(*signal))
}

#[cfg(unix)]
fn end_by(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// The signal that asks the program to end; 0 if there was none. For work that undoes its changes after a signal.
#[derive(Debug, Clone, Default)]
pub(crate) struct SignalFlag(Arc<AtomicUsize>);

impl SignalFlag {
    pub(crate) fn is_received(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Begins to wait for signals. After a signal, the work has one second to stop. After that, the program ends,
    /// even if it waits for input.
    ///
    /// # Errors
    /// If signals cannot be handled.
    #[cfg(unix)]
    pub(crate) fn listen() -> io::Result<SignalFlag> {
        const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);
        let flag = SignalFlag::default();
        let received = flag.clone();
        let listen = move |signal| {
            received.0.store(usize::try_from(signal).unwrap_or_default(), Ordering::Relaxed);
            std::thread::sleep(PATIENCE);
            end_by(signal);
        };
        if !after_signals(listen)? {
            // The first signal then stops the work, and the second ends the program.
            let is_second = Arc::new(AtomicBool::new(false));
            for signal in handled_signals() {
                signal_hook::flag::register_conditional_default(signal, Arc::clone(&is_second))?;
                signal_hook::flag::register(signal, Arc::clone(&is_second))?;
                let number = usize::try_from(signal).unwrap_or_default();
                signal_hook::flag::register_usize(signal, Arc::clone(&flag.0), number)?;
            }
        }
        Ok(flag)
    }

    #[cfg(not(unix))]
    pub(crate) fn listen() -> io::Result<SignalFlag> {
        Ok(SignalFlag::default())
    }

    /// If there was a signal, ends the program with it.
    pub(crate) fn end_program(&self) {
        #[cfg(unix)]
        if self.is_received() {
            end_by(i32::try_from(self.0.load(Ordering::Relaxed)).unwrap_or_default());
        }
    }

    #[cfg(test)]
    pub(crate) fn already() -> SignalFlag {
        SignalFlag(Arc::new(AtomicUsize::new(2)))
    }
}

/// Signals that the program ignores, as a bit set.
#[cfg(unix)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SignalSet(u64);

#[cfg(unix)]
impl SignalSet {
    fn contains(self, signal: i32) -> bool {
        let bit_idx = signal.checked_sub(1).and_then(|bit_idx| u32::try_from(bit_idx).ok());
        bit_idx.and_then(|bit_idx| self.0.checked_shr(bit_idx)).is_some_and(|bits| bits & 1 == 1)
    }

    /// Reads the ignored signals from the process status of Linux.
    fn in_status(status: &str) -> Option<SignalSet> {
        let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(digits.trim(), 16).ok().map(SignalSet)
    }
}

/// The signals that the program ignores. If the system does not report them, only `SIGHUP`, as under `nohup`.
#[cfg(unix)]
fn ignored_signals() -> SignalSet {
    const HANGUP: SignalSet = SignalSet(1 << (signal_hook::consts::SIGHUP - 1));
    let status = std::fs::read_to_string("/proc/self/status").ok();
    status.as_deref().and_then(SignalSet::in_status).unwrap_or(HANGUP)
}

/// Outputs that have been started and are not complete.
struct PartialOutputs {
    /// Functions that remove the temporary files and folders of these outputs.
    removers: Vec<Box<dyn Fn() + Send>>,
    #[cfg(unix)]
    is_watched: bool,
}

/// Must be a static: the handlers of signals and panics belong to the process, and get no arguments.
static UNFINISHED: Mutex<PartialOutputs> = Mutex::new(PartialOutputs {
    removers: Vec::new(),
    #[cfg(unix)]
    is_watched: false,
});

impl PartialOutputs {
    fn remove(&self) {
        // Folders come before their content in the list. In reverse order, the content is removed first.
        self.removers.iter().rev().for_each(|remove| remove());
    }
}

/// Lets a signal that is being handled end the program. Work can fail because the handler removes its files; that failure
/// is no result of the program.
pub(crate) fn wait_for_handler() {
    drop(unfinished());
}

fn unfinished() -> MutexGuard<'static, PartialOutputs> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exit status after a panic.
const PANICKED: i32 = 101;

/// Makes a panic remove unfinished files. In a program without unwinding, it then ends the program with [`PANICKED`].
pub(crate) fn watch_for_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            report(info);
            // If the list is locked, another thread is starting an output. Nothing is removed then.
            if let Ok(unfinished) = UNFINISHED.try_lock() {
                unfinished.remove();
            }
            if cfg!(panic = "abort") {
                process::exit(PANICKED);
            }
        }));
    });
}

#[cfg(test)]
mod panic_tests {
    use super::*;

    #[test]
    fn a_panic_leaves_no_unfinished_file() {
        let folder = tempfile::tempdir().unwrap();
        let create =
            |name: &str| removed_when_interrupted(|| AtomicFile::create(folder.path().join(name))).unwrap();
        let mut complete = create("complete");
        let unfinished = create("unfinished");
        let temporary = [&complete, &unfinished].map(|file| file.temporary_path().unwrap());
        complete.commit().unwrap();
        // Another writer may have created a file with this name.
        std::fs::write(&temporary[0], "of another writer").unwrap();
        assert!(temporary[1].exists());
        panic::catch_unwind(|| panic!("expected by a test")).unwrap_err();
        assert!(temporary[0].exists() && !temporary[1].exists() && complete.path().exists());
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    use super::*;

    #[test]
    fn ignored_signals_are_found() {
        let cases: [(&str, Option<&[i32]>); 5] = [
            ("Name:\tx\nSigIgn:\t0000000000000000\nSigCgt:\t0000000000000003\n", Some(&[])),
            ("SigBlk:\t0000000000000002\nSigIgn:\t0000000000000001\n", Some(&[SIGHUP])),
            ("SigIgn:\t0000000000001006", Some(&[SIGINT, SIGQUIT])),
            ("SigBlk:\t0000000000000001\n", None),
            ("SigIgn:\tnone\n", None),
        ];
        for (status, expected) in cases {
            let found = SignalSet::in_status(status);
            let all = [SIGINT, SIGQUIT, SIGTERM, SIGHUP];
            let found = found.map(|set| all.into_iter().filter(|signal| set.contains(*signal)).collect());
            assert_eq!(found, expected.map(<[i32]>::to_vec), "{status:?}");
        }
        assert!(!SignalSet(u64::MAX).contains(0) && !SignalSet(u64::MAX).contains(65));
    }
}

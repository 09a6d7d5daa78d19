//! Removes an unfinished output when the program is interrupted.

use std::io;

use arrow_ipc::AtomicFile;

/// Creates a file whose temporary form is removed if the program is interrupted or terminated, or its terminal is
/// closed. The program still ends by the signal, which shells show as a status above 128.
///
/// # Errors
/// If the file cannot be created, or signals cannot be handled.
#[cfg(unix)]
pub(crate) fn removed_when_interrupted(
    create: impl FnOnce() -> io::Result<AtomicFile>,
) -> io::Result<AtomicFile> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM},
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    // The program may have been started to ignore a signal, as by `nohup`.
    let ignored = ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|signal| !ignored.contains(*signal));
    // From here on, signals wait for the thread below.
    let mut signals = Signals::new(wanted)?;
    let file = create()?;
    let temporary = file.temporary_path().map(std::path::Path::to_owned);
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            // A complete file has been renamed, so this name does not exist.
            if let Some(path) = &temporary {
                let _ = std::fs::remove_file(path);
            }
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(file)
}

/// The signals that the program was started to ignore, as a bit set.
#[cfg(unix)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SignalSet(u64);

#[cfg(unix)]
impl SignalSet {
    fn contains(self, signal: i32) -> bool {
        let bit_idx = signal.checked_sub(1).and_then(|bit_idx| u32::try_from(bit_idx).ok());
        bit_idx.and_then(|bit_idx| self.0.checked_shr(bit_idx)).is_some_and(|bits| bits & 1 == 1)
    }

    /// Reads the set from the process status of Linux.
    fn in_status(status: &str) -> Option<SignalSet> {
        let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(digits.trim(), 16).ok().map(SignalSet)
    }
}

/// If the system does not tell, `nohup` may have started the program.
#[cfg(unix)]
fn ignored_signals() -> SignalSet {
    const HANGUP: SignalSet = SignalSet(1 << (signal_hook::consts::SIGHUP - 1));
    let status = std::fs::read_to_string("/proc/self/status").ok();
    status.as_deref().and_then(SignalSet::in_status).unwrap_or(HANGUP)
}

/// Creates a file. Without signals, an interruption leaves the temporary file.
#[cfg(not(unix))]
pub(crate) fn removed_when_interrupted(
    create: impl FnOnce() -> io::Result<AtomicFile>,
) -> io::Result<AtomicFile> {
    create()
}

#[cfg(all(test, unix))]
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

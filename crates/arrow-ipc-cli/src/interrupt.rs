//! What is left when the program is interrupted: no file that is not finished.

use std::io;

use arrow_ipc::AtomicFile;

/// Creates a file whose temporary form is removed when the program is interrupted, told to end, or its terminal
/// closed. The program then ends as if it had not looked: by the signal, which shells show as status 128 and more.
///
/// # Errors
/// If the file cannot be created, or signals not be waited for.
#[cfg(unix)]
pub(crate) fn removed_when_interrupted(
    create: impl FnOnce() -> io::Result<AtomicFile>,
) -> io::Result<AtomicFile> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM},
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    // Whoever started the program may want it to live on, as `nohup` does.
    let ignored = ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|signal| !ignored.contains(*signal));
    // Signals that come from here on wait for the thread below.
    let mut signals = Signals::new(wanted)?;
    let file = create()?;
    let temporary = file.temporary_path().map(std::path::Path::to_owned);
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            // Once the file is complete, nothing has this name any more.
            if let Some(path) = &temporary {
                let _ = std::fs::remove_file(path);
            }
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(file)
}

/// The signals that the program was started to ignore, a bit for each.
#[cfg(unix)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SignalSet(u64);

#[cfg(unix)]
impl SignalSet {
    fn contains(self, signal: i32) -> bool {
        let bit_idx = signal.checked_sub(1).and_then(|bit_idx| u32::try_from(bit_idx).ok());
        bit_idx.and_then(|bit_idx| self.0.checked_shr(bit_idx)).is_some_and(|bits| bits & 1 == 1)
    }

    /// Finds the set in what Linux tells of a process.
    fn in_status(status: &str) -> Option<SignalSet> {
        let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(digits.trim(), 16).ok().map(SignalSet)
    }
}

/// Where the system does not tell, it may have been `nohup` that started the program.
#[cfg(unix)]
fn ignored_signals() -> SignalSet {
    const HANGUP: SignalSet = SignalSet(1 << (signal_hook::consts::SIGHUP - 1));
    let status = std::fs::read_to_string("/proc/self/status").ok();
    status.as_deref().and_then(SignalSet::in_status).unwrap_or(HANGUP)
}

/// Creates a file. Where there are no signals, an interruption leaves the temporary file.
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

//! Writes archives in the format ustar (POSIX.1-1988), the same bytes for the same files.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::command::entries;
use crate::failure::{Failure, Outcome};

const BLOCK: usize = 512;

/// Writes a folder and all that is below it, sorted by name. All times are `seconds` since 1970, and all owners are 0.
pub(crate) fn write_folder(folder: &Path, seconds: u64, out: &mut impl Write) -> Outcome {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let failed = |error: io::Error| Failure::io(folder.display(), &error);
    write_entry(folder, &name, seconds, out)?;
    // Two empty blocks are the end.
    out.write_all(&[0; 2 * BLOCK]).map_err(failed)
}

fn write_entry(path: &Path, name: &str, seconds: u64, out: &mut impl Write) -> Outcome {
    let failed = |error: io::Error| Failure::io(path.display(), &error);
    if path.is_dir() {
        let header = header(&format!("{name}/"), 0o755, 0, seconds, b'5')?;
        out.write_all(&header).map_err(failed)?;
        let below: Vec<PathBuf> = entries(path)?;
        return below.iter().try_for_each(|entry| {
            let last = entry.file_name().map(|last| last.to_string_lossy().into_owned()).unwrap_or_default();
            write_entry(entry, &format!("{name}/{last}"), seconds, out)
        });
    }
    let bytes = fs::read(path).map_err(failed)?;
    let mode = if is_program(path).map_err(failed)? { 0o755 } else { 0o644 };
    out.write_all(&header(name, mode, bytes.len() as u64, seconds, b'0')?).map_err(failed)?;
    out.write_all(&bytes).map_err(failed)?;
    let n_padding = bytes.len().next_multiple_of(BLOCK) - bytes.len();
    out.write_all(&[0; BLOCK][..n_padding]).map_err(failed)
}

#[cfg(unix)]
fn is_program(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::metadata(path)?.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> io::Result<bool> {
    Ok(path.extension().is_some_and(|extension| extension == "exe"))
}

fn header(name: &str, mode: u32, n_bytes: u64, seconds: u64, kind: u8) -> Result<[u8; BLOCK], Failure> {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    if name.len() > 100 {
        return Err(Failure::new(format!("{name}: a name in an archive has at most 100 bytes")));
    }
    put(0, name.as_bytes());
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{n_bytes:011o}").as_bytes());
    put(136, format!("{seconds:011o}").as_bytes());
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    // The checksum counts itself as spaces.
    put(148, b"        ");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of others reads what was written.
    #[test]
    fn archives_are_read_by_tar() {
        let folder = std::env::temp_dir().join(format!("xtask-tar-{}", std::process::id()));
        let root = folder.join("a-1");
        fs::create_dir_all(root.join("b")).unwrap();
        for (name, n_bytes) in [("z", 1), ("b/empty", 0), ("b/block", 512), ("a", 513)] {
            fs::write(root.join(name), vec![b'x'; n_bytes]).unwrap();
        }
        let archive = |seconds| {
            let mut bytes = Vec::new();
            write_folder(&root, seconds, &mut bytes).unwrap();
            bytes
        };
        let bytes = archive(1_000_000_000);
        assert_eq!(bytes.len() % BLOCK, 0);
        // The times of the files do not matter, but the given time does.
        fs::write(root.join("z"), b"x").unwrap();
        assert_eq!(archive(1_000_000_000), bytes);
        assert_ne!(archive(0), bytes);
        fs::write(folder.join("a.tar"), &bytes).unwrap();
        let tar = |args: &[&str]| std::process::Command::new("tar").current_dir(&folder).args(args).output();
        if let Ok(listed) = tar(&["-tf", "a.tar"]) {
            let names = String::from_utf8(listed.stdout).unwrap();
            assert_eq!(names, "a-1/\na-1/a\na-1/b/\na-1/b/block\na-1/b/empty\na-1/z\n");
            let shown = tar(&["-xOf", "a.tar", "a-1/a"]).unwrap();
            assert_eq!(shown.stdout, vec![b'x'; 513]);
        }
        fs::remove_dir_all(&folder).unwrap();
        header(&"n".repeat(101), 0, 0, 0, b'0').unwrap_err();
    }
}

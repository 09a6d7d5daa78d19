//! Makes the archive of a release: the program with its page, completions, manual pages and licences. What is in it depends only on the
//! sources and tools: times are that of the commit, and names are sorted.

use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{Done, execute};
use crate::failure::{Failure, Outcome};
use crate::package::{LICENCES, Package, folder_and_profile};
use crate::third_party::notices;
use crate::{reproducible, root, tar, wasm};

/// Where an archive has the licences.
const LICENCE_FOLDER: &str = "share/licenses/arrow-ipc";

const PACKAGE: &str = "fletching-arrow-ipc-cli";

/// Where an archive has the page of `serve`, which the program finds there.
const PAGE: &str = "share/arrow-ipc/viewer.html";

/// For each shell, where an archive has the script that completes commands.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/arrow-ipc"),
    ("fish", "share/fish/vendor_completions.d/arrow-ipc.fish"),
    ("zsh", "share/zsh/site-functions/_arrow-ipc"),
];

/// `cargo xtask release-archive [FOLDER] [PROFILE]`
pub(crate) fn run(args: &[String]) -> Outcome {
    let (folder, profile) = folder_and_profile(args, "release-archive", "dist")?;
    let root = root();
    let program = build(&root, profile)?;
    let name = format!("arrow-ipc-{}-{}", env!("CARGO_PKG_VERSION"), host()?);
    let package = Package::new(folder.join(&name));
    clear(&package.folder)?;
    fill(&package, &root, &program)?;
    let page = match wasm::build(&root)? {
        Done::Passed | Done::Tested(_) => Some(root.join(wasm::PAGE)),
        Done::Skipped(why) => {
            println!("SKIPPED the page of `arrow-ipc serve`, which the archive does not have: {why}");
            None
        }
    };
    if let Some(page) = &page {
        package.copy(page, PAGE)?;
        let notices = root.join("js/wasm").join(wasm::NOTICES);
        package.copy(&notices, &format!("{LICENCE_FOLDER}/THIRD-PARTY-viewer.txt"))?;
    }
    let archive = folder.join(format!("{name}.tar.gz"));
    pack(&package.folder, commit_time(&root)?, &archive)?;
    clear(&package.folder)?;
    try_out(&archive, &name, &root.join("docs/people.arrow"), page.as_deref())?;
    let n_bytes = fs::metadata(&archive).map_err(|error| Failure::io(archive.display(), &error))?.len();
    println!("{n_bytes:>10} {}", archive.display());
    Ok(())
}

/// Builds the program, and returns its path.
pub(crate) fn build(root: &Path, profile: &str) -> Result<PathBuf, Failure> {
    let build = ["build", "--locked", "--profile", profile, "--package", PACKAGE];
    execute(reproducible::cargo(root)?.args(build))?;
    let program = reproducible::built(profile)?.join(format!("arrow-ipc{}", std::env::consts::EXE_SUFFIX));
    reproducible::check(root, std::slice::from_ref(&program))?;
    Ok(program)
}

/// Puts all files of the archive into the folder.
fn fill(package: &Package, root: &Path, program: &Path) -> Outcome {
    let file = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    package.copy(program, &format!("bin/{file}"))?;
    for (shell, name) in COMPLETIONS {
        package.write(name, &said(Command::new(program).args(["completions", shell]))?)?;
    }
    execute(Command::new(program).args(["man", "--to"]).arg(package.folder.join("share/man/man1")))?;
    package.copy(&root.join("crates/arrow-ipc-cli/README.md"), "share/doc/arrow-ipc/README.md")?;
    for licence in LICENCES {
        package.copy(&root.join(licence), &format!("{LICENCE_FOLDER}/{licence}"))?;
    }
    package.write(
        &format!("{LICENCE_FOLDER}/THIRD-PARTY.txt"),
        &notices(root, "Cargo.toml", &["--package", PACKAGE])?,
    )
}

/// What a command writes to standard output.
fn said(command: &mut Command) -> Result<String, Failure> {
    let name = crate::command::announce(command);
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| Failure::io(&name, &error))?;
    if !output.status.success() {
        return Err(Failure::new(format!("`{name}` ended with {}", output.status)));
    }
    String::from_utf8(output.stdout).map_err(|_| Failure::new(format!("`{name}` writes no UTF-8")))
}

/// What rustc calls this machine.
fn host() -> Result<String, Failure> {
    let version = said(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::new("`rustc -vV` names no host"))
}

/// The time of all files, in seconds since 1970: that of the last commit, or of the variable SOURCE_DATE_EPOCH, which other tools
/// also read. Without both, the start of 1980, the first time that all formats of archives have.
fn commit_time(root: &Path) -> Result<u64, Failure> {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    if let Some(given) = given {
        return given.parse().map_err(|_| Failure::usage(format!("SOURCE_DATE_EPOCH={given} is no number")));
    }
    let git = Command::new("git").current_dir(root).args(["log", "-1", "--format=%ct"]).output();
    let of_commit = git.ok().and_then(|output| String::from_utf8(output.stdout).ok()?.trim().parse().ok());
    Ok(of_commit.unwrap_or(315_532_800))
}

/// Writes the archive, compressed by gzip without a name and a time.
fn pack(folder: &Path, seconds: u64, archive: &Path) -> Outcome {
    let failed = |error: std::io::Error| Failure::io(archive.display(), &error);
    let file = fs::File::create(archive).map_err(failed)?;
    let mut gzip = Command::new("gzip");
    let gzip = gzip.args(["-n", "-9"]).stdin(Stdio::piped()).stdout(file);
    let mut gzip = gzip.spawn().map_err(|error| Failure::io("gzip", &error))?;
    let mut bytes = Vec::new();
    tar::write_folder(folder, seconds, &mut bytes)?;
    if let Some(mut stdin) = gzip.stdin.take() {
        stdin.write_all(&bytes).map_err(failed)?;
    }
    let status = gzip.wait().map_err(failed)?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("`gzip -n -9` ended with {status}"))) }
}

/// Unpacks the archive into a new folder, and runs the program there, without anything else of the project.
fn try_out(archive: &Path, name: &str, sample: &Path, page: Option<&Path>) -> Outcome {
    let unpacked = archive.with_extension("unpacked");
    clear(&unpacked)?;
    fs::create_dir_all(&unpacked).map_err(|error| Failure::io(unpacked.display(), &error))?;
    execute(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&unpacked))?;
    let root = unpacked.join(name);
    let program = root.join("bin").join(format!("arrow-ipc{}", std::env::consts::EXE_SUFFIX));
    let run = |args: &[&str]| said(Command::new(&program).current_dir(&unpacked).env_clear().args(args));
    let version = run(&["--version"])?;
    let sample = sample.to_string_lossy();
    let counted = run(&["count", &sample])?;
    if !version.starts_with(&format!("arrow-ipc {}", env!("CARGO_PKG_VERSION"))) || counted != "8\n" {
        return Err(Failure::new(format!("the unpacked program says {version:?} and {counted:?}")));
    }
    let mut needed: Vec<PathBuf> = COMPLETIONS.iter().map(|(_, name)| root.join(name)).collect();
    let others = ["man/man1/arrow-ipc.1", "man/man1/arrow-ipc-cat.1", "doc/arrow-ipc/README.md"];
    needed.extend(others.map(|name| root.join("share").join(name)));
    let licences = LICENCES.into_iter().chain(["THIRD-PARTY.txt"]);
    needed.extend(licences.map(|name| root.join(LICENCE_FOLDER).join(name)));
    let is_empty = |path: &&PathBuf| fs::metadata(path).map_or(true, |file| file.len() == 0);
    if let Some(absent) = needed.iter().find(is_empty) {
        return Err(Failure::new(format!("the archive has no {}", absent.display())));
    }
    if let Some(page) = page {
        let mut serve = Command::new(&program);
        check_page(serve.current_dir(&unpacked).env_clear().args(["serve", &sample]), page)?;
    }
    clear(&unpacked)
}

/// Checks that a command serves this page.
fn check_page(serve: &mut Command, page: &Path) -> Outcome {
    let name = crate::command::announce(serve);
    let failed = |error: std::io::Error| Failure::io(&name, &error);
    let mut server = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(failed)?;
    let served = server.stdout.take().map(served_page);
    server.kill().and_then(|()| server.wait()).map_err(failed)?;
    let expected = fs::read(page).map_err(|error| Failure::io(page.display(), &error))?;
    match served {
        Some(Ok(served)) if served == expected => Ok(()),
        Some(Err(error)) => Err(failed(error)),
        _ => Err(Failure::new(format!("`{name}` does not send {}", page.display()))),
    }
}

/// The page at the address that a server prints.
fn served_page(printed: impl Read) -> std::io::Result<Vec<u8>> {
    let mut line = String::new();
    BufReader::new(printed).read_line(&mut line)?;
    let address = line.strip_prefix("http://").and_then(|rest| rest.split_once('#'));
    let (host, path) = address.and_then(|(address, _)| address.split_once('/')).unwrap_or_default();
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(answer.len());
    Ok(answer.split_off(answer.len().min(end + 4)))
}

/// Removes a folder that an earlier run has made.
fn clear(folder: &Path) -> Outcome {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::io(folder.display(), &error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_have_a_name() {
        assert!(host().unwrap().split('-').count() >= 3);
    }
}

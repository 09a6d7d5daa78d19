//! Builds whose bytes do not depend on folders: of the repository, of the sources of other crates, of the compiler.
//!
//! This program stands between cargo and the compiler. The compiler gets options that replace folders by names that are the same
//! everywhere; other flags for that would make cargo build other crates. It also gets another name of each package that cargo has
//! from a folder: cargo hashes the folder, and functions are sorted by that hash.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::command::execute;
use crate::failure::{Failure, Outcome};
use crate::{cargo_command, docs, root};

/// Set where this program stands for the compiler: the folders and their names, one `folder=name` in each line.
const FOLDERS: &str = "XTASK_FOLDERS";

/// `cargo xtask reproducible COMMAND…`
pub(crate) fn run(args: &[String]) -> Outcome {
    let Some((program, args)) = args.split_first() else {
        return Err(Failure::usage("reproducible takes a command that builds, such as `maturin build`"));
    };
    let mut command = Command::new(program);
    execute(prepare(command.args(args), &root())?).map(|_| ())
}

/// Where cargo puts what is built with a profile: not among other builds, since cargo does not see the difference.
pub(crate) fn built(profile: &str) -> Result<PathBuf, Failure> {
    Ok(target()?.join(if profile == "dev" { "debug" } else { profile }))
}

fn target() -> Result<PathBuf, Failure> {
    Ok(docs::target()?.join("packages"))
}

/// A cargo that builds the same bytes in every folder.
pub(crate) fn cargo(root: &Path) -> Result<Command, Failure> {
    let mut command = cargo_command(root);
    prepare(&mut command, root)?.env("CARGO_TARGET_DIR", target()?);
    Ok(command)
}

fn prepare<'a>(command: &'a mut Command, root: &Path) -> Result<&'a mut Command, Failure> {
    let program = std::env::current_exe().map_err(|error| Failure::io("xtask", &error))?;
    let lines: Vec<String> =
        folders(root)?.iter().map(|(folder, name)| format!("{}={name}", folder.display())).collect();
    Ok(command.env("RUSTC_WRAPPER", program).env(FOLDERS, lines.join("\n")))
}

/// The folders that builds could name, and what stands for them. The last one that fits counts, which is the longest.
fn folders(root: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let rustc = |args: &[&str]| {
        let output = Command::new("rustc").args(args).current_dir(root).output();
        let output = output.map_err(|error| Failure::io("rustc", &error))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let version = rustc(&["-vV"])?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let sources = PathBuf::from(rustc(&["--print", "sysroot"])?.trim()).join("lib/rustlib/src/rust");
    let mut folders = vec![
        (root.to_owned(), "/arrow-ipc".to_owned()),
        (docs::target()?, "/target".to_owned()),
        (sources, format!("/rustc/{commit}")),
    ];
    folders.extend(cargo_home().map(|home| (home, "/cargo".to_owned())));
    folders.sort_by_key(|(folder, _)| folder.as_os_str().len());
    Ok(folders)
}

fn cargo_home() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// If cargo has started this program in place of the compiler: runs the compiler.
pub(crate) fn compile() -> Option<ExitCode> {
    let folders = std::env::var(FOLDERS).ok()?;
    let mut args = std::env::args_os().skip(1);
    let compiler = args.next()?;
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let is_foreign = manifest.zip(cargo_home()).is_none_or(|(folder, home)| folder.starts_with(home));
    let variable = |name| std::env::var(name).unwrap_or_default();
    let package = format!("{} {}", variable("CARGO_PKG_NAME"), variable("CARGO_PKG_VERSION"));
    let args = compiler_args(args, (!is_foreign).then_some(&package), &folders);
    let status = Command::new(&compiler).args(args).status();
    if let Err(error) = &status {
        eprintln!("{}: {error}", compiler.display());
    }
    let code = status.ok().and_then(|status| u8::try_from(status.code()?).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}

/// The arguments of the compiler, with the name of the package instead of a hash. `package` is `None` for packages that are not from
/// a folder: the standard library can have one of the same name and version.
fn compiler_args(
    args: impl Iterator<Item = OsString>,
    package: Option<&String>,
    folders: &str,
) -> Vec<OsString> {
    let named = args.map(|arg| {
        let is_hash = arg.to_str().is_some_and(|arg| arg.starts_with("metadata="));
        package.filter(|_| is_hash).map_or(arg, |package| format!("metadata={package}").into())
    });
    let mut args: Vec<OsString> = named.collect();
    // Cargo also asks for the version of the compiler.
    if args.iter().any(|arg| arg == "--crate-name") {
        args.extend(folders.lines().map(|folder| format!("--remap-path-prefix={folder}").into()));
    }
    args
}

/// Files of two packages, of which one is outside of the workspace of the other: as the packages for WebAssembly, DuckDB and Python are.
const SAMPLE: [(&str, &str); 4] = [
    (
        "library/Cargo.toml",
        "[package]\nname = \"library\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[workspace]\n",
    ),
    (
        "library/src/lib.rs",
        "#[inline(never)]\npub fn add(a: &[u8], b: usize) -> u8 { a[b] }\n#[inline(never)]\npub fn sub(a: &[u8], b: usize) -> u8 { a[b] - 1 }\n",
    ),
    (
        "module/Cargo.toml",
        "[package]\nname = \"module\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[workspace]\n[lib]\ncrate-type = [\"cdylib\"]\n\
         [dependencies]\nlibrary = { path = \"../library\" }\n[profile.release]\nlto = \"fat\"\n",
    ),
    (
        "module/src/lib.rs",
        "#[unsafe(no_mangle)]\npub extern \"C\" fn entry(n: usize) -> u8 { library::sub(file!().as_bytes(), n) ^ library::add(file!().as_bytes(), n) }\n",
    ),
];

/// Checks that a module is the same bytes if it is built in two folders.
pub(crate) fn compare_two_folders() -> Outcome {
    let mut modules = Vec::new();
    for folder in ["one", "another/folder"] {
        let folder = target()?.join("folders").join(folder);
        for (name, text) in SAMPLE {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(&folder);
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&path, text))
                .map_err(|error| Failure::io(path.display(), &error))?;
        }
        let mut build = cargo(&folder)?;
        build.args(["build", "--quiet", "--offline", "--release", "--manifest-path", "module/Cargo.toml"]);
        execute(build.env("CARGO_TARGET_DIR", folder.join("target")))?;
        let name = format!("{}module{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let path = folder.join("target/release").join(name);
        let bytes = fs::read(&path).map_err(|error| Failure::io(path.display(), &error))?;
        check(&folder, &[path])?;
        modules.push(bytes);
    }
    if modules.windows(2).all(|modules| modules[0] == modules[1]) {
        return Ok(());
    }
    Err(Failure::new("the bytes of what is built depend on the folder in which it is built"))
}

/// Checks that no file names a folder of this machine.
pub(crate) fn check(root: &Path, files: &[PathBuf]) -> Outcome {
    let mut names: Vec<PathBuf> = folders(root)?.into_iter().map(|(folder, _)| folder).collect();
    names.extend(std::env::home_dir().filter(|home| home.components().count() > 2));
    for file in files {
        let bytes = fs::read(file).map_err(|error| Failure::io(file.display(), &error))?;
        if let Some(found) = names.iter().find_map(|name| named(&bytes, name.as_os_str())) {
            return Err(Failure::new(format!("{} names a folder of this machine: {found}", file.display())));
        }
    }
    println!("no folder of this machine is named in what was built");
    Ok(())
}

/// The first place where bytes name a folder.
fn named(bytes: &[u8], folder: &OsStr) -> Option<String> {
    let folder = format!("{}{}", folder.to_string_lossy(), std::path::MAIN_SEPARATOR);
    let at = bytes.windows(folder.len()).position(|window| window == folder.as_bytes())?;
    let end =
        bytes[at..].iter().position(|byte| !(b' '..=b'~').contains(byte)).map_or(bytes.len(), |n| at + n);
    Some(String::from_utf8_lossy(&bytes[at..end.min(at + 200)]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_gets_names_instead_of_folders() {
        let args = |words: &str| words.split(' ').map(OsString::from).collect::<Vec<_>>();
        let package = "a 1.0".to_owned();
        let found = |words, package| {
            let args = compiler_args(args(words).into_iter(), package, "/src=/a\n/lib=/b");
            args.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(";")
        };
        let build = "--crate-name a -C metadata=7f -C extra-filename=-8e";
        let folders = "--remap-path-prefix=/src=/a;--remap-path-prefix=/lib=/b";
        let expected = format!("--crate-name;a;-C;metadata=a 1.0;-C;extra-filename=-8e;{folders}");
        assert_eq!(found(build, Some(&package)), expected);
        assert_eq!(found(build, None), expected.replace("a 1.0", "7f"));
        assert_eq!(found("-vV", Some(&package)), "-vV");
    }

    #[test]
    fn names_of_folders_are_found() {
        let folder = OsStr::new("/src");
        let separator = std::path::MAIN_SEPARATOR;
        let bytes = format!("\0/srcs /src\0{folder}{separator}a.rs\0", folder = folder.display());
        assert_eq!(named(bytes.as_bytes(), folder), Some(format!("/src{separator}a.rs")));
        assert_eq!(named(b"/src", folder), None);
    }
}

//! Folders of files that are given to users, from what cargo has built.

use std::fs;
use std::path::{Path, PathBuf};

use crate::docs;
use crate::failure::{Failure, Outcome};

/// The licences of the project, in its root.
pub(crate) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// The folder that the arguments of a task name first, or else one of the target folder; and the other arguments.
pub(crate) fn folder<'a>(args: &'a [String], task: &str) -> Result<(PathBuf, &'a [String]), Failure> {
    match args.split_first() {
        Some((folder, rest)) if !folder.starts_with('-') => {
            let absolute = std::path::absolute(folder).map_err(|error| Failure::io(folder, &error))?;
            Ok((absolute, rest))
        }
        _ => Ok((docs::target()?.join(task), args)),
    }
}

/// The arguments of a task that builds for this machine: a folder, and a profile.
pub(crate) fn folder_and_profile<'a>(
    args: &'a [String],
    task: &str,
    default: &'a str,
) -> Result<(PathBuf, &'a str), Failure> {
    match folder(args, task)? {
        (folder, []) => Ok((folder, default)),
        (folder, [profile]) if !profile.starts_with('-') => Ok((folder, profile)),
        _ => Err(Failure::usage(format!(
            "{task} takes a folder, then the profile if it is not `{default}`; it packs what it builds for this machine"
        ))),
    }
}

/// A folder that is being filled. Each file is printed with its length.
pub(crate) struct Package {
    pub(crate) folder: PathBuf,
}

impl Package {
    pub(crate) fn new(folder: PathBuf) -> Package {
        Package { folder }
    }

    /// The path of a file, whose folder is there.
    fn path(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
        Ok(path)
    }

    pub(crate) fn copy(&self, from: &Path, name: &str) -> Outcome {
        let to = self.path(name)?;
        let n_bytes = fs::copy(from, &to).map_err(|error| Failure::io(from.display(), &error))?;
        println!("{n_bytes:>10} {}", to.display());
        Ok(())
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Outcome {
        let path = self.path(name)?;
        fs::write(&path, text).map_err(|error| Failure::io(path.display(), &error))?;
        println!("{:>10} {}", text.len(), path.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_without_a_folder_has_one() {
        let args = |words: &str| words.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let current = std::env::current_dir().unwrap();
        let cases = [
            ("", Some((docs::target().unwrap().join("task"), "dist"))),
            ("out", Some((current.join("out"), "dist"))),
            ("out/a dev", Some((current.join("out/a"), "dev"))),
            ("--release", None),
            ("out --release", None),
            ("out dev more", None),
        ];
        for (words, expected) in cases {
            let args = args(words);
            match (folder_and_profile(&args, "task", "dist"), expected) {
                (Ok(found), Some(expected)) => assert_eq!(found, expected, "{words}"),
                (found, expected) => {
                    assert_eq!((found.unwrap_err().status, expected), (2, None), "{words}");
                }
            }
        }
        let options = args("--features lz4");
        assert_eq!(folder(&options, "task").unwrap().1, options);
    }
}

//! A folder of files that gets its name when all of its files are complete.

use std::{
    env,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    folders::{
        TemporaryFolder, check_moves, create_above, path_inside, remove_created, resolve_links,
        sync_all_folders, sync_folder,
    },
    incomplete::{EXPLANATION, INCOMPLETE_FOLDER, mark_in, marks_incomplete},
    permissions::permit_folder,
    staging::staging_parents,
    temporary::{TemporaryKind, TemporaryPath, temporary_paths},
};

/// Why a folder cannot be filled.
const NOT_EMPTY: &str = "the folder is not empty: its files and the new ones would be one data set";

/// A folder with a temporary name beside its final name. [`publish`](AtomicFolder::publish) renames it when all files
/// in it are complete, so that either all files have their names, or none. Dropping an unpublished `AtomicFolder`
/// removes the temporary folder with all files in it. Some readers, such as polars, also read hidden folders, and find
/// its files if they read the folder above: [`create_outside`](AtomicFolder::create_outside) avoids that.
///
/// An existing empty folder is replaced, and the new one gets its group and permissions. Where it cannot be replaced
/// (it is the current folder, a mount point, or belongs to another user; its parent is not writable; or the system is
/// not Unix), the temporary folder is inside it. Its files and folders are then moved one after the other. While they
/// are moved, the folder has a file `arrow-ipc-incomplete.arrow`, because of which readers fail.
///
/// The temporary folder is locked, as [`AtomicFile`](crate::AtomicFile)s are. If the process is killed, the next
/// [`create`](AtomicFolder::create) with the same path removes the folder.
#[derive(Debug)]
pub struct AtomicFolder {
    /// The final path, without links.
    path: PathBuf,
    temporary: UnpublishedFolder,
    /// The temporary folder, with its lock.
    opened: Option<File>,
}

#[derive(Debug, Clone)]
struct UnpublishedFolder {
    path: TemporaryPath,
    /// The folders above the final path that were created. They are removed with the temporary folder.
    created: Arc<[PathBuf]>,
}

impl AtomicFolder {
    /// Creates the temporary folder, and missing folders above. Removes temporary folders for the same path whose
    /// processes have ended.
    ///
    /// # Errors
    /// If the path is a folder that is not empty, or no folder. If the temporary folder cannot be created.
    pub fn create(path: &Path) -> io::Result<AtomicFolder> {
        AtomicFolder::create_in(path, |path| path.parent().map(Path::to_owned).into_iter().collect())
    }

    /// Like [`create`](AtomicFolder::create), with a temporary folder outside of the data set to which `path` belongs, if that
    /// is possible: above all folders for which `is_in_set` returns `true`.
    ///
    /// # Errors
    /// The errors of [`create`](AtomicFolder::create).
    pub fn create_outside(path: &Path, is_in_set: impl Fn(&Path) -> bool) -> io::Result<AtomicFolder> {
        AtomicFolder::create_in(path, |path| staging_parents(path, is_in_set))
    }

    /// Creates the temporary folder in the first of the folders of `parents` where that is possible.
    fn create_in(path: &Path, parents: impl FnOnce(&Path) -> Vec<PathBuf>) -> io::Result<AtomicFolder> {
        let path: PathBuf = resolve_links(path)?.components().collect();
        if !path.is_dir() {
            if path.symlink_metadata().is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let mut created = Vec::new();
            let new = match create_above(&path, &mut created) {
                Ok(()) => TemporaryFolder::create_in(&parents(&path), &path),
                Err(error) => Err(error),
            };
            return match new {
                Ok(new) => Ok(AtomicFolder::new(path, new, created)),
                Err(error) => {
                    remove_created(&created);
                    Err(error)
                }
            };
        }
        let inside = path_inside(&path)?;
        TemporaryKind::Folder.remove_all_abandoned(temporary_paths(&inside));
        check_empty(&path, None)?;
        let new = replacement_of(&path, &parents(&path)).or_else(|_| TemporaryFolder::create(&inside))?;
        Ok(AtomicFolder::new(path, new, Vec::new()))
    }

    fn new(path: PathBuf, new: TemporaryFolder, created: Vec<PathBuf>) -> AtomicFolder {
        let TemporaryFolder { path: temporary, opened } = new;
        let temporary = TemporaryPath::new(TemporaryKind::Folder, temporary);
        AtomicFolder {
            path,
            temporary: UnpublishedFolder { path: temporary, created: created.into() },
            opened,
        }
    }

    /// Creates a folder below the temporary folder, and missing folders above it. Returns its path.
    ///
    /// # Errors
    /// If the folder cannot be created, or the [`remover`](AtomicFolder::remover) was called.
    pub fn create_folder(&self, below: &Path) -> io::Result<PathBuf> {
        // The lock is held, so that a remover removes the new folder, too.
        let temporary = self.temporary.path.lock();
        let path = temporary.as_ref().ok_or(io::ErrorKind::NotFound)?.join(below);
        fs::create_dir_all(&path)?;
        Ok(path)
    }

    /// Returns a function that removes the temporary folder, unless it was published. Call it if a process ends
    /// without dropping values, for example on an interrupt.
    pub fn remover(&self) -> impl Fn() + Clone + Send + Sync + 'static {
        let temporary = self.temporary.clone();
        move || temporary.remove()
    }

    /// Gives the folder its final name. The bytes of all files must be on the disk. `extension` is that of the files.
    ///
    /// # Errors
    /// If another program has created files in the folder. If files cannot be renamed. After an error, all files are in the
    /// temporary folder; dropping this value removes them.
    pub fn publish(&self, extension: &str) -> io::Result<()> {
        // Syncing may take long, so the remover does not wait for it.
        let unsynced = self.temporary.path.lock().clone().ok_or(io::ErrorKind::NotFound)?;
        sync_all_folders(&unsynced)?;
        let mut temporary = self.temporary.path.lock();
        let from = temporary.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let is_outside = !from.starts_with(&self.path);
        step();
        if is_outside && let Err(error) = fs::rename(from, &self.path) {
            check_empty(&self.path, None)
                .map_err(|found| if found.kind() == io::ErrorKind::AlreadyExists { found } else { error })?;
            self.publish_each(from, extension)?;
        } else if !is_outside {
            self.publish_each(from, extension)?;
        }
        step();
        *temporary = None;
        // The folder is complete, so an error here is ignored.
        let _ = self.path.parent().map(sync_folder);
        Ok(())
    }

    /// Moves the content of the temporary folder to the existing folder, under a mark.
    fn publish_each(&self, from: &Path, extension: &str) -> io::Result<()> {
        check_empty(&self.path, Some(from))?;
        let mark = mark_in(&self.path, extension);
        // If the mark exists, it belongs to another process, and must stay.
        let mut file = File::create_new(&mark)?;
        let mut moved = Vec::new();
        let mut publish = || {
            file.write_all(EXPLANATION)?;
            file.sync_all()?;
            sync_folder(&self.path)?;
            step();
            for entry in fs::read_dir(from)?.collect::<io::Result<Vec<_>>>()? {
                let to = self.path.join(entry.file_name());
                // A rename would replace a file of another program.
                if to.symlink_metadata().is_ok() {
                    return Err(io::Error::new(io::ErrorKind::AlreadyExists, NOT_EMPTY));
                }
                fs::rename(entry.path(), &to)?;
                moved.push(to);
                step();
            }
            sync_folder(&self.path)?;
            fs::remove_dir(from)?;
            step();
            fs::remove_file(&mark)
        };
        let published = publish();
        if published.is_err() {
            // It was removed if only the mark could not be.
            let _ = fs::create_dir(from);
            let is_back =
                |to: &PathBuf| to.file_name().is_some_and(|name| fs::rename(to, from.join(name)).is_ok());
            // The mark stays if a file cannot be moved back.
            if moved.iter().all(is_back) {
                let _ = fs::remove_file(&mark);
            }
            return published;
        }
        let _ = sync_folder(&self.path);
        Ok(())
    }
}

impl Drop for AtomicFolder {
    fn drop(&mut self) {
        self.temporary.remove();
        // Not before, because another process removes a folder without a lock.
        drop(self.opened.take());
    }
}

impl UnpublishedFolder {
    fn remove(&self) {
        if self.path.remove() {
            remove_created(&self.created);
        }
    }
}

/// Checks that a folder has no entry, except the temporary folder `own`.
fn check_empty(path: &Path, own: Option<&Path>) -> io::Result<()> {
    let mut found = None;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if marks_incomplete(&entry.file_name()) {
            found = Some(INCOMPLETE_FOLDER);
            break;
        }
        if own.is_none_or(|own| own != entry.path()) {
            found = Some(NOT_EMPTY);
        }
    }
    found.map_or(Ok(()), |text| Err(io::Error::new(io::ErrorKind::AlreadyExists, text)))
}

/// Creates a locked temporary folder beside an existing folder, which it can replace.
///
/// # Errors
/// If it could not replace the folder.
fn replacement_of(path: &Path, parents: &[PathBuf]) -> io::Result<TemporaryFolder> {
    let is_current = env::current_dir().and_then(fs::canonicalize).is_ok_and(|current| current == path);
    // A process in a folder that is replaced stays in the old folder, which no longer has a path.
    if is_current || !cfg!(unix) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let new = TemporaryFolder::create_in(parents, path)?;
    let permit = |opened| fs::metadata(path).and_then(|before| permit_folder(opened, &before));
    let permitted = new.opened.as_ref().map_or(Ok(()), permit);
    permitted.or_else(|error| fs::remove_dir(&new.path).and(Err(error)))?;
    // A mount point cannot be replaced.
    check_moves(&path_inside(path)?, &new.path)?;
    Ok(new)
}

/// A moment at which tests end the program.
#[cfg(not(test))]
fn step() {}

#[cfg(test)]
use tests::step;

#[cfg(test)]
mod tests {
    use std::{cell::Cell, collections::BTreeSet, panic};

    use super::*;
    use crate::{folders::SYNCED, staging};

    thread_local! {
        /// The number of steps until the program ends.
        static N_LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    pub(super) fn step() {
        N_LEFT.set(N_LEFT.get().saturating_sub(1));
        assert!(N_LEFT.get() > 0, "the program ends here");
    }

    /// The kinds of folders that are filled.
    #[derive(Debug, Clone, Copy)]
    enum PreviousFolder {
        Absent,
        AbsentBelow,
        Empty,
        /// A folder that cannot be replaced.
        Irreplaceable,
    }

    impl PreviousFolder {
        fn create(self, root: &Path) -> io::Result<AtomicFolder> {
            if matches!(self, PreviousFolder::Empty | PreviousFolder::Irreplaceable) && !root.exists() {
                fs::create_dir(root)?;
            }
            match self {
                PreviousFolder::Absent | PreviousFolder::AbsentBelow | PreviousFolder::Empty => {
                    AtomicFolder::create(root)
                }
                PreviousFolder::Irreplaceable => {
                    // As `create` does, if `replacement_of` fails.
                    drop(AtomicFolder::create(root)?);
                    let new = TemporaryFolder::create(&path_inside(root)?)?;
                    Ok(AtomicFolder::new(root.to_owned(), new, Vec::new()))
                }
            }
        }
    }

    const N_PARTS: usize = 4;

    fn fill(folder: &AtomicFolder) {
        for part in 0..N_PARTS {
            let folder = folder.create_folder(format!("k={part}").as_ref()).unwrap();
            fs::write(folder.join("part-0.arrow"), b"of this program").unwrap();
        }
    }

    /// What readers find in a folder. They skip hidden names.
    #[derive(Debug, PartialEq, Eq)]
    enum Found {
        Nothing,
        Incomplete,
        Files(usize),
    }

    fn found_in(root: &Path) -> Found {
        let Ok(entries) = fs::read_dir(root) else { return Found::Nothing };
        let mut names: BTreeSet<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.retain(|name| !name.as_encoded_bytes().starts_with(b"."));
        if names.iter().any(|name| marks_incomplete(name)) {
            return Found::Incomplete;
        }
        let n_files = names.iter().filter(|name| root.join(name).join("part-0.arrow").is_file()).count();
        if n_files == 0 { Found::Nothing } else { Found::Files(n_files) }
    }

    fn n_names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    /// The program is killed at each step. Readers then find all rows, no rows, or an error.
    #[test]
    fn a_killed_program_leaves_all_files_or_none() {
        let mut n_incomplete = 0;
        for before in [
            PreviousFolder::Absent,
            PreviousFolder::AbsentBelow,
            PreviousFolder::Empty,
            PreviousFolder::Irreplaceable,
        ] {
            for n_steps in 1.. {
                let folder = tempfile::tempdir().unwrap();
                let above = folder.path().canonicalize().unwrap();
                let below = if matches!(before, PreviousFolder::AbsentBelow) { "new/data" } else { "data" };
                let root = above.join(below);
                let mut unfinished = before.create(&root).unwrap();
                fill(&unfinished);
                unfinished.temporary.path.abandon();
                N_LEFT.set(n_steps);
                let published = panic::catch_unwind(move || unfinished.publish("arrow"));
                N_LEFT.set(usize::MAX);
                let found = found_in(&root);
                match found {
                    Found::Files(n_files) => assert_eq!(n_files, N_PARTS, "{before:?} {n_steps}"),
                    Found::Incomplete => {
                        n_incomplete += 1;
                        let error = AtomicFolder::create(&root).unwrap_err();
                        assert!(error.to_string().contains("is incomplete"), "{error}");
                    }
                    Found::Nothing => {
                        // The next program removes what the killed one left.
                        let next = before.create(&root).unwrap();
                        fill(&next);
                        next.publish("arrow").unwrap();
                        assert_eq!(found_in(&root), Found::Files(N_PARTS));
                        assert_eq!((n_names(root.parent().unwrap()), n_names(&root)), (1, N_PARTS));
                    }
                }
                if let Ok(published) = published {
                    published.unwrap();
                    assert!(matches!(found, Found::Files(_)) && n_steps > 2);
                    assert_eq!((n_names(root.parent().unwrap()), n_names(&root)), (1, N_PARTS));
                    break;
                }
            }
        }
        assert!(n_incomplete >= N_PARTS);
    }

    #[test]
    fn an_error_or_a_dropped_folder_leaves_nothing() {
        for before in [
            PreviousFolder::Absent,
            PreviousFolder::AbsentBelow,
            PreviousFolder::Empty,
            PreviousFolder::Irreplaceable,
        ] {
            let folder = tempfile::tempdir().unwrap();
            let above = folder.path().canonicalize().unwrap();
            let root =
                above.join(if matches!(before, PreviousFolder::AbsentBelow) { "new/data" } else { "data" });
            let is_there = matches!(before, PreviousFolder::Empty | PreviousFolder::Irreplaceable);
            for is_removed in [false, true] {
                let unfinished = before.create(&root).unwrap();
                fill(&unfinished);
                if is_removed {
                    unfinished.remover()();
                    assert!(unfinished.create_folder("k=9".as_ref()).is_err());
                    assert!(unfinished.publish("arrow").is_err());
                } else {
                    drop(unfinished);
                }
                assert_eq!(n_names(&above), usize::from(is_there), "{before:?}");
                assert!(!is_there || fs::read_dir(&root).unwrap().next().is_none());
            }
            // Another program writes to the folder at the same time. Its files stay, and are alone.
            let unfinished = before.create(&root).unwrap();
            fill(&unfinished);
            fs::create_dir_all(root.join("k=3")).unwrap();
            fs::write(root.join("k=3/part-0.arrow"), "of another program").unwrap();
            let error = unfinished.publish("arrow").unwrap_err();
            drop(unfinished);
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{before:?}: {error}");
            assert_eq!(n_names(&root), 1, "{before:?}");
            assert_eq!(fs::read(root.join("k=3/part-0.arrow")).unwrap(), b"of another program");
            assert!(AtomicFolder::create(&root).unwrap_err().to_string().contains("not empty"));
        }
    }

    /// After a crash, the name of each folder is on the disk.
    #[test]
    fn new_folders_above_are_synced() {
        let folder = tempfile::tempdir().unwrap();
        let above = folder.path().canonicalize().unwrap();
        let created: [fn(&Path); 2] = [
            |root| drop(AtomicFolder::create(root).unwrap()),
            |root| drop(staging::create_folder(root, |_| false).unwrap()),
        ];
        for (idx, create) in created.into_iter().enumerate() {
            SYNCED.take();
            let root = above.join(format!("{idx}/a/b/data"));
            create(&root);
            let expected = root.ancestors().skip(2).take(3).collect::<Vec<_>>();
            assert!(expected.iter().rev().eq(&SYNCED.take()), "{idx}");
        }
    }

    /// A folder that another process writes is not removed.
    #[test]
    fn running_programs_keep_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("data");
        let [first, second] = [(); 2].map(|()| AtomicFolder::create(&root).unwrap());
        fill(&first);
        fill(&second);
        second.publish("arrow").unwrap();
        assert_eq!(first.publish("arrow").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(first);
        assert_eq!(n_names(folder.path()), 1);
        assert_eq!(found_in(&root), Found::Files(N_PARTS));
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_folder_keeps_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("data");
        let link = folder.path().join("link");
        fs::create_dir(&root).unwrap();
        fs::set_permissions(&root, fs::Permissions::from_mode(0o2750)).unwrap();
        symlink(&root, &link).unwrap();
        let unfinished = AtomicFolder::create(&link).unwrap();
        fill(&unfinished);
        unfinished.publish("arrow").unwrap();
        assert_eq!(fs::metadata(&root).unwrap().permissions().mode() & 0o7777, 0o2750);
        assert!(link.is_symlink());
        assert_eq!(found_in(&link), Found::Files(N_PARTS));
        // The target of a link must exist.
        symlink(folder.path().join("none"), folder.path().join("broken")).unwrap();
        AtomicFolder::create(&folder.path().join("broken")).unwrap_err();
    }
}

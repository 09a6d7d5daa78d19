//! A folder of files that gets its name when all of its files are complete.

use std::{
    env,
    fs::{self, File, Metadata},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    incomplete::{EXPLANATION, INCOMPLETE_FOLDER, mark_in, marks_incomplete},
    listing::place_of,
    staging::staging_places,
    temporary_folder::{TemporaryFolder, check_moves},
};

/// Why a folder cannot be filled.
const NOT_EMPTY: &str = "the folder is not empty: its files and the new ones would be one data set";

/// A folder with a temporary name beside its final name. [`publish`](AtomicFolder::publish) renames it when all files
/// in it are complete, so that either all files have their names, or none. Dropping an unpublished `AtomicFolder`
/// removes the temporary folder with all files in it. Some readers, such as polars, also read hidden folders, and find
/// its files if they read the folder above: a [`DatasetWriter`](crate::DatasetWriter) avoids that.
///
/// An existing empty folder is replaced, and the new one gets its group and permissions. Where it cannot be replaced
/// (it is the current folder, a mount point, or belongs to another user; its parent is not writable; or the system is
/// not Unix), the temporary folder is inside it. Its files and folders are then moved one after the other. While they
/// are moved, the folder has a file `arrow-ipc-incomplete.arrow`, because of which readers fail.
///
/// The temporary folder is locked, as [`AtomicFile`](arrow_ipc::AtomicFile)s are. If the process is killed, the next
/// [`create`](AtomicFolder::create) with the same path removes the folder.
#[derive(Debug)]
pub struct AtomicFolder {
    /// The final path, without links.
    path: PathBuf,
    temporary: UnpublishedFolder,
    /// The temporary folder, with its lock.
    lock: Option<File>,
}

#[derive(Debug, Clone)]
struct UnpublishedFolder {
    /// `None` after the folder was published or removed.
    path: Arc<Mutex<Option<PathBuf>>>,
    /// The folders above the final path that were created. They are removed with the temporary folder.
    created: Arc<[PathBuf]>,
    /// The process that created the folder. A forked process has a copy, but must not remove the folder.
    process: u32,
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
    /// is possible.
    pub(crate) fn create_outside(path: &Path) -> io::Result<AtomicFolder> {
        AtomicFolder::create_in(path, staging_places)
    }

    /// Creates the temporary folder in the first of these places where that is possible.
    fn create_in(path: &Path, places: fn(&Path) -> Vec<PathBuf>) -> io::Result<AtomicFolder> {
        let path: PathBuf = place_of(path)?.components().collect();
        if !path.is_dir() {
            if path.symlink_metadata().is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let mut created = Vec::new();
            let new = match create_above(&path, &mut created) {
                Ok(()) => TemporaryFolder::create_in(&places(&path), &path),
                Err(error) => Err(error),
            };
            return match new {
                Ok(new) => Ok(AtomicFolder::of(path, new, created)),
                Err(error) => {
                    remove_created(&created);
                    Err(error)
                }
            };
        }
        let inside = inside(&path)?;
        TemporaryFolder::remove_abandoned(&inside);
        check_empty(&path, None)?;
        let new = replacement_of(&path, &places(&path)).or_else(|_| TemporaryFolder::create(&inside))?;
        Ok(AtomicFolder::of(path, new, Vec::new()))
    }

    fn of(path: PathBuf, new: TemporaryFolder, created: Vec<PathBuf>) -> AtomicFolder {
        let TemporaryFolder { path: temporary, lock } = new;
        let temporary = Arc::new(Mutex::new(Some(temporary)));
        let process = std::process::id();
        let temporary = UnpublishedFolder { path: temporary, created: created.into(), process };
        AtomicFolder { path, temporary, lock }
    }

    /// Creates a folder below the temporary folder, and missing folders above it. Returns its path.
    ///
    /// # Errors
    /// If the folder cannot be created, or the [`remover`](AtomicFolder::remover) was called.
    pub fn create_folder(&self, below: &Path) -> io::Result<PathBuf> {
        // The lock is held, so that a remover removes the new folder, too.
        let temporary = self.temporary.lock();
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
    /// If another program has created files in the folder. If files cannot be renamed. After an error, none of the
    /// files remains.
    pub fn publish(self, extension: &str) -> io::Result<()> {
        self.try_publish(extension)
    }

    /// Like [`publish`](AtomicFolder::publish). After an error, the files are in the temporary folder.
    pub(crate) fn try_publish(&self, extension: &str) -> io::Result<()> {
        // Syncing may take long, so the remover does not wait for it.
        let unsynced = self.temporary.lock().clone().ok_or(io::ErrorKind::NotFound)?;
        sync_all_folders(&unsynced)?;
        let mut temporary = self.temporary.lock();
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
        drop(self.lock.take());
    }
}

impl UnpublishedFolder {
    fn lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.path.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self) {
        if self.process == std::process::id()
            && let Some(path) = self.lock().take()
        {
            // If the folder remains, its name shows that it is temporary.
            let _ = fs::remove_dir_all(path);
            remove_created(&self.created);
        }
    }
}

/// Where the temporary folder of an existing folder is, if it is inside.
pub(crate) fn inside(path: &Path) -> io::Result<PathBuf> {
    Ok(path.join(path.file_name().ok_or(io::ErrorKind::InvalidInput)?))
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
fn replacement_of(path: &Path, places: &[PathBuf]) -> io::Result<TemporaryFolder> {
    let is_current = env::current_dir().and_then(fs::canonicalize).is_ok_and(|current| current == path);
    // A process in a folder that is replaced stays in the old folder, which no longer has a path.
    if is_current || !cfg!(unix) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let new = TemporaryFolder::create_in(places, path)?;
    let temporary = &new.path;
    let permitted = fs::metadata(path).and_then(|before| permit(temporary, &before));
    permitted.or_else(|error| fs::remove_dir(temporary).and(Err(error)))?;
    // A mount point cannot be replaced.
    check_moves(&inside(path)?, temporary)?;
    Ok(new)
}

/// Gives a new folder the group and permissions of the folder that it will replace.
///
/// # Errors
/// If its owner or group would change.
#[cfg(unix)]
fn permit(folder: &Path, before: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    if fs::metadata(folder)?.uid() != before.uid() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    if fs::metadata(folder)?.gid() != before.gid() {
        chown(folder, None, Some(before.gid()))?;
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(before.mode() & 0o7777))
}

#[cfg(not(unix))]
fn permit(_: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Creates the missing folders above a path, and syncs them. Adds them to `created`, outer folders first.
pub(crate) fn create_above(path: &Path, created: &mut Vec<PathBuf>) -> io::Result<()> {
    let Some(above) = path.parent().filter(|above| !above.is_dir()) else { return Ok(()) };
    create_above(above, created)?;
    match fs::create_dir(above) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) => {}
        Ok(()) => created.push(above.to_owned()),
    }
    above.parent().map_or(Ok(()), sync_folder)
}

/// Removes folders, inner folders first, unless they have files of other programs.
fn remove_created(created: &[PathBuf]) {
    created.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
}

/// Syncs the names in a folder, and in all folders below, to the disk.
fn sync_all_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_all_folders(&entry.path())?;
        }
    }
    sync_folder(folder)
}

/// Syncs the names in a folder to the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(test)]
    tests::SYNCED.with_borrow_mut(|synced| synced.push(folder.to_owned()));
    // Other systems cannot open folders.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// A moment at which tests end the program.
#[cfg(not(test))]
fn step() {}

#[cfg(test)]
use tests::step;

#[cfg(test)]
mod tests {
    use std::{
        cell::{Cell, RefCell},
        panic,
    };

    use arrow_array::Int64Array;
    use arrow_data::RecordBatch;
    use arrow_ipc::FileWriter;
    use arrow_schema::Schema;

    use super::*;
    use crate::{Dataset, DatasetErrorKind, DatasetWriter};

    thread_local! {
        /// The number of steps until the program ends.
        static N_LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
        /// The folders that were synced.
        pub(super) static SYNCED: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
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
        Kept,
    }

    impl PreviousFolder {
        fn create(self, root: &Path) -> io::Result<AtomicFolder> {
            if matches!(self, PreviousFolder::Empty | PreviousFolder::Kept) && !root.exists() {
                fs::create_dir(root)?;
            }
            match self {
                PreviousFolder::Absent | PreviousFolder::AbsentBelow | PreviousFolder::Empty => {
                    AtomicFolder::create(root)
                }
                PreviousFolder::Kept => {
                    // As `create` does, if `replacement_of` fails.
                    drop(AtomicFolder::create(root)?);
                    let new = TemporaryFolder::create(&inside(root)?)?;
                    Ok(AtomicFolder::of(root.to_owned(), new, Vec::new()))
                }
            }
        }
    }

    const N_PARTS: usize = 4;

    fn fill(folder: &AtomicFolder) {
        let ids = Int64Array::from_iter(0..5).into_data();
        let batch = RecordBatch::try_from_columns([("id", ids)]).unwrap();
        let file = FileWriter::write_to_vec(batch.schema().clone(), &[batch]).unwrap();
        for part in 0..N_PARTS {
            let folder = folder.create_folder(format!("k={part}").as_ref()).unwrap();
            fs::write(folder.join("part-0.arrow"), &file).unwrap();
        }
    }

    /// The program is killed at each step. Readers then find all rows, no rows, or an error.
    #[test]
    fn a_killed_program_leaves_all_files_or_none() {
        let mut n_incomplete = 0;
        for before in
            [PreviousFolder::Absent, PreviousFolder::AbsentBelow, PreviousFolder::Empty, PreviousFolder::Kept]
        {
            for n_steps in 1.. {
                let folder = tempfile::tempdir().unwrap();
                let above = folder.path().canonicalize().unwrap();
                let below = if matches!(before, PreviousFolder::AbsentBelow) { "new/data" } else { "data" };
                let root = above.join(below);
                let mut unfinished = before.create(&root).unwrap();
                fill(&unfinished);
                // Nothing is removed, as after a kill.
                unfinished.temporary.process = 0;
                N_LEFT.set(n_steps);
                let published = panic::catch_unwind(|| unfinished.publish("arrow"));
                N_LEFT.set(usize::MAX);
                let found = Dataset::open([&root]).map(|set| set.count().unwrap());
                let is_whole = match found {
                    Ok(n_rows) => {
                        assert_eq!(n_rows, 5 * N_PARTS as u64, "{before:?} {n_steps}");
                        true
                    }
                    Err(error) => {
                        let is_none = matches!(error.kind(), DatasetErrorKind::NoFiles)
                            || matches!(error.kind(), DatasetErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound);
                        let is_incomplete = matches!(error.kind(), DatasetErrorKind::Incomplete);
                        assert!(is_none || is_incomplete, "{before:?} {n_steps}: {error}");
                        n_incomplete += usize::from(is_incomplete);
                        // A pattern that does not match the mark also fails.
                        if is_incomplete {
                            let error = Dataset::open([root.join("*/part-*.arrow")]).unwrap_err();
                            assert!(matches!(error.kind(), DatasetErrorKind::Incomplete), "{error}");
                            let error = AtomicFolder::create(&root).unwrap_err();
                            assert!(error.to_string().contains("is incomplete"), "{error}");
                        }
                        if is_none {
                            // The next program removes what the killed one left.
                            let next = before.create(&root).unwrap();
                            fill(&next);
                            next.publish("arrow").unwrap();
                            assert_eq!(Dataset::open([&root]).unwrap().count().unwrap(), 5 * N_PARTS as u64);
                            let n_names = fs::read_dir(root.parent().unwrap()).unwrap().count();
                            assert_eq!((n_names, fs::read_dir(&root).unwrap().count()), (1, N_PARTS));
                        }
                        false
                    }
                };
                if let Ok(published) = published {
                    published.unwrap();
                    assert!(is_whole && n_steps > 2);
                    let n_names = fs::read_dir(root.parent().unwrap()).unwrap().count();
                    assert_eq!((n_names, fs::read_dir(&root).unwrap().count()), (1, N_PARTS));
                    break;
                }
            }
        }
        assert!(n_incomplete >= N_PARTS);
    }

    #[test]
    fn an_error_or_a_dropped_folder_leaves_nothing() {
        for before in
            [PreviousFolder::Absent, PreviousFolder::AbsentBelow, PreviousFolder::Empty, PreviousFolder::Kept]
        {
            let folder = tempfile::tempdir().unwrap();
            let above = folder.path().canonicalize().unwrap();
            let root =
                above.join(if matches!(before, PreviousFolder::AbsentBelow) { "new/data" } else { "data" });
            let is_there = matches!(before, PreviousFolder::Empty | PreviousFolder::Kept);
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
                assert_eq!(fs::read_dir(&above).unwrap().count(), usize::from(is_there), "{before:?}");
                assert!(!is_there || fs::read_dir(&root).unwrap().next().is_none());
            }
            // Another program writes to the folder at the same time. Its files stay, and are alone.
            let unfinished = before.create(&root).unwrap();
            fill(&unfinished);
            fs::create_dir_all(root.join("k=3")).unwrap();
            fs::write(root.join("k=3/part-0.arrow"), "of another program").unwrap();
            let error = unfinished.publish("arrow").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{before:?}: {error}");
            assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "{before:?}");
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
            |root| drop(DatasetWriter::create(root, Schema::default()).unwrap()),
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
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(Dataset::open([&root]).unwrap().count().unwrap(), 5 * N_PARTS as u64);
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
        assert_eq!(Dataset::open([&link]).unwrap().count().unwrap(), 5 * N_PARTS as u64);
        // The target of a link must exist.
        symlink(folder.path().join("none"), folder.path().join("broken")).unwrap();
        AtomicFolder::create(&folder.path().join("broken")).unwrap_err();
    }
}

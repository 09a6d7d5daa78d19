//! Where files are before they get their names.

#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};

use crate::listing::is_in_set;

/// The folders in which a hidden folder for the new folder `path` can be, the best first. The last is the folder above
/// `path`. If that belongs to a data set, the others are above it, up to the first that does not: some readers, such as
/// polars, also read hidden folders. All are on one file system, have the owner and group of the folder above `path`, and
/// give nobody more access than that.
///
/// A folder belongs to a data set if it, or a folder in it, has a name of the form `name=value`, or if it has a file with
/// the extension of an Arrow file.
pub(crate) fn staging_places(path: &Path) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    for place in path.ancestors().skip(1) {
        // The root of the file system is no place for a hidden folder.
        if places.first().is_some_and(|beside| place.parent().is_none() || !is_alike(beside, place)) {
            break;
        }
        places.push(place.to_owned());
        if !is_in_set(place) {
            break;
        }
    }
    places.reverse();
    places
}

/// Whether a folder above another is on the same file system, has its owner and group, gives nobody more access, and
/// passes its group on to new folders if the other does.
#[cfg(unix)]
fn is_alike(beside: &Path, above: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    const PERMISSIONS: u32 = 0o777;
    const SET_GROUP: u32 = 0o2000;
    let (Ok(beside), Ok(above)) = (fs::metadata(beside), fs::metadata(above)) else { return false };
    let of = |folder: &fs::Metadata| (folder.dev(), folder.uid(), folder.gid(), folder.mode() & SET_GROUP);
    of(&beside) == of(&above) && above.mode() & !beside.mode() & PERMISSIONS == 0
}

/// Other systems do not say this.
#[cfg(not(unix))]
fn is_alike(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    #[cfg(unix)]
    fn places_are_above_the_data_set() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("top");
        let best = |path: &str| {
            let places = staging_places(&root.join(path));
            assert_eq!(places.last(), root.join(path).parent().map(Path::to_owned).as_ref(), "{path}");
            places[0].strip_prefix(&root).unwrap().to_str().unwrap().to_owned()
        };
        for below in ["plain/x", "files/more", "_files", "folders/day=1/hour=2", "linked"] {
            fs::create_dir_all(root.join(below)).unwrap();
        }
        for file in ["files/a.arrow", "files/more/b.feather", "plain/x/a.txt", "_files/.a.arrow"] {
            fs::write(root.join(file), b"").unwrap();
        }
        for (path, expected) in [
            ("new", ""),
            ("plain/new", "plain"),
            ("plain/x/new", "plain/x"),
            ("files/new", ""),
            ("files/more/new", ""),
            ("_files/new", "_files"),
            ("folders/new", ""),
            ("folders/day=1/new", ""),
            ("folders/day=1/hour=2/new", ""),
            ("folders/day=3", ""),
            // These folders do not exist.
            ("none/day=1/new", "none/day=1"),
            ("none/more/new", "none/more"),
        ] {
            assert_eq!(best(path), expected, "{path}");
        }
        // What is written has the permissions of a private data set.
        fs::set_permissions(root.join("files"), fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(best("files/new"), "files");
    }
}

//! Joins the small files of a data set, and says what was done.

use std::path::Path;

use arrow_ipc_dataset::{CompactOptions, Compaction, DatasetError, ExpireOptions, Expired, compact, expire};

use crate::{Counted, error::ToolError};

/// What [`compact_set`] has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactReport {
    /// What was joined.
    pub joined: Compaction,
    /// What was removed. `None` if earlier versions were kept.
    pub expired: Option<Expired>,
}

/// A note for the first version of a data set.
pub const FIRST_MANIFEST: &str = "this is the first version of the data set; from now on, its manifest says which files are read: \
     other files in the folder are left out, and `append` adds their rows";

/// Joins the small files of a data set, as [`compact`] does. If `expiring` is set, then removes earlier versions, and files
/// that only these versions list, unless metadata was lost.
///
/// # Errors
/// The errors of [`compact`] and [`expire`].
pub fn compact_set(
    folder: &Path,
    options: &CompactOptions,
    expiring: Option<&ExpireOptions>,
) -> Result<CompactReport, ToolError> {
    let failed = |error: DatasetError| ToolError::of_set(folder.into(), error);
    let joined = compact(folder, options).map_err(failed)?;
    options.check().map_err(failed)?;
    let expiring = expiring.filter(|_| joined.n_lost_metadata == 0);
    let expired = expiring.map(|options| expire(folder, options)).transpose().map_err(failed)?;
    Ok(CompactReport { joined, expired })
}

impl CompactReport {
    /// Says what was done, a fact in each line.
    pub fn lines(&self) -> Vec<String> {
        let CompactReport { joined, expired } = self;
        let parts = |n_parts: usize| Counted(n_parts as u64, "part");
        let (before, after, version) = (parts(joined.n_before), parts(joined.n_after), joined.version);
        let mut lines = vec![match joined.n_before == joined.n_after {
            true => format!("{after} in version {version}: nothing to join"),
            false => format!("{before} became {after} in version {version}"),
        }];
        lines.extend(joined.is_first.then(|| FIRST_MANIFEST.to_owned()));
        let lost = joined.n_lost_metadata;
        if lost > 0 {
            lines.push(format!(
                "joined parts have the metadata of the first schema, and none of batches and footers; {lost} batches and files had \
                 other metadata; the earlier files have it until you run `compact --expire` again"
            ));
        } else if expired.is_none() && joined.n_after < joined.n_before {
            let text = "programs that do not read manifests see the joined rows twice until you run `compact --expire`";
            lines.push(text.to_owned());
        }
        if let Some(Expired { n_versions, n_files, n_changed, n_writers }) = *expired {
            let files = |n_files: usize| Counted(n_files as u64, "file");
            let versions = Counted(n_versions as u64, "earlier version");
            lines.push(format!("removed {versions} and {}", files(n_files)));
            lines.extend((n_changed > 0).then(|| {
                let changed = files(n_changed);
                format!(
                    "kept {changed} that earlier versions named, and that changed since; `count` names them"
                )
            }));
            lines.extend((n_writers > 0).then(|| {
                format!("removed what {} left without a commit", Counted(n_writers as u64, "writer"))
            }));
        }
        lines
    }
}

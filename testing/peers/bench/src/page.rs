//! The sections of `testing/peers/RESULTS.md` that the bench writes.

use std::path::Path;

pub const BEGIN: &str = "<!-- Written by `cargo xtask bench --markdown`: -->\n";
pub const PUBLIC_BEGIN: &str = "<!-- Written by `cargo xtask bench public --markdown`: -->\n";
pub const THREADS_BEGIN: &str = "<!-- Written by `cargo xtask bench threads --markdown`: -->\n";
pub const END: &str = "<!-- End of what the bench wrote. -->\n";

/// Replaces the text from `begin` to the next mark of an end in a file.
///
/// # Errors
/// If the file cannot be read or written, or if it has no marks.
pub fn write(path: &Path, begin: &str, section: &str) -> Result<(), String> {
    let describe = |error: std::io::Error| format!("{}: {error}", path.display());
    let page = std::fs::read_to_string(path).map_err(describe)?;
    let page =
        replace(&page, begin, section).ok_or(format!("{}: the marks are not there", path.display()))?;
    std::fs::write(path, page).map_err(describe)
}

fn replace(page: &str, begin: &str, section: &str) -> Option<String> {
    let (before, rest) = page.split_once(begin)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{begin}\n{}\n\n{END}{after}", section.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_between_the_marks_is_replaced() {
        let page = format!("# Page\n{BEGIN}old\nlines\n{END}rest\n");
        let expected = format!("# Page\n{BEGIN}\nnew\n\n{END}rest\n");
        assert_eq!(replace(&page, BEGIN, "new\n").as_deref(), Some(expected.as_str()));
        assert_eq!(replace(&expected, BEGIN, "new").as_deref(), Some(expected.as_str()));
        assert_eq!(replace("# Page\n", BEGIN, "new"), None);
    }

    #[test]
    fn the_page_of_results_has_the_marks() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../RESULTS.md");
        let page = std::fs::read_to_string(page).expect("it is there");
        for begin in [BEGIN, PUBLIC_BEGIN, THREADS_BEGIN] {
            assert!(replace(&page, begin, "").is_some(), "{begin}");
        }
    }
}

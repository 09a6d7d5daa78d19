//! Removes the secrets of a URL from errors: user and password, and the query, which may contain a signature.

use std::{io, sync::Arc};

/// The parts of a URL that errors must not contain.
#[derive(Debug, Clone)]
pub(crate) struct Secrets(Arc<[String]>);

impl Secrets {
    pub(crate) fn in_url(url: &str) -> Secrets {
        let query = url.split_once('?').map(|(_, query)| query);
        let authority = url.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
        let user = authority.and_then(|authority| Some(authority.rsplit_once('@')?.0));
        let texts = query.into_iter().chain(user).filter(|text| !text.is_empty());
        Secrets(texts.map(str::to_owned).collect())
    }

    /// Replaces all secrets in the text of an error by `…`.
    pub(crate) fn hide(&self, error: io::Error) -> io::Error {
        let shown = error.to_string();
        let hidden = self.0.iter().fold(shown.clone(), |text, secret| text.replace(secret, "…"));
        if shown == hidden { error } else { io::Error::new(error.kind(), hidden) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden() {
        let cases = [
            (
                "https://ada:pw@h/a?sig=1&b",
                "GET https://ada:pw@h/a?sig=1&b failed",
                "GET https://…@h/a?… failed",
            ),
            ("https://h/a@b", "GET https://h/a@b failed", "GET https://h/a@b failed"),
            ("https://h/a?", "GET https://h/a? failed", "GET https://h/a? failed"),
        ];
        for (url, error, shown) in cases {
            assert_eq!(Secrets::in_url(url).hide(io::Error::other(error)).to_string(), shown);
        }
    }
}

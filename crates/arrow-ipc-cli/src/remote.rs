//! Opens the input at a URL: a file by ranges, a stream from start to end. Errors contain no secrets of the URL.

mod blocking;

use std::{io, sync::Arc, thread, time::Duration};

use arrow_ipc_object_store::{BlockingObject, ObjectSource};
use arrow_ipc_tools::{Input, InputName, ToolError, ToolErrorKind};
use object_store_0_14::{
    BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    http::HttpBuilder,
    path::Path,
};
use tokio::runtime::{Builder, Runtime};

use self::blocking::{BlockingChunks, SecretObject};

/// The last bytes of an Arrow file.
const FILE_MAGIC: &[u8] = b"ARROW1";

pub(crate) fn open_url(url: &str, name: InputName) -> Result<Input, ToolError> {
    let secrets = Secrets::in_url(url);
    match open(url, &secrets) {
        Ok(OpenedObject::File(object)) => Input::try_new(name, object),
        Ok(OpenedObject::Stream(object)) => {
            let chunks = BlockingChunks::new(object.clone());
            Ok(Input::try_from_reader(name, chunks)?.with_positions(object))
        }
        Err(error) => Err(ToolError::new(name, ToolErrorKind::Read(secrets.hide(error)))),
    }
}

enum OpenedObject {
    File(SecretObject),
    Stream(SecretObject),
}

fn open(url: &str, secrets: &Secrets) -> io::Result<OpenedObject> {
    // Sets the cryptography of all TLS connections.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = Arc::new(runtime()?);
    let (store, path) = store_of(url)?;
    let secrets = secrets.clone();
    let object = BlockingObject::open(ObjectSource::new(store, path), runtime.handle().clone())?;
    let is_file = object
        .tail()
        .is_some_and(|tail| tail.bytes.ends_with(FILE_MAGIC) || tail.bytes.len() as u64 == tail.file_bytes);
    let object = SecretObject { object, runtime, secrets };
    Ok(if is_file { OpenedObject::File(object) } else { OpenedObject::Stream(object) })
}

/// A runtime with one thread for answers; other threads resolve host names. `tokio` panics if it cannot start a thread,
/// so this first starts a thread as a test.
fn runtime() -> io::Result<Runtime> {
    let started = thread::Builder::new().spawn(|| ()).map_err(|error| {
        io::Error::new(error.kind(), format!("no thread can be started, which URLs need: {error}"))
    })?;
    drop(started.join());
    Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

/// The store for a URL, and the path of the object in it. Credentials come from the environment.
fn store_of(url: &str) -> io::Result<(Arc<dyn ObjectStore>, Path)> {
    let client = ClientOptions::new()
        // Each read has a time limit, but the whole answer has none.
        .with_timeout_disabled()
        .with_read_timeout(Duration::from_secs(30));
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(2),
            base: 2.0,
        },
        max_retries: 3,
        retry_timeout: Duration::from_secs(60),
    };
    if let Some(rest) = url.strip_prefix("s3://") {
        let Some((bucket, key)) = rest.split_once('/').filter(|(_, key)| !key.is_empty()) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected s3://BUCKET/KEY"));
        };
        let mut store = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retry);
        if std::env::var_os("AWS_TIMEOUT").is_none() {
            store = store.with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), "1 day");
        }
        let key = Path::parse(key).map_err(io::Error::other)?;
        return Ok((Arc::new(store.build().map_err(io::Error::other)?), key));
    }
    // The store is a single object: the unchanged URL with its path and query.
    let client = client.with_allow_http(url.starts_with("http://"));
    let store = HttpBuilder::new().with_url(url).with_client_options(client).with_retry(retry);
    Ok((Arc::new(store.build().map_err(io::Error::other)?), Path::default()))
}

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

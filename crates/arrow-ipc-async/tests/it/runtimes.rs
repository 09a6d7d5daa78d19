//! Reads sockets of this machine, and files, on tokio runtimes.

use std::{
    fs::File,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use arrow_buffer::Buffer;
use arrow_ipc::{FileReader, WriteOptions};
use arrow_ipc_async::{AsyncFileReader, AsyncSource, AsyncStreamReader, AsyncStreamWriter, BlockingSource};
use testing_support::{corpus_dir, rows, schema_of_all_types};
use tokio::{
    io::AsyncWrite,
    net::{TcpListener, TcpStream},
    runtime::{Builder, Runtime},
};

use crate::{
    support::{outcome, poll_once},
    writers,
};

fn runtimes() -> [Runtime; 2] {
    [Builder::new_current_thread(), Builder::new_multi_thread()]
        .map(|mut builder| builder.enable_io().worker_threads(2).build().unwrap())
}

#[test]
fn batches_go_through_a_socket() {
    let schema = Arc::new(schema_of_all_types());
    let batches = Arc::new(writers::batches(&schema));
    let expected = writers::stream_of(&schema, &batches, WriteOptions::new());
    for runtime in runtimes() {
        let (schema, batches) = (Arc::clone(&schema), Arc::clone(&batches));
        let (n_sent, n_read) = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let sent = Arc::clone(&batches);
            let sender = tokio::spawn(async move {
                let sink = TcpStream::connect(address).await.unwrap();
                let mut writer = AsyncStreamWriter::try_new(sink, &schema).unwrap();
                for batch in &*sent {
                    writer.write(batch).await.unwrap();
                }
                writer.write_end().await.unwrap();
                let n_bytes = writer.position();
                let mut sink = writer.into_inner();
                std::future::poll_fn(|context| std::pin::Pin::new(&mut sink).poll_shutdown(context))
                    .await
                    .unwrap();
                n_bytes
            });
            let (source, _) = listener.accept().await.unwrap();
            let mut reader = AsyncStreamReader::try_new(source).await.unwrap();
            for batch in &*batches {
                let next = reader.next_batch().await.unwrap().unwrap();
                assert_eq!(rows(&next.batch), rows(batch));
            }
            assert!(reader.next_batch().await.unwrap().is_none());
            let n_read = reader.n_bytes_consumed();
            assert!(!reader.next_stream().await.unwrap());
            (sender.await.unwrap(), n_read)
        });
        assert_eq!((n_sent, n_read), (expected.len() as u64, expected.len() as u64));
    }
}

#[test]
fn files_are_read_by_other_threads() {
    let path = corpus_dir().join("golden/pyarrow-26.0.1/many-batches.arrow");
    let expected: Vec<_> = FileReader::open(&path).unwrap().batches().map(outcome).collect();
    for runtime in runtimes() {
        let source = BlockingSource::new(File::open(&path).unwrap());
        let found = runtime.block_on(async {
            let file = AsyncFileReader::try_new(source).await.unwrap();
            let mut batches = file.batches();
            // The reader can be sent to another task.
            let reading = tokio::spawn(async move {
                let mut found = Vec::new();
                while let Some(batch) = batches.next_batch().await.transpose() {
                    found.push(outcome(batch));
                }
                found
            });
            reading.await.unwrap()
        });
        assert_eq!(found, expected);
        // Buffers share the memory of a source in memory.
        let bytes = Buffer::from(std::fs::read(&path).unwrap());
        let file = runtime.block_on(AsyncFileReader::try_new(BlockingSource::new(bytes))).unwrap();
        assert_eq!(outcome(runtime.block_on(file.batch(1))), expected[1]);
        let gone = BlockingSource::new(TruncatedSource);
        let error = runtime.block_on(AsyncFileReader::try_new(gone)).unwrap_err();
        assert!(error.to_string().contains("unexpected end of file"), "{error}");
    }
}

/// A file that is shorter than the length it states.
#[derive(Debug)]
struct TruncatedSource;

impl arrow_ipc::Source for TruncatedSource {
    fn n_bytes(&self) -> std::io::Result<u64> {
        Ok(1_000)
    }

    fn fetch(&self, _: std::ops::Range<u64>) -> std::io::Result<Buffer> {
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }
}

/// A source that answers when the test allows it, and counts its requests.
#[derive(Debug, Default)]
struct BlockedSource {
    may_answer: Mutex<()>,
    n_requests: AtomicUsize,
}

impl arrow_ipc::Source for BlockedSource {
    fn n_bytes(&self) -> std::io::Result<u64> {
        Ok(1_000)
    }

    fn fetch(&self, range: std::ops::Range<u64>) -> std::io::Result<Buffer> {
        self.n_requests.fetch_add(1, Ordering::SeqCst);
        drop(self.may_answer.lock());
        Ok(Buffer::zeroed((range.end - range.start) as usize))
    }
}

#[test]
fn requests_that_no_thread_has_started_are_cancelled() {
    let runtime = Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
    let blocked = Arc::new(BlockedSource::default());
    let source = BlockingSource::new(Arc::clone(&blocked));
    runtime.block_on(async {
        let blocking = blocked.may_answer.lock();
        let first = tokio::spawn({
            let source = source.clone();
            async move { source.fetch(0..8).await }
        });
        while blocked.n_requests.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        // The only thread is busy with the first request.
        assert!(poll_once(source.fetch(8..16)).is_none());
        drop(blocking);
        assert_eq!(first.await.unwrap().unwrap().len(), 8);
        assert_eq!(source.fetch(16..24).await.unwrap().len(), 8);
    });
    assert_eq!(blocked.n_requests.load(Ordering::SeqCst), 2);
}

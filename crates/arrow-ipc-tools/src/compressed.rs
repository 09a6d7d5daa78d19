//! Inputs that are compressed as a whole with gzip, Zstandard or LZ4. Their first bytes identify the codec. They are
//! decompressed while they are read.

mod lz4;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Cursor, Read, Write},
    path::Path,
    sync::{Arc, OnceLock},
};

use flate2::{bufread::GzDecoder, write::GzEncoder};

use self::lz4::Lz4Frames;
use crate::{
    byte_counter::BUFFER_BYTES,
    error::{InputContext, ToolError, ToolErrorKind, foreign::ForeignFormat, name::InputName},
    input::Input,
};

/// A reader of compressed or decompressed bytes.
pub(crate) type ArrivingBytes = Box<dyn BufRead + Send>;

impl ForeignFormat {
    /// The codec of an input that begins with these bytes; `None` if the input is not compressed, or its codec is
    /// unsupported.
    pub fn detect_codec(start: &[u8]) -> Option<ForeignFormat> {
        ForeignFormat::detect(start).filter(|found| found.is_decompressed())
    }

    /// Decompresses bytes while they are read. If this is no supported codec, returns the bytes unchanged.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn decompress(self, mut bytes: Box<dyn BufRead + Send>) -> io::Result<Box<dyn BufRead + Send>> {
        Ok(if self == ForeignFormat::Gzip {
            buffered(GzipMembers(GzDecoder::new(bytes)))
        } else if self == ForeignFormat::Zstd && matches!(bytes.fill_buf()?, [0x50..=0x5f, ..]) {
            buffered(FramesAfterSkippable { start: Some(bytes), frames: Box::new(io::empty()) })
        } else if self == ForeignFormat::Zstd {
            buffered(zstd::Decoder::with_buffer(bytes)?)
        } else if self == ForeignFormat::Lz4 {
            buffered(Lz4Frames::new(bytes))
        } else {
            bytes
        })
    }
}

/// A writer that compresses all bytes with gzip or Zstandard, or writes them unchanged.
pub enum Compressor<W: Write> {
    /// Writes the bytes unchanged.
    Plain(W),
    /// Compresses the bytes with gzip.
    Gzip(GzEncoder<W>),
    /// Compresses the bytes with Zstandard.
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Compressor<W> {
    /// Makes a writer that compresses with `codec`. If the codec is `None` or unsupported, writes the bytes unchanged.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn try_new(codec: Option<ForeignFormat>, output: W) -> io::Result<Compressor<W>> {
        Ok(match codec {
            Some(ForeignFormat::Gzip) => {
                Compressor::Gzip(GzEncoder::new(output, flate2::Compression::default()))
            }
            Some(ForeignFormat::Zstd) => Compressor::Zstd(zstd::Encoder::new(output, 0)?),
            _ => Compressor::Plain(output),
        })
    }

    /// Writes the end of the compressed data, and returns the output.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Compressor::Plain(output) => Ok(output),
            Compressor::Gzip(encoder) => encoder.finish(),
            Compressor::Zstd(encoder) => encoder.finish(),
        }
    }

    fn output(&mut self) -> &mut dyn Write {
        match self {
            Compressor::Plain(output) => output,
            Compressor::Gzip(encoder) => encoder,
            Compressor::Zstd(encoder) => encoder,
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        // An encoder is flushed only at the end, because each flush adds bytes to the output.
        if let Compressor::Plain(output) = self { output.flush() } else { Ok(()) }
    }
}

impl Input {
    /// Opens a file of Arrow data. The file may be compressed as a whole. A compressed file is read from start to end,
    /// like a pipe.
    ///
    /// # Errors
    /// If the file cannot be read, or is neither a stream nor a file of Arrow IPC.
    pub fn open_compressed(path: &Path) -> Result<Input, ToolError> {
        let is_pipe = path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        if !is_pipe {
            match Input::open(path) {
                Err(error) if is_compressed(error.kind()) => {}
                opened => return opened,
            }
        }
        Input::try_from_compressed_reader(path.into(), File::open(path).in_input(path)?)
    }

    /// Like [`open_compressed`](Input::open_compressed), for damaged data. The data may begin with any bytes.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open_damaged_compressed(path: &Path) -> Result<(Input, CompressedDamage), ToolError> {
        let is_compressed =
            path.is_file() && File::open(path).and_then(first_bytes).is_ok_and(|(codec, _)| codec.is_some());
        if is_compressed {
            Input::try_from_damaged_compressed_reader(path.into(), File::open(path).in_input(path)?)
        } else {
            Ok((Input::open_damaged(path)?, CompressedDamage::default()))
        }
    }

    /// Opens Arrow data from a pipe. The data may be compressed.
    ///
    /// # Errors
    /// If the pipe cannot be read, or its data is neither a stream nor a file.
    pub fn try_from_compressed_reader(
        name: InputName,
        pipe: impl Read + Send + 'static,
    ) -> Result<Input, ToolError> {
        let (codec, bytes) = first_bytes(pipe).in_input(&name)?;
        let Some(codec) = codec else { return Input::try_from_reader(name, bytes) };
        let bytes = codec.decompress(bytes).in_input(&name)?;
        match Input::try_from_reader(name, bytes) {
            // The error says that the data is compressed.
            Err(error) if matches!(error.kind(), ToolErrorKind::NotArrow { .. }) => {
                Err(ToolError::new(error.input(), ToolErrorKind::NotArrow { found: Some(codec) }))
            }
            opened => opened,
        }
    }

    /// Like [`try_from_compressed_reader`](Input::try_from_compressed_reader), for damaged data: after decompression, the data may begin with any bytes. If the compressed
    /// data is damaged, the input ends at the damage.
    ///
    /// # Errors
    /// If the pipe cannot be read.
    pub fn try_from_damaged_compressed_reader(
        name: InputName,
        pipe: impl Read + Send + 'static,
    ) -> Result<(Input, CompressedDamage), ToolError> {
        let (codec, bytes) = first_bytes(pipe).in_input(&name)?;
        let damage = CompressedDamage::default();
        let bytes: ArrivingBytes = match codec {
            Some(codec) => {
                let sound =
                    IntactPrefix { bytes: codec.decompress(bytes).in_input(&name)?, damage: damage.clone() };
                Box::new(BufReader::with_capacity(BUFFER_BYTES, sound))
            }
            None => bytes,
        };
        Ok((Input::try_from_damaged_reader(name, bytes)?, damage))
    }
}

/// The damage of compressed data, if any. It is detected while the input is read.
#[derive(Debug, Clone, Default)]
pub struct CompressedDamage(Arc<OnceLock<io::Error>>);

impl CompressedDamage {
    /// The error of the decoder; `None` if no damage was found up to now.
    pub fn found(&self) -> Option<io::Error> {
        self.0.get().map(|error| io::Error::new(error.kind(), error.to_string()))
    }
}

/// The decompressed bytes, up to the damage.
struct IntactPrefix {
    bytes: ArrivingBytes,
    damage: CompressedDamage,
}

impl Read for IntactPrefix {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.damage.0.get().is_some() {
            return Ok(0);
        }
        match self.bytes.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let _ = self.damage.0.set(error);
                Ok(0)
            }
            read => read,
        }
    }
}

fn is_compressed(kind: &ToolErrorKind) -> bool {
    matches!(kind, ToolErrorKind::NotArrow { found: Some(found) } if found.is_decompressed())
}

/// Reads the first bytes to detect the codec. Returns the codec, and a reader of all bytes. A pipe may return few
/// bytes at a time.
fn first_bytes(mut pipe: impl Read + Send + 'static) -> io::Result<(Option<ForeignFormat>, ArrivingBytes)> {
    const MAGIC_BYTES: u64 = 4;
    let mut start = Vec::new();
    pipe.by_ref().take(MAGIC_BYTES).read_to_end(&mut start)?;
    let codec = ForeignFormat::detect_codec(&start);
    let bytes = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(start).chain(pipe));
    Ok((codec, Box::new(bytes)))
}

fn buffered(decoder: impl Read + Send + 'static) -> ArrivingBytes {
    Box::new(BufReader::with_capacity(BUFFER_BYTES, DamageDecoder(decoder)))
}

/// Decompresses the members of a gzip file, one after the other. Zeros may follow the last member, as they do on tapes.
struct GzipMembers(GzDecoder<ArrivingBytes>);

impl Read for GzipMembers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n_bytes = self.0.read(buffer)?;
            if n_bytes > 0 || buffer.is_empty() {
                return Ok(n_bytes);
            }
            let rest = self.0.get_mut();
            let is_padded = rest.fill_buf()?.first() == Some(&0);
            while let [0, ..] = rest.fill_buf()? {
                let n_zeros = rest.fill_buf()?.iter().take_while(|byte| **byte == 0).count();
                rest.consume(n_zeros);
            }
            if rest.fill_buf()?.is_empty() {
                return Ok(0);
            }
            const MAGIC: u8 = 0x1f;
            if is_padded || rest.fill_buf()?.first() != Some(&MAGIC) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "other bytes follow its end"));
            }
            let rest = std::mem::replace(rest, Box::new(io::empty()));
            self.0 = GzDecoder::new(rest);
        }
    }
}

/// Frames after skippable frames, which Zstandard and LZ4 both have. The first other frame says which codec they have.
struct FramesAfterSkippable {
    /// The bytes from the first skippable frame on; `None` after it was skipped.
    start: Option<ArrivingBytes>,
    frames: Box<dyn Read + Send>,
}

impl Read for FramesAfterSkippable {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(mut bytes) = self.start.take() {
            let magic = lz4::skip_frames(&mut bytes)?;
            let bytes = BufReader::with_capacity(BUFFER_BYTES, Cursor::new(magic.clone()).chain(bytes));
            self.frames = match ForeignFormat::detect(&magic) {
                Some(ForeignFormat::Lz4) => Box::new(Lz4Frames::new(bytes)),
                _ => Box::new(zstd::Decoder::with_buffer(bytes)?),
            };
        }
        self.frames.read(buffer)
    }
}

/// A decoder that reports each of its errors as damage of the input.
struct DamageDecoder<R>(R);

impl<R: Read> Read for DamageDecoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        self.0.read(buffer).map_err(|error| {
            if error.kind() == UnexpectedEof {
                io::Error::new(InvalidData, "the compressed data is truncated")
            } else if matches!(error.kind(), InvalidData | InvalidInput | Other) {
                io::Error::new(InvalidData, format!("the compressed data is damaged: {error}"))
            } else {
                error
            }
        })
    }
}

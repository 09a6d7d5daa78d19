//! A buffer that has been checked to be UTF-8.

use std::fmt;
use std::ops::{Deref, RangeBounds};

use crate::buffer::Buffer;
use crate::buffer::growing::GrowingBuffer;
use crate::offsets::OffsetWidth;
use crate::utf8::{self, Characters};

/// Shared bytes that are UTF-8. They can be read as `str`.
///
/// ```
/// use arrow_buffer::{Buffer, Text};
///
/// let text = Text::try_new(Buffer::copy_from("naïve".as_bytes()))?;
/// assert_eq!(text.get(0..2), Some("na"));
/// assert_eq!(text.get(0..3), None); // inside the character ï
/// # Ok::<(), arrow_buffer::TextError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text(Buffer);

impl Text {
    /// Makes a text of `bytes`, after a check that they are UTF-8.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8. The error contains the buffer.
    pub fn try_new(bytes: Buffer) -> Result<Text, TextError> {
        Ok(Text::try_with_characters(bytes)?.0)
    }

    /// Like [`try_new`](Text::try_new), and also returns whether all characters are ASCII.
    pub(crate) fn try_with_characters(bytes: Buffer) -> Result<(Text, Characters), TextError> {
        match utf8::check(&bytes) {
            Ok(characters) => Ok((Text(bytes), characters)),
            Err(valid_up_to) => Err(TextError { valid_up_to, buffer: bytes }),
        }
    }

    /// Makes a text of `bytes`, after two checks: the bytes are UTF-8, and each of `offsets` lies between two
    /// characters, or at the start or the end.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, or if an offset lies inside a character or outside of the bytes. The error contains
    /// the buffer.
    ///
    /// ```
    /// use arrow_buffer::{Buffer, Text, TextOffsetsError};
    ///
    /// let bytes = Buffer::copy_from("zoë".as_bytes());
    /// assert!(Text::try_new_at(bytes.clone(), &[0, 2, 4]).is_ok());
    /// let error = Text::try_new_at(bytes.clone(), &[0, 3, 4]).unwrap_err();
    /// assert_eq!(error, TextOffsetsError::NotBetween { offset_idx: 1, buffer: bytes });
    /// ```
    pub fn try_new_at<O: OffsetWidth>(bytes: Buffer, offsets: &[O]) -> Result<Text, TextOffsetsError> {
        let text = Text::try_new(bytes).map_err(TextOffsetsError::NotUtf8)?;
        text.with_boundaries_at(offsets)
    }

    /// Checks that each of these offsets is between characters, and returns the text. The error contains the buffer.
    pub(crate) fn with_boundaries_at<O: OffsetWidth>(self, offsets: &[O]) -> Result<Text, TextOffsetsError> {
        match utf8::first_inside_character(&self, offsets) {
            None => Ok(self),
            Some(offset_idx) => Err(TextOffsetsError::NotBetween { offset_idx, buffer: self.0 }),
        }
    }

    /// The text as `str`, without another check.
    #[inline]
    pub fn as_str(&self) -> &str {
        // SAFETY: the bytes are UTF-8: `try_with_characters` has checked them, or they come from a `str` or a `String`,
        // or were appended as `str` to a `GrowingText`. `slice` cuts only between characters. The bytes of a buffer
        // never change.
        unsafe { std::str::from_utf8_unchecked(self.0.as_slice()) }
    }

    /// A range of the text. `None` if the range is out of bounds or cuts a character. Shares the memory.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Option<Text> {
        let range = (range.start_bound().cloned(), range.end_bound().cloned());
        let part = self.as_str().get(range)?;
        let start = part.as_ptr().addr() - self.0.as_ptr().addr();
        Some(Text(self.0.slice(start..start + part.len())))
    }

    /// The buffer with the bytes of the text.
    pub fn as_buffer(&self) -> &Buffer {
        &self.0
    }

    /// The bytes, without a copy.
    pub fn into_buffer(self) -> Buffer {
        self.0
    }
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl From<String> for Text {
    /// The memory of the string. Nothing is copied.
    fn from(text: String) -> Text {
        Text(Buffer::from(text.into_bytes()))
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Text {
        Text(Buffer::from_static(text.as_bytes()))
    }
}

impl From<Text> for Buffer {
    fn from(text: Text) -> Buffer {
        text.0
    }
}

/// Text that can grow. The bytes stay UTF-8, since only whole texts are appended. A snapshot copies nothing.
#[derive(Debug, Clone)]
pub(crate) struct GrowingText(GrowingBuffer);

impl GrowingText {
    pub(crate) const fn new() -> GrowingText {
        GrowingText(GrowingBuffer::new())
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    /// All text so far. Nothing is copied. The text of the snapshot never changes.
    pub(crate) fn snapshot(&self) -> Text {
        Text(self.0.snapshot())
    }
}

/// Writes the beginning of the text, and its length if it is long.
impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const N_SHOWN: usize = 64;
        let text = self.as_str();
        let shown = crate::bytes::floor_char_boundary(text, N_SHOWN);
        match text.get(..shown) {
            Some(beginning) if shown < text.len() => write!(f, "{beginning:?}… ({} bytes)", text.len()),
            _ => fmt::Debug::fmt(text, f),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

/// The error for bytes that are not UTF-8.
#[derive(Clone, PartialEq, Eq)]
pub struct TextError {
    /// The length of the longest prefix that is UTF-8.
    pub valid_up_to: usize,
    /// The buffer that was checked.
    pub buffer: Buffer,
}

arrow_error::debug_as_display!(TextError);

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextError { valid_up_to, .. } = self;
        write!(f, "the bytes are not UTF-8 at byte {valid_up_to}")
    }
}

impl std::error::Error for TextError {}

/// The error for bytes that are not UTF-8, or for offsets inside a character.
#[derive(Clone, PartialEq, Eq)]
pub enum TextOffsetsError {
    /// The bytes are not UTF-8.
    NotUtf8(TextError),
    /// An offset lies inside a character, or outside of the bytes.
    NotBetween {
        /// The index of the offset in the list of offsets.
        offset_idx: usize,
        /// The buffer that was checked.
        buffer: Buffer,
    },
}

arrow_error::debug_as_display!(TextOffsetsError);

impl fmt::Display for TextOffsetsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextOffsetsError::NotUtf8(error) => fmt::Display::fmt(error, f),
            TextOffsetsError::NotBetween { offset_idx, .. } => {
                write!(f, "offset {offset_idx} splits a character")
            }
        }
    }
}

impl std::error::Error for TextOffsetsError {}

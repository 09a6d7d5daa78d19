//! Buffers of bytes and numbers that others own, and of arrays.

use std::sync::Arc;

use crate::{buffer::Buffer, native::NativeType};

impl From<&'static [u8]> for Buffer {
    /// A buffer over bytes that live forever, as [`from_static`](Buffer::from_static) makes it. Nothing is copied. For other
    /// slices, there is [`copy_from`](Buffer::copy_from).
    fn from(bytes: &'static [u8]) -> Buffer {
        Buffer::from_static(bytes)
    }
}

impl From<&'static str> for Buffer {
    /// A buffer over the bytes of text that lives forever. Nothing is copied.
    fn from(text: &'static str) -> Buffer {
        Buffer::from_static(text.as_bytes())
    }
}

impl<T: NativeType, const N: usize> From<[T; N]> for Buffer {
    /// Copies the numbers to a buffer.
    fn from(numbers: [T; N]) -> Buffer {
        Buffer::copy_from(NativeType::slice_as_bytes(&numbers))
    }
}

impl<T: NativeType> From<Box<[T]>> for Buffer {
    /// The memory of the box. Nothing is copied.
    fn from(numbers: Box<[T]>) -> Buffer {
        Buffer::from(numbers.into_vec())
    }
}

impl<T: NativeType> From<Arc<[T]>> for Buffer {
    /// The memory of the shared numbers, which stay alive as long as the buffer. Nothing is copied.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_buffer::Buffer;
    ///
    /// let numbers: Arc<[i32]> = [1, 2, 3].into();
    /// assert_eq!(Buffer::from(Arc::clone(&numbers)).as_ptr(), numbers.as_ptr().cast());
    /// ```
    fn from(numbers: Arc<[T]>) -> Buffer {
        Buffer::from_owner_with(numbers, |numbers| NativeType::slice_as_bytes(numbers))
    }
}

impl From<String> for Buffer {
    /// The bytes of the text. Nothing is copied.
    fn from(text: String) -> Buffer {
        Buffer::from(text.into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_have_the_bytes_that_they_are_made_of() {
        let bytes: &'static [u8] = b"abc";
        let text = "abc";
        let made = [
            Buffer::from(bytes),
            Buffer::from(text),
            Buffer::from(*b"abc"),
            Buffer::from(Box::<[u8]>::from(bytes)),
            Buffer::from(Arc::<[u8]>::from(bytes)),
            Buffer::from(String::from(text)),
        ];
        for buffer in made {
            assert_eq!(&*buffer, bytes);
        }
        assert!(Buffer::from(bytes).same_memory(&Buffer::from_static(bytes)));
        assert_eq!(Buffer::from([1_i16, -2]).view::<i16>(), Ok(&[1, -2][..]));
        assert_eq!(Buffer::from(Arc::<[i64]>::from([7])).view::<i64>(), Ok(&[7][..]));
        assert!(Buffer::from([0_i32; 0]).is_empty());
        assert!(Buffer::from(Arc::<[i32]>::from([])).is_empty());
    }
}

//! Compares buffers with `Vec<u8>`. For a memory checker, set `PROPTEST_CASES` to a small number.

use std::sync::Arc;

use arrow_buffer::{Buffer, BufferMut, I128, MisalignedError, SliceError, Values, ValuesError};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Extend(Vec<u8>),
    Push(u32),
    Values(Vec<u64>),
    Zeros(usize),
    Resize(usize, u8),
    Truncate(usize),
    Clear,
    Reserve(usize),
    /// The number of requested bytes, and the number of bytes that are filled.
    Read(usize, usize),
    Change(usize),
    Clone,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..300);
    prop::collection::vec(
        prop_oneof![
            bytes().prop_map(Step::Extend),
            any::<u32>().prop_map(Step::Push),
            prop::collection::vec(any::<u64>(), 0..40).prop_map(Step::Values),
            (0..5_000_usize).prop_map(Step::Zeros),
            (0..2_000_usize, any::<u8>()).prop_map(|(n_bytes, byte)| Step::Resize(n_bytes, byte)),
            (0..2_000_usize).prop_map(Step::Truncate),
            Just(Step::Clear),
            (0..3_000_usize).prop_map(Step::Reserve),
            (0..200_000_usize, 0..2_000_usize).prop_map(|(wanted, n_read)| Step::Read(wanted, n_read)),
            any::<usize>().prop_map(Step::Change),
            Just(Step::Clone),
        ],
        0..30,
    )
}

fn apply(step: Step, bytes: &mut BufferMut, model: &mut Vec<u8>) {
    match step {
        Step::Extend(more) => {
            bytes.extend_from_slice(&more);
            model.extend_from_slice(&more);
        }
        Step::Push(number) => {
            bytes.push(number);
            model.extend_from_slice(&number.to_ne_bytes());
        }
        Step::Values(numbers) => {
            bytes.extend_values(&numbers);
            numbers.iter().for_each(|number| model.extend_from_slice(&number.to_ne_bytes()));
        }
        Step::Zeros(n_bytes) => {
            bytes.extend_zeros(n_bytes);
            model.resize(model.len() + n_bytes, 0);
        }
        Step::Resize(n_bytes, byte) => {
            bytes.resize(n_bytes, byte);
            model.resize(n_bytes, byte);
        }
        Step::Truncate(n_bytes) => {
            bytes.truncate(n_bytes);
            model.truncate(n_bytes);
        }
        Step::Clear => {
            bytes.clear();
            model.clear();
        }
        Step::Reserve(n_more) => {
            bytes.reserve(n_more);
            assert!(bytes.capacity() >= bytes.len() + n_more);
        }
        Step::Read(n_wanted, n_read) => {
            let memory = bytes.spare(n_wanted);
            assert!((1..=n_wanted.max(1)).contains(&memory.len()));
            // The returned memory is initialised and writable.
            let n_read = n_read.min(memory.len());
            memory.iter_mut().for_each(|byte| *byte = byte.wrapping_add(0x5a));
            memory[..n_read].fill(0x17);
            bytes.filled(n_read);
            model.resize(model.len() + n_read, 0x17);
        }
        Step::Change(at) => {
            if let Some(byte) = model.len().checked_sub(1).map(|last| at % (last + 1)) {
                bytes.as_mut_slice()[byte] ^= 0xff;
                model[byte] ^= 0xff;
            }
        }
        Step::Clone => *bytes = bytes.clone(),
    }
}

proptest! {
    #[test]
    fn buffer_mut_is_a_vec(steps in steps()) {
        let (mut bytes, mut model) = (BufferMut::new(), Vec::new());
        for step in steps {
            apply(step, &mut bytes, &mut model);
            prop_assert_eq!(bytes.as_slice(), &model);
            prop_assert_eq!(bytes.as_slice().as_ptr().addr() % 64, 0);
            prop_assert!(bytes.capacity() >= bytes.len());
        }
        let address = bytes.as_slice().as_ptr();
        let buffer = bytes.freeze();
        prop_assert_eq!(&*buffer, &*model);
        prop_assert!(buffer.is_empty() || buffer.as_ptr() == address);
        prop_assert!(buffer.is_aligned_to(64));
    }

    #[test]
    fn slices_are_slices(bytes in prop::collection::vec(any::<u8>(), 0..100), start in 0..110_u64, n_bytes in 0..110_u64) {
        for buffer in every_owner(&bytes) {
            let expected = bytes.get(start as usize..(start + n_bytes) as usize);
            let slice = buffer.try_slice(start, n_bytes);
            prop_assert_eq!(slice.as_deref().ok(), expected);
            let Ok(slice) = slice else { continue };
            prop_assert!(slice.is_empty() || slice.as_ptr() == buffer[start as usize..].as_ptr());
            let end = (start + n_bytes) as usize;
            prop_assert!(slice.same_memory(&buffer.slice(start as usize..end)));
            let (mut tail, middle) = (buffer.slice(start as usize..), n_bytes as usize / 2);
            let head = tail.split_to(middle);
            prop_assert_eq!(&*head, &slice[..middle]);
            tail.advance(n_bytes as usize - middle);
            prop_assert_eq!(&*tail, &bytes[end..]);
            drop(buffer);
            prop_assert_eq!(Some(&*slice), expected);
            for alignment in [1, 2, 4, 8, 64] {
                let aligned = slice.to_aligned(alignment);
                prop_assert!(aligned.is_aligned_to(alignment));
                prop_assert_eq!(aligned.same_memory(&slice), slice.is_aligned_to(alignment));
                prop_assert_eq!(&aligned, &slice);
            }
        }
    }
}

/// Buffers with the same bytes, one for each kind of owner.
fn every_owner(bytes: &[u8]) -> Vec<Buffer> {
    let mut grown = BufferMut::new();
    grown.extend_from_slice(bytes);
    let inside_the_owner: [u8; 100] = std::array::from_fn(|idx| bytes.get(idx).copied().unwrap_or_default());
    vec![
        Buffer::copy_from(bytes),
        Buffer::from(bytes.to_vec()),
        Buffer::from_iter(bytes.iter().copied()),
        grown.into(),
        Buffer::from_owner(bytes.to_vec()),
        Buffer::from_owner(Arc::<[u8]>::from(bytes)),
        Buffer::from_owner(inside_the_owner).slice(..bytes.len()),
    ]
}

#[test]
fn large_bytes_keep_their_values_as_they_grow() {
    let mut bytes = BufferMut::new();
    let block: Vec<u8> = (0..1_000_003_usize).map(|idx| (idx % 251) as u8).collect();
    for n_blocks in 1..=6 {
        bytes.extend_from_slice(&block);
        assert_eq!(bytes.len(), n_blocks * block.len());
        assert_eq!(bytes.as_slice().as_ptr().addr() % 64, 0);
    }
    assert!(bytes.chunks_exact(block.len()).all(|chunk| chunk == block));
    let n_bytes = bytes.len();
    bytes.extend_zeros(3 << 20);
    assert!(bytes[n_bytes..].iter().all(|&byte| byte == 0));
    let capacity = bytes.capacity();
    bytes.clear();
    bytes.extend_zeros(capacity);
    assert!(bytes.iter().all(|&byte| byte == 0));
    assert_eq!(bytes.capacity(), capacity);
    bytes.as_mut_slice()[capacity - 1] = 1;
    let address = bytes.as_slice().as_ptr();
    let buffer = bytes.freeze();
    assert_eq!((buffer.as_ptr(), buffer.len()), (address, capacity));
    let last = buffer.slice(capacity - 1..);
    drop(buffer);
    assert_eq!(*last, [1]);
}

#[test]
fn a_hint_is_not_an_order() {
    let mut bytes = BufferMut::new();
    // The capacity triples while the memory is small. Then it doubles where the memory grows without a copy.
    let n_last = if cfg!(all(feature = "mmap", target_os = "linux")) { 81 } else { 162 };
    for n_expected in [1, 2, 6, 18, 54, n_last] {
        let memory = bytes.spare(usize::MAX);
        assert_eq!(memory.len(), n_expected * (64 << 10));
        let n_read = memory.len();
        bytes.filled(n_read);
    }
    let mut bytes = BufferMut::new();
    assert_eq!(bytes.spare(10).len(), 10);
    assert_eq!(bytes.spare(100_000).len(), 64 << 10);
    assert_eq!(bytes.spare(0).len(), 1);
}

#[test]
fn vectors_come_back_unless_shared() {
    let numbers = vec![1_u32, 2, 3, 4];
    let address = numbers.as_ptr();
    let buffer = Buffer::from(numbers);
    let buffer = buffer.into_vec::<I128>().expect_err("another alignment");
    let buffer = buffer.into_vec::<u16>().expect_err("another alignment");
    let tail = buffer.slice(4..).into_vec::<u32>().expect_err("starts elsewhere");
    let buffer = buffer.into_vec::<u32>().expect_err("the tail looks as well");
    drop(tail);
    let cut = buffer.slice(..9);
    let floats = cut.slice(..8);
    drop(buffer);
    assert_eq!(cut.into_vec::<u32>().map_err(|cut| cut.len()), Err(9));
    let mut floats = floats.into_vec::<f32>().expect("f32 is as large as u32");
    assert_eq!(floats.as_ptr().cast(), address);
    assert_eq!(floats.iter().map(|float| float.to_bits()).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(floats.capacity(), 4);
    floats.extend([0.0; 100]);

    let wide = Buffer::from(vec![I128::new(-1); 2]);
    assert_eq!(wide.clone().into_vec::<I128>(), Err(wide.clone()), "two share it");
    let wide = wide.into_vec::<I128>().expect("only one has it");
    assert_eq!(wide, [I128::new(-1); 2]);
    if align_of::<u64>() == align_of::<I128>() {
        assert_eq!(Buffer::from(wide).into_vec::<u64>(), Ok(vec![u64::MAX; 4]));
    }
    for other in
        [Buffer::new(), Buffer::from_static(b"1234"), Buffer::copy_from(b"1234"), Buffer::from_owner("1234")]
    {
        assert!(other.into_vec::<u8>().is_err());
    }
    let vec = Vec::<u64>::with_capacity(3);
    assert_eq!(Buffer::from(vec).into_vec::<u64>(), Ok(vec![]));
    assert!(Buffer::from(Vec::<u64>::new()).is_empty());
}

#[test]
fn numbers_from_outside_do_not_overflow() {
    let buffer = Buffer::from_static(b"abc");
    for (start, n_bytes, expected) in [
        (0, 3, Some(&b"abc"[..])),
        (3, 0, Some(b"")),
        (4, 0, None),
        (0, 4, None),
        (3, 1, None),
        (1, u64::MAX, None),
        (u64::MAX, 1, None),
        (u64::MAX, u64::MAX, None),
    ] {
        let error = SliceError { start, n_bytes, len: 3 };
        let expected = expected.map(Buffer::from_static).ok_or(error);
        assert_eq!(buffer.try_slice(start, n_bytes), expected);
    }
    let long = Values::<I128>::try_new(buffer.clone(), usize::MAX);
    assert_eq!(long.err(), Some(ValuesError::TooShort { n_values: usize::MAX, size: 16, n_bytes: 3 }));
}

#[test]
fn views_need_alignment() {
    let buffer = Buffer::copy_from(&[1; 24]);
    assert_eq!(buffer.slice(..19).view::<u64>().map(<[u64]>::len), Ok(2));
    // 8, or 4 on some targets of 32 bits.
    let needed = align_of::<u64>();
    assert_eq!(buffer.slice(2..).view::<u64>(), Err(MisalignedError { needed }));
    assert_eq!(buffer.slice(2..9).view::<u64>(), Ok(&[][..]));
    assert_eq!(buffer.slice(4..).view::<u32>().map(<[u32]>::len), Ok(5));
    let misaligned = Values::<u64>::try_new(buffer.slice(2..), 2);
    assert_eq!(misaligned.err(), Some(ValuesError::Misaligned { needed }));
    assert_eq!(Values::<u64>::try_new(buffer.slice(2..), 0), Ok(Values::default()));
    let values = Values::<u16>::try_new(buffer.slice(2..), 4).expect("aligned and long enough");
    assert_eq!(values[..], [0x0101; 4]);
    assert_eq!(values.slice(3..).len(), 1);
    assert_eq!(values.slice(4..)[..], []);
    assert_eq!(values.into_buffer().len(), 8);
}

#[test]
fn owners_live_as_long_as_their_buffers() {
    struct Owner(Vec<u8>, std::sync::mpsc::Sender<()>);
    impl AsRef<[u8]> for Owner {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    impl Drop for Owner {
        fn drop(&mut self) {
            self.0.fill(0);
            let _ = self.1.send(());
        }
    }
    let (sender, dropped) = std::sync::mpsc::channel();
    let buffer = Buffer::from_owner(Owner(vec![1, 2, 3], sender));
    let part = buffer.slice(1..2);
    drop(buffer);
    assert!(dropped.try_recv().is_err());
    let elsewhere = std::thread::spawn(move || assert_eq!(*part, [2]));
    assert!(elsewhere.join().is_ok());
    assert!(dropped.try_recv().is_ok());
}

#[cfg(feature = "mmap")]
#[test]
#[allow(unsafe_code)]
fn files_are_mapped() -> std::io::Result<()> {
    let path = std::env::temp_dir().join(format!("arrow-buffer-map-{}", std::process::id()));
    for bytes in [&b""[..], b"mapped"] {
        std::fs::write(&path, bytes)?;
        let file = std::fs::File::open(&path)?;
        // SAFETY: the file has a name of this process, and is removed after the buffer is dropped.
        let buffer = unsafe { Buffer::map(&file)? };
        assert_eq!(&*buffer, bytes);
        assert!(buffer.is_aligned_to(64));
        let part = buffer.slice(buffer.len() / 2..);
        drop(buffer);
        assert_eq!(&*part, &bytes[bytes.len() / 2..]);
        drop(part);
        std::fs::remove_file(&path)?;
    }
    Ok(())
}

/// An owner that contains its bytes. When the owner moves, the address of the bytes changes.
struct InlineOwner([u8; 32]);

impl AsRef<[u8]> for InlineOwner {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[test]
fn only_own_memory_is_recycled() {
    let others = [
        Buffer::from_owner(InlineOwner([7; 32])),
        Buffer::from(vec![7_u8; 32]),
        Buffer::from_static(&[7; 32]),
    ];
    for buffer in others {
        let address = buffer.as_ptr();
        assert!(!buffer.is_recyclable());
        let buffer = buffer.try_recycle().expect_err("it is of another owner");
        assert_eq!((buffer.as_ptr(), &*buffer), (address, &[7; 32][..]));
        // Its memory may still be what it was before.
        let shared = buffer.clone();
        assert_eq!(shared.try_recycle().map(drop), Err(buffer));
    }
    let buffer = Buffer::zeroed(100);
    let (address, slice) = (buffer.as_ptr(), buffer.slice(3..4));
    assert!(!buffer.is_recyclable() && !slice.is_recyclable());
    drop(slice);
    assert!(buffer.is_recyclable());
    let mut memory = buffer.try_recycle().expect("nobody else refers to it");
    memory.extend_from_slice(b"next");
    assert_eq!((memory.as_slice().as_ptr(), &*memory), (address, &b"next"[..]));
}

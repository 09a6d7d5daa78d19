//! Text and bytes that exceed offsets of 32 bits. They take 2 GiB of memory, which a target of 32 bits does not have.
#![cfg(target_pointer_width = "64")]

use arrow_array::{BinaryBuilder, BinaryViewBuilder, Utf8Builder};
use testing_support::Hunt;

#[test]
fn two_gibibytes_are_too_many_for_offsets_of_32_bits() {
    // Writing so much memory takes seconds.
    if !Hunt::from_env().is_on() {
        eprintln!("SKIPPED: `cargo xtask hunt random` writes two gibibytes of text");
        return;
    }
    const PIECE_BYTES: usize = 128 << 20;
    let piece = "x".repeat(PIECE_BYTES);
    let mut text = Utf8Builder::with_capacity(20, i32::MAX as usize);
    (0..15).for_each(|_| text.append(&piece));
    text.append(&piece[1..]);
    assert_eq!((text.error(), text.n_bytes()), (None, i32::MAX as usize));
    // The next byte exceeds the limit. Its slot becomes null, and an empty value can still be appended.
    text.append("y");
    text.append("");
    assert_eq!(text.n_bytes(), i32::MAX as usize);
    let message = "the values have at least 2147483648 bytes; the limit of int32 offsets is 2147483647; \
                   use the large type";
    assert_eq!(text.error().map(|error| error.to_string()).as_deref(), Some(message));
    text.truncate(16);
    let array = text.finish().expect("offsets just reach to its end");
    assert_eq!((array.len(), array.offsets()[16], array.value(15).len()), (16, i32::MAX, PIECE_BYTES - 1));

    // Bytes have the same limit, and a value that is longer than all offsets is not stored.
    let all = array.text().as_bytes();
    let mut bytes = BinaryBuilder::new();
    bytes.append(b"y");
    bytes.append(all);
    assert_eq!((bytes.n_bytes(), bytes.len()), (1, 2));
    assert_eq!(bytes.finish().expect_err("one byte too many").to_string(), message);
}

#[test]
fn a_value_of_two_gibibytes_is_too_long_for_a_view() {
    // Zeros that are not read take no memory.
    let value = vec![0_u8; 1 << 31];
    let mut views = BinaryViewBuilder::new();
    views.append(b"short");
    views.append(&value);
    let message = "the value has 2147483648 bytes; the limit of a view is 2147483647";
    assert_eq!(views.error().map(|error| error.to_string()).as_deref(), Some(message));
    assert_eq!(
        views.clone().finish().map(|_| ()).map_err(|error| error.to_string()),
        Err(message.to_owned())
    );
    views.truncate(1);
    views.append(b"a value of more than twelve bytes");
    let views = views.finish().expect("both are short enough");
    assert_eq!((views.len(), views.value(1).len(), views.buffers().len()), (2, 33, 1));
}

//! Tests sizes and traits of the types.

use std::fmt::Debug;

use arrow_buffer::{
    Bitmap, BitmapBuilder, Buffer, BufferMut, F16, I128, I256, IntervalDayTime, IntervalMonthDayNano,
    Offsets, Text, TextViews, Values, View,
};

fn usual<T: Debug + Clone + PartialEq + Default + Send + Sync + 'static>() {}

#[test]
fn all_types_do_the_usual_things() {
    usual::<Buffer>();
    usual::<BufferMut>();
    usual::<Values<I256>>();
    usual::<Offsets<i32>>();
    usual::<Bitmap>();
    usual::<Text>();
    usual::<TextViews>();
    usual::<View>();
    usual::<F16>();
    usual::<I128>();
    usual::<I256>();
    usual::<IntervalDayTime>();
    usual::<IntervalMonthDayNano>();
    fn sendable<T: Debug + Clone + Send + Sync>() {}
    sendable::<BitmapBuilder>();
}

#[cfg(target_pointer_width = "64")]
#[test]
fn sizes_stay_small() {
    for (size, expected) in [
        (size_of::<Buffer>(), 24),
        (size_of::<Option<Buffer>>(), 24),
        (size_of::<Values<i64>>(), 24),
        (size_of::<Text>(), 24),
        (size_of::<Option<Text>>(), 24),
        (size_of::<Bitmap>(), 40),
        (size_of::<Option<Bitmap>>(), 40),
        (size_of::<TextViews>(), 40),
        (size_of::<Option<TextViews>>(), 40),
    ] {
        assert_eq!(size, expected);
    }
}

#[test]
fn debug_is_short() {
    for (text, expected) in [
        (format!("{:?}", Buffer::new()), "Buffer(0 bytes:)"),
        (format!("{:?}", Buffer::from_static(b"\x01\xff")), "Buffer(2 bytes: 01 ff)"),
        (format!("{:?}", Bitmap::from_iter([true, false])), "Bitmap(2 bits: 10)"),
        (format!("{:?}", Text::from("a\"b")), "\"a\\\"b\""),
        (format!("{:?}", View::inline(b"ab")), "Some(View(\"ab\"))"),
        (
            format!("{:?}", View::from_parts(20, *b"abcd", 1, 2)),
            "View(20 bytes \"abcd…\" in buffer 1 from 2 on)",
        ),
    ] {
        assert_eq!(text, expected);
    }
    assert!(format!("{:?}", Buffer::zeroed(1 << 16)).len() < 100);
    assert!(format!("{:?}", Bitmap::new_set(1 << 16)).len() < 100);
}

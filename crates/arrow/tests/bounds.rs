//! The traits that users expect of values: a table that compiles, or does not.

use std::{
    collections::BTreeMap,
    fmt::{Debug, Display},
    hash::Hash,
    str::FromStr,
    sync::Arc,
};

use arrow::{
    ArrayData, BinaryArray, Bitmap, BooleanArray, Buffer, Compression, DataType, DictionaryArray, Error,
    Field, FileReader, Float64Array, Int32Array, Int64Array, ListArray, Metadata, Projection, ReadOptions,
    RecordBatch, Scalar, Schema, StreamDecoder, StreamReader, StreamWriter, StructArray, TimeUnit,
    TimestampArray, Utf8Array, Utf8ViewArray, WriteOptions,
    buffer::{MemoryBudget, Values},
    data::Table,
    ipc::{IpcError, StreamEncoder},
    schema::FieldPath,
};

/// Each row is a type and the traits that it has.
macro_rules! assert_bounds {
    ($($type:ty => [$($bound:path),+ $(,)?];)*) => {
        #[test]
        fn values_have_the_traits_that_users_expect() {
            $($({
                fn has<T: $bound>() {}
                has::<$type>();
            })+)*
        }
    };
}

type Shared = Arc<[u8]>;
type NumberList = Option<Vec<Option<i32>>>;
type Texts = Vec<Option<&'static str>>;

assert_bounds! {
    ArrayData => [Clone, Debug, PartialEq, Send, Sync, From<Int64Array>, From<Utf8Array>, From<DictionaryArray>];
    RecordBatch => [Clone, Debug, PartialEq, Send, Sync];
    Table => [Clone, Debug, PartialEq, Send, Sync, IntoIterator<Item = RecordBatch>];
    Schema => [Clone, Debug, Default, Display, PartialEq, FromStr, Send, Sync, FromIterator<Field>];
    Field => [Clone, Debug, Display, PartialEq, Send, Sync];
    DataType => [Clone, Debug, Display, PartialEq, Eq, Hash, FromStr, Send, Sync];
    FieldPath => [Clone, Debug, Display, PartialEq, Send, Sync];
    Metadata => [
        Clone, Debug, Default, PartialEq, Send, Sync, IntoIterator, From<BTreeMap<String, String>>,
        FromIterator<(String, String)>, Extend<(String, String)>,
    ];
    Buffer => [
        Clone, Debug, Default, PartialEq, Send, Sync, AsRef<[u8]>, From<Vec<u8>>, From<Vec<i64>>, From<Box<[u8]>>,
        From<Shared>, From<String>, From<&'static [u8]>, From<[u8; 4]>,
    ];
    Bitmap => [Clone, Debug, PartialEq, Send, Sync, FromIterator<bool>, From<Vec<bool>>, IntoIterator<Item = bool>];
    Values<i64> => [Clone, Debug, PartialEq, Send, Sync, From<Vec<i64>>, IntoIterator<Item = i64>];
    Int64Array => [
        Clone, Debug, PartialEq, Send, Sync, From<Vec<i64>>, From<Vec<Option<i64>>>, From<[i64; 3]>,
        FromIterator<i64>, FromIterator<Option<i64>>, IntoIterator<Item = Option<i64>>, TryFrom<ArrayData>,
        From<Values<i64>>,
    ];
    Int32Array => [From<Vec<i32>>, FromIterator<Option<i32>>];
    Float64Array => [From<Vec<f64>>, FromIterator<Option<f64>>];
    BooleanArray => [
        Clone, Debug, PartialEq, Send, Sync, From<Vec<bool>>, FromIterator<bool>, FromIterator<Option<bool>>,
    ];
    Utf8Array => [
        Clone, Debug, PartialEq, Send, Sync, From<Texts>, From<Vec<&'static str>>, From<[&'static str; 2]>,
        FromIterator<Option<&'static str>>, TryFrom<ArrayData>,
    ];
    Utf8ViewArray => [FromIterator<&'static str>, FromIterator<Option<&'static str>>];
    BinaryArray => [From<Vec<&'static [u8]>>, FromIterator<Option<&'static [u8]>>];
    DictionaryArray => [Clone, Debug, Send, Sync, FromIterator<&'static str>];
    ListArray => [Clone, Debug, Send, Sync, TryFrom<ArrayData>, FromIterator<NumberList>, From<Vec<NumberList>>];
    StructArray => [Clone, Debug, Send, Sync, TryFrom<ArrayData>];
    TimestampArray => [Clone, Debug, Send, Sync];
    Scalar => [Clone, Debug, Display, Send, Sync];
    TimeUnit => [Copy, Debug, Eq, Hash];
    WriteOptions => [Clone, Debug, Default, PartialEq, Send, Sync];
    ReadOptions => [Clone, Debug, Default, Send, Sync];
    Projection => [Clone, Debug, Send, Sync, From<Vec<usize>>, From<Vec<&'static str>>, From<[&'static str; 2]>];
    Compression => [Copy, Debug, PartialEq];
    MemoryBudget => [Clone, Send, Sync];
    FileReader<std::fs::File> => [Send, Sync];
    StreamReader<std::io::Empty> => [Send, Iterator<Item = Result<RecordBatch, IpcError>>];
    StreamWriter<Vec<u8>> => [Send];
    StreamDecoder => [Send];
    StreamEncoder => [Send];
    Error => [Debug, Display, Send, Sync, std::error::Error, From<IpcError>, From<std::io::Error>];
}

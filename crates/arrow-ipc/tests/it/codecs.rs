//! The codecs of this build.

/// The codec in the name of a file, if it is not built in.
pub(crate) fn missing_codec(name: &str) -> Option<&'static str> {
    let codecs = [("lz4", cfg!(feature = "lz4")), ("zstd", cfg!(feature = "zstd"))];
    codecs.iter().find(|(codec, is_built_in)| name.contains(codec) && !is_built_in).map(|(codec, _)| *codec)
}

/// Whether the codec that a name names is built in, if it names one.
pub(crate) fn is_built_in(name: &str) -> bool {
    missing_codec(name).is_none()
}

//! The verifier of the official `flatbuffers` crate judges metadata: it accepts every message and footer that is
//! written, and those of others, and refuses damaged ones.

mod damaged;
mod others;
mod walk;
mod written;

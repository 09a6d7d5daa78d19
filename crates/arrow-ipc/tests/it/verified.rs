//! The verifier of the official `flatbuffers` crate checks metadata: it accepts every written message and footer, also
//! of other writers, and refuses damaged ones.

mod damaged;
mod others;
mod walk;
mod written;

//! Runs the program on inputs of a server on loopback.

mod program;
mod s3;
mod urls;

//! Runs the program on what a server on loopback has.

mod program;
mod s3;
mod urls;

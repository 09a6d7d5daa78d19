//! Runs the program on inputs at a local server.

mod program;
mod s3;
mod urls;

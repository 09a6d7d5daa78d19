//! Tests of asynchronous readers and writers, from outside: what they give is what those of `arrow-ipc` give.

mod files;
mod support;

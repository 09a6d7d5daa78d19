//! Structures that are wrong: each is an error with its reason, and everything is released.

mod arrays;
mod numbers;
mod schemas;
mod streams;

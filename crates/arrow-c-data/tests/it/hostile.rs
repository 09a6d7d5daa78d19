//! Imports invalid structures: each must be refused with its reason, and every structure must be released.

mod arrays;
mod numbers;
mod schemas;
mod streams;

//! What is left of damaged files and streams.

mod bare;
mod cut;
mod dictionaries;
mod ends;
mod generated;
mod harness;
mod hostile;
mod middle;
mod shifted;
mod streams;

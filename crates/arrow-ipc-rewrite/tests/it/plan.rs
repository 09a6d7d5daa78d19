//! Compares images that are planned from shapes with the output of the writer; tests wrong shapes and wrong providers.

mod hostile;
mod images;
mod large;
mod random;
mod written;

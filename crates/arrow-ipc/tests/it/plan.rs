//! Images that are planned from shapes, compared with what the writer writes; shapes and providers that are wrong.

mod hostile;
mod images;
mod large;
mod random;
mod written;

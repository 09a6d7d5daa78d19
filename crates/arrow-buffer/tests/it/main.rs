//! Tests of buffers, bitmaps, typed views, text and growing memory, most of them against models.

mod budget;
mod model_bitmap;
mod model_buffer;
mod model_growing;
mod model_text;
mod types;

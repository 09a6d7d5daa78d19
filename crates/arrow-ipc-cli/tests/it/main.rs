//! Runs the program on the files of `testing/corpus`.

mod advised;
mod appending_recovering;
mod arriving;
mod assembling;
mod cases;
mod command_inference;
mod compressed;
mod convert;
mod dictionaries;
mod diff;
mod explaining;
mod extensions;
mod feather;
mod folders;
mod foreign_folders;
mod gold;
mod golden;
mod guide;
mod hidden;
mod hints;
mod hostile;
mod importing;
mod inspect;
#[cfg(unix)]
mod interrupted;
#[cfg(unix)]
mod killed;
mod large_streams;
mod losses;
mod low_cardinality;
mod malformed_csv;
mod manual;
mod many;
mod many_fields;
mod metadata;
mod one_dictionary;
mod parts;
mod paths;
mod program;
#[cfg(target_os = "linux")]
mod progress;
mod proportion;
#[cfg(target_os = "linux")]
mod real_world;
mod recovering;
mod refused_memory;
mod replacing;
mod row_counts;
mod screenshots;
mod serving;
mod sets;
mod several;
mod showing;
mod some_rows;
mod statistics;
mod statuses;
mod tensors;
mod terminal;
mod text;
mod threads;
mod union;
mod unknown_types;
mod writing;
mod zero_nulls;

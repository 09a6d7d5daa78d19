//! Messages that are written again without arrays: values, dictionaries and metadata stay.

mod copied;
mod hostile;
mod inputs;
mod opened;
mod remade;
mod spooled;

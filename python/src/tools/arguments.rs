//! Groups of arguments that several functions have. Each argument is defined once, with its default; signatures and
//! parsing follow from this definition.

use pyo3::{
    conversion::FromPyObjectOwned,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::{
    error::exception,
    options::{self, unknown},
    suggestions,
};
use arrow_text::{InferRows, RaggedRows};

/// Defines a struct of arguments, and a macro with their text in signatures.
macro_rules! arguments {
    ($(#[$doc:meta])* $name:ident, $text:ident: $($field:ident $argument:literal = $default:literal: $type:ty,)*) => {
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $name<'py> {
            $(pub(crate) $field: $type,)*
        }

        impl<'py> $name<'py> {
            pub(crate) fn take(keywords: &Keywords<'py>) -> PyResult<$name<'py>> {
                Ok($name { $($field: keywords.take($argument)?,)* })
            }
        }

        macro_rules! $text {
            () => { concat!($(", ", $argument, "=", $default),*) };
        }
    };
}

arguments! {
    /// The arguments for reading text.
    TextArgs, text_arguments:
    infer_rows "infer_rows" = "None": Option<InferRowsArg>,
    types "types" = "None": Option<Bound<'py, PyAny>>,
    delimiter "delimiter" = "None": Option<String>,
    no_header "no_header" = "False": bool,
    null "null" = "None": Option<CellNulls>,
    skip "skip" = "None": Option<u64>,
    comment "comment" = "None": Option<String>,
    ragged "ragged" = "'error'": RaggedWord,
    decimal "decimal" = "None": Option<char>,
    thousands "thousands" = "None": Option<char>,
    dates "dates" = "None": Option<String>,
    quote "quote" = "None": Option<String>,
    header "header" = "False": bool,
    encoding "encoding" = "None": Option<String>,
    max_null_bytes "max_null_bytes" = "None": Option<u64>,
}

impl TextArgs<'_> {
    /// Whether the call has any of these arguments.
    pub(crate) fn is_given(&self) -> bool {
        let texts = [&self.delimiter, &self.comment, &self.quote, &self.encoding, &self.dates];
        let numbers = [self.skip, self.max_null_bytes];
        let marks = [self.decimal, self.thousands];
        self.header
            || self.no_header
            || self.null.is_some()
            || self.infer_rows.is_some()
            || self.types.is_some()
            || self.ragged != RaggedWord::default()
            || texts.iter().any(|text| text.is_some())
            || numbers.iter().any(Option::is_some)
            || marks.iter().any(Option::is_some)
    }
}

arguments! {
    /// The arguments for changing columns and selecting rows.
    ChangeArgs, change_arguments:
    columns "columns" = "None": Option<Bound<'py, PyAny>>,
    rename "rename" = "None": Option<Bound<'py, PyAny>>,
    cast "cast" = "None": Option<Bound<'py, PyAny>>,
    lossy "lossy" = "False": bool,
    max_cast_bytes "max_cast_bytes" = "None": Option<u64>,
    condition "where" = "None": Option<Bound<'py, PyAny>>,
    trust_statistics "trust_statistics" = "False": bool,
}

arguments! {
    /// The arguments for writing several files.
    PartsArgs, parts_arguments:
    into "into" = "None": Option<u64>,
    target_bytes "target_bytes" = "None": Option<u64>,
    by "by" = "None": Option<Bound<'py, PyAny>>,
    max_files "max_files" = "500": Option<usize>,
}

/// The keyword arguments of a call. Functions take them out in groups.
pub(crate) struct Keywords<'py> {
    function: &'static str,
    left: Option<Bound<'py, PyDict>>,
}

impl<'py> Keywords<'py> {
    /// Makes the keyword arguments of a call of `function`. Reading an argument removes it.
    pub(crate) fn new(function: &'static str, given: Option<Bound<'py, PyDict>>) -> Keywords<'py> {
        Keywords { function, left: given }
    }

    /// Takes out an argument, or returns its default.
    fn take<T: Default + FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<T> {
        let Some(left) = &self.left else { return Ok(T::default()) };
        let Some(value) = left.get_item(name)? else { return Ok(T::default()) };
        left.del_item(name)?;
        if name == "header" && value.is_none() {
            const TEXT: &str = "header: expected True or False, found None: no_header=True reads text without a line of names";
            return Err(exception::<PyTypeError>(TEXT));
        }
        options::number_from_0(&value).inspect_err(|error| {
            // Adds the note that pyo3 adds for arguments in signatures.
            let note = format!("while processing '{name}'");
            let _noted = error.value(left.py()).call_method1("add_note", (note,));
        })
    }

    /// # Errors
    /// If the call has an argument that no group has read.
    pub(crate) fn finish(self) -> PyResult<()> {
        match self.left.filter(|left| !left.is_empty()) {
            None => Ok(()),
            Some(left) => {
                let function = self.function;
                let name = left.keys().get_item(0)?;
                let mut text = format!("{function}() got an unexpected keyword argument '{name}'");
                if let Some(advice) = suggestions::keyword(function, &name.to_string()) {
                    text.push_str(": ");
                    text.push_str(advice);
                }
                Err(exception::<PyTypeError>(text))
            }
        }
    }
}

/// The number of rows from which a schema is inferred, or all.
pub(crate) struct InferRowsArg(pub(crate) InferRows);

impl<'py> FromPyObject<'_, 'py> for InferRowsArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<InferRowsArg> {
        if let Ok(word) = given.extract::<String>() {
            let all = (word == "all").then_some(InferRowsArg(InferRows::All));
            return all.ok_or_else(|| unknown("infer_rows", &word, "a number or 'all'"));
        }
        match options::number_from_0::<usize>(&given)? {
            0 => Err(exception::<PyValueError>("infer_rows is 0; allowed: 1 and more")),
            n_rows => Ok(InferRowsArg(n_rows.into())),
        }
    }
}

/// The texts of cells that are null, like empty cells.
pub(crate) struct CellNulls(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for CellNulls {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<CellNulls> {
        match given.extract::<String>() {
            Ok(one) => Ok(CellNulls(vec![one])),
            Err(_) => Ok(CellNulls(given.try_iter()?.map(|text| text?.extract()).collect::<PyResult<_>>()?)),
        }
    }
}

/// What to do with rows that have more or fewer cells than there are columns.
#[derive(PartialEq)]
pub(crate) struct RaggedWord(pub(crate) RaggedRows);

impl Default for RaggedWord {
    fn default() -> RaggedWord {
        RaggedWord(RaggedRows::Error)
    }
}

impl<'py> FromPyObject<'_, 'py> for RaggedWord {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<RaggedWord> {
        match given.extract::<&str>()? {
            "error" => Ok(RaggedWord(RaggedRows::Error)),
            "pad" => Ok(RaggedWord(RaggedRows::Pad)),
            "skip" => Ok(RaggedWord(RaggedRows::Skip)),
            other => Err(unknown("ragged", other, "'error', 'pad' or 'skip'")),
        }
    }
}

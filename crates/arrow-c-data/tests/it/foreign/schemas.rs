//! Makes `ArrowSchema` structures as another library does.

use std::ffi::{CString, c_char, c_void};
use std::ptr;

use arrow_c_data::ArrowSchema;

use super::Ledger;

/// `struct ArrowSchema`, as the specification declares it.
#[repr(C)]
pub(crate) struct CSchema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut CSchema,
    pub(crate) dictionary: *mut CSchema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut CSchema)>,
    pub(crate) private_data: *mut c_void,
}

const _: () = assert!(size_of::<CSchema>() == size_of::<ArrowSchema>());

/// The content of a structure, which may be invalid.
#[derive(Debug, Clone, Default)]
pub(crate) struct SchemaSketch {
    /// `None` writes a null pointer.
    pub(crate) format: Option<Vec<u8>>,
    pub(crate) name: Option<Vec<u8>>,
    pub(crate) metadata: Option<Vec<u8>>,
    pub(crate) flags: i64,
    /// `None` writes the actual number.
    pub(crate) n_children: Option<i64>,
    /// `None` writes a null pointer.
    pub(crate) children: Vec<Option<SchemaSketch>>,
    pub(crate) dictionary: Option<Box<SchemaSketch>>,
    pub(crate) has_null_lists: bool,
    pub(crate) is_released: bool,
}

struct PrivateData {
    _texts: [Option<CString>; 2],
    _metadata: Option<Vec<u8>>,
    children: Vec<*mut CSchema>,
    ledger: Ledger,
}

impl SchemaSketch {
    /// A field with this format and name, without children, flags or metadata.
    pub(crate) fn new(format: &str, name: &str) -> SchemaSketch {
        SchemaSketch { format: Some(format.into()), name: Some(name.into()), ..SchemaSketch::default() }
    }

    /// Replaces the children.
    pub(crate) fn with_children(self, children: impl IntoIterator<Item = SchemaSketch>) -> SchemaSketch {
        SchemaSketch { children: children.into_iter().map(Some).collect(), ..self }
    }

    /// Fills a structure, its children and its dictionary.
    pub(crate) fn build(&self, ledger: &Ledger) -> CSchema {
        let text = |bytes: &Option<Vec<u8>>| bytes.clone().map(|bytes| CString::new(bytes).expect("no NUL"));
        let (format, name) = (text(&self.format), text(&self.name));
        let metadata = self.metadata.clone();
        let boxed = |sketch: &SchemaSketch| Box::into_raw(Box::new(sketch.build(ledger)));
        let mut children: Vec<*mut CSchema> =
            self.children.iter().map(|child| child.as_ref().map_or(ptr::null_mut(), boxed)).collect();
        ledger.made();
        let start = |text: &Option<CString>| text.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        let schema = CSchema {
            format: start(&format),
            name: start(&name),
            metadata: metadata.as_ref().map_or(ptr::null(), |bytes| bytes.as_ptr().cast()),
            flags: self.flags,
            n_children: self.n_children.unwrap_or(children.len() as i64),
            children: if self.has_null_lists { ptr::null_mut() } else { children.as_mut_ptr() },
            dictionary: self.dictionary.as_deref().map_or(ptr::null_mut(), boxed),
            release: Some(release),
            private_data: ptr::null_mut(),
        };
        let private =
            PrivateData { _texts: [format, name], _metadata: metadata, children, ledger: ledger.clone() };
        let mut schema = CSchema { private_data: Box::into_raw(Box::new(private)).cast(), ..schema };
        if self.is_released {
            // SAFETY: it was just made.
            unsafe { release(&mut schema) };
        }
        schema
    }

    /// Makes the structure, and moves it into this crate's type.
    pub(crate) fn give(&self, ledger: &Ledger) -> ArrowSchema {
        let mut schema = self.build(ledger);
        // SAFETY: it is as large, and what it points to lives until it is released.
        let given = unsafe { ArrowSchema::from_raw((&raw mut schema).cast()) };
        assert!(schema.release.is_none(), "the source is marked as released");
        given
    }
}

unsafe extern "C" fn release(schema: *mut CSchema) {
    // SAFETY: the caller's promise.
    let schema = unsafe { &mut *schema };
    // SAFETY: it was made by `build`, and is released once.
    let private = unsafe { Box::from_raw(schema.private_data.cast::<PrivateData>()) };
    let children = private.children.iter().copied().chain([schema.dictionary]);
    for child in children.filter(|child| !child.is_null()) {
        // SAFETY: `build` made a box of it.
        let mut child = unsafe { Box::from_raw(child) };
        if let Some(release) = child.release {
            // SAFETY: it is not released.
            unsafe { release(&mut *child) };
        }
    }
    private.ledger.released();
    schema.release = None;
}

//! Iteration over rows and values.

use std::{iter::FusedIterator, ops::Range};

use super::{JsonColumn, JsonRow, JsonRows, JsonValue};

/// All rows of [`JsonRows`] in order.
#[derive(Debug, Clone)]
pub struct JsonRowIter<'a> {
    rows: &'a JsonRows,
    left: Range<usize>,
}

/// All values of a [`JsonColumn`] in order.
#[derive(Debug, Clone)]
pub struct JsonValueIter<'a> {
    column: &'a JsonColumn,
    left: Range<usize>,
}

/// An iterator over positions, each of which `$item` makes an item of.
macro_rules! positions {
    ($of:ident as $from:ident, $iter:ident, $item:ident, $position:ident) => {
        impl<'a> $iter<'a> {
            pub(super) fn new($from: &'a $of) -> $iter<'a> {
                $iter { $from, left: 0..$from.len() }
            }
        }

        impl<'a> Iterator for $iter<'a> {
            type Item = $item<'a>;

            fn next(&mut self) -> Option<$item<'a>> {
                self.nth(0)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.left.size_hint()
            }

            fn nth(&mut self, n: usize) -> Option<$item<'a>> {
                self.left.nth(n).map(|$position| $item { $from: self.$from, $position })
            }
        }

        impl<'a> DoubleEndedIterator for $iter<'a> {
            fn next_back(&mut self) -> Option<$item<'a>> {
                self.left.next_back().map(|$position| $item { $from: self.$from, $position })
            }
        }

        impl ExactSizeIterator for $iter<'_> {}

        impl FusedIterator for $iter<'_> {}

        impl<'a> IntoIterator for &'a $of {
            type Item = $item<'a>;
            type IntoIter = $iter<'a>;

            fn into_iter(self) -> $iter<'a> {
                self.iter()
            }
        }
    };
}

positions!(JsonRows as rows, JsonRowIter, JsonRow, row);
positions!(JsonColumn as column, JsonValueIter, JsonValue, slot);

//! Reads a value that is not nested, or a null, into its slot.

use arrow_array::AnyBuilder;
use arrow_array::parse::{ExtraDigits, SourceText, ValueNotation};
use serde_core::de::Error;

use super::context::{RowContext, reason};
use crate::csv_options::unspaced;
use crate::read::{
    error::RowErrorKind,
    node::{NullRule, ReadNode, text_of_cell},
};

/// The slot of one value: appends the value to a builder.
///
/// Reading recurses once for each level of the type, and uses little more stack than the parser.
pub(super) struct JsonSlot<'a, 'c> {
    pub(super) node: &'a ReadNode,
    pub(super) builder: &'a mut AnyBuilder,
    pub(super) context: &'a mut RowContext<'c>,
}

impl JsonSlot<'_, '_> {
    pub(super) fn append_leaf<E: Error>(self, token: &str) -> Result<(), E> {
        let decoded;
        let string = match token.as_bytes() {
            b"null" => return self.append_null(),
            // The content of the string is not needed, and with half of a surrogate pair there is none.
            _ if self.node.keeps_tokens() => None,
            [b'"', ..] if !token.contains('\\') => token.get(1..token.len().saturating_sub(1)),
            [b'"', ..] => match serde_json::from_str::<String>(token) {
                Ok(text) => {
                    decoded = text;
                    Some(decoded.as_str())
                }
                Err(error) => {
                    let kind = RowErrorKind::NotJson { reason: reason(&error) };
                    return Err(self.context.fail_at(token, kind));
                }
            },
            _ => None,
        };
        self.append_text(token, string)
    }

    #[inline(never)]
    pub(super) fn append_null<E: Error>(self) -> Result<(), E> {
        let JsonSlot { node, builder, context } = self;
        let result = match node.nulls {
            NullRule::Append => context.budget.spend(node.null_bytes),
            NullRule::Skip | NullRule::Refuse | NullRule::None => Ok(()),
        };
        result.and_then(|()| node.append_null(builder)).map_err(|kind| context.fail(kind))
    }

    /// Appends a token that is not nested. `string` is the content of the token if it is a string.
    pub(super) fn append_text<E: Error>(self, token: &str, string: Option<&str>) -> Result<(), E> {
        let JsonSlot { node, builder, context } = self;
        let string = match node.form {
            ValueNotation::Json if node.keeps_tokens() => Some(token),
            // In the lossless form, the value is the content of the string.
            ValueNotation::Json => string.or(Some(token)),
            ValueNotation::Storage | ValueNotation::Bool8 => string,
        };
        context.values.digits = node.digits;
        context.values.notation = node.form;
        let is_cell = node.form != ValueNotation::Json && !token.starts_with(['[', '{']);
        let appended = match node.digits {
            ExtraDigits::OfText if is_cell => {
                let cell = string.unwrap_or(token);
                let values = &mut context.values;
                let mut append =
                    |cell| values.append(builder, SourceText::from_cell(text_of_cell(builder, cell)));
                append(cell).or_else(|error| {
                    let value = unspaced(cell);
                    let keeps_spaces = node.has_empty_text || value.is_empty() || value.len() == cell.len();
                    if keeps_spaces { Err(error) } else { append(value).map_err(|_| error) }
                })
            }
            ExtraDigits::OfText | ExtraDigits::Round | ExtraDigits::Keep => {
                context.values.append(builder, SourceText { raw: token, string })
            }
        };
        appended.map_err(|error| context.fail_at(token, error))
    }
}

//! JSON objects: the metadata of extension types.

use std::{borrow::Cow, collections::BTreeSet};

use crate::parse::{Cursor, Excerpt, ExpectedText, ParseError, ParseErrorKind, cursor::NumberRange};

/// Reads a text that is one JSON object.
///
/// `read` receives the name of each member, with the cursor at its value, and returns whether it has read the value. If
/// it has not, the value is skipped: it must be JSON, and may nest to any depth. No name may occur twice.
pub(crate) fn read_object<'a>(
    text: &'a str,
    mut read: impl FnMut(&str, &mut Cursor<'a>) -> Result<bool, ParseError>,
) -> Result<(), ParseError> {
    let mut cursor = Cursor::new(text);
    cursor.space();
    cursor.expect("{")?;
    cursor.space();
    let mut names = BTreeSet::new();
    let mut is_open = !cursor.eat("}");
    while is_open {
        let start = cursor.clone();
        let name = cursor.member_name()?;
        if names.contains(&name) {
            return Err(start.error(ParseErrorKind::RepeatedMember { name: Excerpt::new(&name) }));
        }
        cursor.space();
        if !read(&name, &mut cursor)? {
            cursor.skip_json()?;
        }
        names.insert(name);
        is_open = cursor.json_goes_on("}")?;
    }
    cursor.space();
    cursor.end()
}

impl<'a> Cursor<'a> {
    pub(crate) fn json_text(&mut self) -> Result<Cow<'a, str>, ParseError> {
        self.quoted_unless(|c| c < ' ')
    }

    /// Reads a JSON number that is whole and in range.
    pub(crate) fn json_whole_number(
        &mut self,
        what: &'static str,
        legal: NumberRange,
    ) -> Result<i64, ParseError> {
        let start = self.clone();
        let number = self.number::<i64>(what, legal.clone())?;
        if self.rest().starts_with(['.', 'e', 'E']) {
            self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-'));
            return Err(start.error(ParseErrorKind::NotWhole { found: Excerpt::new(self.since(&start)) }));
        }
        if !legal.contains(&number) {
            return Err(start.out_of_range(what, self.since(&start), legal));
        }
        Ok(number)
    }

    /// Reads a JSON array. Calls `item` to read each item.
    pub(crate) fn json_list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        self.expect("[")?;
        self.space();
        let mut items = Vec::new();
        let mut is_open = !self.eat("]");
        while is_open {
            items.push(item(self)?);
            is_open = self.json_goes_on("]")?;
        }
        Ok(items)
    }

    /// Reads `null`, or calls `value` to read any other value.
    pub(crate) fn json_optional<T>(
        &mut self,
        value: impl FnOnce(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Option<T>, ParseError> {
        if self.eat("null") { Ok(None) } else { value(self).map(Some) }
    }

    /// Skips any JSON value. Does not recurse.
    pub(crate) fn skip_json(&mut self) -> Result<(), ParseError> {
        // The closing brackets of the objects and arrays that are open.
        let mut closings = Vec::new();
        loop {
            self.space();
            let brackets = [("{", "}"), ("[", "]")];
            let closing =
                brackets.into_iter().find(|(opening, _)| self.eat(opening)).map(|(_, closing)| closing);
            self.space();
            match closing {
                Some(closing) if self.eat(closing) => {}
                Some(closing) => {
                    if closing == "}" {
                        self.member_name()?;
                    }
                    closings.push(closing);
                    continue;
                }
                None => self.json_scalar()?,
            }
            loop {
                let Some(&closing) = closings.last() else { return Ok(()) };
                if self.json_goes_on(closing)? {
                    if closing == "}" {
                        self.member_name()?;
                    }
                    break;
                }
                closings.pop();
            }
        }
    }

    fn json_scalar(&mut self) -> Result<(), ParseError> {
        if self.rest().starts_with('"') {
            return self.json_text().map(|_| ());
        }
        if ["true", "false", "null"].iter().any(|word| self.eat(word)) {
            return Ok(());
        }
        let start = self.clone();
        if self.json_number() { Ok(()) } else { Err(start.unexpected(ExpectedText::Value)) }
    }

    /// Skips a JSON number, if there is one.
    fn json_number(&mut self) -> bool {
        let is_digit = |c: char| c.is_ascii_digit();
        self.eat("-");
        let whole = self.take_while(is_digit);
        let is_whole = whole == "0" || !whole.is_empty() && !whole.starts_with('0');
        let is_fraction_sound = !self.eat(".") || !self.take_while(is_digit).is_empty();
        let is_exponent_sound = !(self.eat("e") || self.eat("E")) || {
            let _signed = self.eat("+") || self.eat("-");
            !self.take_while(is_digit).is_empty()
        };
        is_whole && is_fraction_sound && is_exponent_sound
    }

    /// Reads the name of a member and its colon.
    fn member_name(&mut self) -> Result<Cow<'a, str>, ParseError> {
        let name = self.json_text()?;
        self.space();
        self.expect(":")?;
        Ok(name)
    }

    /// Skips the comma or the closing bracket after an item of an array or object. Returns whether another item follows.
    fn json_goes_on(&mut self, closing: &'static str) -> Result<bool, ParseError> {
        self.space();
        if self.eat(",") {
            self.space();
            return Ok(true);
        }
        if self.eat(closing) { Ok(false) } else { Err(self.unexpected_token(&[",", closing])) }
    }

    fn space(&mut self) {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }
}

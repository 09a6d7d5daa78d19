//! Parses predicates.

use std::{ops::Range, str::FromStr};

use arrow_schema::QuotedText;

use super::{
    ColumnTest, ComparisonOperator, Condition, ConstantReading, LetterCase, Predicate, PredicateError,
    PredicateErrorKind as Kind, Question,
    constant::{Constant, QuoteMark, is_number},
    like::containing,
    token::{
        Token, as_path, ends_constant, is_keyword, is_of_name, next_token, only_quoted, unquoted, with_time,
    },
};
use crate::cast::shown;

/// The maximum depth of parentheses and `not`. Without this limit, a long text could overflow the stack.
const MAX_DEPTH: usize = 64;

const CONSTANT: &str = "a number, text in quotes, `true` or `false`";

/// What an error expects on the right side of a comparison.
const OPERAND: &str = "a number, text in quotes, `true`, `false` or a column";

/// What an error expects at the start of a condition that may begin with a constant.
const FIRST: &str = "a constant or a column";

struct Parser<'a> {
    text: &'a str,
    /// The next token, which has not been consumed.
    token: Token<'a>,
    range: Range<usize>,
    depth: usize,
}

type ParseResult<T> = Result<T, PredicateError>;

/// Parses the notation that [`Predicate`] describes.
impl FromStr for Predicate {
    type Err = PredicateError;

    fn from_str(text: &str) -> Result<Predicate, PredicateError> {
        let mut parser = Parser { text, token: Token::End, range: 0..0, depth: 0 };
        parser.advance()?;
        let condition = parser.any()?;
        if parser.token != Token::End {
            return Err(parser.unexpected_after("`and`, `or`, or the end"));
        }
        // `Display` writes parentheses that the text may not have, and what it writes can be parsed.
        if condition.written_depth() > MAX_DEPTH {
            return Err(PredicateError::at(0..text.len(), Kind::TooDeep { max_depth: MAX_DEPTH }));
        }
        Ok(Predicate { condition, reading: ConstantReading::default() })
    }
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> ParseResult<()> {
        let start = self.range.end;
        let rest = self.text.get(start..).unwrap_or_default();
        let start = start.saturating_add(rest.len().saturating_sub(rest.trim_start().len()));
        let (token, n_bytes) = next_token(rest.trim_start())
            .map_err(|(found, kind)| PredicateError::at(shifted(found, start), kind))?;
        (self.token, self.range) = (token, start..start.saturating_add(n_bytes));
        Ok(())
    }

    fn unexpected(&self, expected: &'static str) -> PredicateError {
        let found = match self.text.get(self.range.clone()) {
            Some("") | None => "the end".to_owned(),
            Some(found) => shown(found),
        };
        PredicateError::at(self.range.clone(), Kind::Syntax { expected, found })
    }

    /// The error for a token after a complete condition.
    fn unexpected_after(&self, expected: &'static str) -> PredicateError {
        let found = self.text.get(self.range.clone()).unwrap_or_default();
        // After a column, a parenthesis would begin the arguments of a function.
        let is_calculated = self.token == Token::Open
            || matches!(self.token, Token::Number(_) | Token::Other(_))
                && found.starts_with(['+', '-', '*', '/', '%', '|']);
        if !is_calculated {
            return self.unexpected(expected);
        }
        PredicateError::at(self.range.clone(), Kind::Calculation { expected, found: shown(found) })
    }

    /// The error for a constant without quotes.
    fn unquoted(&self, expected: &'static str) -> PredicateError {
        let start = self.range.start;
        let rest = self.text.get(start..).unwrap_or_default();
        let constant = rest.split(ends_constant).next().unwrap_or_default();
        if constant.is_empty() {
            return self.unexpected(expected);
        }
        let constant = with_time(constant, rest);
        let in_single = || Constant::Text(constant.to_owned(), QuoteMark::Single).to_string();
        let quoted = QuotedText(constant).to_string();
        let kind = match expected {
            FIRST if constant.chars().all(is_of_name) => {
                Kind::NeitherNumberNorName { text: in_single(), column: quoted }
            }
            // In double quotes, the text would be the name of a column here.
            FIRST => Kind::Unquoted { expected, quoted: in_single() },
            _ => Kind::Unquoted { expected, quoted },
        };
        PredicateError::at(shifted(0..constant.len(), start), kind)
    }

    /// Whether other characters follow a number without a space, as in a date.
    fn is_only_start(&self, number: &str) -> bool {
        let digits = number.trim_start_matches(['+', '-']);
        let is_whole = is_number(number) || !digits.starts_with(|c: char| c.is_ascii_digit());
        let next = self.text.get(self.range.end..).and_then(|rest| rest.chars().next());
        !is_whole || !next.is_none_or(ends_constant)
    }

    /// Consumes a keyword, in upper or lower case, if it is next. Returns whether it was.
    fn take(&mut self, keyword: &str) -> ParseResult<bool> {
        let is_next = matches!(self.token, Token::Word(word) if word.eq_ignore_ascii_case(keyword));
        if is_next {
            self.advance()?;
        }
        Ok(is_next)
    }

    fn require(&mut self, keyword: &str, expected: &'static str) -> ParseResult<()> {
        if self.take(keyword)? { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn take_token(&mut self, token: Token<'_>) -> ParseResult<bool> {
        let is_next = self.token == token;
        if is_next {
            self.advance()?;
        }
        Ok(is_next)
    }

    fn any(&mut self) -> ParseResult<Condition<ColumnTest>> {
        let mut conditions = vec![self.all()?];
        while self.take("or")? {
            conditions.push(self.all()?);
        }
        Ok(Condition::any(conditions))
    }

    fn all(&mut self) -> ParseResult<Condition<ColumnTest>> {
        let mut conditions = vec![self.one()?];
        while self.take("and")? {
            conditions.push(self.one()?);
        }
        Ok(Condition::all(conditions))
    }

    /// Parses a test, a condition in parentheses, or `not` and a condition.
    fn one(&mut self) -> ParseResult<Condition<ColumnTest>> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX_DEPTH {
            return Err(PredicateError::at(self.range.clone(), Kind::TooDeep { max_depth: MAX_DEPTH }));
        }
        self.check_not_keyword()?;
        let condition = if self.take("not")? {
            self.one()?.negated()
        } else if self.take_token(Token::Open)? {
            let condition = self.any()?;
            if !self.take_token(Token::Close)? {
                return Err(self.unexpected_after("`)`, `and` or `or`"));
            }
            condition
        } else {
            self.test()?
        };
        self.depth = self.depth.saturating_sub(1);
        Ok(condition)
    }

    /// Checks that no keyword stands where a comparison requires a column.
    fn check_not_keyword(&self) -> ParseResult<()> {
        let Token::Word(word) = self.token else { return Ok(()) };
        let is_flag = ["true", "false"].iter().any(|flag| word.eq_ignore_ascii_case(flag));
        let rest = self.text.get(self.range.end..).unwrap_or_default();
        let is_compared = matches!(next_token(rest.trim_start()), Ok((Token::Compare(_), _)));
        if !is_keyword(word) || is_flag || !is_compared {
            return Ok(());
        }
        Err(PredicateError::at(self.range.clone(), Kind::Keyword { quoted: QuotedText(word).to_string() }))
    }

    /// Parses a column and its test.
    fn test(&mut self) -> ParseResult<Condition<ColumnTest>> {
        if matches!(self.token, Token::Number(_) | Token::Text(_) | Token::Bytes(_)) {
            return self.flipped();
        }
        let column = as_path(self.column("a column, `not` or `(`")?);
        let test = |question| Condition::Test(ColumnTest { column: column.clone(), question });
        if let Token::Compare(comparison) = self.token {
            self.advance()?;
            return Ok(test(self.compared(comparison)?));
        }
        if self.take("is")? {
            let is_negated = self.take("not")?;
            self.require("null", "`null` or `not null`")?;
            return Ok(test(Question::IsNull).negated_if(is_negated));
        }
        let is_negated = self.take("not")?;
        if self.take("in")? {
            return Ok(test(Question::OneOf(self.list()?)).negated_if(is_negated));
        }
        for case in [LetterCase::Sensitive, LetterCase::Insensitive] {
            if self.take(case.keyword())? {
                return Ok(
                    test(Question::Like(self.quoted("a pattern in quotes")?, case)).negated_if(is_negated)
                );
            }
        }
        if self.take("contains")? {
            let pattern = containing(&self.quoted("text in quotes")?);
            return Ok(test(Question::Like(pattern, LetterCase::Sensitive)).negated_if(is_negated));
        }
        if self.take("between")? {
            let least = self.compared(ComparisonOperator::GreaterOrEqual)?;
            self.require("and", "`and` and the greatest value")?;
            let greatest = self.compared(ComparisonOperator::LessOrEqual)?;
            return Ok(Condition::all([least, greatest].map(test)).negated_if(is_negated));
        }
        if is_negated {
            return Err(self.unexpected("`in`, `like`, `ilike`, `contains` or `between`"));
        }
        Ok(test(Question::IsTrue))
    }

    /// Parses the right side of a comparison: a constant or a column.
    fn compared(&mut self, comparison: ComparisonOperator) -> ParseResult<Question<Constant, String>> {
        if let Token::Word(word) = self.token
            && !is_keyword(word)
            && !word.starts_with('"')
        {
            let range = self.range.clone();
            self.advance()?;
            let is_text = matches!(self.token, Token::Other(_))
                || matches!(self.token, Token::Word(next) if !is_keyword(next));
            if !is_text {
                return Ok(Question::CompareColumn(comparison, as_path(word)));
            }
            // Text with spaces or other signs, without quotes.
            self.token = Token::Word(word);
            self.range = range;
            return Err(self.unquoted(OPERAND));
        }
        Ok(Question::Compare(comparison, self.constant_for(OPERAND)?))
    }

    /// Parses text in quotes of either kind.
    fn quoted(&mut self, expected: &'static str) -> ParseResult<String> {
        if !matches!(self.token, Token::Text(_) | Token::Word(_)) {
            return Err(self.unquoted(expected));
        }
        let before = self.range.clone();
        let Constant::Text(text, _) = self.constant_for(expected)? else {
            self.range = before;
            return Err(self.unexpected(expected));
        };
        Ok(text)
    }

    fn column(&mut self, expected: &'static str) -> ParseResult<&'a str> {
        if let Token::Word(word) = self.token
            && !is_keyword(word)
        {
            self.advance()?;
            return Ok(word);
        }
        Err(self.unexpected(expected))
    }

    /// Parses a comparison that begins with the constant: `100 < amount`.
    fn flipped(&mut self) -> ParseResult<Condition<ColumnTest>> {
        let constant = self.constant_for(FIRST)?;
        let Token::Compare(comparison) = self.token else {
            return Err(self.unexpected("a comparison, such as `<`"));
        };
        self.advance()?;
        let column = as_path(self.column("a column")?);
        let question = Question::Compare(comparison.flipped(), constant);
        Ok(Condition::Test(ColumnTest { column, question }))
    }

    fn list(&mut self) -> ParseResult<Vec<Constant>> {
        if !self.take_token(Token::Open)? {
            return Err(self.unexpected("`(` and constants"));
        }
        let mut constants = Vec::new();
        if self.take_token(Token::Close)? {
            return Ok(constants);
        }
        loop {
            constants.push(self.constant()?);
            if self.take_token(Token::Close)? {
                return Ok(constants);
            }
            if !self.take_token(Token::Comma)? {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }

    fn constant(&mut self) -> ParseResult<Constant> {
        self.constant_for(CONSTANT)
    }

    fn constant_for(&mut self, expected: &'static str) -> ParseResult<Constant> {
        let constant = match self.token {
            Token::Number(number) if self.is_only_start(number) => return Err(self.unquoted(expected)),
            Token::Number(number) => Constant::Number(number.to_owned()),
            Token::Text(text) => Constant::Text(unquoted(text), QuoteMark::Single),
            Token::Bytes(digits) => Constant::Bytes(only_quoted(digits).unwrap_or_else(|| unquoted(digits))),
            Token::Word(word) if word.eq_ignore_ascii_case("true") => Constant::Flag(true),
            Token::Word(word) if word.eq_ignore_ascii_case("false") => Constant::Flag(false),
            Token::Word(word) if word.eq_ignore_ascii_case("null") => {
                return Err(PredicateError::at(self.range.clone(), Kind::NullConstant));
            }
            // Double quotes enclose a constant here, and not a name.
            Token::Word(word) if word.starts_with('"') => match only_quoted(word) {
                Some(text) => Constant::Text(text, QuoteMark::Double),
                None => return Err(self.unexpected(expected)),
            },
            Token::Word(word) if !is_keyword(word) => return Err(self.unquoted(expected)),
            Token::Other(_) => return Err(self.unquoted(expected)),
            Token::Word(keyword) => {
                let (keyword, quoted) = (keyword.to_owned(), QuotedText(keyword).to_string());
                let kind = Kind::KeywordAsConstant { expected, keyword, quoted };
                return Err(PredicateError::at(self.range.clone(), kind));
            }
            Token::Compare(_) | Token::Open | Token::Close | Token::Comma | Token::End => {
                return Err(self.unexpected(expected));
            }
        };
        self.advance()?;
        Ok(constant)
    }
}

fn shifted(range: Range<usize>, by: usize) -> Range<usize> {
    range.start.saturating_add(by)..range.end.saturating_add(by)
}

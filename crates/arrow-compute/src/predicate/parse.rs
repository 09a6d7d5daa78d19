//! Parses and writes predicates.

use std::{fmt, ops::Range, str::FromStr};

use arrow_schema::QuotedText;

use super::{
    ColumnTest, ComparisonOperator, Condition, ConstantReading, LetterCase, Predicate, PredicateError,
    PredicateErrorKind as Kind, Question,
    constant::{Constant, QuoteMark, is_number},
    like::containing,
};
use crate::cast::shown;

/// The maximum depth of parentheses and `not`. Without this limit, a long text could overflow the stack.
const MAX_DEPTH: usize = 64;

const CONSTANT: &str = "a number, text in quotes, `true` or `false`";

/// What an error expects on the right side of a comparison.
const OPERAND: &str = "a number, text in quotes, `true`, `false` or a column";

/// What an error expects at the start of a condition that may begin with a constant.
const FIRST: &str = "a constant or a column";

/// A word, an operator or a quoted text.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'a> {
    /// A name, or several names with points between them. A name may be in double quotes.
    Word(&'a str),
    /// A text in single quotes, with these quotes.
    Text(&'a str),
    /// Bytes as hexadecimal digits, without `x` and quotes.
    Bytes(&'a str),
    Number(&'a str),
    Compare(ComparisonOperator),
    Open,
    Close,
    Comma,
    /// A character that is only allowed in quotes.
    Other(&'a str),
    End,
}

/// Whether `not` precedes the test.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Negation {
    Absent,
    Present,
}

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
        if parser.token == Token::End {
            Ok(Predicate { condition, reading: ConstantReading::default() })
        } else {
            Err(parser.unexpected_after("`and`, `or`, or the end"))
        }
    }
}

/// Whether a word is a keyword. A column of this name needs quotes.
fn is_keyword(word: &str) -> bool {
    ["and", "or", "not", "in", "is", "like", "between", "null", "true", "false"]
        .iter()
        .any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// Whether a character ends a constant that lacks quotes.
fn ends_constant(c: char) -> bool {
    c.is_whitespace() || ",;()<>=!≠'\"".contains(c)
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
            let not = if self.take("not")? { Negation::Present } else { Negation::Absent };
            self.require("null", "`null` or `not null`")?;
            return Ok(test(Question::IsNull).after(not));
        }
        let not = if self.take("not")? { Negation::Present } else { Negation::Absent };
        if self.take("in")? {
            return Ok(test(Question::OneOf(self.list()?)).after(not));
        }
        for case in [LetterCase::Kept, LetterCase::Ignored] {
            if self.take(case.keyword())? {
                return Ok(test(Question::Like(self.quoted("a pattern in quotes")?, case)).after(not));
            }
        }
        if self.take("contains")? {
            let pattern = containing(&self.quoted("text in quotes")?);
            return Ok(test(Question::Like(pattern, LetterCase::Kept)).after(not));
        }
        if self.take("between")? {
            let least = self.compared(ComparisonOperator::GreaterOrEqual)?;
            self.require("and", "`and` and the greatest value")?;
            let greatest = self.compared(ComparisonOperator::LessOrEqual)?;
            return Ok(Condition::all([least, greatest].map(test)).after(not));
        }
        match not {
            Negation::Present => Err(self.unexpected("`in`, `like`, `ilike`, `contains` or `between`")),
            Negation::Absent => Ok(test(Question::IsTrue)),
        }
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
            Token::Bytes(digits) => Constant::Bytes(digits.to_owned()),
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

impl LetterCase {
    pub(super) fn keyword(self) -> &'static str {
        match self {
            LetterCase::Kept => "like",
            LetterCase::Ignored => "ilike",
        }
    }
}

impl Condition<ColumnTest> {
    /// Negates the test if `not` precedes it.
    fn after(self, not: Negation) -> Condition<ColumnTest> {
        match not {
            Negation::Absent => self,
            Negation::Present => self.negated(),
        }
    }
}

/// The name or path of a column in the notation of predicates, with quotes if it needs them.
pub(super) fn quoted_if_needed(name: String) -> String {
    if is_column(&name) { name } else { QuotedText(&name).to_string() }
}

/// Whether the parser would read this text as a column.
fn is_column(text: &str) -> bool {
    let is_word = next_token(text) == Ok((Token::Word(text), text.len()));
    is_word && !is_keyword(text) && as_path(text) == text
}

/// A column in the notation of [`Schema::path`](arrow_schema::Schema::path), in which quotes inside a quoted name have a
/// backslash, and characters that cannot be seen are escapes.
fn as_path(word: &str) -> String {
    let mut path = String::with_capacity(word.len());
    let mut is_quoted = false;
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.next_if_eq(&'"').is_some() => path.push_str("\\\""),
            '\\' => path.extend([Some(c), chars.next()].into_iter().flatten()),
            '"' => {
                is_quoted = !is_quoted;
                path.push(c);
            }
            _ => path.push_str(QuotedText(c.encode_utf8(&mut [0; 4])).to_string().trim_matches('"')),
        }
    }
    path
}

fn shifted(range: Range<usize>, by: usize) -> Range<usize> {
    range.start.saturating_add(by)..range.end.saturating_add(by)
}

/// The token at the start of a text, and its length. The text must not begin with a space.
fn next_token(text: &str) -> Result<(Token<'_>, usize), (Range<usize>, Kind)> {
    const SIGNS: [(&str, Token<'static>); 12] = [
        ("(", Token::Open),
        (")", Token::Close),
        (",", Token::Comma),
        ("<=", Token::Compare(ComparisonOperator::LessOrEqual)),
        ("<>", Token::Compare(ComparisonOperator::NotEqual)),
        ("<", Token::Compare(ComparisonOperator::Less)),
        (">=", Token::Compare(ComparisonOperator::GreaterOrEqual)),
        (">", Token::Compare(ComparisonOperator::Greater)),
        ("==", Token::Compare(ComparisonOperator::Equal)),
        ("=", Token::Compare(ComparisonOperator::Equal)),
        ("!=", Token::Compare(ComparisonOperator::NotEqual)),
        ("≠", Token::Compare(ComparisonOperator::NotEqual)),
    ];
    if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign)) {
        return Ok((*token, sign.len()));
    }
    let Some(first) = text.chars().next() else { return Ok((Token::End, 0)) };
    let part = |n_bytes: usize| text.get(..n_bytes).unwrap_or(text);
    if first == '\'' {
        let n_bytes = quoted_len(text, '\'').ok_or((0..1, Kind::OpenQuote))?;
        return Ok((Token::Text(part(n_bytes)), n_bytes));
    }
    let of_bytes = text.strip_prefix(['x', 'X']).unwrap_or_default();
    if let Some(quote) = ['\'', '"'].into_iter().find(|quote| of_bytes.starts_with(*quote)) {
        let n_bytes = quoted_len(of_bytes, quote).ok_or((1..2, Kind::OpenQuote))?;
        let digits = of_bytes.get(1..n_bytes.saturating_sub(1)).unwrap_or_default();
        return Ok((Token::Bytes(digits), n_bytes.saturating_add(1)));
    }
    if first.is_ascii_digit() || "+-.".contains(first) {
        let n_bytes = number_len(text);
        return Ok((Token::Number(part(n_bytes)), n_bytes));
    }
    let mut n_bytes = 0_usize;
    loop {
        let rest = text.get(n_bytes..).unwrap_or_default();
        let n_step = if rest.starts_with('"') {
            let whole = n_bytes..n_bytes.saturating_add(1);
            quoted_len(rest, '"').ok_or((whole, Kind::OpenQuote))?
        } else {
            rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len())
        };
        n_bytes = n_bytes.saturating_add(n_step);
        match text.get(n_bytes..).and_then(|rest| rest.chars().next()) {
            Some('.') if n_step > 0 => n_bytes = n_bytes.saturating_add(1),
            _ if n_step == 0 => {
                if n_bytes == 0 {
                    return Ok((Token::Other(part(first.len_utf8())), first.len_utf8()));
                }
                let end = n_bytes.saturating_add(rest.chars().next().map_or(0, char::len_utf8));
                let found = text.get(n_bytes..end).filter(|found| !found.is_empty());
                let found = found.map_or_else(|| "the end".to_owned(), shown);
                let expected = "a name after the point";
                return Err((n_bytes..end, Kind::Syntax { expected, found }));
            }
            _ => return Ok((Token::Word(part(n_bytes)), n_bytes)),
        }
    }
}

/// Whether a name without quotes may contain this character.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '@'
}

/// The length of a number and of the characters that directly follow it, so that an error shows the whole word.
fn number_len(text: &str) -> usize {
    let mut before = ' ';
    let is_end = |c: char| {
        let is_part = c.is_alphanumeric()
            || c == '.'
            || c == '_'
            || ("+-".contains(c) && (before == ' ' || before.eq_ignore_ascii_case(&'e')));
        before = c;
        !is_part
    };
    text.find(is_end).unwrap_or(text.len())
}

/// The length of the quoted text at the start of a text. `None` if the quote is not closed. A doubled quote stands
/// for one quote. In double quotes, a character after `\` stands for itself.
fn quoted_len(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((idx, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            match chars.peek() {
                Some((_, next)) if *next == quote => drop(chars.next()),
                _ => return idx.checked_add(1),
            }
        }
    }
    None
}

/// A date with the time of day that follows it after a space, or else the same constant.
fn with_time<'a>(constant: &'a str, rest: &'a str) -> &'a str {
    let is_number = |text: &str, n: usize| text.len() == n && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = constant.split('-').zip([4, 2, 2]);
    let is_date = constant.len() == 10 && parts.filter(|(part, n)| is_number(part, *n)).count() == 3;
    let time = rest.get(constant.len()..).and_then(|after| after.strip_prefix(' '));
    let time = time.and_then(|time| time.split(ends_constant).next()).unwrap_or_default();
    let is_time = time.split(':').next().is_some_and(|hours| is_number(hours, 2)) && time.contains(':');
    let end = constant.len().saturating_add(1).saturating_add(time.len());
    if is_date && is_time { rest.get(..end).unwrap_or(constant) } else { constant }
}

/// The content of a text in single quotes.
fn unquoted(text: &str) -> String {
    let inside = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    inside.unwrap_or(text).replace("''", "'")
}

/// The content of a word that is a single text in double quotes, otherwise `None`. `\"` and `""` stand for a quote, and `\\`
/// for a backslash.
fn only_quoted(word: &str) -> Option<String> {
    if quoted_len(word, '"') != Some(word.len()) {
        return None;
    }
    let inside = word.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(inside.len());
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.next_if(|next| matches!((c, next), ('\\' | '"', '"') | ('\\', '\\')));
        text.push(escaped.unwrap_or(c));
    }
    Some(text)
}

/// Writes the notation that [`str::parse`] reads.
impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.condition.fmt(f)
    }
}

impl fmt::Display for Condition<ColumnTest> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Test(ColumnTest { column, question }) => write_test(f, column, question, ""),
            Condition::Not(condition) => match &**condition {
                // The tests that can have `not` after the column.
                Condition::Test(ColumnTest {
                    column,
                    question: question @ (Question::OneOf(_) | Question::Like(..) | Question::IsNull),
                }) => write_test(f, column, question, "not "),
                condition @ Condition::Test(_) => write!(f, "not {condition}"),
                condition @ (Condition::Not(_) | Condition::All(_) | Condition::Any(_)) => {
                    write!(f, "not ({condition})")
                }
            },
            Condition::All(conditions) => write_joined(f, conditions, " and "),
            Condition::Any(conditions) => write_joined(f, conditions, " or "),
        }
    }
}

fn write_test(
    f: &mut fmt::Formatter<'_>,
    column: &str,
    question: &Question<Constant, String>,
    not: &str,
) -> fmt::Result {
    match question {
        Question::Compare(comparison, constant) => write!(f, "{column} {comparison} {constant}"),
        Question::OneOf(constants) => {
            write!(f, "{column} {not}in (")?;
            for (idx, constant) in constants.iter().enumerate() {
                write!(f, "{}{constant}", if idx == 0 { "" } else { ", " })?;
            }
            f.write_str(")")
        }
        Question::CompareColumn(comparison, other) => write!(f, "{column} {comparison} {other}"),
        Question::Like(pattern, case) => {
            let pattern = Constant::Text(pattern.clone(), QuoteMark::Single);
            write!(f, "{column} {not}{} {pattern}", case.keyword())
        }
        Question::IsNull => write!(f, "{column} is {not}null"),
        Question::IsTrue => f.write_str(column),
    }
}

fn write_joined(f: &mut fmt::Formatter<'_>, conditions: &[Condition<ColumnTest>], word: &str) -> fmt::Result {
    for (idx, condition) in conditions.iter().enumerate() {
        f.write_str(if idx == 0 { "" } else { word })?;
        match condition {
            Condition::Any(_) | Condition::All(_) => write!(f, "({condition})")?,
            Condition::Test(_) | Condition::Not(_) => write!(f, "{condition}")?,
        }
    }
    Ok(())
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Number(number) => f.write_str(number),
            Constant::Text(text, QuoteMark::Single) => write!(f, "'{}'", text.replace('\'', "''")),
            Constant::Text(text, QuoteMark::Double) => {
                write!(f, "\"{}\"", text.replace('\\', r"\\").replace('"', r#"\""#))
            }
            Constant::Bytes(digits) => write!(f, "x'{digits}'"),
            Constant::Flag(flag) => flag.fmt(f),
            Constant::Null => f.write_str("null"),
        }
    }
}

//! JSON, as far as messages need it.

/// The greatest nesting depth.
pub const DEPTH: usize = 32;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Flag(bool),
    Integer(i64),
    Fraction(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads one value, which must be all of the bytes. `None`: they are not JSON, not UTF-8, or nested too deeply.
    pub fn read(bytes: &[u8]) -> Option<Json> {
        let mut reader = Reader { text: std::str::from_utf8(bytes).ok()?, position: 0 };
        let value = reader.value(0)?;
        reader.skip_space();
        (reader.position == bytes.len()).then_some(value)
    }

    /// Creates an object; members without a value are left out.
    pub fn object<const COUNT: usize>(members: [(&str, Option<Json>); COUNT]) -> Json {
        let given = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        Json::Object(given.collect())
    }

    pub fn text(value: impl Into<String>) -> Option<Json> {
        Some(Json::Text(value.into()))
    }

    pub fn integer(value: u64) -> Option<Json> {
        i64::try_from(value).ok().map(Json::Integer)
    }

    /// The member of an object; `None` if there is none, or it is null.
    pub fn member(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|member| member.0 == key).map(|member| &member.1),
            _ => None,
        }
        .filter(|value| **value != Json::Null)
    }

    pub fn as_text(&self) -> Option<&str> {
        if let Json::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    pub fn as_integer(&self) -> Option<i64> {
        if let Json::Integer(number) = self {
            Some(*number)
        } else {
            None
        }
    }

    pub fn as_flag(&self) -> Option<bool> {
        if let Json::Flag(flag) = self {
            Some(*flag)
        } else {
            None
        }
    }

    /// Appends the value to a text.
    pub fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Json::Integer(number) => out.push_str(&number.to_string()),
            Json::Fraction(number) => out.push_str(&format!("{number:.3}")),
            Json::Text(text) => write_text(text, out),
            Json::List(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    element.write(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    write_text(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\0'..='\x1F' => out.push_str(&format!("\\u{:04x}", character as u32)),
            _ => out.push(character),
        }
    }
    out.push('"');
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    /// Skips a character, which may have white space before it.
    fn take(&mut self, character: u8) -> bool {
        self.skip_space();
        let is_there = self.peek() == Some(character);
        self.position += usize::from(is_there);
        is_there
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        let rest = self.text.as_bytes().get(self.position..)?;
        rest.starts_with(word.as_bytes()).then(|| {
            self.position += word.len();
            value
        })
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.skip_space();
        match self.peek()? {
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => self.string().map(Json::Text),
            b't' => self.word("true", Json::Flag(true)),
            b'f' => self.word("false", Json::Flag(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        let mut members = Vec::new();
        if depth >= DEPTH || !self.take(b'{') {
            return None;
        }
        if self.take(b'}') {
            return Some(Json::Object(members));
        }
        loop {
            self.skip_space();
            let key = self.string()?;
            if !self.take(b':') {
                return None;
            }
            members.push((key, self.value(depth + 1)?));
            if !self.take(b',') {
                return self.take(b'}').then_some(Json::Object(members));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Json> {
        let mut elements = Vec::new();
        if depth >= DEPTH || !self.take(b'[') {
            return None;
        }
        if self.take(b']') {
            return Some(Json::List(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            if !self.take(b',') {
                return self.take(b']').then_some(Json::List(elements));
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        if self.peek()? != b'"' {
            return None;
        }
        self.position += 1;
        let mut string = String::new();
        loop {
            let character = self.text.get(self.position..)?.chars().next()?;
            self.position += character.len_utf8();
            match character {
                '"' => return Some(string),
                '\\' => string.push(self.escape()?),
                '\0'..='\x1F' => return None,
                _ => string.push(character),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let kind = self.peek()?;
        self.position += 1;
        Some(match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\x08',
            b'f' => '\x0C',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.unit()?;
                if !(0xD800..0xDC00).contains(&first) {
                    return char::from_u32(first);
                }
                self.word("\\u", Json::Null)?;
                let second = self.unit()?;
                if !(0xDC00..0xE000).contains(&second) {
                    return None;
                }
                return char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
            }
            _ => return None,
        })
    }

    /// The number after \u.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.as_bytes().get(self.position..self.position + 4)?;
        self.position += 4;
        digits.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
    }

    fn digits(&mut self) -> usize {
        let start = self.position;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.position += 1;
        }
        self.position - start
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.position;
        self.position += usize::from(self.peek() == Some(b'-'));
        let first = self.peek()?;
        let digits = self.digits();
        if digits == 0 || (digits > 1 && first == b'0') {
            return None;
        }
        let mut is_integer = true;
        if self.peek() == Some(b'.') {
            is_integer = false;
            self.position += 1;
            if self.digits() == 0 {
                return None;
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            is_integer = false;
            self.position += 1;
            self.position += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if self.digits() == 0 {
                return None;
            }
        }
        let text = self.text.get(start..self.position)?;
        let integer = if is_integer { text.parse().ok().map(Json::Integer) } else { None };
        integer.or_else(|| text.parse().ok().map(Json::Fraction))
    }
}

use crate::docent::json::{Json, DEPTH};

#[test]
fn reads_what_is_json() {
    let text = r#" {"a" : [1, -20, 0.5, 1e3, true, false, null], "text":"\u00e9\ud83d\ude00\n\"\/", "z\u0000":{}} "#;
    let value = Json::read(text.as_bytes()).unwrap();
    let list = match value.member("a") {
        Some(Json::List(list)) => list,
        _ => panic!("no list"),
    };
    assert_eq!(list[..3], [Json::Integer(1), Json::Integer(-20), Json::Fraction(0.5)]);
    assert_eq!(list[3..], [Json::Fraction(1000.0), Json::Flag(true), Json::Flag(false), Json::Null]);
    assert_eq!(value.member("text").and_then(Json::as_text), Some("é😀\n\"/"));
    assert_eq!(value.member("z\0"), Some(&Json::Object(Vec::new())));
    assert_eq!(value.member("missing"), None);
}

#[test]
fn refuses_what_is_none() {
    let bad: [&[u8]; 31] = [
        b"",
        b"{",
        b"}",
        b"[1,]",
        b"{\"a\"}",
        b"{\"a\":1,}",
        b"[1 2]",
        b"01",
        b"1.",
        b"1e",
        b"-",
        b"+1",
        b"tru",
        b"nul",
        b"\"",
        b"\"\\x\"",
        b"\"\\u12\"",
        b"\"\\ud800\"",
        b"\"\\ud800\\u0041\"",
        b"\"\\udc00\"",
        b"\"\t\"",
        b"\"\xff\"",
        b"\"\xc0\x80\"",
        b"\"\xed\xa0\x80\"",
        b"{} {}",
        b"{'a':1}",
        b"[",
        b"{\"a\":",
        b"nullx",
        b"\"\\",
        b"\"\\u+123\"",
    ];
    for text in bad {
        assert_eq!(Json::read(text), None, "{}", String::from_utf8_lossy(text));
    }
    let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
    assert!(Json::read(nested(DEPTH).as_bytes()).is_some());
    assert!(Json::read(nested(DEPTH + 1).as_bytes()).is_none());
}

#[test]
fn writes_what_it_reads() {
    let list = Json::List(vec![Json::Integer(i64::MIN), Json::Fraction(-1.5), Json::Flag(true)]);
    let value = Json::object([("a\"b", Json::text("x\0\u{1}\\é")), ("list", Some(list)), ("none", None)]);
    let mut text = String::new();
    value.write(&mut text);
    assert_eq!(Json::read(text.as_bytes()), Some(value));
    assert!(text.contains("[-9223372036854775808,-1.500,true]"));
}

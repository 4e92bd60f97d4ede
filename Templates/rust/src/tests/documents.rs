use super::host::*;
use crate::docent::json::Json;
use crate::docent::wire::Wire;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::io::AsFd;

fn create(wire: &mut Wire, name: &str, text: &str, operation: &str) -> Json {
    let parameters = format!(
        "'domain': '', 'parent': '.root', 'name': '{name}', 'isFolder': false, 'content': 0, 'size': {}, 'digest': 'd', \
         'operation': '{operation}'",
        text.len()
    );
    call(wire, "Create", &parameters, &[file(text.as_bytes()).as_fd()])
}

fn modify(wire: &mut Wire, identifier: &str, base: &str, text: &str, operation: &str) -> Json {
    let parameters = format!(
        "'domain': '', 'identifier': '{identifier}', 'baseVersion': '{base}', 'content': 0, 'size': {}, 'digest': 'd', \
         'operation': '{operation}'",
        text.len()
    );
    call(wire, "Modify", &parameters, &[file(text.as_bytes()).as_fd()])
}

fn fetched(wire: &mut Wire, identifier: &str) -> Vec<u8> {
    let file = file(b"");
    let parameters = format!("'domain': '', 'identifier': '{identifier}', 'destination': 0");
    let reply = call(wire, "Fetch", &parameters, &[file.as_fd()]);
    let bytes = content(&file);
    assert_eq!(integer(&reply, "completedBytes"), Some(bytes.len() as i64));
    bytes
}

fn count_children(wire: &mut Wire, folder: &str) -> usize {
    let (mut count, mut page) = (0, String::new());
    loop {
        let token = if page.is_empty() { String::new() } else { format!(", 'page': '{page}'") };
        let reply = call(wire, "Children", &format!("'domain': '', 'parent': '{folder}'{token}"), &[]);
        count += list(&reply, "items").len();
        page = text(&reply, "nextPage");
        if page.is_empty() {
            return count;
        }
    }
}

fn introduced() -> (Host, Wire) {
    let mut host = Host::start();
    host.introduce();
    let wire = host.connect();
    (host, wire)
}

#[test]
fn says_what_it_has() {
    let mut host = Host::start();
    let root = "'domain': '', 'identifier': '.root'";
    assert!(is_error(&call(host.control(), "Item", root, &[]), "InvalidArgument"));
    host.introduce();
    let mut wire = host.connect();
    assert_eq!(text(&call(&mut wire, "Item", root, &[]), "name"), "@DISPLAY@");
    let welcome = call(&mut wire, "Child", "'domain': '', 'parent': '.root', 'name': 'Welcome.txt'", &[]);
    assert!(integer(&welcome, "size") > Some(0));
    let errors = [
        ("Item", "'domain': 'other', 'identifier': '.root'", "InvalidArgument"),
        ("Item", "'domain': '', 'identifier': 7", "InvalidParameter"),
        ("Item", "'domain': '', 'identifier': 'item-01'", "NoSuchItem"),
        ("Children", "'domain': '', 'parent': 'item-1'", "InvalidArgument"),
        ("Children", "'domain': '', 'parent': '.root', 'page': '7'", "InvalidArgument"),
        ("OpenInPlace", "'domain': '', 'identifier': 'x'", "MethodNotImplemented"),
        ("Dance", "'domain': ''", "MethodNotFound"),
    ];
    for (method, parameters, error) in errors {
        let reply = call(&mut wire, method, parameters, &[]);
        assert!(is_error(&reply, error), "{method} {parameters}: {reply:?}");
    }
}

#[test]
fn never_overwrites() {
    let (_host, mut wire) = introduced();
    let made = create(&mut wire, "a.txt", "one", "o1");
    let (identifier, version) = (text(&made, "identifier"), text(&made, "version"));
    assert!(!identifier.is_empty() && !version.is_empty());
    assert_eq!(text(&create(&mut wire, "a.txt", "one", "o1"), "identifier"), identifier);
    assert!(is_error(&create(&mut wire, "a.txt", "one", "o2"), "Collision"));

    assert_ne!(text(&modify(&mut wire, &identifier, &version, "two", "o3"), "version"), version);
    assert!(is_error(&modify(&mut wire, &identifier, &version, "three", "o4"), "VersionOutOfDate"));
    assert_eq!(text(&modify(&mut wire, &identifier, &version, "two", "o3"), "identifier"), identifier);
    let stale = format!("'domain': '', 'identifier': '{identifier}', 'baseVersion': '{version}', 'recursive': false");
    assert!(is_error(&call(&mut wire, "Delete", &stale, &[]), "VersionOutOfDate"));
    assert_eq!(fetched(&mut wire, &identifier), b"two");
}

#[test]
fn has_folders() {
    let (_host, mut wire) = introduced();
    let made = "'domain': '', 'parent': '.root', 'name': 'F', 'isFolder': true, 'operation': 'f'";
    let folder = text(&call(&mut wire, "Create", made, &[]), "identifier");
    let document = text(&create(&mut wire, "a.txt", "one", "o1"), "identifier");
    // Two encodings of one letter are two names.
    for name in ["\u{e9}.txt", "e\u{301}.txt"] {
        let parameters = format!(
            "'domain': '', 'identifier': '{document}', 'parent': '{folder}', 'name': '{name}', 'operation': '{name}'"
        );
        let moved = call(&mut wire, "Move", &parameters, &[]);
        assert_eq!((text(&moved, "parent"), text(&moved, "identifier")), (folder.clone(), document.clone()));
    }
    let former = format!("'domain': '', 'parent': '{folder}', 'name': '\u{e9}.txt'");
    assert!(is_error(&call(&mut wire, "Child", &former, &[]), "NoSuchItem"));
    let inside = format!("'domain': '', 'identifier': '{folder}', 'parent': '{folder}', 'name': 'x', 'operation': 'm'");
    assert!(is_error(&call(&mut wire, "Move", &inside, &[]), "InvalidArgument"));
    for name in ["", ".", "..", "a/b", "a\\u0000b"] {
        assert!(is_error(&create(&mut wire, name, "x", name), "InvalidArgument"), "{name}");
    }
    let removed = |recursive| format!("'domain': '', 'identifier': '{folder}', 'recursive': {recursive}");
    assert!(is_error(&call(&mut wire, "Delete", &removed(false), &[]), "NotPermitted"));
    assert!(call(&mut wire, "Delete", &removed(true), &[]).member("error").is_none());
    let below = format!("'domain': '', 'identifier': '{document}'");
    assert!(is_error(&call(&mut wire, "Item", &below, &[]), "NoSuchItem"));
    assert_eq!(count_children(&mut wire, ".root"), 1);
}

#[test]
fn tells_pages_and_changes() {
    let (_host, mut wire) = introduced();
    let mut anchor = text(&call(&mut wire, "Changes", "'domain': ''", &[]), "anchor");
    for number in 0..250 {
        let name = number.to_string();
        assert!(create(&mut wire, &name, &name, &name).member("error").is_none());
    }
    assert_eq!(count_children(&mut wire, ".root"), 251);
    call(&mut wire, "Delete", "'domain': '', 'identifier': 'item-2', 'recursive': false", &[]);
    let (mut changed, mut deleted) = (0, 0);
    loop {
        let news = call(&mut wire, "Changes", &format!("'domain': '', 'anchor': '{anchor}'"), &[]);
        changed += list(&news, "changed").len();
        deleted += list(&news, "deleted").len();
        anchor = text(&news, "anchor");
        if news.member("parameters").and_then(|given| given.member("more")) != Some(&Json::Flag(true)) {
            break;
        }
    }
    assert_eq!((changed, deleted), (249, 1));
    for anchor in ["", "x", "1-1", "99999999999999999999-1"] {
        let reply = call(&mut wire, "Changes", &format!("'domain': '', 'anchor': '{anchor}'"), &[]);
        assert!(is_error(&reply, "AnchorExpired"), "{anchor}");
    }
}

#[test]
fn goes_on_and_tells_progress() {
    let (_host, mut wire) = introduced();
    let bytes: Vec<u8> = (0..3_u32 << 20).map(|index| ((index * 31) >> 3) as u8).collect();
    let made = "'domain': '', 'parent': '.root', 'name': 'large', 'isFolder': false, 'content': 0, 'operation': 'o'";
    let made = call(&mut wire, "Create", made, &[file(&bytes).as_fd()]);
    let (identifier, version) = (text(&made, "identifier"), text(&made, "version"));
    for (asked, offset) in [(version.as_str(), 100_000), ("another", 0)] {
        let file = file(&bytes[..100_000]);
        let parameters = format!(
            "'domain': '', 'identifier': '{identifier}', 'destination': 0, 'offset': 100000, 'version': '{asked}'"
        );
        send(&wire, &message("Fetch", &parameters, true), &[file.as_fd()]);
        let (mut replies, mut last) = (0, -1);
        loop {
            let reply = receive(&mut wire).unwrap();
            let completed = integer(&reply, "completedBytes").unwrap();
            assert_eq!(integer(&reply, "offset"), Some(offset));
            let goes_on = reply.member("continues") == Some(&Json::Flag(true));
            assert!(completed > last || !goes_on);
            (replies, last) = (replies + 1, completed);
            if !goes_on {
                break;
            }
        }
        assert!(replies > 3);
        assert_eq!(last, bytes.len() as i64);
        assert!(content(&file) == bytes);
    }
}

#[test]
fn comes_back_after_a_restart() {
    let (mut host, mut wire) = introduced();
    let identifier = text(&create(&mut wire, "kept.txt", "kept", "o1"), "identifier");
    assert!(modify(&mut wire, "item-1", "1", "changed", "o0").member("error").is_none());
    let anchor = text(&call(&mut wire, "Changes", "'domain': ''", &[]), "anchor");
    drop(wire);
    host.restart();
    // As after a kill while a record was written.
    let mut log = OpenOptions::new().append(true).open(host.storage.join(".@NAME@/log")).unwrap();
    log.write_all(b"{\"put\":3,\"parent\":0,\"name\":\"half\",\"folder\":false,\"size\":100}\nabc").unwrap();
    host.introduce();
    let mut wire = host.connect();
    assert_eq!(fetched(&mut wire, &identifier), b"kept");
    assert_eq!(fetched(&mut wire, "item-1"), b"changed");
    let unchanged = call(&mut wire, "Changes", &format!("'domain': '', 'anchor': '{anchor}'"), &[]);
    assert_eq!(text(&unchanged, "anchor"), anchor);
    assert_eq!(count_children(&mut wire, ".root"), 2);
    assert_eq!(text(&create(&mut wire, "kept.txt", "kept", "o1"), "identifier"), identifier);
    assert_ne!(text(&create(&mut wire, "next.txt", "next", "o2"), "identifier"), identifier);
    // A second Initialize keeps existing state, and a removed domain is gone.
    host.introduce();
    assert_eq!(fetched(&mut wire, &identifier), b"kept");
    assert!(initialize(host.control(), "").member("error").is_none());
    assert!(is_error(&call(&mut wire, "Item", "'domain': '', 'identifier': '.root'", &[]), "InvalidArgument"));
}

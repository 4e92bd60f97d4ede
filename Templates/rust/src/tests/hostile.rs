//! Messages that a host never sends. The extension answers with an error or closes that connection; other connections
//! continue.

use super::host::*;
use std::fs::File;
use std::net::Shutdown;
use std::os::unix::io::AsFd;

fn try_message(host: &mut Host, message: &[u8], descriptors: usize) {
    let mut wire = host.connect();
    let files: Vec<File> = (0..descriptors).map(|_| file(b"x")).collect();
    send(&wire, message, &files.iter().map(AsFd::as_fd).collect::<Vec<_>>());
    let _ = wire.socket().shutdown(Shutdown::Write);
    // Messages may follow until the connection ends.
    while receive(&mut wire).is_ok() {}
}

fn survives(host: &mut Host) {
    let mut wire = host.connect();
    let reply = call(&mut wire, "Item", "'domain': '', 'identifier': 'item-1'", &[]);
    assert_eq!(text(&reply, "name"), "Welcome.txt");
}

const METHODS: [(&str, &str); 18] = [
    ("Item", ""),
    ("Item", "'domain': '', 'identifier': ''"),
    ("Item", "'domain': '', 'identifier': 'item-\\u0000'"),
    ("Item", "'domain': '', 'identifier': 'item-18446744073709551616'"),
    ("Children", "'domain': '', 'parent': '.root', 'page': 'after--1'"),
    ("Connect", "'socket': 0"),
    ("Connect", ""),
    ("Fetch", "'domain': '', 'identifier': 'item-1', 'destination': 0"),
    ("Fetch", "'domain': '', 'identifier': 'item-1', 'destination': 1"),
    ("Fetch", "'domain': '', 'identifier': 'item-1', 'destination': -1"),
    ("Fetch", "'domain': '', 'identifier': 'item-1', 'destination': 0, 'offset': -5"),
    ("Modify", "'domain': '', 'identifier': 'item-1', 'content': 0, 'size': 1000000000000, 'operation': 'o'"),
    ("Create", "'domain': '', 'parent': '.root', 'name': 'n', 'isFolder': true, 'content': 0, 'operation': 'o'"),
    ("Move", "'domain': '', 'identifier': '.root', 'parent': '.root', 'name': 'n', 'operation': 'o'"),
    ("Delete", "'domain': '', 'identifier': '.root', 'recursive': true"),
    ("Initialize", "'version': 2, 'point': 'p', 'domains': []"),
    ("Initialize", "'version': 1, 'point': 'com.apple.fileprovider-nonui', 'domains': [1]"),
    ("StageElement", "'content': 0"),
];

#[test]
fn survives_messages() {
    let mut host = Host::start();
    host.introduce();
    let others: [&[u8]; 12] = [
        b"",
        b"x",
        b"null",
        b"[]",
        b"{}",
        b"{\"method\":1}",
        b"{\"method\":\".\"}",
        b"{\"method\":\"x\",\"parameters\":[]}",
        b"{\"method\":\"x\",\"more\":1}",
        b"{\"method\":\"org.docent.FileProvider.Item\",\"oneway\":true}",
        b"{\"method\":\"org.varlink.service.GetInfo\"}",
        b"{\"method\":\"org.varlink.service.GetInterfaceDescription\"}",
    ];
    let calls = METHODS.iter().map(|(method, parameters)| message(method, parameters, true));
    for text in others.iter().map(|text| text.to_vec()).chain(calls) {
        for descriptors in [0, 1, 2, 16] {
            try_message(&mut host, &text, descriptors);
        }
    }
    survives(&mut host);
}

#[test]
fn survives_size() {
    let mut host = Host::start();
    host.introduce();
    try_message(&mut host, &vec![b'x'; 3 << 20], 1);
    try_message(&mut host, &vec![b'['; 1 << 19], 0);
    survives(&mut host);
}

#[test]
fn refuses_wrong_files() {
    let mut host = Host::start();
    host.introduce();
    let mut wire = host.connect();
    for place in ["/dev/zero", "/", "/dev/null"] {
        let file = File::open(place).unwrap();
        let create = "'domain': '', 'parent': '.root', 'name': 'n', 'isFolder': false, 'content': 0, 'operation': 'o'";
        let reply = call(&mut wire, "Create", create, &[file.as_fd()]);
        assert!(is_error(&reply, "InvalidArgument"), "{reply:?}");
        let fetch = "'domain': '', 'identifier': 'item-1', 'destination': 0";
        let reply = call(&mut wire, "Fetch", fetch, &[file.as_fd()]);
        assert!(is_error(&reply, "InvalidArgument"), "{reply:?}");
    }
}

/// The caller hangs up while its content is being sent.
#[test]
fn survives_cancelling() {
    let mut host = Host::start();
    host.introduce();
    let source = file(&vec![0; 8 << 20]);
    for _ in 0..20 {
        let wire = host.connect();
        let create = "'domain': '', 'parent': '.root', 'name': 'c', 'isFolder': false, 'content': 0, 'operation': 'c'";
        send(&wire, &message("Create", create, true), &[source.as_fd()]);
    }
    survives(&mut host);
}

/// Mutated messages, from a fixed seed.
#[test]
fn survives_mutations() {
    let mut host = Host::start();
    host.introduce();
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut random = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    for round in 0..2000 {
        let (method, parameters) = METHODS[round % METHODS.len()];
        if method == "Initialize" {
            continue;
        }
        let mut text = message(method, parameters, random(2) == 0);
        for _ in 0..random(4) {
            let place = random(text.len());
            match random(3) {
                0 => text[place] = random(256) as u8,
                1 => text.insert(place, b"\"\\{}[],:0-e.u\x80\xff"[random(15)]),
                _ => drop(text.drain(place..text.len().min(place + random(8)))),
            }
        }
        try_message(&mut host, &text, random(3));
    }
    survives(&mut host);
}

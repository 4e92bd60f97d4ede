//! Lets the tests act as the host.

use crate::docent::json::Json;
use crate::docent::system::{self, ExtensionContext};
use crate::docent::wire::{Ended, Wire};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::os::unix::io::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

static NEXT: AtomicU64 = AtomicU64::new(0);

/// The extension on a thread, and its storage folder, which is removed with it.
pub struct Host {
    pub wire: Option<Wire>,
    pub storage: PathBuf,
    thread: Option<JoinHandle<i32>>,
}

impl Host {
    pub fn start() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let storage = std::env::temp_dir().join(format!("docent-template-{}-{number}", std::process::id()));
        fs::create_dir(&storage).unwrap();
        let mut host = Self { wire: None, storage, thread: None };
        host.restart();
        host
    }

    /// Ends the extension and starts it again with the same storage, without Initialize.
    pub fn restart(&mut self) {
        self.end();
        let (ours, theirs) = UnixStream::pair().unwrap();
        self.wire = Wire::new(ours).ok();
        self.thread = Some(std::thread::spawn(move || {
            let context = ExtensionContext::new(OwnedFd::from(theirs));
            #[allow(unsafe_code)]
            // SAFETY: the context lives during the call, and its socket has no other owner.
            unsafe {
                crate::docent_extension_main_v1(&context)
            }
        }));
    }

    fn end(&mut self) {
        self.wire = None;
        if let Some(thread) = self.thread.take() {
            assert_eq!(thread.join().unwrap(), 0);
        }
    }

    pub fn control(&mut self) -> &mut Wire {
        self.wire.as_mut().unwrap()
    }

    /// Calls Initialize with the default domain.
    pub fn introduce(&mut self) {
        let storage = self.storage.to_str().unwrap().to_owned();
        let domain = format!("{{'identifier': '', 'displayName': 'Test', 'storage': '{storage}'}}");
        let reply = initialize(self.control(), &domain);
        assert!(reply.member("error").is_none(), "{reply:?}");
    }

    /// Opens another connection with Connect.
    pub fn connect(&mut self) -> Wire {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let reply = call(self.control(), "Connect", "'socket': 0", &[theirs.as_fd()]);
        assert!(reply.member("error").is_none(), "{reply:?}");
        Wire::new(ours).unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.end();
        let _ = fs::remove_dir_all(&self.storage);
    }
}

pub fn initialize(wire: &mut Wire, domains: &str) -> Json {
    let parameters = format!(
        "'version': 1, 'provider': '@IDENTIFIER@', 'point': 'com.apple.fileprovider-nonui', \
         'principalClass': '@NAME@.Provider', 'displayName': 'Test', 'domains': [{domains}]"
    );
    call(wire, "Initialize", &parameters, &[])
}

/// Sends a raw message. If the peer has closed the connection, this is not a failure.
pub fn send(wire: &Wire, message: &[u8], descriptors: &[BorrowedFd<'_>]) {
    let message = [message, b"\0"].concat();
    if let Ok(sent) = system::send(wire.socket().as_fd(), &message, descriptors) {
        let _ = wire.socket().write_all(&message[sent..]);
    }
}

pub fn receive(wire: &mut Wire) -> Result<Json, Ended> {
    let bytes = wire.receive()?;
    Ok(Json::read(&bytes).expect("the extension sent something that is no JSON"))
}

/// A message that calls a method of org.docent.FileProvider. In the parameters ' stands for ".
pub fn message(method: &str, parameters: &str, wants_more: bool) -> Vec<u8> {
    let parameters = parameters.replace('\'', "\"");
    format!(r#"{{"method":"org.docent.FileProvider.{method}","more":{wants_more},"parameters":{{{parameters}}}}}"#)
        .into()
}

/// A call and its one reply.
pub fn call(wire: &mut Wire, method: &str, parameters: &str, descriptors: &[BorrowedFd<'_>]) -> Json {
    send(wire, &message(method, parameters, false), descriptors);
    receive(wire).expect("the extension hung up")
}

/// Whether a reply is that error, given without the interface's name.
pub fn is_error(reply: &Json, error: &str) -> bool {
    let name = reply.member("error").and_then(Json::as_text);
    name.map_or(false, |name| name.rsplit('.').next() == Some(error))
}

fn find<'a>(reply: &'a Json, key: &str) -> Option<&'a Json> {
    let parameters = reply.member("parameters")?;
    parameters.member(key).or_else(|| parameters.member("item")?.member(key))
}

/// A text in the parameters or in their item.
pub fn text(reply: &Json, key: &str) -> String {
    find(reply, key).and_then(Json::as_text).unwrap_or("").to_owned()
}

pub fn integer(reply: &Json, key: &str) -> Option<i64> {
    find(reply, key).and_then(Json::as_integer)
}

pub fn list<'a>(reply: &'a Json, key: &str) -> &'a [Json] {
    match find(reply, key) {
        Some(Json::List(list)) => list,
        _ => panic!("no list {key} in {reply:?}"),
    }
}

/// An unlinked file with some content.
pub fn file(content: &[u8]) -> File {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("docent-content-{}-{number}", std::process::id()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path).unwrap();
    fs::remove_file(&path).unwrap();
    file.write_all_at(content, 0).unwrap();
    file
}

pub fn content(file: &File) -> Vec<u8> {
    let mut bytes = vec![0; file.metadata().unwrap().len() as usize];
    file.read_exact_at(&mut bytes, 0).unwrap();
    bytes
}

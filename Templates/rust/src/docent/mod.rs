//! Writing a file provider for Docent in Rust: implement [`Provider`], and call [`serve`] from the one C symbol.

mod call;
pub mod json;
mod methods;
mod server;
#[allow(unsafe_code)]
pub mod system;
pub mod wire;

pub use call::{Destination, Source};
pub use server::serve;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The identifier of the top folder.
pub const ROOT: &str = ".root";

/// The errors of the interface org.docent.FileProvider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code)]
pub enum Code {
    /// Only if that is certain: the host forgets the item.
    NoSuchItem,
    /// The user has to sign in again.
    NotAuthenticated,
    /// Nothing is lost: the host tries again, as after `Busy`.
    ServerUnreachable,
    Busy,
    /// The name is taken.
    Collision,
    VersionOutOfDate,
    InsufficientQuota,
    /// The host lists everything again.
    AnchorExpired,
    NotSupported,
    NotPermitted,
    InvalidArgument,
    Failed,
    /// The caller has gone; nothing is answered.
    Cancelled,
}

/// Why a call fails. The message is for people and must not contain secrets.
#[derive(Clone, Debug)]
pub struct Error {
    pub code: Code,
    pub message: String,
}

impl Error {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {}", self.code, self.message)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        // ENOSPC and EDQUOT: their names in std are too new for older compilers.
        let is_full = matches!(error.raw_os_error(), Some(28) | Some(122));
        Self::new(if is_full { Code::InsufficientQuota } else { Code::Failed }, error.to_string())
    }
}

pub type Result<T> = std::result::Result<T, Error>;

/// A signed-in account, or the only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Empty for the default one.
    pub identifier: String,
    pub display_name: String,
    /// A folder for the provider's own files.
    pub storage: PathBuf,
    /// The user's settings.
    pub settings: BTreeMap<String, String>,
}

/// A document or a folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// Never changes, not even with the name; never reused.
    pub identifier: String,
    /// Identifier of its folder; for the top folder its own.
    pub parent: String,
    /// At most 255 bytes, no slash.
    pub name: String,
    pub is_folder: bool,
    /// Changes with the content; at most 128 bytes.
    pub version: Option<String>,
    /// In bytes.
    pub size: Option<u64>,
    /// Milliseconds since 1970.
    pub modified: Option<i64>,
    pub created: Option<i64>,
    /// Some of read, write, rename, delete, addItems.
    pub capabilities: &'static [&'static str],
}

/// A page of a listing; `next` is the token (at most 500 bytes) of the next page.
pub struct Page {
    pub items: Vec<Item>,
    pub next: Option<String>,
}

/// The changes since an anchor, and the anchor for the next request, which may follow at once if there is more.
pub struct Changes {
    pub changed: Vec<Item>,
    pub deleted: Vec<String>,
    pub anchor: String,
    pub more: bool,
}

/// Where an interrupted download may resume: this many bytes of that version are present.
pub struct Resume<'a> {
    pub offset: u64,
    pub version: &'a str,
}

/// A change that must be made only once, even if it is requested again: an operation that succeeded with that digest
/// gets the same answer as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub name: String,
    /// SHA-256 of the content; empty if there is none.
    pub digest: String,
}

/// A provider of one domain. Its functions are called on several threads at once.
///
/// A method whose feature is not in [`Provider::FEATURES`] is never called.
pub trait Provider: Send + Sync + Sized + 'static {
    /// The name of the library.
    const NAME: &'static str;
    /// Some of changes, write (create, modify), delete, move, resume (fetch uses `resume`).
    const FEATURES: &'static [&'static str];

    /// Called before the first call of the domain, and again before the next one if it fails. The provider is dropped
    /// when the domain is gone or has other settings, and none of its calls is running any more.
    fn open(domain: &Domain) -> Result<Self>;

    fn item(&self, identifier: &str) -> Result<Item>;
    fn child(&self, parent: &str, name: &str) -> Result<Item>;
    /// A page of about 100 items; the first one without a token.
    fn children(&self, parent: &str, page: Option<&str>) -> Result<Page>;
    /// Writes the content and returns the item that it belongs to.
    fn fetch(&self, identifier: &str, resume: Option<Resume<'_>>, destination: &mut Destination<'_>) -> Result<Item>;

    /// Without an anchor: only the current anchor.
    fn changes(&self, _anchor: Option<&str>) -> Result<Changes> {
        Err(missing())
    }

    /// Creates a document, or a folder if there is no content. Never replaces: `Collision`.
    fn create(
        &self,
        _parent: &str,
        _name: &str,
        _content: Option<&mut Source<'_>>,
        _operation: &Operation,
    ) -> Result<Item> {
        Err(missing())
    }

    /// Replaces the content of a document with the version `base` (`None`: any version): else `VersionOutOfDate`.
    fn modify(
        &self,
        _identifier: &str,
        _base: Option<&str>,
        _content: &mut Source<'_>,
        _operation: &Operation,
    ) -> Result<Item> {
        Err(missing())
    }

    /// A folder that is not empty is only deleted if `recursive`: else `NotPermitted`.
    fn delete(&self, _identifier: &str, _base: Option<&str>, _recursive: bool) -> Result<()> {
        Err(missing())
    }

    /// Moves an item to another folder or name. Never replaces: `Collision`.
    fn rename(
        &self,
        _identifier: &str,
        _base: Option<&str>,
        _parent: &str,
        _name: &str,
        _operation: &Operation,
    ) -> Result<Item> {
        Err(missing())
    }
}

fn missing() -> Error {
    Error::new(Code::NotSupported, "This provider does not support this operation.")
}

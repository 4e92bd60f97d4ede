//! One call: its parameters, and content that is sent and received.

use super::json::Json;
use super::system;
use super::wire::Wire;
use super::{Code, Error, Result};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::os::unix::io::{AsRawFd, OwnedFd};

/// How many bytes are transferred between two progress reports.
const STEP: u64 = 256 << 10;

/// Why a call gets no regular answer.
pub enum Refusal {
    /// An error of the interface.
    Provider(Error),
    /// A parameter is missing or has the wrong type.
    Parameter(&'static str),
    /// The method is not implemented.
    Missing,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Provider(error)
    }
}

pub type Answer<T> = std::result::Result<T, Refusal>;

/// The parameters of a call.
pub struct Parameters<'a>(pub &'a Json);

impl<'a> Parameters<'a> {
    fn optional<T>(&self, key: &'static str, read: impl Fn(&'a Json) -> Option<T>) -> Answer<Option<T>> {
        self.0.member(key).map(|given| read(given).ok_or(Refusal::Parameter(key))).transpose()
    }

    pub fn text(&self, key: &'static str) -> Answer<&'a str> {
        self.optional_text(key)?.ok_or(Refusal::Parameter(key))
    }

    pub fn optional_text(&self, key: &'static str) -> Answer<Option<&'a str>> {
        self.optional(key, Json::as_text)
    }

    pub fn flag(&self, key: &'static str) -> Answer<bool> {
        self.optional(key, Json::as_flag)?.ok_or(Refusal::Parameter(key))
    }

    pub fn optional_integer(&self, key: &'static str) -> Answer<Option<i64>> {
        self.optional(key, Json::as_integer)
    }
}

/// Reports the progress of a call to the host, and detects whether the caller has gone.
pub struct Progress<'a> {
    wire: &'a mut Wire,
    wants_more: bool,
    told: u64,
}

impl<'a> Progress<'a> {
    pub fn new(wire: &'a mut Wire, wants_more: bool) -> Self {
        Self { wire, wants_more, told: 0 }
    }

    fn tell(&mut self, completed: u64, total: Option<u64>, offset: Option<u64>) -> Result<()> {
        let cancelled = || Error::new(Code::Cancelled, "The caller has gone.");
        if self.wire.is_abandoned() {
            return Err(cancelled());
        }
        if !self.wants_more || completed.saturating_sub(self.told) < STEP {
            return Ok(());
        }
        self.told = completed;
        let parameters = Json::object([
            ("completedBytes", Json::integer(completed)),
            ("totalBytes", total.and_then(Json::integer)),
            ("offset", offset.and_then(Json::integer)),
        ]);
        let message = Json::object([("continues", Some(Json::Flag(true))), ("parameters", Some(parameters))]);
        self.wire.send(&message).map_err(|_| cancelled())
    }
}

/// The destination of an item's content.
pub struct Destination<'a> {
    file: File,
    /// How many bytes are present already.
    resumable: u64,
    beginning: Option<u64>,
    position: u64,
    total: Option<u64>,
    progress: Progress<'a>,
}

impl<'a> Destination<'a> {
    pub(super) fn new(file: OwnedFd, resumable: u64, progress: Progress<'a>) -> Result<Self> {
        if !system::access(file.as_raw_fd()).1 {
            return Err(Error::new(Code::InvalidArgument, "The destination is not open for writing."));
        }
        Ok(Self { file: file.into(), resumable, beginning: None, position: 0, total: None, progress })
    }

    /// Announces where the content begins (at the resume point or at 0) and its total length. Call it once, before
    /// anything is written.
    pub fn begin(&mut self, offset: u64, total: Option<u64>) -> Result<()> {
        if self.beginning.is_some() || (offset != 0 && offset != self.resumable) {
            return Err(Error::new(Code::Failed, "The content cannot begin at that offset."));
        }
        // Cuts off what follows the bytes that are kept. A new file is left alone: it may have reserved space.
        if offset < self.resumable {
            self.file.set_len(offset)?;
        }
        self.beginning = Some(offset);
        self.position = offset;
        self.progress.told = offset;
        self.total = total;
        Ok(())
    }

    /// Writes the next part and reports progress, which extends the deadline of the call. Return its error, which may
    /// mean that the content is no longer wanted.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.beginning.is_none() {
            self.begin(0, None)?;
        }
        for part in bytes.chunks(STEP as usize) {
            self.file.write_all_at(part, self.position)?;
            self.position += part.len() as u64;
            self.progress.tell(self.position, self.total, self.beginning)?;
        }
        Ok(())
    }

    /// How much is present, and where writing began.
    pub(super) fn end(mut self) -> Result<(u64, u64)> {
        if self.beginning.is_none() {
            self.begin(0, None)?;
        }
        if self.total.map_or(false, |total| total != self.position) {
            return Err(Error::new(Code::Failed, "The provider announced a different length from what it delivered."));
        }
        Ok((self.position, self.beginning.unwrap_or(0)))
    }
}

/// New content to be stored.
pub struct Source<'a> {
    file: File,
    size: u64,
    position: u64,
    progress: Progress<'a>,
}

impl<'a> Source<'a> {
    pub(super) fn new(file: OwnedFd, size: Option<i64>, progress: Progress<'a>) -> Result<Self> {
        let is_readable = system::access(file.as_raw_fd()).0;
        let file = File::from(file);
        let facts = file.metadata()?;
        if !is_readable || !facts.is_file() {
            return Err(Error::new(Code::InvalidArgument, "The content is not a file that is open for reading."));
        }
        let size = size.map_or(Some(facts.len()), |size| u64::try_from(size).ok());
        match size.filter(|size| *size <= facts.len()) {
            Some(size) => Ok(Self { file, size, position: 0, progress }),
            None => Err(Error::new(Code::InvalidArgument, "The content is shorter than declared.")),
        }
    }

    /// The length in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reads the next part; returns 0 at the end. Reports progress, as [`Destination::write`] does.
    pub fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        let wanted = usize::try_from(self.size - self.position).unwrap_or(usize::MAX).min(bytes.len());
        if wanted == 0 {
            return Ok(0);
        }
        let count = self.file.read_at(&mut bytes[..wanted], self.position)?;
        if count == 0 {
            return Err(Error::new(Code::Failed, "The content became shorter while it was read."));
        }
        self.position += count as u64;
        self.progress.tell(self.position, Some(self.size), None)?;
        Ok(count)
    }
}

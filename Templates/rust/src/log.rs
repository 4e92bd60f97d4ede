//! The log: one record for each change, a line of JSON followed by the content. A record that a kill cut short belongs
//! to a change that was never confirmed, and is dropped.

use crate::docent::json::Json;
use crate::docent::Operation;
use crate::store::{Document, Memory, State};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One change of a [`State`].
pub enum Record {
    Begin { epoch: u64, sequence: u64, last_id: u64, horizon: u64 },
    Put { document: Document, operation: Option<Operation> },
    Gone { id: u64, changed: u64 },
    Done(Memory),
}

impl Record {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut content = None;
        let line = match self {
            Record::Begin { epoch, sequence, last_id, horizon } => Json::object([
                ("epoch", Json::integer(*epoch)),
                ("sequence", Json::integer(*sequence)),
                ("last", Json::integer(*last_id)),
                ("horizon", Json::integer(*horizon)),
            ]),
            Record::Put { document, operation } => {
                content = document.content.as_ref();
                let size = content.map(|content| content.len() as u64);
                line("put", document, operation.as_ref(), ("size", size))
            }
            Record::Gone { id, changed } => {
                Json::object([("gone", Json::integer(*id)), ("sequence", Json::integer(*changed))])
            }
            Record::Done(memory) => line("done", &memory.document, Some(&memory.operation), ("length", memory.size)),
        };
        let mut text = String::new();
        line.write(&mut text);
        writeln!(out, "{text}")?;
        if let Some(content) = content {
            out.write_all(content)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Reads the record at the start of the bytes, and returns its length. `None`: it is incomplete.
    fn read(bytes: &[u8]) -> Option<(Record, usize)> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let line = Json::read(&bytes[..end])?;
        let number = |key| line.member(key).and_then(Json::as_integer).and_then(|number| u64::try_from(number).ok());
        let text = |key| line.member(key).and_then(Json::as_text).map(str::to_owned);
        let mut length = end + 1;
        let changed = number("sequence")?;
        if let Some(epoch) = number("epoch") {
            let begin =
                Record::Begin { epoch, sequence: changed, last_id: number("last")?, horizon: number("horizon")? };
            return Some((begin, length));
        }
        if let Some(id) = number("gone") {
            return Some((Record::Gone { id, changed }, length));
        }
        let mut document = Document {
            id: number("put").or_else(|| number("done"))?,
            parent: number("parent")?,
            name: text("name")?,
            is_folder: line.member("folder")?.as_flag()?,
            content: None,
            version: number("version")?,
            modified: line.member("modified")?.as_integer()?,
            created: line.member("created")?.as_integer()?,
            changed,
        };
        let operation = text("operation").map(|name| Operation { name, digest: text("digest").unwrap_or_default() });
        if number("done").is_some() {
            return Some((Record::Done(Memory { operation: operation?, document, size: number("length") }), length));
        }
        if let Some(size) = number("size") {
            let rest = &bytes[length..];
            let size = usize::try_from(size).ok().filter(|size| rest.get(*size) == Some(&b'\n'))?;
            document.content = Some(Arc::new(rest[..size].to_vec()));
            length += size + 1;
        }
        Some((Record::Put { document, operation }, length))
    }
}

fn line(kind: &str, document: &Document, operation: Option<&Operation>, size: (&str, Option<u64>)) -> Json {
    Json::object([
        (kind, Json::integer(document.id)),
        ("parent", Json::integer(document.parent)),
        ("name", Json::text(&document.name)),
        ("folder", Some(Json::Flag(document.is_folder))),
        ("version", Json::integer(document.version)),
        ("modified", Some(Json::Integer(document.modified))),
        ("created", Some(Json::Integer(document.created))),
        ("sequence", Json::integer(document.changed)),
        ("operation", operation.and_then(|operation| Json::text(&operation.name))),
        ("digest", operation.and_then(|operation| Json::text(&operation.digest))),
        (size.0, size.1.and_then(Json::integer)),
    ])
}

/// The file.
pub struct Log {
    folder: PathBuf,
    /// `None` in a new store, and after a change that could not be undone: then no more changes are accepted.
    file: Option<File>,
    size: u64,
    /// The size beyond which the log is rewritten.
    limit: u64,
}

impl Log {
    /// Reads the log into a state, which is unchanged if the store is new.
    pub fn open(folder: &Path, state: &mut State) -> io::Result<Self> {
        let mut log = Self { folder: folder.to_owned(), file: None, size: 0, limit: 0 };
        let mut file = match OpenOptions::new().read(true).write(true).open(folder.join("log")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(log),
            result => result?,
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut position = 0;
        while let Some((record, length)) = Record::read(&bytes[position..]) {
            state.apply(record);
            position += length;
        }
        file.set_len(position as u64)?;
        log.file = Some(file);
        log.note_size(position as u64);
        Ok(log)
    }

    fn note_size(&mut self, size: u64) {
        self.size = size;
        self.limit = size * 2 + (4 << 20);
    }

    pub fn is_long(&self) -> bool {
        self.size > self.limit
    }

    /// Appends records durably: all of them, or none.
    pub fn append(&mut self, records: &[Record]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for record in records {
            record.write(&mut bytes)?;
        }
        let closed = || io::Error::new(io::ErrorKind::Other, "the log is closed");
        let file = self.file.as_ref().ok_or_else(closed)?;
        // The change must be durable: the caller discards its content once the change is confirmed.
        let written = file.write_all_at(&bytes, self.size).and_then(|()| file.sync_data());
        match written {
            Ok(()) => self.size += bytes.len() as u64,
            Err(_) if file.set_len(self.size).is_err() => self.file = None,
            Err(_) => {}
        }
        written
    }

    /// Writes the whole state to a new file that replaces the log.
    pub fn rewrite(&mut self, state: &State) -> io::Result<()> {
        let new = self.folder.join("log.new");
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        let mut out = io::BufWriter::new(&file);
        for record in state.records() {
            record.write(&mut out)?;
        }
        out.flush()?;
        drop(out);
        file.sync_data()?;
        fs::rename(&new, self.folder.join("log"))?;
        File::open(&self.folder)?.sync_all()?;
        let size = file.metadata()?.len();
        self.note_size(size);
        self.file = Some(file);
        Ok(())
    }
}

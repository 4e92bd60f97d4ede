//! The service of this provider: documents in memory, with a log on disk from which they are restored.
//!
//! Replace this with your own service.

use crate::docent::{system, Operation};
use crate::log::{Log, Record};
use std::collections::{BTreeMap, VecDeque};
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const GRAVES: usize = 1000;
const MEMORIES: usize = 1000;
/// Of all content, in bytes.
pub const CAPACITY: usize = 256 << 20;
const WELCOME: &str = "This document comes from @NAME@, a provider that was written in Rust.\n";

/// A document or folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Never reused; 0 is the top folder.
    pub id: u64,
    pub parent: u64,
    pub name: String,
    pub is_folder: bool,
    /// Never changes: a changed document gets new content. `None` for a folder.
    pub content: Option<Arc<Vec<u8>>>,
    /// The number of the change that brought the content.
    pub version: u64,
    /// Milliseconds since 1970.
    pub modified: i64,
    pub created: i64,
    /// The number of its last change.
    pub changed: u64,
}

/// A change, and the answer to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    pub operation: Operation,
    /// Without its content.
    pub document: Document,
    pub size: Option<u64>,
}

/// The state of the store. It is changed only by records: when a change is made, and when the log is read.
#[derive(Default)]
pub struct State {
    /// Distinguishes this store from an earlier one.
    pub epoch: u64,
    /// Number of the last change.
    pub sequence: u64,
    pub last_id: u64,
    /// Deletions up to this number are forgotten.
    pub horizon: u64,
    pub documents: BTreeMap<u64, Document>,
    /// Deleted documents, oldest first, with the number of the change.
    pub graves: VecDeque<(u64, u64)>,
    pub memories: VecDeque<Memory>,
    /// Of all content, in bytes.
    pub bytes: usize,
}

impl State {
    pub fn apply(&mut self, record: Record) {
        match record {
            Record::Begin { epoch, sequence, last_id, horizon } => {
                (self.epoch, self.sequence, self.last_id, self.horizon) = (epoch, sequence, last_id, horizon);
            }
            Record::Put { document, operation } => self.put(document, operation),
            Record::Gone { id, changed } => {
                let content = self.documents.remove(&id).and_then(|document| document.content);
                self.bytes -= content.map_or(0, |content| content.len());
                if self.graves.len() == GRAVES {
                    self.horizon = self.graves.pop_front().map_or(self.horizon, |grave| grave.1);
                }
                self.graves.push_back((id, changed));
                self.sequence = self.sequence.max(changed);
                self.last_id = self.last_id.max(id);
            }
            Record::Done(memory) => self.remember(memory),
        }
    }

    fn put(&mut self, mut document: Document, operation: Option<Operation>) {
        let old = self.documents.remove(&document.id);
        if let Some(content) = &document.content {
            self.bytes += content.len();
            self.bytes -= old.and_then(|old| old.content).map_or(0, |old| old.len());
        } else {
            document.content = old.and_then(|old| old.content);
        }
        if let Some(operation) = operation {
            let size = document.content.as_ref().map(|content| content.len() as u64);
            self.remember(Memory { operation, document: Document { content: None, ..document.clone() }, size });
        }
        self.sequence = self.sequence.max(document.changed);
        self.last_id = self.last_id.max(document.id);
        self.documents.insert(document.id, document);
    }

    fn remember(&mut self, memory: Memory) {
        if self.memories.len() == MEMORIES {
            self.memories.pop_front();
        }
        self.memories.push_back(memory);
    }

    /// The whole state as records.
    pub fn records(&self) -> impl Iterator<Item = Record> + '_ {
        let begin =
            Record::Begin { epoch: self.epoch, sequence: self.sequence, last_id: self.last_id, horizon: self.horizon };
        let graves = self.graves.iter().map(|(id, changed)| Record::Gone { id: *id, changed: *changed });
        let puts = self.documents.values().cloned().map(|document| Record::Put { document, operation: None });
        let memories = self.memories.iter().cloned().map(Record::Done);
        std::iter::once(begin).chain(graves).chain(puts).chain(memories)
    }
}

/// The state, and the log in which it is saved.
pub struct Store {
    pub state: State,
    log: Log,
    /// Locked as long as the store is open.
    _folder: File,
}

impl Store {
    /// Opens the store in a folder below `storage`; a new one gets a Welcome.txt.
    pub fn open(storage: &Path) -> io::Result<Self> {
        let path = storage.join(".@NAME@");
        match DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let folder = File::open(&path)?;
        lock(&folder)?;
        let mut state = State::default();
        let log = Log::open(&path, &mut state)?;
        let mut store = Self { state, log, _folder: folder };
        if store.state.epoch == 0 {
            let age = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::from_nanos(1));
            store.state.epoch = u64::try_from(age.as_nanos()).unwrap_or(1);
            let document = Document {
                id: 1,
                name: "Welcome.txt".into(),
                content: Some(Arc::new(WELCOME.into())),
                version: 1,
                modified: now(),
                created: now(),
                changed: 1,
                ..Document::default()
            };
            store.state.apply(Record::Put { document, operation: None });
            store.log.rewrite(&store.state)?;
        }
        Ok(store)
    }

    pub fn child(&self, parent: u64, name: &str) -> Option<&Document> {
        self.children(parent).find(|document| document.name == name)
    }

    pub fn children(&self, parent: u64) -> impl Iterator<Item = &Document> {
        self.state.documents.values().filter(move |document| document.parent == parent)
    }

    pub fn is_below(&self, mut id: u64, folder: u64) -> bool {
        while id != 0 && id != folder {
            id = self.state.documents.get(&id).map_or(0, |document| document.parent);
        }
        id == folder
    }

    /// The operation, if it was carried out before.
    pub fn recall(&self, operation: &Operation) -> Option<&Memory> {
        self.state.memories.iter().find(|memory| memory.operation == *operation)
    }

    /// Adds a document, or replaces the one with the same id, whose content it shares if it has none of its own. First
    /// in the log, then in memory.
    pub fn put(&mut self, mut document: Document, operation: &Operation) -> io::Result<&Document> {
        document.changed = self.state.sequence + 1;
        if document.content.is_some() {
            document.version = document.changed;
        }
        let id = document.id;
        self.save(vec![Record::Put { document, operation: Some(operation.clone()) }])?;
        self.state.documents.get(&id).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Deletes a document with everything below it.
    pub fn delete(&mut self, id: u64) -> io::Result<()> {
        let gone = self.state.documents.keys().filter(|other| self.is_below(**other, id));
        let records = gone.zip(self.state.sequence + 1..).map(|(id, changed)| Record::Gone { id: *id, changed });
        self.save(records.collect())
    }

    fn save(&mut self, records: Vec<Record>) -> io::Result<()> {
        if self.log.is_long() {
            self.log.rewrite(&self.state)?;
        }
        self.log.append(&records)?;
        for record in records {
            self.state.apply(record);
        }
        Ok(())
    }
}

/// Waits for a process that had the store open and is just ending.
fn lock(folder: &File) -> io::Result<()> {
    for _ in 0..500 {
        match system::lock(folder) {
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
    Err(io::ErrorKind::WouldBlock.into())
}

/// Milliseconds since 1970.
pub fn now() -> i64 {
    let age = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(age.as_millis()).unwrap_or(i64::MAX)
}

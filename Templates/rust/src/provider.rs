//! The provider: answers Docent's calls from the store. Start here when you write your own.

use crate::docent::{
    Changes, Code, Destination, Domain, Error, Item, Operation, Page, Provider, Result, Resume, Source, ROOT,
};
use crate::store::{self, Document, Memory, Store};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const PAGE: usize = 100;

/// A provider whose documents are in memory.
pub struct MemoryProvider {
    store: Mutex<Store>,
}

impl Provider for MemoryProvider {
    const NAME: &'static str = "@NAME@";
    const FEATURES: &'static [&'static str] = &["changes", "write", "delete", "move", "resume"];

    fn open(domain: &Domain) -> Result<Self> {
        match Store::open(&domain.storage) {
            Ok(store) => Ok(Self { store: Mutex::new(store) }),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                Err(Error::new(Code::Busy, "Another process has the store."))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn item(&self, identifier: &str) -> Result<Item> {
        if identifier == ROOT {
            return Ok(top());
        }
        Ok(described(require(&self.lock(), identifier)?))
    }

    fn child(&self, parent: &str, name: &str) -> Result<Item> {
        let store = self.lock();
        let folder = require_folder(&store, parent)?;
        let missing = || Error::new(Code::NoSuchItem, "There is nothing with that name in the folder.");
        store.child(folder, name).map(described).ok_or_else(missing)
    }

    // A page begins after an item and not at an index, so items that come or go between two pages neither hide others
    // nor repeat them.
    fn children(&self, parent: &str, page: Option<&str>) -> Result<Page> {
        let store = self.lock();
        let folder = require_folder(&store, parent)?;
        let behind = match page.map(|page| number(page, "after-")) {
            None => 0,
            Some(Some(behind)) => behind,
            Some(None) => return Err(Error::new(Code::InvalidArgument, "This is not a page of this folder.")),
        };
        let mut rest = store.children(folder).filter(|document| document.id > behind).peekable();
        let documents: Vec<_> = rest.by_ref().take(PAGE).collect();
        let last = documents.last().map_or(0, |document| document.id);
        let next = rest.peek().map(|_| format!("after-{last}"));
        Ok(Page { items: documents.into_iter().map(described).collect(), next })
    }

    fn changes(&self, anchor: Option<&str>) -> Result<Changes> {
        let store = self.lock();
        let state = &store.state;
        let prefix = format!("{}-", state.epoch);
        let since = anchor.map_or(Some(state.sequence), |anchor| number(anchor, &prefix));
        let since = since
            .filter(|since| (state.horizon..=state.sequence).contains(since))
            .ok_or_else(|| Error::new(Code::AnchorExpired, "The changes since then are no longer known."))?;
        // By number: a changed document, or a deletion.
        let there = state.documents.values().map(|document| (document.changed, Ok(document)));
        let gone = state.graves.iter().map(|(id, changed)| (*changed, Err(*id)));
        let mut news: Vec<_> = there.chain(gone).filter(|change| change.0 > since).collect();
        news.sort_by_key(|change| change.0);
        let more = news.len() > PAGE;
        news.truncate(PAGE);
        let last = news.last().map_or(since, |change| change.0);
        let mut changes = Changes { changed: Vec::new(), deleted: Vec::new(), anchor: format!("{prefix}{last}"), more };
        for (_, change) in news {
            match change {
                Ok(document) => changes.changed.push(described(document)),
                Err(id) => changes.deleted.push(identifier_of(id)),
            }
        }
        Ok(changes)
    }

    fn fetch(&self, identifier: &str, resume: Option<Resume<'_>>, destination: &mut Destination<'_>) -> Result<Item> {
        // The lock is released before anything is written: the host may be slow, and content never changes.
        let document = require(&self.lock(), identifier)?.clone();
        let content = document.content.as_ref().ok_or_else(no_content)?;
        let size = content.len() as u64;
        let goes_on = |resume: &Resume<'_>| resume.offset <= size && resume.version == document.version.to_string();
        let offset = resume.filter(goes_on).map_or(0, |resume| resume.offset);
        destination.begin(offset, Some(size))?;
        destination.write(&content[offset as usize..])?;
        Ok(described(&document))
    }

    fn create(
        &self,
        parent: &str,
        name: &str,
        content: Option<&mut Source<'_>>,
        operation: &Operation,
    ) -> Result<Item> {
        let content = content.map(read).transpose()?;
        let mut store = self.lock();
        if let Some(memory) = store.recall(operation) {
            return Ok(remembered(memory));
        }
        let parent = require_folder(&store, parent)?;
        require_free(&store, parent, name, 0)?;
        let (id, date) = (store.state.last_id + 1, store::now());
        let document = Document {
            id,
            parent,
            name: name.to_owned(),
            is_folder: content.is_none(),
            content,
            modified: date,
            created: date,
            ..Document::default()
        };
        save(&mut store, document, operation)
    }

    fn modify(
        &self,
        identifier: &str,
        base: Option<&str>,
        content: &mut Source<'_>,
        operation: &Operation,
    ) -> Result<Item> {
        let content = read(content)?;
        let mut store = self.lock();
        if let Some(memory) = store.recall(operation) {
            return Ok(remembered(memory));
        }
        let old = require(&store, identifier)?;
        if old.is_folder {
            return Err(no_content());
        }
        require_base(old, base)?;
        let document = Document { content: Some(content), modified: store::now(), ..old.clone() };
        save(&mut store, document, operation)
    }

    fn delete(&self, identifier: &str, base: Option<&str>, recursive: bool) -> Result<()> {
        let mut store = self.lock();
        let document = require(&store, identifier)?;
        require_base(document, base)?;
        let id = document.id;
        if !recursive && store.children(id).next().is_some() {
            return Err(Error::new(Code::NotPermitted, "The folder is not empty."));
        }
        Ok(store.delete(id)?)
    }

    fn rename(
        &self,
        identifier: &str,
        base: Option<&str>,
        parent: &str,
        name: &str,
        operation: &Operation,
    ) -> Result<Item> {
        let mut store = self.lock();
        if let Some(memory) = store.recall(operation) {
            return Ok(remembered(memory));
        }
        let old = require(&store, identifier)?;
        require_base(old, base)?;
        let parent = require_folder(&store, parent)?;
        require_free(&store, parent, name, old.id)?;
        if store.is_below(parent, old.id) {
            return Err(Error::new(Code::InvalidArgument, "A folder cannot be moved into itself."));
        }
        let document = Document { parent, name: name.to_owned(), content: None, ..old.clone() };
        save(&mut store, document, operation)
    }
}

impl MemoryProvider {
    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// MARK: Names and numbers

/// Reads a number with a prefix, in exactly the form in which it was printed.
fn number(text: &str, prefix: &str) -> Option<u64> {
    let number = text.strip_prefix(prefix)?.parse().ok()?;
    (text == format!("{prefix}{number}")).then_some(number)
}

fn identifier_of(id: u64) -> String {
    if id == 0 {
        ROOT.to_owned()
    } else {
        format!("item-{id}")
    }
}

fn id_of(identifier: &str) -> Option<u64> {
    if identifier == ROOT {
        return Some(0);
    }
    number(identifier, "item-").filter(|id| *id != 0)
}

fn top() -> Item {
    Item {
        identifier: ROOT.to_owned(),
        parent: ROOT.to_owned(),
        name: "@DISPLAY@".to_owned(),
        is_folder: true,
        capabilities: &["read", "addItems"],
        ..Item::default()
    }
}

fn described(document: &Document) -> Item {
    let is_folder = document.is_folder;
    Item {
        identifier: identifier_of(document.id),
        parent: identifier_of(document.parent),
        name: document.name.clone(),
        is_folder,
        version: (!is_folder).then(|| document.version.to_string()),
        size: document.content.as_ref().map(|content| content.len() as u64),
        modified: Some(document.modified),
        created: Some(document.created),
        capabilities: if is_folder {
            &["read", "rename", "delete", "addItems"]
        } else {
            &["read", "write", "rename", "delete"]
        },
    }
}

fn remembered(memory: &Memory) -> Item {
    Item { size: memory.size, ..described(&memory.document) }
}

// MARK: Checks

fn no_content() -> Error {
    Error::new(Code::InvalidArgument, "A folder has no content.")
}

fn require<'a>(store: &'a Store, identifier: &str) -> Result<&'a Document> {
    let document = id_of(identifier).and_then(|id| store.state.documents.get(&id));
    document.ok_or_else(|| Error::new(Code::NoSuchItem, "There is no such item."))
}

fn require_folder(store: &Store, identifier: &str) -> Result<u64> {
    if identifier == ROOT {
        return Ok(0);
    }
    let folder = require(store, identifier)?;
    if folder.is_folder {
        Ok(folder.id)
    } else {
        Err(Error::new(Code::InvalidArgument, "That is not a folder."))
    }
}

fn require_base(document: &Document, base: Option<&str>) -> Result<()> {
    let is_current = base.map_or(true, |base| document.is_folder || base == document.version.to_string());
    if is_current {
        Ok(())
    } else {
        Err(Error::new(Code::VersionOutOfDate, "The document was changed meanwhile."))
    }
}

fn require_free(store: &Store, parent: u64, name: &str, but: u64) -> Result<()> {
    let is_bad = name.is_empty() || name.len() > 255 || name.contains(['/', '\0']) || name == "." || name == "..";
    if is_bad {
        return Err(Error::new(Code::InvalidArgument, "No document can have that name."));
    }
    match store.child(parent, name) {
        Some(there) if there.id != but => Err(Error::new(Code::Collision, "There is an item with that name.")),
        _ => Ok(()),
    }
}

// MARK: Changing

fn full() -> Error {
    Error::new(Code::InsufficientQuota, "There is no space for more.")
}

fn read(source: &mut Source<'_>) -> Result<Arc<Vec<u8>>> {
    if source.size() > store::CAPACITY as u64 {
        return Err(full());
    }
    let mut content = vec![0; source.size() as usize];
    let mut position = 0;
    while position < content.len() {
        // In parts, so that progress is reported after each.
        let end = content.len().min(position + (256 << 10));
        position += source.read(&mut content[position..end])?;
    }
    Ok(Arc::new(content))
}

fn save(store: &mut Store, document: Document, operation: &Operation) -> Result<Item> {
    let size = document.content.as_ref().map_or(0, |content| content.len());
    if store.state.bytes + size > store::CAPACITY {
        return Err(full());
    }
    Ok(described(store.put(document, operation)?))
}

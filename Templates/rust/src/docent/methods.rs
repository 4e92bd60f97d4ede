//! The methods of org.docent.FileProvider: read the parameters, call the provider, write the answer.

use super::call::{Answer, Destination, Parameters, Progress, Refusal, Source};
use super::json::Json;
use super::wire::Wire;
use super::{Changes, Code, Error, Item, Operation, Page, Provider, Resume, ROOT};
use std::os::unix::io::OwnedFd;

/// The methods that have no domain and need no provider, which the server answers itself.
pub const OWN: [&str; 2] = ["Initialize", "Connect"];

/// Other methods of the interface. The host calls them only if a feature declares them, or can do without them.
const ABSENT: [&str; 33] = [
    "AnswerAuthentication",
    "Authenticate",
    "BeginPackage",
    "ClaimAnswered",
    "Claims",
    "CommitPackage",
    "ContinueAuthentication",
    "DeleteTrashed",
    "Events",
    "FetchRange",
    "FetchVersion",
    "ItemChanged",
    "Keychain",
    "KeychainAnswered",
    "ListTrash",
    "ListVersions",
    "Observe",
    "OpenInPlace",
    "Perform",
    "PersistentIdentifier",
    "Provide",
    "ProvidePlaceholder",
    "RestoreItem",
    "RestoreVersion",
    "SignIn",
    "SignInForms",
    "SignOut",
    "StageElement",
    "StopProviding",
    "Thumbnail",
    "TrashItem",
    "URLForItem",
    "Usage",
];

/// The methods of a provider, each with its feature; empty for those that every provider has.
const PRESENT: [(&str, &str); 9] = [
    ("Item", ""),
    ("Child", ""),
    ("Children", ""),
    ("Fetch", ""),
    ("Changes", "changes"),
    ("Create", "write"),
    ("Modify", "write"),
    ("Delete", "delete"),
    ("Move", "move"),
];

/// Whether the interface has the method, and whether the provider has it.
pub fn find<P: Provider>(name: &str) -> (bool, bool) {
    let present = PRESENT.iter().find(|method| method.0 == name);
    let is_there = present.map_or(false, |method| method.1.is_empty() || P::FEATURES.contains(&method.1));
    (present.is_some() || ABSENT.contains(&name) || OWN.contains(&name), is_there || OWN.contains(&name))
}

/// The parameters of a method that are indices of descriptors.
pub fn descriptor_keys(name: &str) -> &'static [&'static str] {
    match name {
        "Connect" => &["socket"],
        "Fetch" | "FetchRange" | "Thumbnail" => &["destination"],
        "Create" | "Modify" => &["content", "thumbnail"],
        "StageElement" => &["content"],
        "CommitPackage" => &["thumbnail"],
        _ => &[],
    }
}

/// A call of a provider's method.
pub struct Call<'a> {
    pub name: &'a str,
    pub parameters: Parameters<'a>,
    pub wants_more: bool,
    /// The first of the descriptors: the content, or its destination.
    pub content: Option<OwnedFd>,
    pub wire: &'a mut Wire,
}

impl Call<'_> {
    /// Calls the provider and returns the parameters of the reply.
    pub fn answer<P: Provider>(self, provider: &P) -> Answer<Json> {
        let given = &self.parameters;
        match self.name {
            "Item" => Ok(with_item(provider.item(given.text("identifier")?)?)),
            "Child" => Ok(with_item(provider.child(given.text("parent")?, given.text("name")?)?)),
            "Children" => {
                let page = provider.children(given.text("parent")?, given.optional_text("page")?)?;
                Ok(listing(page))
            }
            "Changes" => Ok(news(provider.changes(given.optional_text("anchor")?)?)),
            "Fetch" => self.fetch(provider),
            "Create" => self.create(provider),
            "Modify" => self.modify(provider),
            "Delete" => {
                let (identifier, base) = (given.text("identifier")?, base(given)?);
                let is_recursive = given.flag("recursive")?;
                if identifier == ROOT {
                    return Err(Error::new(Code::NotPermitted, "The top folder cannot be deleted.").into());
                }
                provider.delete(identifier, base, is_recursive)?;
                Ok(Json::Object(Vec::new()))
            }
            "Move" => {
                let (identifier, base) = (given.text("identifier")?, base(given)?);
                let (parent, name, operation) = (given.text("parent")?, given.text("name")?, operation(given)?);
                if identifier == ROOT {
                    return Err(Error::new(Code::InvalidArgument, "The top folder cannot be moved.").into());
                }
                Ok(with_item(provider.rename(identifier, base, parent, name, &operation)?))
            }
            _ => Err(Refusal::Missing),
        }
    }

    fn fetch<P: Provider>(self, provider: &P) -> Answer<Json> {
        let given = &self.parameters;
        let identifier = given.text("identifier")?;
        let offset = given.optional_integer("offset")?.unwrap_or(0);
        let version = given.optional_text("version")?;
        let offset = u64::try_from(offset)
            .map_err(|_| Error::new(Code::InvalidArgument, "Content cannot begin before its start."))?;
        let file = self.content.ok_or(Refusal::Parameter("destination"))?;
        let can_resume = offset > 0 && P::FEATURES.contains(&"resume");
        let resume = version.filter(|_| can_resume).map(|version| Resume { offset, version });
        let mut destination = Destination::new(file, offset, Progress::new(self.wire, self.wants_more))?;
        let item = provider.fetch(identifier, resume, &mut destination)?;
        let (completed, beginning) = destination.end()?;
        Ok(Json::object([
            ("item", Some(described(item))),
            ("completedBytes", Json::integer(completed)),
            ("totalBytes", Json::integer(completed)),
            ("offset", Json::integer(beginning)),
        ]))
    }

    fn create<P: Provider>(self, provider: &P) -> Answer<Json> {
        let given = &self.parameters;
        let (parent, name, operation) = (given.text("parent")?, given.text("name")?, operation(given)?);
        let size = given.optional_integer("size")?;
        if given.flag("isFolder")? != self.content.is_none() {
            return Err(Error::new(Code::InvalidArgument, "A document has content, a folder has none.").into());
        }
        let mut source = match self.content {
            Some(file) => Some(Source::new(file, size, Progress::new(self.wire, self.wants_more))?),
            None => None,
        };
        Ok(with_item(provider.create(parent, name, source.as_mut(), &operation)?))
    }

    fn modify<P: Provider>(self, provider: &P) -> Answer<Json> {
        let given = &self.parameters;
        let (identifier, base, operation) = (given.text("identifier")?, base(given)?, operation(given)?);
        let size = given.optional_integer("size")?.ok_or(Refusal::Parameter("size"))?;
        let file = self.content.ok_or(Refusal::Parameter("content"))?;
        let mut source = Source::new(file, Some(size), Progress::new(self.wire, self.wants_more))?;
        Ok(with_item(provider.modify(identifier, base, &mut source, &operation)?))
    }
}

fn base<'a>(given: &Parameters<'a>) -> Answer<Option<&'a str>> {
    given.optional_text("baseVersion")
}

fn operation(given: &Parameters<'_>) -> Answer<Operation> {
    let digest = given.optional_text("digest")?.unwrap_or("");
    Ok(Operation { name: given.text("operation")?.to_owned(), digest: digest.to_owned() })
}

fn with_item(item: Item) -> Json {
    Json::object([("item", Some(described(item)))])
}

fn listing(page: Page) -> Json {
    let items = page.items.into_iter().map(described).collect();
    Json::object([("items", Some(Json::List(items))), ("nextPage", page.next.and_then(Json::text))])
}

fn news(changes: Changes) -> Json {
    let changed = changes.changed.into_iter().map(described).collect();
    let deleted = changes.deleted.into_iter().map(Json::Text).collect();
    Json::object([
        ("changed", Some(Json::List(changed))),
        ("deleted", Some(Json::List(deleted))),
        ("anchor", Json::text(changes.anchor)),
        ("more", Some(Json::Flag(changes.more))),
    ])
}

fn described(item: Item) -> Json {
    let seconds = |time: Option<i64>| time.map(|time| Json::Fraction(time as f64 / 1000.0));
    let capabilities = item.capabilities.iter().filter_map(|name| Json::text(*name)).collect();
    Json::object([
        ("identifier", Json::text(item.identifier)),
        ("parent", Json::text(item.parent)),
        ("name", Json::text(item.name)),
        ("isFolder", Some(Json::Flag(item.is_folder))),
        ("version", item.version.and_then(Json::text)),
        ("size", item.size.and_then(Json::integer)),
        ("modificationDate", seconds(item.modified)),
        ("creationDate", seconds(item.created)),
        ("capabilities", Some(Json::List(capabilities))),
    ])
}

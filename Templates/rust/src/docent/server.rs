//! Serves the host: one thread for each connection, which handles one call after the other.

use super::call::{Answer, Parameters, Refusal};
use super::json::Json;
use super::methods::{self, Call};
use super::system;
use super::wire::{Ended, Wire, MESSAGE_BYTES};
use super::{Code, Domain, Error, Provider};
use std::collections::{BTreeMap, HashMap};
use std::net::Shutdown;
use std::os::unix::io::OwnedFd;
use std::os::unix::net::UnixStream;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const INTERFACE: &str = "org.docent.FileProvider.";
const SERVICE: &str = "org.varlink.service.";
/// Twice as many as the host ever has at the same time.
const MOST_CONNECTIONS: usize = 128;

/// A domain, and its provider after the first use.
struct Opened<P> {
    domain: Domain,
    provider: Mutex<Option<Arc<P>>>,
}

struct Server<P> {
    /// `None` before Initialize.
    domains: Mutex<Option<HashMap<String, Arc<Opened<P>>>>>,
    connections: Mutex<Connections>,
    ended: Condvar,
}

#[derive(Default)]
struct Connections {
    /// A second handle of each socket, to close it with.
    sockets: HashMap<u64, UnixStream>,
    last: u64,
    is_closing: bool,
}

/// A lock can be used even if its holder panicked: the data is changed in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves the host until it closes the connection, and returns the exit code of the process.
///
/// When it returns, no function of the provider is running any more, except one that did not return within five seconds
/// after the host had gone.
pub fn serve<P: Provider>(socket: OwnedFd) -> i32 {
    system::ignore_broken_pipes();
    let server = Arc::new(Server::<P> {
        domains: Mutex::new(None),
        connections: Mutex::new(Connections::default()),
        ended: Condvar::new(),
    });
    if let Ok(wire) = Wire::new(UnixStream::from(socket)) {
        let _ = serve_connection(&server, wire);
    }
    let mut connections = lock(&server.connections);
    connections.is_closing = true;
    for socket in connections.sockets.values() {
        let _ = socket.shutdown(Shutdown::Both);
    }
    let patience = Duration::from_secs(5);
    drop(server.ended.wait_timeout_while(connections, patience, |connections| !connections.sockets.is_empty()));
    0
}

fn serve_connection<P: Provider>(server: &Arc<Server<P>>, mut wire: Wire) -> Result<(), Ended> {
    loop {
        let bytes = wire.receive()?;
        // Anything else than a message ends the connection.
        let message = Json::read(&bytes).ok_or(Ended)?;
        let method = message.member("method").and_then(Json::as_text).ok_or(Ended)?;
        let empty = Json::Object(Vec::new());
        let parameters = message.member("parameters").unwrap_or(&empty);
        let [wants_more, is_oneway, wants_upgrade] = ["more", "oneway", "upgrade"].map(|key| flag(&message, key));
        if !matches!(parameters, Json::Object(_)) {
            return Err(Ended);
        }
        let (wants_more, is_oneway, wants_upgrade) = (wants_more?, is_oneway?, wants_upgrade?);
        if is_oneway {
            // Changes are never made without an answer, and other calls are useless without one.
            wire.drop_descriptors();
            continue;
        }
        let reply = answer(server, &mut wire, method, parameters, wants_more, wants_upgrade)?;
        wire.send(&reply)?;
    }
}

fn flag(message: &Json, key: &str) -> Result<bool, Ended> {
    message.member(key).map_or(Ok(false), |value| value.as_flag().ok_or(Ended))
}

/// The whole reply to a call.
fn answer<P: Provider>(
    server: &Arc<Server<P>>,
    wire: &mut Wire,
    method: &str,
    parameters: &Json,
    wants_more: bool,
    wants_upgrade: bool,
) -> Result<Json, Ended> {
    let name = match method.strip_prefix(INTERFACE) {
        Some(name) => name,
        None => {
            wire.drop_descriptors();
            return Ok(other::<P>(method));
        }
    };
    let (is_known, is_there) = methods::find::<P>(name);
    if !is_there || wants_upgrade {
        wire.drop_descriptors();
        let error = if is_known { "MethodNotImplemented" } else { "MethodNotFound" };
        return Ok(refused(&format!("{SERVICE}{error}"), "method", method));
    }
    let content = take_content(wire, name, parameters)?;
    let given = Parameters(parameters);
    let result = match name {
        "Initialize" => initialize(server, &given),
        "Connect" => connect(server, content),
        _ => {
            let call = Call { name, parameters: given, wants_more, content, wire };
            provider(server, parameters).and_then(|provider| {
                // If the provider panics, only this call fails.
                catch_unwind(AssertUnwindSafe(|| call.answer(provider.as_ref())))
                    .unwrap_or_else(|_| Err(Error::new(Code::Failed, "The provider panicked.").into()))
            })
        }
    };
    match result {
        Ok(parameters) => {
            let reply = Json::object([("parameters", Some(parameters))]);
            let mut text = String::new();
            reply.write(&mut text);
            if text.len() > MESSAGE_BYTES {
                let error = Error::new(Code::Failed, "The answer is too long: split it into pages.");
                return Ok(failed(&error));
            }
            Ok(reply)
        }
        Err(Refusal::Provider(error)) if error.code == Code::Cancelled => Err(Ended),
        Err(Refusal::Provider(error)) => Ok(failed(&error)),
        Err(Refusal::Parameter(key)) => Ok(refused(&format!("{SERVICE}InvalidParameter"), "parameter", key)),
        Err(Refusal::Missing) => Ok(refused(&format!("{SERVICE}MethodNotImplemented"), "method", method)),
    }
}

fn failed(error: &Error) -> Json {
    let message: String = error.message.chars().take(1000).collect();
    refused(&format!("{INTERFACE}{:?}", error.code), "message", &message)
}

fn refused(error: &str, key: &str, value: &str) -> Json {
    let parameters = Json::object([(key, Json::text(value))]);
    Json::object([("error", Json::text(error)), ("parameters", Some(parameters))])
}

/// The answer to calls of other interfaces.
fn other<P: Provider>(method: &str) -> Json {
    match method.strip_prefix(SERVICE) {
        Some("GetInfo") => {
            let interfaces = ["org.varlink.service", "org.docent.FileProvider"].map(|name| Json::Text(name.into()));
            let parameters = Json::object([
                ("vendor", Json::text(P::NAME)),
                ("product", Json::text(P::NAME)),
                ("version", Json::text("1")),
                ("url", Json::text("https://docent.example")),
                ("interfaces", Some(Json::List(interfaces.into()))),
            ]);
            Json::object([("parameters", Some(parameters))])
        }
        Some("GetInterfaceDescription") => refused(&format!("{SERVICE}MethodNotImplemented"), "method", method),
        Some(_) => refused(&format!("{SERVICE}MethodNotFound"), "method", method),
        None => {
            let interface = method.rsplit_once('.').map_or("", |parts| parts.0);
            refused(&format!("{SERVICE}InterfaceNotFound"), "interface", interface)
        }
    }
}

/// Takes the descriptors that the parameters name, and returns the first one; the others are not used here.
fn take_content(wire: &mut Wire, name: &str, parameters: &Json) -> Result<Option<OwnedFd>, Ended> {
    let keys = methods::descriptor_keys(name);
    let given: Vec<_> = keys.iter().filter_map(|key| Some((*key, parameters.member(key)?))).collect();
    let mut descriptors: Vec<_> = wire.take_descriptors(given.len())?.into_iter().map(Some).collect();
    let mut content = None;
    for (key, value) in given {
        let index = value.as_integer().and_then(|index| usize::try_from(index).ok()).ok_or(Ended)?;
        let descriptor = descriptors.get_mut(index).ok_or(Ended)?.take();
        if keys.first() == Some(&key) {
            content = descriptor;
        }
    }
    Ok(content)
}

// MARK: Initialize and Connect

fn initialize<P: Provider>(server: &Server<P>, given: &Parameters<'_>) -> Answer<Json> {
    let version = given.optional_integer("version")?.ok_or(Refusal::Parameter("version"))?;
    if version != 1 || given.text("point")? != "com.apple.fileprovider-nonui" {
        let message = "This is a file provider for version 1 of the protocol.";
        return Err(Error::new(Code::InvalidArgument, message).into());
    }
    let told: Option<Vec<Domain>> = match given.0.member("domains") {
        Some(Json::List(list)) => list.iter().map(read_domain).collect(),
        _ => None,
    };
    let told = told.ok_or(Refusal::Parameter("domains"))?;
    let mut domains = lock(&server.domains);
    let mut former = domains.take().unwrap_or_default();
    let opened = told.into_iter().map(|domain| {
        // An unchanged domain keeps its provider. A dropped provider is destroyed when its last call has ended.
        let same = former.remove(&domain.identifier).filter(|old| old.domain == domain);
        let new = || Arc::new(Opened { domain: domain.clone(), provider: Mutex::new(None) });
        (domain.identifier.clone(), same.unwrap_or_else(new))
    });
    *domains = Some(opened.collect());
    drop(domains);
    let features = P::FEATURES.iter().filter_map(|feature| Json::text(*feature)).collect();
    Ok(Json::object([("sdk", Json::text("docent-rust 1")), ("features", Some(Json::List(features)))]))
}

fn read_domain(given: &Json) -> Option<Domain> {
    let text = |key| given.member(key).and_then(Json::as_text).map(str::to_owned);
    let mut settings = BTreeMap::new();
    match given.member("settings") {
        None => {}
        Some(Json::Object(members)) => {
            for (key, value) in members {
                settings.insert(key.clone(), value.as_text()?.to_owned());
            }
        }
        Some(_) => return None,
    }
    Some(Domain {
        identifier: text("identifier")?,
        display_name: text("displayName")?,
        storage: PathBuf::from(text("storage")?),
        settings,
    })
}

/// The provider of a call's domain, created if there is none yet.
fn provider<P: Provider>(server: &Server<P>, parameters: &Json) -> Answer<Arc<P>> {
    let identifier = Parameters(parameters).text("domain")?;
    let opened = {
        let domains = lock(&server.domains);
        let invalid = |message: &str| Error::new(Code::InvalidArgument, message);
        let known = domains.as_ref().ok_or_else(|| invalid("Initialize has not been called."))?;
        known.get(identifier).cloned().ok_or_else(|| invalid("There is no such domain."))?
    };
    let mut provider = lock(&opened.provider);
    if let Some(provider) = provider.as_ref() {
        return Ok(Arc::clone(provider));
    }
    let panicked = |_| Err(Error::new(Code::Failed, "The provider panicked."));
    let made = Arc::new(catch_unwind(|| P::open(&opened.domain)).unwrap_or_else(panicked)?);
    *provider = Some(Arc::clone(&made));
    Ok(made)
}

fn connect<P: Provider>(server: &Arc<Server<P>>, socket: Option<OwnedFd>) -> Answer<Json> {
    let socket = UnixStream::from(socket.ok_or(Refusal::Parameter("socket"))?);
    let failure = |_| Error::new(Code::Failed, "This is not a socket.");
    let handle = socket.try_clone().map_err(failure)?;
    let wire = Wire::new(socket).map_err(|_| Error::new(Code::Failed, "This is not a socket."))?;
    let number = {
        let mut connections = lock(&server.connections);
        if connections.is_closing || connections.sockets.len() >= MOST_CONNECTIONS {
            return Err(Error::new(Code::Busy, "There are too many connections.").into());
        }
        connections.last += 1;
        let number = connections.last;
        connections.sockets.insert(number, handle);
        number
    };
    let shared = Arc::clone(server);
    let thread = std::thread::Builder::new().spawn(move || {
        let served = catch_unwind(AssertUnwindSafe(|| serve_connection(&shared, wire)));
        drop(served);
        lock(&shared.connections).sockets.remove(&number);
        shared.ended.notify_all();
    });
    if thread.is_err() {
        lock(&server.connections).sockets.remove(&number);
        return Err(Error::new(Code::Busy, "There are too many threads.").into());
    }
    Ok(Json::Object(Vec::new()))
}

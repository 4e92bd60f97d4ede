//! What the standard library lacks: messages with descriptors, and a few other system calls. All `unsafe` code of the
//! crate is here and in its entry point.
//!
//! The layouts are those of the C library of 64-bit Linux (glibc).

use std::fs::File;
use std::io;
use std::os::raw::{c_int, c_short, c_ulong, c_void};
use std::os::unix::io::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

/// struct docent_extension_context_v1 of docent_extension.h.
#[repr(C)]
pub struct ExtensionContext {
    size: usize,
    socket: i32,
}

impl ExtensionContext {
    #[cfg(test)]
    pub fn new(socket: OwnedFd) -> Self {
        use std::os::unix::io::IntoRawFd;
        Self { size: std::mem::size_of::<Self>(), socket: socket.into_raw_fd() }
    }
}

/// Takes the socket of a context; `None` if it has none.
///
/// # Safety
///
/// `context` is null or points to a context whose socket has no other owner.
pub unsafe fn take_socket(context: *const ExtensionContext) -> Option<OwnedFd> {
    // SAFETY: as promised by the caller. A context is never smaller than its first version; later ones only grow.
    let context = unsafe { context.as_ref() }?;
    if context.size < std::mem::size_of::<ExtensionContext>() || context.socket < 0 {
        return None;
    }
    // SAFETY: it has no other owner.
    Some(unsafe { OwnedFd::from_raw_fd(context.socket) })
}

#[repr(C)]
struct Part {
    base: *mut c_void,
    length: usize,
}

#[repr(C)]
struct MessageHeader {
    name: *mut c_void,
    name_length: u32,
    parts: *mut Part,
    part_count: usize,
    control: *mut c_void,
    control_length: usize,
    flags: c_int,
}

/// The header of a control message; the descriptors follow it.
#[repr(C)]
#[derive(Clone, Copy)]
struct ControlHeader {
    length: usize,
    level: c_int,
    kind: c_int,
}

#[repr(C)]
struct PollEntry {
    descriptor: c_int,
    events: c_short,
    found: c_short,
}

extern "C" {
    fn recvmsg(socket: c_int, header: *mut MessageHeader, flags: c_int) -> isize;
    fn poll(entries: *mut PollEntry, count: c_ulong, timeout: c_int) -> c_int;
    fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
    fn flock(descriptor: c_int, operation: c_int) -> c_int;
    fn signal(number: c_int, handler: usize) -> usize;
    #[cfg(test)]
    fn sendmsg(socket: c_int, header: *const MessageHeader, flags: c_int) -> isize;
}

const SOL_SOCKET: c_int = 1;
const SCM_RIGHTS: c_int = 1;
const MSG_CTRUNC: c_int = 0x8;
const MSG_CMSG_CLOEXEC: c_int = 0x4000_0000;
const POLLRDHUP: c_short = 0x2000;
const F_GETFL: c_int = 3;
const O_ACCMODE: c_int = 3;
const O_PATH: c_int = 0o10_000_000;
const LOCK_EX: c_int = 2;
const LOCK_NB: c_int = 4;
const SIGPIPE: c_int = 13;
const SIG_IGN: usize = 1;

/// The most descriptors in one message.
pub const DESCRIPTORS: usize = 16;

/// A control message with room for all descriptors, aligned as the kernel requires.
#[repr(C)]
struct Control {
    header: ControlHeader,
    descriptors: [c_int; DESCRIPTORS],
}

/// Receives bytes and their descriptors. Waits no longer than the socket's timeout.
///
/// The second result is false when more descriptors arrived than a message may have; these are closed.
pub fn receive(socket: BorrowedFd<'_>, bytes: &mut [u8], descriptors: &mut Vec<OwnedFd>) -> io::Result<(usize, bool)> {
    let mut part = Part { base: bytes.as_mut_ptr().cast(), length: bytes.len() };
    let mut control =
        Control { header: ControlHeader { length: 0, level: 0, kind: 0 }, descriptors: [-1; DESCRIPTORS] };
    let mut header = MessageHeader {
        name: std::ptr::null_mut(),
        name_length: 0,
        parts: &mut part,
        part_count: 1,
        control: (&mut control as *mut Control).cast(),
        control_length: std::mem::size_of::<Control>(),
        flags: 0,
    };
    // SAFETY: the header and everything that it points to live during the call, and their lengths are correct.
    let count = unsafe { recvmsg(socket.as_raw_fd(), &mut header, MSG_CMSG_CLOEXEC) };
    let count = usize::try_from(count).map_err(|_| io::Error::last_os_error())?;
    let begin = std::mem::size_of::<ControlHeader>();
    let is_rights = header.control_length >= begin
        && control.header.level == SOL_SOCKET
        && control.header.kind == SCM_RIGHTS
        && control.header.length >= begin;
    if is_rights {
        let arrived = (control.header.length - begin) / std::mem::size_of::<c_int>();
        for raw in control.descriptors.iter().take(arrived).filter(|raw| **raw >= 0) {
            // SAFETY: the kernel has just created it for this process.
            descriptors.push(unsafe { OwnedFd::from_raw_fd(*raw) });
        }
    }
    Ok((count, header.flags & MSG_CTRUNC == 0))
}

/// Sends bytes, with descriptors attached to the first of them.
#[cfg(test)]
pub fn send(socket: BorrowedFd<'_>, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<usize> {
    const MSG_NOSIGNAL: c_int = 0x4000;
    let mut part = Part { base: bytes.as_ptr() as *mut c_void, length: bytes.len() };
    let begin = std::mem::size_of::<ControlHeader>();
    let length = begin + std::mem::size_of::<c_int>() * descriptors.len().min(DESCRIPTORS);
    let mut control = Control {
        header: ControlHeader { length, level: SOL_SOCKET, kind: SCM_RIGHTS },
        descriptors: [-1; DESCRIPTORS],
    };
    for (place, descriptor) in control.descriptors.iter_mut().zip(descriptors) {
        *place = descriptor.as_raw_fd();
    }
    let has_control = !descriptors.is_empty();
    let header = MessageHeader {
        name: std::ptr::null_mut(),
        name_length: 0,
        parts: &mut part,
        part_count: 1,
        control: if has_control { (&mut control as *mut Control).cast() } else { std::ptr::null_mut() },
        control_length: if has_control { (length + 7) / 8 * 8 } else { 0 },
        flags: 0,
    };
    // SAFETY: the header and everything that it points to live during the call, and their lengths are correct.
    let count = unsafe { sendmsg(socket.as_raw_fd(), &header, MSG_NOSIGNAL) };
    usize::try_from(count).map_err(|_| io::Error::last_os_error())
}

/// Whether the other end of a socket is closed.
pub fn is_abandoned(socket: BorrowedFd<'_>) -> bool {
    let mut entry = PollEntry { descriptor: socket.as_raw_fd(), events: POLLRDHUP, found: 0 };
    // SAFETY: the entry lives during the call.
    unsafe { poll(&mut entry, 1, 0) > 0 }
}

/// Whether a descriptor is open for reading and for writing.
pub fn access(descriptor: RawFd) -> (bool, bool) {
    // SAFETY: this command takes no further argument and accesses no memory.
    let flags = unsafe { fcntl(descriptor, F_GETFL) };
    let mode = flags & O_ACCMODE;
    let is_open = flags >= 0 && flags & O_PATH == 0;
    (is_open && mode != 1, is_open && mode != 0)
}

/// Locks a file exclusively; it is unlocked when the file is closed.
pub fn lock(file: &File) -> io::Result<()> {
    // SAFETY: it accesses no memory.
    match unsafe { flock(file.as_raw_fd(), LOCK_EX | LOCK_NB) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Makes writing to a pipe without a reader an error instead of the end of the process.
pub fn ignore_broken_pipes() {
    // SAFETY: none of our functions becomes a handler.
    unsafe { signal(SIGPIPE, SIG_IGN) };
}

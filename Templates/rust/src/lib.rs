//! A file provider for Docent: a shared library with one C symbol.
//!
//! `docent` speaks the protocol and knows nothing of documents; `provider` is what you replace by your own.

// The library is called by the name of the provider.
#![allow(non_snake_case)]
// All of it is in docent::system, and at the door.
#![deny(unsafe_code, unsafe_op_in_unsafe_fn)]

mod docent;
mod log;
mod provider;
mod store;
#[cfg(test)]
mod tests;

use docent::system::ExtensionContext;

/// What Docent calls, once, on the main thread, with the sandbox already closed. Returns when the host has hung up.
///
/// # Safety
///
/// `context` is valid until the function returns, and its socket is the extension's to own, as docent_extension.h says.
#[allow(unsafe_code)]
#[no_mangle]
pub unsafe extern "C" fn docent_extension_main_v1(context: *const ExtensionContext) -> i32 {
    // SAFETY: the caller promises what `take_socket` asks for.
    let socket = unsafe { docent::system::take_socket(context) };
    // A panic must not cross into C.
    std::panic::catch_unwind(|| match socket {
        Some(socket) => docent::serve::<provider::MemoryProvider>(socket),
        None => 1,
    })
    .unwrap_or(1)
}

//! A file provider for Docent: a shared library with one C symbol.
//!
//! `docent` implements the protocol and knows nothing about documents; replace `provider` with your own.

// The library has the name of the provider.
#![allow(non_snake_case)]
// All unsafe code is in docent::system and in the entry point.
#![deny(unsafe_code, unsafe_op_in_unsafe_fn)]

mod docent;
mod log;
mod provider;
mod store;
#[cfg(test)]
mod tests;

use docent::system::ExtensionContext;

/// Called once by Docent, on the main thread, with the sandbox already active. Returns when the host has closed the
/// connection.
///
/// # Safety
///
/// `context` must be valid until the function returns, and its socket must belong to the extension, as
/// docent_extension.h says.
#[allow(unsafe_code)]
#[no_mangle]
pub unsafe extern "C" fn docent_extension_main_v1(context: *const ExtensionContext) -> i32 {
    // SAFETY: the caller guarantees what `take_socket` requires.
    let socket = unsafe { docent::system::take_socket(context) };
    // A panic must not cross into C.
    std::panic::catch_unwind(|| match socket {
        Some(socket) => docent::serve::<provider::MemoryProvider>(socket),
        None => 1,
    })
    .unwrap_or(1)
}

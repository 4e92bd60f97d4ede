// The one door between docent-extension-host and a plugin.
//
// A plugin is a shared library that exports `docent_extension_main_v1` and nothing else. Everything after that call is
// messages (varlink, org.docent.FileProvider and org.docent.DocumentPicker) on a Unix stream socket, so a plugin may be
// written in any language and with any compiler. The library is never unloaded: ending is the end of the process.
#ifndef DOCENT_EXTENSION_H
#define DOCENT_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

// gcc does not know clang's nullability words, and clang itself calls them an extension when asked to be pedantic.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#ifndef _Nonnull
#define _Nonnull
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What the host hands to a plugin.
struct docent_extension_context_v1 {
    /// The size of this structure in bytes, as the host knows it. It only grows, at the end; a plugin reads no field
    /// that lies beyond it.
    size_t size;
    /// A connected Unix stream socket. The plugin owns it, and is the varlink server on it.
    int32_t socket;
};

/// The symbol a plugin exports. Called once, on the main thread, with the sandbox already closed.
///
/// It serves the interfaces on the socket and returns when the peer has hung up.
///
/// @param context Valid until the function returns.
/// @return The exit code of the process: 0 for a proper end. 5, 66 and 67 belong to the host.
__attribute__((visibility("default"))) int32_t
docent_extension_main_v1(const struct docent_extension_context_v1 *_Nonnull context);

#ifdef __cplusplus
}
#endif

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif

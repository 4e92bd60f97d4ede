// The only interface between docent-extension-host and a plugin.
//
// A plugin is a shared library that exports `docent_extension_main_v1` and nothing else. Everything after that call is
// messages (varlink, org.docent.FileProvider and org.docent.DocumentPicker) on a Unix stream socket, so a plugin may be
// written in any language and built with any compiler. The library is never unloaded; it ends with the process.
#ifndef DOCENT_EXTENSION_H
#define DOCENT_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

// gcc does not know clang's nullability qualifiers, and with -pedantic clang itself reports them as an extension.
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

/// What the host passes to a plugin.
struct docent_extension_context_v1 {
    /// The size of this structure in bytes, as the host knows it. Later versions only add fields at the end; a plugin
    /// must not read a field beyond this size.
    size_t size;
    /// A connected Unix stream socket. The plugin owns it and is the varlink server on it.
    int32_t socket;
};

/// The symbol that a plugin exports. Called once, on the main thread, with the sandbox already active.
///
/// Serves the interfaces on the socket and returns when the peer has closed it.
///
/// @param context Valid until the function returns. @return The exit code of the process: 0 for a normal end. 5, 66 and
/// 67 are reserved for the host.
__attribute__((visibility("default"))) int32_t
docent_extension_main_v1(const struct docent_extension_context_v1 *_Nonnull context);

#ifdef __cplusplus
}
#endif

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif

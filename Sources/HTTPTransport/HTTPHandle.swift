import CCurl
import FileProvider
import Glibc

/// A handle of libcurl with its kept connections.
///
/// Unchecked: libcurl wants one thread at a time, which ``HandlePool`` sees to.
package final class HTTPHandle: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Throws: `FileProviderError` when libcurl does not start.
    package init() throws {
        guard Self.isReady, let raw = curl_easy_init() else {
            throw FileProviderError(.failed, "libcurl does not start.")
        }
        self.raw = raw
    }

    deinit { curl_easy_cleanup(raw) }
}

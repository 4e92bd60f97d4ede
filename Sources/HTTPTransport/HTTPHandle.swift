import CCurl
import FileProvider
import Glibc

/// A libcurl handle with its open connections.
///
/// Unchecked: libcurl allows one thread at a time, which ``HandlePool`` ensures.
package final class HTTPHandle: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Throws: `FileProviderError` when libcurl cannot be initialised.
    package init() throws {
        guard Self.isReady, let raw = curl_easy_init() else {
            throw FileProviderError(.failed, "libcurl cannot be initialised.")
        }
        self.raw = raw
    }

    deinit { curl_easy_cleanup(raw) }
}

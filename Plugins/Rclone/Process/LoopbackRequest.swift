import CCurl
import Dispatch
import FileProvider
import Glibc
import Synchronization

/// One request to rclone and its reply, on a thread of its own. The body of the reply goes where the caller says; libcurl speaks HTTP.
///
/// Unchecked: the fields are touched by the one thread that runs it, `cancelled` alone by others.
final class LoopbackRequest: @unchecked Sendable {
    /// Takes the reply; called on the thread of the request.
    protocol Receiver: Sendable {
        /// The status, before the first bytes of the body.
        func begin(status: Int) throws
        func take(_ bytes: UnsafeRawBufferPointer) throws
    }

    private let endpoint: RcloneService.Endpoint
    private let path: String
    private let body: [UInt8]?
    private let offset: Int
    private let patience: Int
    private let receiver: any Receiver
    private let cancelled = Atomic(false)
    private var handle: UnsafeMutableRawPointer?
    private var hasBegun = false
    private var failure: (any Error)?

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    private static let threads = DispatchQueue(label: "org.docent.Rclone.requests", attributes: .concurrent)

    /// - Parameters:
    ///   - path: percent-encoded, after the host.
    ///   - body: JSON to be posted; nil: a document is asked for,
    ///   - offset: from that byte on.
    ///   - patience: seconds without a byte after which it is given up.
    init(
        to endpoint: RcloneService.Endpoint, path: String, body: [UInt8]?, offset: Int = 0, patience: Int,
        into receiver: any Receiver
    ) {
        self.endpoint = endpoint
        self.path = path
        self.body = body
        self.offset = offset
        self.patience = patience
        self.receiver = receiver
    }

    /// Sends it and waits for the whole reply.
    ///
    /// - Returns: The status.
    /// - Throws: `FileProviderError` when there is no whole reply; `CancellationError`; what the receiver throws.
    func perform() async throws -> Int {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
                Self.threads.async { continuation.resume(with: Result { try self.run() }) }
            }
        } onCancel: {
            cancelled.store(true, ordering: .relaxed)
        }
    }

    private func run() throws -> Int {
        let process = endpoint.process.identifier
        guard Self.isReady, let connection = LoopbackConnections.shared.take(for: process) else {
            throw FileProviderError(.failed, "libcurl does not start.")
        }
        let handle = connection.pointer
        self.handle = handle
        var isWhole = false
        defer {
            if isWhole {
                LoopbackConnections.shared.giveBack(connection, of: process)
            } else {
                curl_easy_cleanup(handle)
            }
        }
        var headers: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(headers) }
        for line in ["Content-Type: application/json", "Expect:", "Accept-Encoding: identity"] {
            if let longer = curl_slist_append(headers, line) { headers = longer }
        }
        ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers)
        configure(handle)
        let code = withExtendedLifetime(self) { curl_easy_perform(handle) }
        if cancelled.load(ordering: .relaxed) { throw CancellationError() }
        if let failure { throw failure }
        guard code == CURLE_OK else { throw error(code) }
        try beginIfNeeded()
        let status = ccurl_get_long(handle, CURLINFO_RESPONSE_CODE)
        isWhole = !endpoint.process.hasEnded
        return status
    }

    private func configure(_ handle: UnsafeMutableRawPointer) {
        ccurl_set_text(handle, CURLOPT_URL, "http://127.0.0.1:\(endpoint.port)/\(path)")
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http")
        ccurl_set_text(handle, CURLOPT_PROXY, "")
        ccurl_set_long(handle, CURLOPT_HTTPAUTH, ccurl_auth_basic)
        ccurl_set_text(handle, CURLOPT_USERNAME, endpoint.username)
        ccurl_set_text(handle, CURLOPT_PASSWORD, endpoint.password)
        if let body {
            ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            ccurl_copy_post_fields(handle, body)
        } else if offset > 0 {
            ccurl_set_text(handle, CURLOPT_RANGE, "\(offset)-")
        }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 0), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_CONNECTTIMEOUT, 15),
            (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, patience), (CURLOPT_BUFFERSIZE, 512 << 10),
            (CURLOPT_PATH_AS_IS, 1),
        ]
        for (option, value) in numbers { ccurl_set_long(handle, option, value) }
        ccurl_set_data_function(handle, CURLOPT_WRITEFUNCTION, Self.onBody)
        ccurl_set_progress_function(handle, Self.onProgress)
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        ccurl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
    }

    private func error(_ code: CURLcode) -> FileProviderError {
        let detail = ErrorDetail(
            domain: "libcurl", code: Int(code.rawValue), text: String(cString: curl_easy_strerror(code)))
        var error = FileProviderError(.serverUnreachable, "rclone gave no whole answer. It is asked again.")
        if endpoint.process.hasEnded { error = endpoint.process.end }
        error.underlying = [detail]
        return error
    }

    private func beginIfNeeded() throws {
        guard !hasBegun, let handle else { return }
        hasBegun = true
        try receiver.begin(status: ccurl_get_long(handle, CURLINFO_RESPONSE_CODE))
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil, !cancelled.load(ordering: .relaxed) else { return false }
        do {
            try beginIfNeeded()
            try receiver.take(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    // A call that nobody takes any more waits in the socket: it is given up with the process.
    private var shallStop: Bool { cancelled.load(ordering: .relaxed) || endpoint.process.hasEnded }

    private static func request(_ context: UnsafeMutableRawPointer?) -> LoopbackRequest? {
        context.map { Unmanaged<LoopbackRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let onBody:
        @Sendable @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
            start, size, count, context in
            let bytes = UnsafeRawBufferPointer(start: start, count: size * count)
            return request(context)?.take(bytes) == true ? bytes.count : 0
        }

    private static let onProgress:
        @Sendable @convention(c) (UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t) -> CInt = {
            context, _, _, _, _ in request(context)?.shallStop == true ? 1 : 0
        }
}

import CCurl
import FileProvider
import Glibc

/// One request and its reply on one handle. Made, run and released on one thread.
package final class HTTPExchange {
    private let handle: UnsafeMutableRawPointer
    private let request: HTTPRequest
    private let authorization: HTTPAuthorization
    private let control: HTTPControl
    private let sink: any HTTPSink
    private var reply = HTTPReply()
    private var hasBegun = false
    private var sent = 0
    private var isAnswered = false
    private var failure: (any Error)?

    private init(
        _ request: HTTPRequest, on handle: HTTPHandle, as authorization: HTTPAuthorization, control: HTTPControl,
        into sink: any HTTPSink
    ) {
        self.handle = handle.raw
        self.request = request
        self.authorization = authorization
        self.control = control
        self.sink = sink
    }

    /// Sends a request on a thread of its own and waits for the whole reply.
    ///
    /// - Parameter handle: The handle to use; not used by others meanwhile.
    /// - Returns: The head of the reply, whatever its status, and the kinds of authentication that the server offered
    ///   (0 for none).
    /// - Throws: ``HTTPTransportError`` when there is no whole reply; `CancellationError`; `FileProviderError` for a
    ///   request that cannot be sent; errors of the sink.
    package static func perform(
        _ request: HTTPRequest, on handle: HTTPHandle, as authorization: HTTPAuthorization, control: HTTPControl,
        into sink: any HTTPSink
    ) async throws -> (reply: HTTPReply, challenge: Int) {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try OwnThread.run {
                        let exchange = HTTPExchange(
                            request, on: handle, as: authorization, control: control, into: sink)
                        continuation.resume(with: Result { try exchange.run() })
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            control.cancel()
        }
    }

    static func scheme(of challenge: Int) -> HTTPAuthorization.Scheme? {
        if challenge & ccurl_auth_digest != 0 { return .digest }
        return challenge & ccurl_auth_basic != 0 ? .basic : nil
    }

    private func run() throws -> (reply: HTTPReply, challenge: Int) {
        var list: UnsafeMutablePointer<curl_slist>?
        for (name, value) in request.headers {
            guard !value.utf8.contains(where: { $0 < 0x20 }) else {
                throw FileProviderError(.invalidArgument, "A header field has a line break.")
            }
            if let longer = curl_slist_append(list, value.isEmpty ? "\(name);" : "\(name): \(value)") { list = longer }
        }
        // libcurl would first ask whether the server accepts the body, and wait. That is worthwhile only for long
        // bodies.
        if bodySize < 1 << 20, let longer = curl_slist_append(list, "Expect:") { list = longer }
        defer { curl_slist_free_all(list) }
        let problem = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        problem.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        defer { problem.deallocate() }
        configure()
        configureAuthorization()
        ccurl_set_list(handle, CURLOPT_HTTPHEADER, list)
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, problem)
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_XFERINFODATA]
        {
            ccurl_set_pointer(handle, option, context)
        }
        let code = withExtendedLifetime(self) { curl_easy_perform(handle) }
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, nil)
        ccurl_set_list(handle, CURLOPT_HTTPHEADER, nil)
        if control.isCancelled { throw CancellationError() }
        if let failure { throw failure }
        guard code == CURLE_OK else {
            throw HTTPTransportError(
                code: isKeptConnectionClosed(code) ? HTTPTransportError.connectionClosed : code,
                text: String(cString: problem),
                systemError: ccurl_get_long(handle, CURLINFO_OS_ERRNO), url: request.url)
        }
        beginIfNeeded()
        if let failure { throw failure }
        reply.redirect = ccurl_get_text(handle, CURLINFO_REDIRECT_URL).map { String(cString: $0) }
        reply.url = request.url
        return (reply, ccurl_get_long(handle, CURLINFO_HTTPAUTH_AVAIL))
    }

    // libcurl itself notices only that a kept connection has ended; not that it is ending while the body is being sent.
    private func isKeptConnectionClosed(_ code: CURLcode) -> Bool {
        request.repetition == .byCaller && reply.status < 200
            && [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING].contains(code)
            && ccurl_get_long(handle, CURLINFO_NUM_CONNECTS) == 0
    }

    // All options are set for each request: curl_easy_reset would discard the nonce of digest authentication.
    private func configure() {
        ccurl_set_text(handle, CURLOPT_URL, request.url)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_text(handle, CURLOPT_USERAGENT, request.userAgent)
        ccurl_set_long(handle, CURLOPT_UPLOAD, 0)
        if case .none = request.body {
            ccurl_set_long(handle, CURLOPT_HTTPGET, 1)
            // A reply to HEAD declares the length of a body that is not sent.
            if request.method == "HEAD" { ccurl_set_long(handle, CURLOPT_NOBODY, 1) }
        } else {
            ccurl_set_long(handle, CURLOPT_UPLOAD, 1)
            ccurl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(bodySize))
        }
        ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 0), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_CONNECTTIMEOUT, 15),
            (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, request.patience), (CURLOPT_BUFFERSIZE, 512 << 10),
            (CURLOPT_UPLOAD_BUFFERSIZE, 512 << 10), (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_FRESH_CONNECT, request.repetition == .never ? 1 : 0), (CURLOPT_MAXCONNECTS, 2),
        ]
        for (option, value) in numbers { ccurl_set_long(handle, option, value) }
        ccurl_set_text(handle, CURLOPT_PROXY, Self.isLoopback(request.url) ? "" : nil)
        ccurl_set_data_function(handle, CURLOPT_WRITEFUNCTION, Self.onBody)
        ccurl_set_data_function(handle, CURLOPT_HEADERFUNCTION, Self.onHead)
        ccurl_set_data_function(handle, CURLOPT_READFUNCTION, Self.onRead)
        ccurl_set_seek_function(handle, Self.onSeek)
        ccurl_set_progress_function(handle, Self.onProgress)
    }

    private func configureAuthorization() {
        var username: String?
        var password: String?
        var token: String?
        var kinds = ccurl_auth_basic
        switch authorization.secret {
        case .none: break
        case .token(let text):
            token = text
            kinds = ccurl_auth_bearer
        case .password(let name, let secret, let scheme):
            username = name
            password = secret
            kinds =
                switch scheme {
                case .unknown: ccurl_auth_basic | ccurl_auth_digest
                case .basic: ccurl_auth_basic
                case .digest: ccurl_auth_digest
                }
        }
        ccurl_set_long(handle, CURLOPT_HTTPAUTH, kinds)
        ccurl_set_text(handle, CURLOPT_USERNAME, username)
        ccurl_set_text(handle, CURLOPT_PASSWORD, password)
        ccurl_set_text(handle, CURLOPT_XOAUTH2_BEARER, token)
        if let certificates = authorization.certificateAuthority {
            let bytes = Array(certificates.utf8)
            ccurl_set_bytes(handle, CURLOPT_CAINFO_BLOB, bytes, bytes.count)
            ccurl_set_text(handle, CURLOPT_CAPATH, nil)
        }
    }

    private var bodySize: Int {
        switch request.body {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(_, _, let count, _): count
        }
    }

    private static func isLoopback(_ url: String) -> Bool {
        let host = url.split(separator: "/").dropFirst().first ?? ""
        return ["127.", "localhost:", "[::1]"].contains { host.hasPrefix($0) } || host == "localhost"
    }

    private func beginIfNeeded() {
        guard !hasBegun else { return }
        hasBegun = true
        do {
            try sink.begin(reply)
        } catch {
            failure = error
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        beginIfNeeded()
        guard failure == nil, !control.isCancelled else { return false }
        guard reply.isSuccess || request.wantsErrorBody else { return true }
        do {
            try sink.take(bytes)
            if case .none = request.body { control.add(bytes.count) }
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func take(line: Substring) {
        isAnswered = true
        reply.take(line: line)
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !control.isCancelled else { return ccurl_read_abort }
        switch request.body {
        case .none: return 0
        case .bytes(let bytes):
            let part = bytes[sent..<min(bytes.count, sent + buffer.count)]
            buffer.copyBytes(from: part)
            sent += part.count
            return part.count
        case .file(let descriptor, let offset, let count, _):
            let wanted = min(buffer.count, count - sent)
            guard wanted > 0 else { return 0 }
            let taken = pread(descriptor, buffer.baseAddress, wanted, off_t(offset + sent))
            guard taken > 0 else {
                failure = FileProviderError(.failed, "The content is shorter than announced.")
                return ccurl_read_abort
            }
            sent += taken
            control.add(taken)
            return taken
        }
    }

    // libcurl begins the body again when the server asks for it (authentication), or when the connection was closed
    // without an answer.
    private func seek(to offset: Int) -> Bool {
        guard isAnswered || sent == offset || request.repetition != .byCaller else { return false }
        isAnswered = false
        if case .file = request.body { control.add(offset - sent) }
        sent = offset
        return true
    }

    private static func exchange(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
        context.map { Unmanaged<HTTPExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let onBody:
        @Sendable @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?)
            -> Int = { bytes, size, count, context in
                let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return exchange(context)?.take(buffer) == true ? buffer.count : 0
            }

    private static let onHead:
        @Sendable @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?)
            -> Int = { bytes, size, count, context in
                let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
                exchange(context)?.take(line: String(decoding: buffer, as: UTF8.self).trimmed)
                return buffer.count
            }

    private static let onRead:
        @Sendable @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?)
            -> Int = { bytes, size, count, context in
                exchange(context)?.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) ?? 0
            }

    private static let onSeek: @Sendable @convention(c) (UnsafeMutableRawPointer?, curl_off_t, CInt) -> CInt = {
        context, offset, origin in
        guard origin == SEEK_SET, let exchange = exchange(context) else { return CInt(CURL_SEEKFUNC_CANTSEEK) }
        return CInt(exchange.seek(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL)
    }

    private static let onProgress:
        @Sendable @convention(c) (
            UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t
        ) -> CInt = { context, _, _, _, _ in exchange(context)?.control.shallStop == true ? 1 : 0 }
}

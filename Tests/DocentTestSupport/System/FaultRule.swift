/// What a ``FaultProxy`` does to which requests. The table in Tests/Servers/README.md says what each field means.
///
/// Made by a static member and narrowed by ``on(_:_:)`` and ``times(_:)``:
/// `try await proxy.add(.status(503, retryAfter: 2).on("PUT").times(3))`.
package struct FaultRule: Encodable, Sendable {
    /// Where between the two something happens.
    package enum Stage: String, Encodable, Sendable {
        case request, reply, requestBody, responseBody, response
    }

    private enum CodingKeys: String, CodingKey {
        case action, name, method, path, header, nth, times, stage, after, seconds, rate, status, retryAfter, headers,
            body
        case bodyFile, bytes, offset, swapped = "with", etag, delta, chunked, reset
    }

    private var action: String
    private var name: String?
    private var method: String?
    private var path: String?
    private var header: String?
    private var nth: Int?
    private var times: Int?
    private var stage: Stage?
    private var after: Int?
    private var seconds: Double?
    private var rate: Int?
    private var status: Int?
    private var retryAfter: String?
    private var headers: [String: String?]?
    private var body: String?
    private var bodyFile: String?
    private var bytes: Int?
    private var offset: Int?
    private var swapped: String?
    private var etag: String?
    private var delta: Int?
    private var chunked: Bool?
    private var reset: Bool?

    private init(_ action: String, _ change: (inout Self) -> Void = { _ in }) {
        self.action = action
        change(&self)
    }

    // MARK: What is done

    /// Answers so; after the server did it where `stage` is `.reply`.
    package static func status(
        _ status: Int, retryAfter: String? = nil, headers: [String: String] = [:], body: String? = nil,
        stage: Stage = .request
    ) -> FaultRule {
        FaultRule("status") {
            $0.status = status
            $0.retryAfter = retryAfter
            $0.headers = headers
            $0.body = body
            $0.stage = stage
        }
    }

    /// Answers with a file as the body.
    package static func status(_ status: Int, bodyFile: String) -> FaultRule {
        FaultRule("status") {
            $0.status = status
            $0.bodyFile = bodyFile
        }
    }

    /// The server does it, the client gets a cut.
    package static let dropReply = FaultRule("dropReply")

    package static func cutRequest(after bytes: Int, reset: Bool = false) -> FaultRule {
        FaultRule("cutRequest") {
            $0.after = bytes
            $0.reset = reset
        }
    }

    package static func cutResponse(after bytes: Int, reset: Bool = false) -> FaultRule {
        FaultRule("cutResponse") {
            $0.after = bytes
            $0.reset = reset
        }
    }

    /// Waits before the first byte of the reply or of the request.
    package static func delay(_ seconds: Double, stage: Stage = .reply) -> FaultRule {
        FaultRule("delay") {
            $0.seconds = seconds
            $0.stage = stage
        }
    }

    /// So many bytes a second, of the `.response` or the `.request`.
    package static func throttle(_ rate: Int, stage: Stage = .response) -> FaultRule {
        FaultRule("throttle") {
            $0.rate = rate
            $0.stage = stage
        }
    }

    /// The reply ends before its last bytes.
    package static func truncate(_ bytes: Int = 1) -> FaultRule { FaultRule("truncate") { $0.bytes = bytes } }

    /// Inverts a byte of the `.response` or the `.request`.
    package static func corrupt(at offset: Int, stage: Stage = .response) -> FaultRule {
        FaultRule("corrupt") {
            $0.offset = offset
            $0.stage = stage
        }
    }

    /// The content of another path (absolute, escaped) with its own ETag, or with that of the one asked for.
    package static func swap(with path: String, keepsETag: Bool = false) -> FaultRule {
        FaultRule("swap") {
            $0.swapped = path
            $0.etag = keepsETag ? "asked" : "own"
        }
    }

    /// Announces more bytes than there are (less where negative), or sends so many more or fewer without a length.
    package static func wrongLength(_ delta: Int, chunked: Bool = false) -> FaultRule {
        FaultRule("wrongLength") {
            $0.delta = delta
            $0.chunked = chunked
        }
    }

    /// Waits for ``FaultProxy/release()``, then goes on. `after` counts for the stages of bodies.
    package static func hold(_ stage: Stage = .request, after bytes: Int? = nil) -> FaultRule {
        FaultRule("hold") {
            $0.stage = stage
            $0.after = bytes
        }
    }

    /// Never goes on.
    package static func hang(_ stage: Stage = .request, after bytes: Int? = nil) -> FaultRule {
        FaultRule("hang") {
            $0.stage = stage
            $0.after = bytes
        }
    }

    /// Changes fields of the reply; nil removes one.
    package static func headers(_ changes: [String: String?]) -> FaultRule {
        FaultRule("headers") { $0.headers = changes }
    }

    // MARK: To which requests

    /// Only this method, and only paths in which this occurs.
    package func on(_ method: String? = nil, _ path: String? = nil) -> FaultRule {
        var rule = self
        rule.method = method
        rule.path = path
        return rule
    }

    /// Only requests that have this header field.
    package func having(_ header: String) -> FaultRule {
        var rule = self
        rule.header = header
        return rule
    }

    /// From the nth match on; the first is 1.
    package func from(_ nth: Int) -> FaultRule {
        var rule = self
        rule.nth = nth
        return rule
    }

    /// So often; once unless said.
    package func times(_ times: Int) -> FaultRule {
        var rule = self
        rule.times = times
        return rule
    }

    /// Until the rules are cleared.
    package var always: FaultRule { times(0) }

    /// A name that the record of requests shows.
    package func named(_ name: String) -> FaultRule {
        var rule = self
        rule.name = name
        return rule
    }
}

/// What a ``FaultProxy`` does, and to which requests. The table in Tests/Servers/README.md explains the fields.
///
/// Create a rule with a static member and narrow it with ``on(_:_:)`` and ``times(_:)``: `try await
/// proxy.add(.status(503, retryAfter: 2).on("PUT").times(3))`.
package struct FaultRule: Encodable, Sendable {
    /// The point at which the rule applies.
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

    // MARK: Actions

    /// Answers with a status; if `stage` is `.reply`, after the server has executed the request.
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

    /// The server executes the request, but the client's connection is cut.
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

    /// Limits the `.response` or the `.request` to this many bytes per second.
    package static func throttle(_ rate: Int, stage: Stage = .response) -> FaultRule {
        FaultRule("throttle") {
            $0.rate = rate
            $0.stage = stage
        }
    }

    /// Ends the reply before its last bytes.
    package static func truncate(_ bytes: Int = 1) -> FaultRule { FaultRule("truncate") { $0.bytes = bytes } }

    /// Inverts a byte of the `.response` or the `.request`.
    package static func corrupt(at offset: Int, stage: Stage = .response) -> FaultRule {
        FaultRule("corrupt") {
            $0.offset = offset
            $0.stage = stage
        }
    }

    /// Returns the content of another path (absolute, escaped), with its own ETag or with that of the requested path.
    package static func swap(with path: String, keepsETag: Bool = false) -> FaultRule {
        FaultRule("swap") {
            $0.swapped = path
            $0.etag = keepsETag ? "asked" : "own"
        }
    }

    /// Announces more bytes than there are (fewer if negative), or sends that many more or fewer without a length.
    package static func wrongLength(_ delta: Int, chunked: Bool = false) -> FaultRule {
        FaultRule("wrongLength") {
            $0.delta = delta
            $0.chunked = chunked
        }
    }

    /// Waits for ``FaultProxy/release()``, then continues. `after` applies to the body stages.
    package static func hold(_ stage: Stage = .request, after bytes: Int? = nil) -> FaultRule {
        FaultRule("hold") {
            $0.stage = stage
            $0.after = bytes
        }
    }

    /// Never continues.
    package static func hang(_ stage: Stage = .request, after bytes: Int? = nil) -> FaultRule {
        FaultRule("hang") {
            $0.stage = stage
            $0.after = bytes
        }
    }

    /// Holds a request without a body for some seconds. If its client goes away meanwhile, the request is forwarded
    /// after another client has read the document that it changes: for a MOVE, the one at its destination.
    package static func late(_ seconds: Double) -> FaultRule { FaultRule("late") { $0.seconds = seconds } }

    /// Changes header fields of the reply; nil removes one.
    package static func headers(_ changes: [String: String?]) -> FaultRule {
        FaultRule("headers") { $0.headers = changes }
    }

    // MARK: Conditions

    /// Applies only to this method, and to paths that contain this text.
    package func on(_ method: String? = nil, _ path: String? = nil) -> FaultRule {
        var rule = self
        rule.method = method
        rule.path = path
        return rule
    }

    /// Applies only to requests with this header field.
    package func having(_ header: String) -> FaultRule {
        var rule = self
        rule.header = header
        return rule
    }

    /// Applies from the nth match on; the first is 1.
    package func from(_ nth: Int) -> FaultRule {
        var rule = self
        rule.nth = nth
        return rule
    }

    /// The number of times; the default is once.
    package func times(_ times: Int) -> FaultRule {
        var rule = self
        rule.times = times
        return rule
    }

    /// Applies until the rules are cleared.
    package var always: FaultRule { times(0) }

    /// Sets a name for the records of requests.
    package func named(_ name: String) -> FaultRule {
        var rule = self
        rule.name = name
        return rule
    }
}

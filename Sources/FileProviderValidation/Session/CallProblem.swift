package import DocentInterfaces
import Varlink

/// A failed call. If a case throws it, it becomes a finding.
package struct CallProblem: Error, Sendable, CustomStringConvertible {
    /// How it failed.
    package enum Kind: Sendable {
        /// The provider answered with an error: the name as sent, and the decoded failure.
        case refused(name: String, Failure)
        /// There was no answer for this many seconds.
        case silence(Double)
        /// The connection ended; the text says how the process ended, if known.
        case ended(String)
        /// The provider violated the protocol.
        case brokenProtocol(String)
        /// The task was cancelled by the case itself.
        case cancelled
        /// The transport cannot carry this call: the case does not apply.
        case notAvailable(String)
        /// The validator itself has a problem: no descriptors, no memory.
        case own(String)
    }

    /// The call, for people, such as `Fetch of "a.txt"`.
    package var did: String
    /// How it failed.
    package var kind: Kind

    /// Creates a problem.
    package init(did: String, kind: Kind) {
        self.did = did
        self.kind = kind
    }

    /// The code of the error answer; nil if there was none.
    package var code: FailureCode? {
        if case .refused(_, let failure) = kind { return failure.code }
        return nil
    }

    /// The error answer; nil if there was none.
    package var failure: Failure? {
        if case .refused(_, let failure) = kind { return failure }
        return nil
    }

    /// Whether the connection ended instead of an answer.
    package var isEnd: Bool {
        if case .ended = kind { return true }
        return false
    }

    /// Whether the transport cannot carry the call, which says nothing about the provider.
    package var isNotAvailable: Bool {
        if case .notAvailable = kind { return true }
        return false
    }

    /// What happened instead, for people.
    package var got: String {
        switch kind {
        case .refused(let name, let failure):
            "the error " + PlainText.escaped(name, limit: 200) + ": " + PlainText.escaped(failure.message, limit: 800)
        case .silence(let seconds): "no answer, and no progress, for \(Self.seconds(seconds))"
        case .ended(let how): "no answer: " + PlainText.escaped(how, limit: 2_000)
        case .brokenProtocol(let text): "something that breaks the protocol: " + PlainText.escaped(text, limit: 800)
        case .cancelled: "nothing: the call was cancelled"
        case .notAvailable(let text): "nothing: " + PlainText.escaped(text, limit: 800)
        case .own(let text): "a problem of the validator itself: " + PlainText.escaped(text, limit: 800)
        }
    }

    /// The call and what happened.
    package var description: String { did + ": " + got }

    static func seconds(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\((seconds * 100).rounded() / 100) s"
    }

    /// Converts the error of a call.
    ///
    /// - Parameter isOver: whether the provider's first connection has ended too, so that its process ends or has
    ///   ended.
    init(
        _ error: any Error, did: String, deadline: Duration, instance: any ProviderInstance, isOver: () -> Bool
    ) async {
        self.did = did
        switch error {
        case let problem as CallProblem: kind = problem.kind
        case let reply as VarlinkCallError where reply.name == Self.notAvailable:
            kind = .notAvailable(Failure(reply).message)
        case let reply as VarlinkCallError: kind = .refused(name: reply.name, Failure(reply))
        case let transport as VarlinkError:
            switch transport.code {
            case .timedOut: kind = .silence(deadline / .seconds(1))
            case .cancelled: kind = .cancelled
            case .closed: kind = .ended(await Self.explain(instance, isOver))
            case .malformed, .tooDeep, .messageTooLarge, .descriptorMismatch: kind = .brokenProtocol(transport.message)
            default: kind = .own(transport.message)
            }
        case is CancellationError: kind = .cancelled
        default: kind = .own(PlainText.words(of: error))
        }
    }

    /// The error with which a transport refuses calls that it cannot carry.
    package static let notAvailable = "org.docent.Validation.NotAvailable"

    private static func explain(_ instance: any ProviderInstance, _ isOver: () -> Bool) async -> String {
        // A dying process closes one connection after the other.
        for _ in 0..<5 where !isOver() { await Pause.uncancelled(.milliseconds(10)) }
        guard instance.isApart, isOver() || instance.end != nil else {
            return isOver() ? "the provider hung up" : "the provider closed only this connection"
        }
        // How the process ended is known a moment later.
        for _ in 0..<200 where instance.end == nil { await Pause.uncancelled(.milliseconds(10)) }
        let said = instance.errorText
        let detail = said.isEmpty ? "" : "; its last output: " + String(said.suffix(600))
        return "the provider " + (instance.end ?? "closed the connection, and its process is still running") + detail
    }
}

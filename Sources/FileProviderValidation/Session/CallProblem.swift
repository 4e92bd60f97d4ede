package import DocentInterfaces
import Varlink

/// A call that did not bring what it was made for. Thrown out of a case it becomes a finding.
package struct CallProblem: Error, Sendable, CustomStringConvertible {
    /// What happened.
    package enum Kind: Sendable {
        /// The provider answered with an error: as its name has it, and as a failure.
        case refused(name: String, Failure)
        /// It answered nothing for so many seconds.
        case silence(Double)
        /// The connection ended; how the process ended, where that is known.
        case ended(String)
        /// What it said is not the protocol.
        case brokenProtocol(String)
        /// The task was cancelled by the case itself.
        case cancelled
        /// The transport cannot carry this call: the case does not apply.
        case notAvailable(String)
        /// The validator's own trouble: no descriptors, no memory.
        case own(String)
    }

    /// The call, for people: “Fetch of “a.txt””.
    package var did: String
    /// What happened.
    package var kind: Kind

    /// A problem.
    package init(did: String, kind: Kind) {
        self.did = did
        self.kind = kind
    }

    /// The code that was answered; nil if no error was answered.
    package var code: FailureCode? {
        if case .refused(_, let failure) = kind { return failure.code }
        return nil
    }

    /// The error that was answered; nil if none was.
    package var failure: Failure? {
        if case .refused(_, let failure) = kind { return failure }
        return nil
    }

    /// Whether the connection ended instead of an answer.
    package var isEnd: Bool {
        if case .ended = kind { return true }
        return false
    }

    /// Whether the transport cannot carry the call, which says nothing of the provider.
    package var isNotAvailable: Bool {
        if case .notAvailable = kind { return true }
        return false
    }

    /// What came back, for people.
    package var got: String {
        switch kind {
        case .refused(let name, let failure):
            "the error " + PlainText.escaped(name, limit: 200) + ": " + PlainText.escaped(failure.message, limit: 800)
        case .silence(let seconds): "no answer, and no progress, for \(Self.seconds(seconds))"
        case .ended(let how): "no answer: " + PlainText.escaped(how, limit: 2_000)
        case .brokenProtocol(let text): "something that breaks the protocol: " + PlainText.escaped(text, limit: 800)
        case .cancelled: "nothing: the call was cancelled"
        case .notAvailable(let text): "nothing: " + PlainText.escaped(text, limit: 800)
        case .own(let text): "trouble of the validator's own: " + PlainText.escaped(text, limit: 800)
        }
    }

    /// The call and what came back.
    package var description: String { did + ": " + got }

    static func seconds(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\((seconds * 100).rounded() / 100) s"
    }

    /// What an error of a call means.
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

    /// The error that a transport answers to what it cannot carry.
    package static let notAvailable = "org.docent.Validation.NotAvailable"

    private static func explain(_ instance: any ProviderInstance, _ isOver: () -> Bool) async -> String {
        // A process that dies closes one connection after the other.
        for _ in 0..<5 where !isOver() { await Pause.uncancelled(.milliseconds(10)) }
        guard instance.isApart, isOver() || instance.end != nil else {
            return isOver() ? "the provider hung up" : "the provider ended this connection, and no other"
        }
        // The end of a process that has just died is known in a moment.
        for _ in 0..<200 where instance.end == nil { await Pause.uncancelled(.milliseconds(10)) }
        let said = instance.errorText
        let detail = said.isEmpty ? "" : "; it said last: " + String(said.suffix(600))
        return "the provider " + (instance.end ?? "hung up, and its process goes on") + detail
    }
}

/// In whose access, and during the handling of which messages, a task makes a claim: it lets the daemon tell a cycle from a mere
/// wait (2.9).
struct CoordinationContext: Sendable {
    /// A claim in whose accessor something runs.
    struct Enclosing: Sendable {
        let claim: HeldClaim
        let coordinator: ObjectIdentifier
        /// Whether only reading may be coordinated in it, by the same coordinator.
        let forbidsWriting: Bool
    }

    /// A message that a presenter handles.
    struct Message: Sendable {
        /// Nil for one that wants no answer.
        let identifier: String?
        let registration: PresenterRegistration
    }

    @TaskLocal static var current = CoordinationContext()

    var enclosing: [Enclosing] = []
    var messages: [Message] = []

    /// The claims of a client in whose access one is made now; nil for none.
    func within(_ client: DocumentsClient) -> [String]? {
        guard !enclosing.isEmpty else { return nil }
        let names = enclosing.filter { $0.claim.client === client && !$0.claim.isEnded }.map(\.claim.operation)
        return names.isEmpty ? nil : names
    }

    /// The messages to a client's presenters that are being handled; nil for none.
    func answering(_ client: DocumentsClient) -> [String]? {
        guard !messages.isEmpty else { return nil }
        let names = messages.filter { $0.registration.client === client }.compactMap(\.identifier)
        return names.isEmpty ? nil : names
    }

    /// - Throws: ``DocumentsError`` `invalidArgument` for a write within the single write of the same coordinator.
    func check(_ intents: [FileAccessIntent], by coordinator: FileCoordinator) throws(DocumentsError) {
        guard !enclosing.isEmpty, intents.contains(where: \.isWriting) else { return }
        let identifier = ObjectIdentifier(coordinator)
        let isMisuse = enclosing.contains {
            $0.coordinator == identifier && $0.forbidsWriting && !$0.claim.isEnded
        }
        guard isMisuse else { return }
        throw DocumentsError(
            .invalidArgument, "A coordinated write was asked for within a coordinated write of the same coordinator.",
            suggestion: "Ask for both items in one call, or use another coordinator.")
    }

    func adding(_ enclosing: Enclosing) -> CoordinationContext {
        var context = self
        context.enclosing.append(enclosing)
        return context
    }

    func adding(_ message: Message) -> CoordinationContext {
        var context = self
        context.messages.append(message)
        return context
    }
}

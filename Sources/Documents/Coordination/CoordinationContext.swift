/// The accesses and presenter messages within which a task makes a claim. It lets the daemon distinguish a cycle from
/// an ordinary wait.
struct CoordinationContext: Sendable {
    /// The claim of an accessor that is running.
    struct Enclosing: Sendable {
        let claim: HeldClaim
        let coordinator: ObjectIdentifier
        /// Whether the same coordinator may only coordinate reads within it.
        let forbidsWriting: Bool
    }

    /// A message that a presenter is handling.
    struct Message: Sendable {
        /// Nil for a message that needs no answer.
        let identifier: String?
        let registration: PresenterRegistration
    }

    @TaskLocal static var current = CoordinationContext()

    var enclosing: [Enclosing] = []
    var messages: [Message] = []

    /// The client's claims that enclose the current task; nil when there are none.
    func within(_ client: DocumentsClient) -> [String]? {
        guard !enclosing.isEmpty else { return nil }
        let names = enclosing.filter { $0.claim.client === client && !$0.claim.isEnded }.map(\.claim.operation)
        return names.isEmpty ? nil : names
    }

    /// The messages to the client's presenters that are being handled; nil when there are none.
    func answering(_ client: DocumentsClient) -> [String]? {
        guard !messages.isEmpty else { return nil }
        let names = messages.filter { $0.registration.client === client }.compactMap(\.identifier)
        return names.isEmpty ? nil : names
    }

    /// Checks for misuse.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` for a write within a single write of the same coordinator.
    func check(_ intents: [FileAccessIntent], by coordinator: FileCoordinator) throws(DocumentsError) {
        guard !enclosing.isEmpty, intents.contains(where: \.isWriting) else { return }
        let identifier = ObjectIdentifier(coordinator)
        let isMisuse = enclosing.contains {
            $0.coordinator == identifier && $0.forbidsWriting && !$0.claim.isEnded
        }
        guard isMisuse else { return }
        throw DocumentsError(
            .invalidArgument, "A coordinated write was started within a coordinated write of the same coordinator.",
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

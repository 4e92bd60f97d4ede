import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

/// A change that the daemon holds, because its client changes too many documents at once.
enum HeldChange {
    /// Makes a change. If it is held, it asks on the terminal whether it is meant, and then makes it.
    ///
    /// - Parameters:
    ///   - client: the client that makes it.
    ///   - isConfirmed: whether the command line has answered already.
    ///   - change: must be repeatable.
    /// - Throws: what the change throws, `Held` too if there is nobody to ask; `cancelled` for a no.
    static func make<Result>(
        as client: String, isConfirmed: Bool = false, _ change: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await change()
        } catch let refusal as DocumentsError where refusal.code == .held {
            guard isConfirmed || FormConversation.hasTerminal else { throw refusal }
            let administrator = DocumentsClient.administrator()
            let held: [Wire.HeldClient]
            do {
                held = try await administrator.call(AdministrationInterface.Held.self, .init()).value.clients
            } catch {
                // Inside a sandbox nothing can be allowed.
                throw refusal
            }
            guard let own = held.first(where: { $0.clientKind == "unconfined" && $0.client == client }) else {
                // It was allowed meanwhile.
                return try await change()
            }
            try Confirmation.require(
                question(own), isGiven: isConfirmed, otherwise: "This change and those after it were not made.")
            _ = try await administrator.call(
                AdministrationInterface.AllowHeld.self, .init(clientKind: own.clientKind, client: own.client))
            return try await change()
        }
    }

    /// What a person is asked. Pure.
    static func question(_ held: Wire.HeldClient) -> String {
        guard held.isNoise != true else {
            return "\(SafeText.escaped(held.client)) replaces the contents of documents with what looks like random "
                + "data. Go on?"
        }
        let documents = held.documents == 1 ? "1 document" : "\(held.documents) documents"
        return "\(SafeText.escaped(held.client)) would delete or replace \(documents) or more within a minute. Go on?"
    }
}

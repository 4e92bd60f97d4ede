import DocentInterfaces
import Synchronization

/// The running sign-in attempts, by the names that the host gave them. Thread-safe.
final class SignInAttempts: Sendable {
    /// The most attempts of one process at the same time.
    static let maximum = 16
    static let maximumAddressLength = 16 << 10

    private let running = Mutex<[String: SignInInteraction]>([:])

    /// Runs `body` while the attempt can be continued by its name.
    ///
    /// - Throws: ``FileProviderError/Code/invalidArgument`` if there is one with that name,
    ///   ``FileProviderError/Code/busy`` if there are too many.
    func run<Value: Sendable>(
        _ name: String, _ interaction: SignInInteraction, _ body: () async throws -> Value
    ) async throws -> Value {
        try running.withLock { running in
            guard running[name] == nil else {
                throw FileProviderError(.invalidArgument, "A sign-in attempt with that name exists already.")
            }
            guard running.count < Self.maximum else {
                throw FileProviderError(
                    .busy, "There are already \(Self.maximum) sign-in attempts. Try again later.")
            }
            running[name] = interaction
        }
        defer {
            running.withLock { $0[name] = nil }
            interaction.end()
        }
        return try await body()
    }

    /// Continues an attempt whose browser was redirected back.
    ///
    /// - Throws: ``FileProviderError/Code/noSuchItem`` if the attempt is over,
    ///   ``FileProviderError/Code/invalidArgument`` for an address that is not below its redirect address.
    func `continue`(_ name: String, with url: String) throws {
        guard let interaction = running.withLock({ $0[name] }) else {
            throw FileProviderError(.noSuchItem, "The sign-in attempt is over.")
        }
        guard let expected = interaction.redirectURL, url.hasPrefix(expected),
            url.utf8.count <= Self.maximumAddressLength
        else {
            throw FileProviderError(.invalidArgument, "The browser was redirected to an unexpected address.")
        }
        interaction.continue(with: url)
    }

    /// Delivers the answer to a question; nil if it will not be answered.
    ///
    /// - Throws: ``FileProviderError/Code/noSuchItem`` if the attempt or the question is over,
    ///   ``FileProviderError/Code/invalidArgument`` for an answer that the question does not accept.
    func answer(_ name: String, _ number: Int, with text: String?) throws(FileProviderError) {
        guard let interaction = running.withLock({ $0[name] }) else {
            throw FileProviderError(.noSuchItem, "The sign-in attempt is over.")
        }
        try interaction.answer(number, with: text)
    }
}

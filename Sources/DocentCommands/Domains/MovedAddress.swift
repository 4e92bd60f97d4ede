import CommandConsole
import Documents

/// Offers to follow a service that has moved to https permanently, while a domain is added or changed. The new address
/// is stored.
enum MovedAddress {
    /// The domain of the error cause that contains the new address.
    static let cause = "org.docent.WebDAV.moved"

    /// The https address on the same host that an error reports; nil if there is none. Pure.
    static func find(in error: DocumentsError, from url: String) -> String? {
        guard let target = error.causes.first(where: { $0.domain == cause })?.message, let old = host(url, "http"),
            old == host(target, "https"), !target.contains(where: { "?#@\\".contains($0) })
        else { return nil }
        return target
    }

    /// Runs a body with the settings, and once more with the new address if the service has moved.
    ///
    /// - Parameter offer: asks whether to use the new address.
    /// - Throws: what the body throws; the error that reports the new address if the answer is no.
    static func following<Result>(
        _ settings: [String: String]?, offer: (String) throws -> Bool = Confirmation.offer,
        _ body: ([String: String]?) async throws -> Result
    ) async throws -> Result {
        do {
            return try await body(settings)
        } catch let error as DocumentsError {
            guard var settings, let url = settings["url"], let target = find(in: error, from: url) else { throw error }
            let moved = SafeText.escaped("The server has moved permanently from \(url) to \(target).")
            guard try offer("\(moved) Use the new address?") else { throw error }
            settings["url"] = target
            let result = try await body(settings)
            StandardError.write("\(moved) The new address is kept.\n")
            return result
        }
    }

    private static func host(_ url: String, _ scheme: String) -> String? {
        guard let end = url.firstRange(of: "://"), url[..<end.lowerBound].lowercased() == scheme else { return nil }
        let authority = url[end.upperBound...].prefix { !"/?#\\".contains($0) }.lowercased()
        guard !authority.isEmpty else { return nil }
        if authority.hasPrefix("["), let close = authority.firstIndex(of: "]") { return String(authority[...close]) }
        return String(authority.prefix { $0 != ":" })
    }
}

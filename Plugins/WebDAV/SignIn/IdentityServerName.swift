import FileProvider
import HTTPTransport

/// Finds the identity server whose tokens a WebDAV server accepts (RFC 9728).
enum IdentityServerName {
    private struct Resource: Decodable {
        var resource: String
        var authorization_servers: [String]?
    }

    /// The address of the identity server that a server names.
    ///
    /// - Parameters:
    ///   - challenge: The answer to an anonymous request (`WWW-Authenticate`).
    ///   - url: The URL of the WebDAV server.
    /// - Returns: nil if it names none.
    /// - Throws: `FileProviderError` when the name cannot be trusted or its description cannot be fetched.
    static func find(challenge: String?, of url: String, _ client: OAuthClient) async throws -> String? {
        let named = challenge.flatMap { parameter("resource_metadata", of: $0) }
        let description = try OAuthAddress.check(
            named ?? OAuthAddress.resourceDescription(of: url), "resource metadata")
        guard Redirect.origin(of: description) == Redirect.origin(of: url) else {
            throw FileProviderError(
                .failed,
                "The server refers to another server, \(description), for its description. That is not trusted.")
        }
        let reply = try await client.get(description)
        guard reply.status == 200 else { return nil }
        guard
            let resource = named == nil
                ? try? reply.decoded(Resource.self, "") : try reply.decoded(Resource.self, "description")
        else { return nil }
        // A description of another resource would attach its identity server to this server (RFC 9728, 3.3).
        guard let origin = Redirect.origin(of: url), Redirect.origin(of: resource.resource) == origin,
            url.hasPrefix(resource.resource) || OAuthAddress.isSame(url, resource.resource)
        else {
            throw FileProviderError(.failed, "The server describes something other than \(url). That is not trusted.")
        }
        return resource.authorization_servers?.first
    }

    /// A parameter of a challenge such as `Bearer realm="x", resource_metadata="https://…"`.
    static func parameter(_ name: String, of challenge: String) -> String? {
        guard let start = challenge.lowercased().firstRange(of: name + "=") else { return nil }
        let offset = challenge.lowercased().distance(from: challenge.lowercased().startIndex, to: start.upperBound)
        let rest = challenge.dropFirst(offset)
        if rest.first == "\"" { return String(rest.dropFirst().prefix { $0 != "\"" }) }
        return String(rest.prefix { $0 != "," && $0 != " " })
    }
}

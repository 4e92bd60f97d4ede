package import DocentInterfaces

/// Addresses to which secrets are sent without https. Pure.
package enum PlainAddress {
    /// The field of a form, and the setting of a domain, by which a person agrees that secrets are sent without https.
    static let consentKey = "unprotected"
    /// The value that means agreement.
    package static let consent = "yes"

    /// Whether what is sent to an address crosses a network in the clear: http, and not to this machine.
    package static func isUnprotected(_ url: String) -> Bool {
        guard let scheme = url.firstRange(of: "://"), url[..<scheme.lowerBound].lowercased() == "http" else {
            return false
        }
        let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        if authority == "[::1]" || authority.hasPrefix("[::1]:") { return false }
        let host = authority.prefix { $0 != ":" }.lowercased()
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return host != "localhost" && !isLoopback
    }

    /// Whether a domain signs in without https, as a person has agreed.
    package static func isUnprotected(_ domain: Wire.Domain) -> Bool {
        guard domain.settings?[consentKey] == consent else { return false }
        return domain.settings?["url"].map(isUnprotected) ?? true
    }
}

package import DocentInterfaces

/// A picker's location of the chosen document: the parsed argument of `dismissGrantingAccess(to:)`.
package enum PickedLocation: Sendable, Hashable {
    /// A file URL; its path is percent-decoded, but not yet canonical.
    case file(path: String)
    /// A document's URL, `docent://provider[@domain]/identifier`.
    case document(Wire.ItemReference)
    /// Anything else, unchanged.
    case other(String)

    /// Parses a URL. Never fails: anything that is not a URL is ``other(_:)``.
    package init(url: String) {
        if url.hasPrefix("file://") {
            let rest = url.dropFirst("file://".count)
            // Only an empty authority and localhost name this machine.
            guard let slash = rest.firstIndex(of: "/") else { self = .other(url); return }
            let authority = rest[..<slash]
            guard authority.isEmpty || authority == "localhost",
                let path = PercentEncoding.decode(rest[slash...])
            else { self = .other(url); return }
            self = .file(path: path)
        } else if let reference = Self.reference(url) {
            self = .document(reference)
        } else {
            self = .other(url)
        }
    }

    private static func reference(_ url: String) -> Wire.ItemReference? {
        let prefix = "docent://"
        guard url.hasPrefix(prefix) else { return nil }
        let rest = url.dropFirst(prefix.count)
        guard let slash = rest.firstIndex(of: "/"), slash > rest.startIndex else { return nil }
        let authority = rest[..<slash].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let encoded = rest[rest.index(after: slash)...]
        guard !encoded.isEmpty, let identifier = PercentEncoding.decode(encoded),
            let provider = PercentEncoding.decode(authority[0]),
            let domain = authority.count > 1 ? PercentEncoding.decode(authority[1]) : ""
        else { return nil }
        return Wire.ItemReference(provider: provider, domain: domain, identifier: identifier)
    }
}

/// Percent-encoding of one component of a URL (RFC 3986).
package enum PercentEncoding {
    /// The decoded text; nil if it is malformed or not UTF-8.
    package static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else { bytes.append(byte); continue }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Finds the address of a service in the settings of a domain, and replaces it by that of a proxy.
package struct ServiceSettings: Sendable {
    private static let ports: [String: UInt16] = [
        "http": 80, "https": 443, "dav": 80, "davs": 443, "sftp": 22, "ssh": 22, "ftp": 21, "ftps": 990,
    ]
    /// The schemes that send secrets unencrypted.
    private static let plain: Set = ["http", "dav", "ftp"]

    private let settings: [String: String]

    /// Creates a reader of these settings.
    package init(_ settings: [String: String]) { self.settings = settings }

    /// The addresses in the settings: as URLs, or as a host and a port.
    package var addresses: Set<ServiceAddress> {
        var found: Set<ServiceAddress> = []
        for value in settings.values {
            for url in Self.urls(in: value) { found.insert(url.address) }
            if let pair = Self.pair(in: value) { found.insert(pair) }
        }
        if let pair = Self.pair(settings["host"], settings["port"]) { found.insert(pair) }
        return found
    }

    /// Whether a secret would be sent to an address without encryption.
    package func isPlain(_ address: ServiceAddress) -> Bool {
        settings.values.contains { value in
            Self.urls(in: value).contains { $0.address == address && Self.plain.contains($0.scheme) }
        }
    }

    /// The settings with an address replaced by a port of this machine; nil if they do not contain the address.
    package func replacing(_ address: ServiceAddress, with port: UInt16) -> [String: String]? {
        let here = "127.0.0.1"
        var result = settings
        for (key, value) in settings {
            var new = value
            // From the end, so that the ranges found before stay valid.
            for url in Self.urls(in: value).reversed() where url.address == address {
                new.replaceSubrange(url.place, with: "\(here):\(port)")
            }
            if Self.pair(in: value) == address {
                new = Self.replacing("host", in: new, with: here)
                new = Self.replacing("port", in: new, with: "\(port)")
            }
            if ServiceAddress(value) == address { new = "\(here):\(port)" }
            result[key] = new
        }
        if Self.pair(settings["host"], settings["port"]) == address {
            result["host"] = here
            result["port"] = "\(port)"
        }
        return result == settings ? nil : result
    }

    private struct Found {
        var scheme: String
        var address: ServiceAddress
        /// Host and port, without a user.
        var place: Range<String.Index>
    }

    private static func urls(in text: String) -> [Found] {
        var result: [Found] = []
        var rest = text[...]
        while let mark = rest.firstRange(of: "://") {
            let scheme = String(
                text[..<mark.lowerBound].reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.reversed())
            let end = text[mark.upperBound...].firstIndex { "/?#, \"'".contains($0) } ?? text.endIndex
            let authority = text[mark.upperBound..<end]
            let start = authority.lastIndex(of: "@").map { text.index(after: $0) } ?? authority.startIndex
            if let address = ServiceAddress(text[start..<end], otherwise: ports[scheme.lowercased()]) {
                result.append(Found(scheme: scheme.lowercased(), address: address, place: start..<end))
            }
            rest = text[end...]
        }
        return result
    }

    /// The address in a list such as `host=files.example,port=2022`.
    private static func pair(in list: String) -> ServiceAddress? {
        func value(_ key: String) -> String? {
            list.split(separator: ",").first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
        }
        return pair(value("host"), value("port"))
    }

    private static func pair(_ host: String?, _ port: String?) -> ServiceAddress? {
        guard let host, let port = port.map({ UInt16($0) }) ?? 22, port > 0 else { return nil }
        return ServiceAddress(host.contains(":") ? "[\(host)]" : host, otherwise: port)
    }

    private static func replacing(_ key: String, in list: String, with value: String) -> String {
        var parts = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let index = parts.firstIndex(where: { $0.hasPrefix(key + "=") }) else {
            return list + ",\(key)=\(value)"
        }
        parts[index] = "\(key)=\(value)"
        return parts.joined(separator: ",")
    }
}

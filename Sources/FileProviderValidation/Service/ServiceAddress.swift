/// The address of a service.
package struct ServiceAddress: Sendable, Hashable, CustomStringConvertible {
    /// A host name or an IP address; IPv6 without brackets.
    package var host: String
    /// The TCP port.
    package var port: UInt16

    /// Creates an address.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT` or `[HOST]:PORT`; nil for anything else. A missing port is replaced by the default, if there
    /// is one.
    package init?(_ text: some StringProtocol, otherwise port: UInt16? = nil) {
        var rest = text[...]
        let host: String
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
        } else {
            let end = rest.lastIndex(of: ":") ?? rest.endIndex
            host = String(rest[..<end])
            rest = rest[end...]
            guard !host.contains(":") else { return nil }
        }
        // Limits that suit a resolver and a report.
        guard !host.isEmpty, host.utf8.count <= 255,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?#@\"'\\".utf8.contains($0) })
        else { return nil }
        self.host = host
        if rest.isEmpty, let port {
            self.port = port
        } else {
            guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
            self.port = port
        }
    }

    /// `HOST:PORT`.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether data sent there stays on this machine.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.split(separator: ".").count == 4 && host.hasPrefix("127.")
    }
}

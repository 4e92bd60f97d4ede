import DocentTestSupport
import Foundation

/// The storage folder of a domain of the provider Faulty, accessed from outside.
struct FaultyStorage: Sendable {
    let path: String

    init(_ providers: FaultyProviders, _ provider: String) {
        path =
            "\(providers.installation.data)/Groups/group.\(provider)/File Provider Storage/\(FaultyProviders.domain)"
    }

    /// The names of the faults that occurred.
    var fired: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: path + "/fired")) ?? [])
    }

    /// Schedules a change by others before the next call of a kind, or before the next of any kind.
    func others(_ deeds: String..., before method: String? = nil) throws {
        let name = ["/others", method].compactMap(\.self).joined(separator: ".")
        try Data(deeds.joined(separator: "\n").utf8).write(
            to: URL(filePath: path + name), options: .atomic)
    }
}

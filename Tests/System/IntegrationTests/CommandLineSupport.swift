import DocentTestSupport
import Foundation
import Glibc
import Testing

extension CommandLineTests {
    struct Opened: Decodable { var bookmark: String }

    static func docent(_ installation: Installation, _ arguments: [String]) async throws -> Outcome {
        try await installation.run(Installation.binaries + "/docent", arguments)
    }

    /// The output as an array of objects.
    static func objects(_ outcome: Outcome) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]], "\(outcome.text)")
    }

    /// The names in a directory, as bytes.
    static func names(_ directory: String) throws -> [[UInt8]] {
        guard let stream = opendir(directory) else { throw Problem("\(directory) cannot be read") }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names
    }
}

import FileProvider
import FoundationEssentials
import Glibc

/// A simulated service behind the documents. `service.sh` controls it without the provider, with files in the domain's
/// folder: it makes the service unreachable, cuts transfers, and changes documents. Safe to use from any thread.
struct SimulatedService: Sendable {
    /// A change by another client.
    enum Deed: Sendable {
        case write(path: [String], content: [UInt8])
        case delete(path: [String])
    }

    private let directory: String
    /// The transfer time of a document in seconds.
    private let latency: Double

    /// - Parameters:
    ///   - storage: The domain's own folder.
    ///   - latency: The transfer time of a document in seconds.
    init(storage: String, latency: Double) {
        directory = storage + "/service"
        self.latency = latency.isFinite ? min(max(0, latency), 60) : 0
    }

    /// Whether it cannot be reached.
    var isUnreachable: Bool { access(directory + "/unreachable", F_OK) == 0 }

    /// The error of a service that cannot be reached.
    static var unreachable: FileProviderError {
        FileProviderError(.serverUnreachable, "The service cannot be reached.")
    }

    /// Transfers one of the pieces of a document.
    ///
    /// - Throws: `serverUnreachable` when the connection is lost meanwhile.
    func pass(pieceOf count: Int) async throws {
        if latency > 0 { try await Task.sleep(for: .seconds(latency / Double(max(1, count)))) }
        guard !isUnreachable, unlink(directory + "/cut") != 0 else { throw Self.unreachable }
    }

    /// Discards a cut while no transfer is running.
    func forgetCut() { unlink(directory + "/cut") }

    /// The changes by others since the last call, in order.
    func takeDeeds() throws -> [Deed] {
        let folder = directory + "/changes"
        guard access(folder, F_OK) == 0 else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
            let taken = "\(directory)/taken-\(UInt64.random(in: .min ... .max))"
            guard rename("\(folder)/\(name)", taken) == 0 else { return nil }
            defer { unlink(taken) }
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: taken)))
            let line = bytes.prefix { $0 != 0x0A }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
            let path = words.last?.split(separator: "/").map(String.init) ?? []
            switch (words.first, words.count) {
            case ("write", 2): return .write(path: path, content: Array(bytes.dropFirst(line.count + 1)))
            case ("delete", 2): return .delete(path: path)
            default:
                throw FileProviderError(.invalidArgument, "A change of the service is neither write nor delete.")
            }
        }
    }
}

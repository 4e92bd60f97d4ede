import DocentTestSupport
import Foundation
import Testing

/// Ten thousand documents in a folder, and one of four gibibytes: memory stays bounded.
@Suite(.needs(.daemon, .server)) struct ManyDocumentsTests {
    @Test("law 9: 10,000 documents are listed twice and each is found by name, with bounded memory")
    func tenThousand() async throws {
        var options = RemoteInstallation.Options()
        options.throughProxy = false
        options.environment["DOCENT_POLL_SECONDS"] = "0"
        try await RemoteInstallation.with(.apache, options: options) { server in
            for number in 0..<10_000 {
                let path = "\(server.folder)/document-\(number).txt"
                guard FileManager.default.createFile(atPath: path, contents: Data("x".utf8)) else {
                    throw Problem("cannot create \(path)")
                }
            }
        } _: { remote in
            for _ in 0..<2 {
                let listed = try await remote.docent("ls", remote.location("")).succeeded().text
                #expect(Set(listed.split(separator: "\n")).count == 10_000)
            }
            #expect(try await remote.read("document-9999.txt") == "x")
            try FileManager.default.removeItem(atPath: "\(remote.server.folder)/document-5.txt")
            try Data("yy".utf8).write(to: URL(fileURLWithPath: "\(remote.server.folder)/document-10000.txt"))
            // With a cached listing a request waits only five seconds for a long new one; the next request gets it.
            try await remote.installation.eventually("both changes are listed", within: 120) {
                let again = Set(
                    try await remote.docent("ls", remote.location("")).succeeded().text.split(separator: "\n"))
                return again.count == 10_000 && !again.contains("document-5.txt")
                    && again.contains("document-10000.txt")
            }
            for (process, peak) in ProcessMemory.peaks(of: remote.installation) {
                #expect(peak < 400 << 20, "\(process): \(peak >> 20) MiB")
            }
        }
    }

    /// Whether there is enough space for the content on the server and here.
    private static let hasRoom: Bool = {
        let values = try? URL(fileURLWithPath: "/tmp").resourceValues(forKeys: [.volumeAvailableCapacityKey])
        return values?.volumeAvailableCapacity ?? 0 > 10 << 30
    }()

    @Test(
        "N9: a document slightly larger than 4 GiB is read completely, with bounded memory",
        .enabled(if: hasRoom, "needs 10 GiB free in /tmp"))
    func huge() async throws {
        let size = (4 << 30) + 7
        var options = RemoteInstallation.Options()
        options.throughProxy = false
        try await RemoteInstallation.with(.apache, options: options) { server in
            // Sparse on the server; with marks around the 32-bit limit.
            let file = "\(server.folder)/huge.bin"
            _ = FileManager.default.createFile(atPath: file, contents: Data("first".utf8))
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
            try handle.truncate(atOffset: UInt64(size))
            try handle.seek(toOffset: (4 << 30) - 3)
            try handle.write(contentsOf: Data("border".utf8))
            try handle.seek(toOffset: UInt64(size) - 3)
            try handle.write(contentsOf: Data("end".utf8))
            try handle.close()
        } _: { remote in
            try await remote.docent("ls", remote.location("")).succeeded()
            try await remote.docent("pin", remote.location("huge.bin")).succeeded()
            try await remote.installation.eventually("the local copy exists", within: 240) {
                let text = try await remote.docent("info", remote.location("huge.bin"), "--json").succeeded()
                return try text.json(Item.self).isDownloaded
            }
            let found = try #require(Self.find("huge.bin", in: remote.installation.data))
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: found))
            #expect(try handle.seekToEnd() == UInt64(size))
            for (offset, text) in [(0, "first"), ((4 << 30) - 3, "border"), (size - 3, "end")] {
                try handle.seek(toOffset: UInt64(offset))
                #expect(try handle.read(upToCount: text.utf8.count) == Data(text.utf8), "at \(offset)")
            }
            try handle.close()
            for (process, peak) in ProcessMemory.peaks(of: remote.installation) {
                #expect(peak < 300 << 20, "\(process): \(peak >> 20) MiB")
            }
        }
    }

    private struct Item: Decodable {
        var isDownloaded: Bool
    }

    private static func find(_ name: String, in folder: String) -> String? {
        let files = FileManager.default.enumerator(atPath: folder)
        while let path = files?.nextObject() as? String {
            if path.hasSuffix("/" + name) { return "\(folder)/\(path)" }
        }
        return nil
    }
}

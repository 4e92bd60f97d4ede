import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// startAccessingSecurityScopedResource and its counterpart (G3, complaint 20).
@Suite(.needs(.daemon)) struct StartedAccessTests {
    private typealias Support = BookmarkSupport

    @Test("G3: starting access returns false without a right")
    func needsRight() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let (client, other) = (installation.client(), installation.client("org.example.other"))
            defer {
                client.close()
                other.close()
            }
            let document = try await Support.open("a.txt", client, access: .read)
            #expect(await document.startAccessingSecurityScopedResource())
            let blocking: Bool = { document.startAccessingSecurityScopedResource() }()
            #expect(blocking)
            document.stopAccessingSecurityScopedResource()
            document.stopAccessingSecurityScopedResource()
            document.stopAccessingSecurityScopedResource()
            #expect(try await document.withAccess { try await Support.text(document) } == "hello")
            let named = other.document(document.reference)
            #expect(await named.startAccessingSecurityScopedResource() == false)
            await #expect(throws: DocumentsError.self) { try await named.withAccess {} }
            try await installation.docent("revoke", "LocalFolder:/a.txt", "--yes").succeeded()
            #expect(await document.startAccessingSecurityScopedResource() == false)
        }
    }

    @Test("complaint 20: unbalanced starts are reported when the client ends; balanced ones are not")
    func leaks() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["a.txt", "b.txt"] { try installation.write("hello", to: name) }
            let line = "without stopping the accesses that it had started"
            let balanced = installation.client("org.example.balanced")
            let first = try await Support.open("a.txt", balanced)
            for _ in 0..<3 { #expect(await first.startAccessingSecurityScopedResource()) }
            for _ in 0..<3 { first.stopAccessingSecurityScopedResource() }
            // Stops are reported in order, and this one after the leaked starts.
            #expect(await first.startAccessingSecurityScopedResource())
            first.stopAccessingSecurityScopedResource()
            try await Task.sleep(for: .milliseconds(500))
            balanced.close()
            let leaking = installation.client("org.example.leaking")
            let second = try await Support.open("b.txt", leaking)
            for _ in 0..<3 { #expect(await second.startAccessingSecurityScopedResource()) }
            second.stopAccessingSecurityScopedResource()
            try await Task.sleep(for: .milliseconds(500))
            leaking.close()
            try await installation.eventually("the daemon reports the leak") {
                installation.read(installation.log)?.contains(line) == true
            }
            let told = (installation.read(installation.log) ?? "").split(separator: "\n").filter { $0.contains(line) }
            #expect(told.count == 1, "\(told)")
            #expect(told.first?.contains("org.example.leaking") == true, "\(told)")
            #expect(told.first?.contains("starts=2") == true, "\(told)")
        }
    }

    @Test("D10: the provider may release a document only when it is neither started nor open")
    func keepsProvided() async throws {
        try await Installation.with { installation in
            try await ClassicProbeManifest.install(in: installation)
            try ClassicProbeManifest.write("content", to: "a.txt", in: installation)
            func stops() -> Int {
                ClassicProbeManifest.callbacks(about: "a.txt", in: installation).filter { $0 == "stop" }.count
            }
            let client = installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: try DocumentLocation("\(ClassicProbeManifest.bundle):/a.txt"))
            #expect(await document.startAccessingSecurityScopedResource())
            #expect(await document.startAccessingSecurityScopedResource())
            #expect(try await Support.text(document) == "content")
            document.stopAccessing()
            document.stopAccessingSecurityScopedResource()
            try await Task.sleep(for: .seconds(1))
            #expect(stops() == 0)
            document.stopAccessingSecurityScopedResource()
            try await installation.eventually("stopProviding is called") { stops() == 1 }
        }
    }

    @Test("G3, HAZARDS 20: 100,000 starts do not use memory per start")
    func manyStarts() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let client = installation.client()
            defer { client.close() }
            let document = try await Support.open("a.txt", client)
            func start(_ count: Int) async {
                await withTaskGroup { group in
                    for _ in 0..<4 {
                        group.addTask {
                            for _ in 0..<(count / 4) {
                                _ = await document.startAccessingSecurityScopedResource()
                            }
                        }
                    }
                }
            }
            await start(4000)
            let before = try Self.memory(installation)
            await start(100_000)
            let grown = try Self.memory(installation) - before
            #expect(grown < 16_000, "grew by \(grown) KiB")
            try await document.withAccess {}
        }
    }

    // The daemon's resident memory in KiB.
    private static func memory(_ installation: Installation) throws -> Int {
        let daemon = try #require(installation.daemonProcess)
        let status = try String(contentsOfFile: "/proc/\(daemon)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? ""))
    }
}

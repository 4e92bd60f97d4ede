import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A large remote document in the view, of which programs read parts.
@Suite(.needs(.daemon, .server)) struct PartialViewTests {
    private static let size = 16 << 20
    private static let megabyte = 1 << 20

    private struct World {
        let remote: RemoteInstallation
        let view: ViewedInstallation
        let account: String
        let content: Data
        let proxy: FaultProxy

        var path: String { "\(view.folder)/\(account)/a.bin" }

        func fetched() async throws -> Int {
            try await proxy.requests("GET").reduce(0) { $0 + $1.responseBytes }
        }

        /// Starts a program that has the document open, and reads a range for each line that it gets: `OFFSET COUNT`.
        func reader() throws -> Reader { try Reader(self) }
    }

    /// A program that keeps the document open.
    private struct Reader {
        let process: ChildProcess
        let folder: String
        let installation: Installation

        init(_ world: World) throws {
            installation = world.remote.installation
            folder = installation.home + "/reader-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let script = """
                import os, sys, time
                folder, path = sys.argv[1:]
                f = os.open(path, os.O_RDONLY)
                number = 0
                while True:
                    try:
                        line = open(f"{folder}/ask-{number}").read()
                    except FileNotFoundError:
                        time.sleep(0.02)
                        continue
                    offset, count = map(int, line.split())
                    try:
                        data = b""
                        while len(data) < count:
                            part = os.pread(f, count - len(data), offset + len(data))
                            if not part: break
                            data += part
                    except OSError as error:
                        data = f"errno {error.errno}".encode()
                    open(f"{folder}/part", "wb").write(data)
                    os.rename(f"{folder}/part", f"{folder}/answer-{number}")
                    number += 1
                """
            try Data(script.utf8).write(to: URL(filePath: folder + "/reader.py"))
            process = try ChildProcess(
                "/usr/bin/python3", [folder + "/reader.py", folder, world.path], environment: ["PATH": "/usr/bin:/bin"],
                folder: "/")
        }

        func read(_ number: Int, _ range: Range<Int>) async throws -> Data {
            try Data("\(range.lowerBound) \(range.count)".utf8).write(
                to: URL(filePath: "\(folder)/ask-\(number)"), options: .atomic)
            try await installation.eventually("an answer") {
                FileManager.default.fileExists(atPath: "\(folder)/answer-\(number)")
            }
            return try Data(contentsOf: URL(filePath: "\(folder)/answer-\(number)"))
        }

        func end() { process.send(SIGKILL) }
    }

    private static func with(_ body: (World) async throws -> Void) async throws {
        var bytes = [UInt8](repeating: 0, count: size)
        for index in bytes.indices {
            bytes[index] = UInt8(truncatingIfNeeded: (index &* 2_654_435_761) >> 13 ^ index >> 20)
        }
        let content = Data(bytes)
        try await RemoteInstallation.with(
            options: .init(isAlwaysFresh: false), prepare: { try await $0.put(content, "a.bin") }
        ) { remote in
            try await Task.sleep(for: .seconds(3))
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                _ = try await view.run("ls", "-l", String(account)).succeeded()
                try await body(
                    World(
                        remote: remote, view: view, account: String(account), content: content,
                        proxy: try #require(remote.proxy)))
            }
        }
    }

    @Test("the end of a large document is read without the rest, and reading it all fetches each byte once")
    func parts() async throws {
        try await Self.with { world in
            let tail = try await world.view.run("tail", "-c", "100000", "\(world.account)/a.bin").succeeded()
            #expect(difference(tail.output, from: world.content.suffix(100_000)) == nil)
            #expect(try await world.fetched() <= 2 * Self.megabyte)
            let all = try await world.view.run("cat", "\(world.account)/a.bin").succeeded()
            #expect(difference(all.output, from: world.content) == nil)
            #expect(try await world.fetched() == Self.size)
            let again = try await world.view.run("cat", "\(world.account)/a.bin").succeeded()
            #expect(difference(again.output, from: world.content) == nil)
            #expect(try await world.fetched() == Self.size)
        }
    }

    @Test("an open document goes on after kills of the view and of the daemon, with the right bytes")
    func killed() async throws {
        try await Self.with { world in
            let reader = try world.reader()
            defer { reader.end() }
            func expect(_ number: Int, _ range: Range<Int>, _ place: SourceLocation = #_sourceLocation) async throws {
                let data = try await reader.read(number, range)
                #expect(difference(data, from: world.content[range]) == nil, sourceLocation: place)
            }
            try await expect(0, 0..<100_000)
            try await Task.sleep(for: .seconds(2))
            let server = try #require(try await world.view.status().first?.processIdentifier)
            kill(pid_t(server), SIGKILL)
            try await expect(1, 5 * Self.megabyte..<5 * Self.megabyte + 100_000)
            try await expect(2, 0..<200_000)
            try await world.remote.killDaemon()
            try await expect(3, 9 * Self.megabyte..<9 * Self.megabyte + 100_000)
            try await expect(4, 100..<300_000)
        }
    }

    @Test("a document that others change while it is read is an error, never a mixture; opened again it is the new one")
    func changed() async throws {
        try await Self.with { world in
            let reader = try world.reader()
            defer { reader.end() }
            let before = try await reader.read(0, 0..<1000)
            #expect(difference(before, from: world.content[0..<1000]) == nil)
            let other = Data(repeating: 7, count: Self.size)
            try await world.remote.server.put(other, "a.bin")
            let range = 12 * Self.megabyte..<12 * Self.megabyte + 1000
            #expect(String(decoding: try await reader.read(1, range), as: UTF8.self) == "errno \(ESTALE)")
            try await world.remote.installation.eventually("the new content") {
                let all = try await world.view.run("tail", "-c", "1000", "\(world.account)/a.bin")
                return all.output == Data(repeating: 7, count: 1000)
            }
        }
    }

    @Test("a reader that waits for a part ends at once when it is killed")
    func killedReader() async throws {
        try await Self.with { world in
            let reader = try world.reader()
            _ = try await reader.read(0, 0..<1000)
            try await world.proxy.add(.hold().on("GET"))
            try Data("\(12 * Self.megabyte) 1000".utf8).write(
                to: URL(filePath: reader.folder + "/ask-1"), options: .atomic)
            try await world.proxy.held("GET")
            reader.end()
            try await world.remote.installation.eventually("the end of the reader") { !reader.process.isRunning }
            try await world.proxy.release()
        }
    }

    @Test("a part that cannot be fetched is an error, and the program can read it later")
    func offline() async throws {
        try await Self.with { world in
            let reader = try world.reader()
            defer { reader.end() }
            _ = try await reader.read(0, 0..<1000)
            try await world.proxy.refuse()
            let range = 12 * Self.megabyte..<12 * Self.megabyte + 1000
            #expect(String(decoding: try await reader.read(1, range), as: UTF8.self) == "errno \(EHOSTUNREACH)")
            try await world.proxy.accept()
            try await world.remote.installation.docent("transfers", "retry").succeeded()
            var number = 2
            try await world.remote.installation.eventually("the part") {
                defer { number += 1 }
                return try await reader.read(number, range) == world.content[range]
            }
        }
    }
}

import CLinux
import DocentTestSupport
import Foundation
import Glibc
import Synchronization
import Varlink

@testable import ExtensionHosting

/// A test's folder with compiled plugins, removed at the end.
final class SandboxWorld: Sendable {
    let folder: String
    let container: String
    let library: String

    /// - Parameter source: C of the plugin; nil for a library that the test places itself.
    init(_ source: String?, name: String = "plugin") throws {
        Admission.expect(.programs)
        // Not below /tmp, which belongs to the extension inside.
        let path = "/var/tmp/docent sandbox-é " + UUID().uuidString
        folder = try Self.makeFolder(path)
        container = try Self.makeFolder(folder + "/container")
        library = try Self.makeFolder(folder + "/lib") + "/lib\(name).so"
        if let source { try Self.compile(source, to: library, options: ["-shared", "-fPIC"]) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static var hostProgram: String { Installation.binaries + "/docent-extension-host" }

    /// Folder of `docent_extension.h` in the sources.
    static let headers = Repository.root + "/Sources/ExtensionABI/include"

    struct CompilerFailure: Error { let output: String }

    static func compile(
        _ source: String, to result: String, options: [String], compiler: String = "cc", language: String = "c"
    ) throws {
        let (status, output) = try run(
            "/usr/bin/env",
            [compiler, "-x", language, "-Wall", "-Wextra", "-Werror", "-I", headers] + options
                + ["-", "-o", result], input: source)
        guard status == 0 else { throw CompilerFailure(output: output) }
    }

    /// Runs a program to its end and returns its status and output.
    static func run(_ program: String, _ arguments: [String], input: String = "") throws -> (Int32, String) {
        let outcome = try Outcome.runBlocking(program, arguments, input: Data(input.utf8))
        return (outcome.status, outcome.text + outcome.errors)
    }

    func profile() -> SandboxProfile {
        var profile = SandboxProfile(
            hostProgram: Self.hostProgram, library: library, container: container, home: folder + "/home")
        profile.swiftRuntime = nil
        return profile
    }

    static func makeFolder(_ path: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Sends `request` to an extension and reads until it says "end" or closes the connection.
    static func talk(_ process: ExtensionProcess, _ request: String = "\n") async -> String {
        guard let socket = process.takeSocket() else { return "" }
        let descriptor = socket.release()
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Self.exchange(descriptor, request))
                close(descriptor)
            }
        }
    }

    private static func exchange(_ descriptor: CInt, _ request: String) -> String {
        let sent = Array(request.utf8)
        _ = send(descriptor, sent, sent.count, CInt(MSG_NOSIGNAL))
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: received, as: UTF8.self).hasSuffix("end\n") {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 60_000) > 0 else { break }
            let count = clinux_read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return String(decoding: received, as: UTF8.self)
    }

    /// Whether a process exists and is not a zombie.
    static func lives(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ") && !status.contains(") X ")
    }

    /// Waits until none of the processes is alive, at most half a minute.
    static func allEnd(_ processes: [Int32]) async -> Bool {
        for _ in 0..<3000 {
            if !processes.contains(where: lives) { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}

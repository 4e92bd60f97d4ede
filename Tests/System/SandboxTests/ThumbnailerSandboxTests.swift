import DocentInterfaces
import DocentTestSupport
import Foundation
import Glibc
import Storage
import Testing

@testable import ExtensionHosting

/// The sandbox of the programs that draw documents (K9): whatever the document makes of the program.
@Suite("The sandbox of thumbnailers", .needs(.programs)) struct ThumbnailerSandboxTests {
    private static let limit = 1 << 20

    /// A thumbnailer with this script, called with the document, the picture and a size.
    private static func program(_ script: String, in folder: TemporaryFolder) throws -> String {
        let url = folder.url("thumbnailer")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        return url.path
    }

    private static func document(_ text: String, in folder: TemporaryFolder) throws -> OpenDescriptor {
        let url = folder.url("document.txt")
        try Data(text.utf8).write(to: url)
        return OpenDescriptor(owning: open(url.path, O_RDONLY | O_CLOEXEC))
    }

    private static func draw(
        _ script: String, _ text: String = "hello", suffix: String = "txt", patience: Duration = .seconds(120),
        copied: Bool = false, in folder: TemporaryFolder = TemporaryFolder()
    ) async throws -> String {
        let file = copied ? try BoundedMemoryFile.reading(Array(text.utf8)) : try document(text, in: folder)
        let bytes = try await ThumbnailerSandbox(patience: patience).draw(
            copied ? .bytes(file) : .file(file), program: program(script, in: folder), suffix: suffix, limit: limit
        ) { [$0, $1, "256"] }
        #expect(bytes.count == limit)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func fails(
        _ script: String, patience: Duration = .seconds(120), sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) {
            _ = try await draw(script, patience: patience)
        }
        #expect(failure?.code == .notSupported, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    /// The processes on this machine with this word among their arguments.
    private static func processes(_ word: String) -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return numbers.filter { Int($0) != nil }.filter { number in
            let line = (try? Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline"))) ?? Data()
            return line.split(separator: 0).contains { $0.elementsEqual(word.utf8) }
        }
    }

    /// Waits until none of them is left: the kernel ends them after the first one.
    private static func isGone(_ word: String) async -> Bool {
        for _ in 0..<600 {
            if processes(word).isEmpty { return true }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    @Test("K9: a program draws from the document, and what it prints is not taken for its picture")
    func draws() async throws {
        let script = "echo noise; echo noise >&2; { cat \"$1\"; echo \" $1 $2 $3\"; } > \"$2\"; echo noise"
        let plain = "hello /tmp/in/document.txt /tmp/out/picture.png 256\n"
        for copied in [false, true] {
            #expect(try await Self.draw(script, copied: copied) == plain)
        }
        #expect(try await Self.draw(script, suffix: "") == plain.replacing(".txt", with: ""))
        // Some write another file and rename it.
        #expect(try await Self.draw("cp \"$1\" \"$2.tmp\" && mv \"$2.tmp\" \"$2\"") == "hello")
    }

    @Test("K9: the program sees nothing of the user's, no other process, no network and no variable")
    func sees() async throws {
        let folder = TemporaryFolder()
        try folder.make("secret")
        let script = """
            {
            cat '\(folder.path)/secret' 2>/dev/null && echo secret seen
            for f in /home /root /run /var/tmp /etc/passwd /sys /dev/shm/* '\(folder.path)/document.txt'; do
              [ -e "$f" ] && echo "there is $f"
            done
            for p in /proc/[0-9]*; do [ "$(cat $p/comm 2>/dev/null)" = systemd ] && echo "sees $p"; done
            [ "$(ls -d /proc/[0-9]* | wc -l)" -lt 12 ] || echo many processes
            wc -l < /proc/net/route
            env | grep -v -E '^(PATH|HOME|LC_ALL|GIO_USE_VFS|GSETTINGS_BACKEND|PWD|OLDPWD|SHLVL|_)='
            ls /proc/self/fd | tr '\\n' ' '
            echo end
            } > "$2"
            """
        let seen = try await Self.draw(script, in: folder)
        let lines = seen.split(separator: "\n").map(String.init)
        // The heading of the list of routes, and the descriptors of the program itself.
        #expect(lines.first == "1" && lines.last?.hasSuffix("end") == true && lines.count == 2, "\(seen)")
        #expect(lines.last?.split(separator: " ").compactMap { Int($0) }.allSatisfy { $0 <= 3 } == true, "\(seen)")
    }

    @Test("K9: the program can write into its own memory only, and not into the document")
    func writes() async throws {
        let folder = TemporaryFolder()
        let script = """
            for f in /x /usr/x /usr/bin/x /etc/x /dev/x /dev/shm/x /proc/x '\(folder.path)/x' "$1" "$0" /tmp/mine; do
              ( echo overwritten > "$f" ) 2>/dev/null && echo "$f"
            done > /tmp/out/list
            chmod 777 "$1" 2>/dev/null; rm -f "$1" "$0" 2>/dev/null
            cp /tmp/out/list "$2"
            """
        let written = try await Self.draw(script, in: folder).split(separator: "\n").map(String.init)
        // The folder that leads to the program is one of the sandbox's own.
        #expect(Set(written).isSubset(of: ["/tmp/mine", folder.path + "/x"]), "\(written)")
        #expect(written.contains("/tmp/mine"))
        #expect(try folder.names("") == ["document.txt", "thumbnailer"])
        #expect(try String(contentsOf: folder.url("document.txt"), encoding: .utf8) == "hello")
        #expect(try String(contentsOf: folder.url("thumbnailer"), encoding: .utf8).contains("overwritten"))
    }

    @Test("K9: a program that crashes, fails, draws nothing or draws without end leaves no picture")
    func fails() async {
        for script in [
            "kill -SEGV $$", "exit 3", "exit 0", "cat /dev/zero > \"$2\"", "head -c 2000000 /dev/zero > \"$2\"",
            "while head -c 1000000 /dev/zero > /tmp/$n.big; do n=$((n + 1)); done; exit 1", "mkdir \"$2\"",
        ] {
            await Self.fails(script)
        }
        await #expect(throws: (any Error).self) {
            _ = try await ThumbnailerSandbox(bubblewrap: "/nonexistent").draw(
                .bytes(BoundedMemoryFile.reading([1])), program: "/bin/true", suffix: "", limit: 10
            ) { [$0, $1] }
        }
    }

    @Test("K9: a program that hangs, or multiplies, is ended with everything that it started")
    func hangs() async throws {
        let word = "9\(UInt32.random(in: 1_000_000...9_999_999))"
        await Self.fails("sleep \(word)", patience: .seconds(2))
        await Self.fails("while :; do sleep \(word) & done", patience: .seconds(3))
        await Self.fails("rm -f \"$2\"; mkfifo \"$2\"; exit 0", patience: .seconds(2))
        // What it leaves running ends with it, and does not keep anybody waiting.
        let left = try await Self.draw("setsid sleep \(word) & cp \"$1\" \"$2\"")
        #expect(left == "hello")
        #expect(await Self.isGone(word))
    }

    @Test("K9: whoever stops waiting ends the program")
    func cancelled() async throws {
        let word = "8\(UInt32.random(in: 1_000_000...9_999_999))"
        let drawing = Task { try await Self.draw("sleep \(word)") }
        for _ in 0..<600 where Self.processes(word).isEmpty { try await Task.sleep(for: .milliseconds(100)) }
        #expect(!Self.processes(word).isEmpty)
        drawing.cancel()
        await #expect(throws: CancellationError.self) { _ = try await drawing.value }
        #expect(await Self.isGone(word))
    }
}

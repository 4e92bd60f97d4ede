import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import ExtensionHosting
@testable import ExtensionManifest
@testable import Storage

/// The contents of a container are counted, whatever a provider stores in it.
@Suite("Usage of a container", .mayBlock) struct ContainerUsageTests {
    /// Folders of one test, removed at its end.
    private final class Place {
        let groups = NSTemporaryDirectory() + "docent-usage-" + UUID().uuidString
        var container: String { groups + "/group" }

        init() throws { try make("group") }

        deinit { try? FileManager.default.removeItem(atPath: groups) }

        func make(_ name: String) throws {
            try FileManager.default.createDirectory(atPath: groups + "/" + name, withIntermediateDirectories: true)
        }

        func write(_ name: String, _ bytes: Int) throws {
            try Data(repeating: 7, count: bytes).write(to: URL(filePath: groups + "/" + name))
        }

        func measure(most: Int = 1000) throws -> ContainerUsage? {
            ContainerUsage.measure(
                try Directory(path: OwnPath(groups)), try FileName("group"), mostFiles: most, Cancellation())
        }
    }

    @Test("Every name counts, and the blocks of every file once")
    func counts() throws {
        let place = try Place()
        try place.make("group/folder/.hidden")
        try place.write("group/one", 1 << 20)
        try place.write("group/folder/.hidden/two", 1 << 20)
        #expect(link(place.container + "/one", place.container + "/folder/again") == 0)
        let usage = try #require(try place.measure())
        #expect(usage.files == 5)
        #expect((2 << 20)...(3 << 20) ~= usage.bytes)
        #expect(!usage.isIncomplete)
    }

    @Test("A hole does not count, since it takes no space")
    func hole() throws {
        let place = try Place()
        try place.write("group/hole", 0)
        #expect(truncate(place.container + "/hole", 1 << 40) == 0)
        #expect(try #require(try place.measure()).bytes < 1 << 20)
    }

    @Test("Links are not followed, neither in the container nor in its place")
    func links() throws {
        let place = try Place()
        try place.make("elsewhere")
        for index in 0..<50 { try place.write("elsewhere/\(index)", 10_000) }
        #expect(symlink(place.groups + "/elsewhere", place.container + "/out") == 0)
        #expect(mkfifo(place.container + "/pipe", 0o600) == 0)
        #expect(try #require(try place.measure()).files == 2)
        try FileManager.default.removeItem(atPath: place.container)
        #expect(symlink(place.groups + "/elsewhere", place.container) == 0)
        #expect(try place.measure() == nil)
    }

    @Test("A mounted file system is not entered, neither in the container nor in its place")
    func mounts() throws {
        let root = try Directory(path: OwnPath("/"))
        #expect(try ContainerUsage.measure(root, FileName("proc"), mostFiles: 1000, Cancellation()) == nil)
        func device(_ path: String) throws -> dev_t {
            var facts = stat()
            guard stat(path, &facts) == 0 else { throw CocoaError(.fileNoSuchFile) }
            return facts.st_dev
        }
        // Every system mounts file systems in /dev, and users can write to one of them.
        let (outer, inner) = (try device("/dev"), try device("/dev/shm"))
        try #require(outer != inner)
        func files() throws -> Int {
            ContainerUsage.measure(
                try Directory(path: OwnPath("/dev")), mostFiles: 100_000, Cancellation()
            ).files
        }
        let before = try files()
        let mounted = "/dev/shm/docent-usage-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: mounted, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: mounted) }
        for index in 0..<200 { try Data().write(to: URL(filePath: "\(mounted)/\(index)")) }
        #expect(try files() < before + 200)
    }

    @Test("Folders nested deeper than the longest path are detected with few descriptors")
    func deep() throws {
        let place = try Place()
        // Through descriptors: no path is long enough.
        var folder = open(place.container, O_RDONLY | O_DIRECTORY)
        let name = String(repeating: "d", count: 200)
        for _ in 0..<30 {
            #expect(mkdirat(folder, name, 0o700) == 0)
            let next = openat(folder, name, O_RDONLY | O_DIRECTORY)
            close(folder)
            folder = next
        }
        close(folder)
        #expect(try #require(try place.measure()).isIncomplete)
        #expect(
            ContainerVerdict(try #require(try place.measure()), ProviderLimits()).excess?.contains("too deep") == true)
    }

    @Test("A folder whose owner removed its own access counts as well")
    func closed() throws {
        let place = try Place()
        try place.make("group/closed")
        try place.write("group/closed/file", 10)
        #expect(chmod(place.container + "/closed", 0o300) == 0)
        #expect(try #require(try place.measure()).files == 2)
    }

    @Test("The walk stops soon after the limit is exceeded")
    func bounded() throws {
        let place = try Place()
        for index in 0..<40 { try place.make("group/\(index)/\(index)") }
        let usage = try #require(try place.measure(most: 10))
        #expect(usage.files > 10 && usage.files <= 41)
    }

    @Test(
        "Full means above the limit, overflowing a quarter above it",
        arguments: [
            (100 << 20, 10, false, false), ((100 << 20) + 1, 10, true, false), ((125 << 20) + 1, 10, true, true),
            (0, 1000, false, false), (0, 1001, true, false), (0, 1251, true, true),
        ])
    func verdict(_ bytes: Int, _ files: Int, _ isFull: Bool, _ isOverflowing: Bool) {
        var limits = ProviderLimits()
        limits.disk = 100 << 20
        limits.files = 1000
        let verdict = ContainerVerdict(ContainerUsage(bytes: bytes, files: files), limits)
        #expect((verdict.excess != nil) == isFull)
        if case .overflowing = verdict { #expect(isOverflowing) } else { #expect(!isOverflowing) }
    }
}

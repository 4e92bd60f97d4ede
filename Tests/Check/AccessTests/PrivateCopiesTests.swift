import DocentInterfaces
import Foundation
import Glibc
import HostCore
import Rights
import Storage
import Testing
import Varlink

@testable import Access

/// The copies of a client take a limited part of the disk.
@Suite struct PrivateCopiesTests {
    private static let one = Principal(kind: .run, identifier: "org.example.one")
    private static let other = Principal(kind: .run, identifier: "org.example.other")

    private static func copies(_ each: Int, together: Int = .max, minimumFree: UInt64 = 0) -> PrivateCopies {
        var limits = ContentLimits()
        limits.copiedBytes = ShareLimits(
            total: .max, unconfined: .none, confined: .init(each: each, together: together), admitsOneLarge: true)
        return PrivateCopies(limits: limits, minimumFree: minimumFree)
    }

    private static func file(_ bytes: Int) throws -> OpenDescriptor {
        let path = NSTemporaryDirectory() + "docent-copy-\(UUID().uuidString)"
        try Data(count: bytes).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        return OpenDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
    }

    private static func identity(_ file: OpenDescriptor) throws -> FileIdentity {
        try FileStatus(of: file.number).identity
    }

    @Test("A client beyond its limit is refused more copies, another client is not, and closed copies no longer count")
    func limit() throws {
        let copies = Self.copies(1000)
        var held = [try copies.copy(for: Self.one, of: nil, size: 600) { try Self.file(600) }]
        let failure = #expect(throws: Failure.self) {
            try copies.copy(for: Self.one, of: nil, size: 600) { try Self.file(600) }
        }
        #expect(failure?.code == .busy)
        #expect(copies.use(of: Self.one) == (600, 1))
        _ = try copies.copy(for: Self.other, of: nil, size: 600) { try Self.file(600) }
        held.append(try copies.copy(for: Self.one, of: nil, size: 400) { try Self.file(400) })
        #expect(copies.use(of: Self.one) == (1000, 2))
        held.removeFirst()
        #expect(copies.use(of: Self.one) == (400, 1))
        held.append(try copies.copy(for: Self.one, of: nil, size: 600) { try Self.file(600) })
        held = []
        #expect(copies.use(of: Self.one) == (0, 0))
        #expect(copies.use(of: Self.other) == (0, 0))
    }

    @Test("A copy counts until its last descriptor is closed, even one that was passed on")
    func passedOn() throws {
        let copies = Self.copies(1000)
        var given: OpenDescriptor? = try copies.copy(for: Self.one, of: nil, size: 10) { try Self.file(10) }
        let again = open("/proc/self/fd/\(try #require(given).number)", O_RDONLY)
        given = nil
        #expect(copies.use(of: Self.one) == (10, 1))
        close(again)
        #expect(copies.use(of: Self.one) == (0, 0))
    }

    @Test("A version is copied once for each client, and a copy is never shared between two clients")
    func shared() throws {
        let copies = Self.copies(1000)
        let source = try Self.file(300)
        let stamp = try FileStatus(of: source.number).stamp
        var made = 0
        func copy(_ principal: Principal, _ stamp: FileStamp?) throws -> OpenDescriptor {
            try copies.copy(for: principal, of: stamp, size: 300) {
                made += 1
                return try Self.file(300)
            }
        }
        let held = [try copy(Self.one, stamp), try copy(Self.one, stamp), try copy(Self.other, stamp)]
        #expect(made == 2)
        #expect(try Self.identity(held[0]) == Self.identity(held[1]))
        #expect(try Self.identity(held[0]) != Self.identity(held[2]))
        let unshared = [try copy(Self.one, nil), try copy(Self.one, nil)]
        #expect(made == 4)
        #expect(try Self.identity(unshared[0]) != Self.identity(unshared[1]))
    }

    @Test("A single document may exceed the limit; a copy that fails does not count")
    func single() throws {
        let copies = Self.copies(100)
        let large = try copies.copy(for: Self.one, of: nil, size: 5000) { try Self.file(5000) }
        #expect(throws: Failure.self) { try copies.copy(for: Self.one, of: nil, size: 1) { try Self.file(1) } }
        withExtendedLifetime(large) {}
        #expect(throws: CancellationError.self) {
            try copies.copy(for: Self.other, of: nil, size: 50) { throw CancellationError() }
        }
        #expect(copies.use(of: Self.other) == (0, 0))
    }
    @Test("Confined clients together have a limit, toward which a large document counts like a usual one")
    func together() throws {
        let copies = Self.copies(1000, together: 1500)
        let large = try copies.copy(for: Self.one, of: nil, size: 5000) { try Self.file(5000) }
        let beside = try copies.copy(for: Self.other, of: nil, size: 500) { try Self.file(500) }
        let failure = #expect(throws: Failure.self) {
            try copies.copy(for: Self.other, of: nil, size: 1) { try Self.file(1) }
        }
        #expect(failure?.code == .busy && failure?.message.contains("sandboxed programs") == true)
        withExtendedLifetime((large, beside)) {}
    }

    @Test("A copy that would leave the others no room on the disk is not kept")
    func reserve() throws {
        let folder = open(NSTemporaryDirectory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        let free = try Space.available(on: folder)
        let full = Self.copies(1000, minimumFree: free + (1 << 40))
        let failure = #expect(throws: FileSystemError.self) {
            try full.copy(for: Self.one, of: nil, size: 10) { try Self.file(10) }
        }
        #expect(failure?.code == .noSpace)
        #expect(full.use(of: Self.one) == (0, 0))
        let roomy = Self.copies(1000, minimumFree: free / 2)
        #expect(try roomy.copy(for: Self.one, of: nil, size: 10) { try Self.file(10) }.number >= 0)
    }
}

import CLinux
import Foundation
import Testing

@testable import Storage

@Suite struct SharedStateTests {
    @Test("D1: only one of two processes gets the lock, and a killed holder frees it")
    func lock() async throws {
        let scratch = try Scratch()
        let path = scratch.layout.dataLockPath
        var held = try InstanceLock.acquire(at: path)
        #expect(held != nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("\(getpid()) "))
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            exit(try InstanceLock.acquire(at: path) == nil ? 7 : 8)
        }
        held = nil
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let lock = try InstanceLock.acquire(at: path)
            if lock == nil { exit(9) }
            withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
        }
        held = try InstanceLock.acquire(at: path)
        #expect(held != nil)
    }

    @Test("L2: a client can read the generation, but not map or write the page, even if it reopens it")
    func leasePage() throws {
        let page = try LeasePage()
        let view = try Self.view(page.clientDescriptor)
        let lease = try #require(page.allocate())
        #expect(lease.generation > 0 && clinux_atomic_load(view + lease.slot * 8) == lease.generation)
        #expect(page.bump(lease.slot) == lease.generation + 1)
        #expect(clinux_atomic_load(view + lease.slot * 8) == lease.generation + 1)
        var address: UnsafeMutableRawPointer?
        #expect(clinux_map_shared(page.clientDescriptor, LeasePage.length, 1, &address) < 0)
        let again = clinux_reopen(page.clientDescriptor, CLINUX_O_RDWR)
        if again >= 0 {
            #expect(clinux_map_shared(again, LeasePage.length, 1, &address) < 0)
            #expect(clinux_pwrite(again, [1] as [UInt8], 1, 0) < 0)
            #expect(clinux_ftruncate(again, 0) < 0)
            #expect(clinux_fallocate(again, CLINUX_FALLOC_PUNCH_HOLE | CLINUX_FALLOC_KEEP_SIZE, 0, 4096) < 0)
            clinux_close(again)
        }
        var slots = Set([lease.slot])
        while let next = page.allocate() { #expect(slots.insert(next.slot).inserted) }
        #expect(slots.count == LeasePage.slotCount)
        page.free(lease.slot)
        page.free(lease.slot)
        let reused = try #require(page.allocate())
        #expect(reused.slot == lease.slot && reused.generation > lease.generation && page.allocate() == nil)
    }

    @Test("L2: the end of the page ends its leases, even for a client that still maps it")
    func leasePageEnds() throws {
        var page: LeasePage? = try LeasePage()
        let lease = try #require(page?.allocate())
        let view = try Self.view(#require(page?.clientDescriptor))
        #expect(clinux_atomic_load(view + lease.slot * 8) == lease.generation)
        page = nil
        #expect(clinux_atomic_load(view + lease.slot * 8) != lease.generation)
    }

    /// The page as a client maps it, until the test process ends.
    private static func view(_ descriptor: Int32) throws -> UnsafeRawPointer {
        var address: UnsafeMutableRawPointer?
        try checked(clinux_map_shared(descriptor, LeasePage.length, 0, &address), "map the lease page")
        return UnsafeRawPointer(try #require(address))
    }

    @Test("L1: the cache is bounded, and drops entries that are unlinked, replaced, of another version or invalidated")
    func cache() throws {
        let scratch = try Scratch()
        let root = try Directory(path: OwnPath(scratch.root))
        let cache = DescriptorCache<String, Int>(capacity: 3)
        func insert(_ name: String) throws {
            let file = try scratch.file(name, [1])
            cache.insert(
                try DescriptorCache<String, Int>.Entry(
                    descriptor: file, version: "1", payload: 5, place: (root, FileName(name))), for: name)
        }
        func has(_ name: String, _ version: String? = nil) -> Bool {
            cache.withDescriptor(for: name, version: version) { $0.descriptor.number >= 0 && $0.payload == 5 } ?? false
        }
        for name in ["a", "b", "c"] { try insert(name) }
        #expect(has("a") && has("a", "1") && !has("a", "2"))
        try insert("d")
        #expect(cache.count == 3 && !has("b") && has("a") && has("c") && has("d"))
        try root.remove(FileName("a"))
        #expect(!has("a") && cache.count == 2)
        try Data([2]).write(to: URL(fileURLWithPath: scratch.root + "/c2"))
        #expect(rename(scratch.root + "/c", scratch.root + "/kept") == 0)
        #expect(rename(scratch.root + "/c2", scratch.root + "/c") == 0)
        #expect(!has("c"))
        cache.invalidate("d")
        #expect(!has("d") && cache.count == 0)
    }
}

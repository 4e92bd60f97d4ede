import Glibc
import Testing

@testable import Varlink

@Suite("Descriptors have one owner")
struct DescriptorTests {
    @Test("T1: a descriptor is closed with its owner, unless it was released")
    func ownership() async throws {
        let witness = try Witness()
        let copy = dup(witness.raw)
        do {
            let owned = OwnedDescriptor(copy)
            let raw = owned.release()
            #expect(fcntl(raw, F_GETFD) >= 0)
            _ = OwnedDescriptor(raw)
        }
        #expect(await witness.isGone())
    }

    @Test("T1: a duplicate is close-on-exec and outlives the original")
    func duplicate() async throws {
        let copy: OwnedDescriptor
        do {
            let original = try file(containing: "kept")
            copy = try original.duplicate()
        }
        #expect(fcntl(copy.raw, F_GETFD) & FD_CLOEXEC != 0)
        #expect(content(of: copy) == "kept")
    }

    @Test("T1: each descriptor of a list can be taken once, and positions stay the same")
    func takeOnce() async throws {
        let list = DescriptorList()
        for name in ["a", "b", "c"] { list.append(try file(containing: name)) }
        #expect(content(of: try list.take(1)) == "b")
        #expect(list.count == 3)
        #expect(content(of: try list.take(2)) == "c")
        for index in [1, 2, 3, -1] {
            #expect { try list.take(index).release() } throws: { ($0 as? VarlinkError)?.code == .descriptorMismatch }
        }
        #expect(content(of: try list.take(0)) == "a")
    }

    @Test("T1: a list closes the descriptors that were not taken")
    func closesRest() async throws {
        let witness = try Witness()
        do {
            let list = DescriptorList(OwnedDescriptor(dup(witness.raw)))
            #expect(list.count == 1)
        }
        #expect(await witness.isGone())
    }
}

import Glibc
import Testing

@testable import ClientRunning

@Suite struct StreamKindTests {
    private static let table: [(mode: mode_t, device: dev_t, isNameless: Bool, isTerminal: Bool, kind: StreamKind)] = [
        (S_IFREG, 0, false, false, .carried), (S_IFSOCK, 0, false, false, .carried),
        (S_IFIFO, 0, true, false, .handedOn), (S_IFIFO, 0, false, false, .carried),
        (S_IFCHR, 0x8801, false, true, .handedOn), (S_IFCHR, 0x8801, false, false, .carried),
        // null, zero and kvm.
        (S_IFCHR, 0x103, false, false, .handedOn), (S_IFCHR, 0x105, false, false, .carried),
        (S_IFCHR, 0xAE8, false, false, .carried), (S_IFBLK, 0x103, false, false, .refused),
        (S_IFDIR, 0, false, false, .refused), (S_IFLNK, 0, false, false, .refused), (0, 0, false, false, .refused),
    ]

    @Test("S4: only an unnamed pipe, a terminal and the null device are passed on")
    func kinds() {
        for (mode, device, isNameless, isTerminal, kind) in Self.table {
            let decided = StreamKind(
                mode: mode | 0o600, device: device, isNameless: isNameless, isTerminal: isTerminal)
            #expect(decided == kind, "\(String(mode, radix: 8)) \(device)")
        }
    }

    @Test("The null device is the one of this machine")
    func null() {
        var status = stat()
        #expect(stat("/dev/null", &status) == 0)
        #expect(status.st_rdev == StreamKind.nullDevice)
    }
}

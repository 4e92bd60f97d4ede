import CLinux
import DocentInterfaces
import Glibc
import Varlink

/// A document's descriptor kept under a lease. While its generation is current, opening the document again reopens this
/// descriptor without calling the daemon.
///
/// Not copyable; used under its owner's lock.
struct LeaseHolder: ~Copyable {
    private let file: OwnedDescriptor
    private let path: String
    private let page: UnsafeRawPointer
    private let length: Int
    private let offset: Int
    private let generation: UInt64
    private let hasName: Bool
    let slot: Int
    let item: DocumentItem

    /// Takes what `Open` returned. Returns nil when the page cannot be mapped; the caller then works without a lease.
    init?(
        item: DocumentItem, file: consuming OwnedDescriptor, page: consuming OwnedDescriptor, slot: Int, generation: Int
    ) {
        var status = clinux_stat()
        guard clinux_stat_fd(page.raw, &status) == 0 else { return nil }
        let length = Int(status.size)
        guard slot >= 0, (slot + 1) * 8 <= length else { return nil }
        var address: UnsafeMutableRawPointer?
        guard clinux_map_shared(page.raw, length, 0, &address) == 0, let address else { return nil }
        var content = clinux_stat()
        hasName = clinux_stat_fd(file.raw, &content) == 0 && content.links > 0
        path = "/proc/self/fd/\(file.raw)"
        self.file = file
        self.page = UnsafeRawPointer(address)
        self.length = length
        offset = slot * 8
        self.generation = UInt64(generation)
        self.slot = slot
        self.item = item
    }

    deinit { _ = clinux_unmap(UnsafeMutableRawPointer(mutating: page), length) }

    /// Whether the file is still the document's current content and the right is still valid.
    var isCurrent: Bool { clinux_atomic_load(page + offset) == generation }

    /// A new open file description for reading; nil when the lease has ended or others replaced the file.
    func reopen() -> CInt? {
        guard isCurrent else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0 || !hasName, isCurrent else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}

import Glibc

/// Pages with bytes of a secret; no one owns them but ``Secret``, which wipes them.
struct SecretPages {
    let count: Int
    private let start: UnsafeMutableRawPointer
    /// What was mapped; 0 where the heap had to do.
    private let mapped: Int

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        (start, mapped) = Self.allocate(bytes.count)
        if let first = bytes.baseAddress { start.copyMemory(from: first, byteCount: bytes.count) }
    }

    init(copying bytes: some Sequence<UInt8>) {
        var copy = ContiguousArray(bytes)
        self = copy.withUnsafeMutableBytes { copied in
            let pages = SecretPages(copying: UnsafeRawBufferPointer(copied))
            // What the caller still holds is his; this copy is ours.
            if let first = copied.baseAddress { explicit_bzero(first, copied.count) }
            return pages
        }
    }

    /// Overwrites and releases them.
    func wipe() {
        explicit_bzero(start, count)
        if mapped > 0 {
            munmap(start, mapped)
        } else {
            start.deallocate()
        }
    }

    private static func allocate(_ count: Int) -> (UnsafeMutableRawPointer, Int) {
        let page = max(Int(sysconf(Int32(_SC_PAGESIZE))), 4096)
        let length = (max(count, 1) + page - 1) / page * page
        guard
            let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            start != MAP_FAILED
        else { return (.allocate(byteCount: max(count, 1), alignment: 16), 0) }
        // Refused where RLIMIT_MEMLOCK is used up: then it may be swapped, as any memory.
        mlock(start, length)
        madvise(start, length, MADV_DONTDUMP)
        return (start, length)
    }
}

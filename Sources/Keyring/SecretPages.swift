import Glibc

/// Pages with the bytes of a secret. Only ``Secret`` owns and wipes them.
struct SecretPages {
    let count: Int
    private let start: UnsafeMutableRawPointer
    /// The length of the mapping; 0 when the memory is from the heap.
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
            // The caller wipes its own bytes; this is our copy.
            if let first = copied.baseAddress { explicit_bzero(first, copied.count) }
            return pages
        }
    }

    /// Overwrites and frees the pages.
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
        // Fails when RLIMIT_MEMLOCK is exhausted; the pages may then be swapped out like any memory.
        mlock(start, length)
        madvise(start, length, MADV_DONTDUMP)
        return (start, length)
    }
}

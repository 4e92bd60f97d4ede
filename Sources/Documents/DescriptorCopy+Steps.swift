import CLinux
import Glibc

extension DescriptorCopy {
    /// Copies up to `count` bytes inside the kernel, from where the source stands to where the target stands, and moves
    /// both on; for a caller that tells of progress between the steps. Blocks.
    ///
    /// - Returns: how many bytes were copied: 0 at the source's end, and for files that the kernel does not copy, which
    ///   the caller then reads; nil for the latter when that is known for certain.
    package static func step(from source: CInt, to target: CInt, count: Int) -> Int? {
        let sourceOffset = lseek(source, 0, SEEK_CUR)
        let targetOffset = lseek(target, 0, SEEK_CUR)
        guard sourceOffset >= 0, targetOffset >= 0 else { return nil }
        while true {
            let copied = clinux_copy_file_range(source, Int64(sourceOffset), target, Int64(targetOffset), count)
            if copied == -Int(EINTR) { continue }
            guard copied >= 0 else { return nil }
            lseek(source, sourceOffset + off_t(copied), SEEK_SET)
            lseek(target, targetOffset + off_t(copied), SEEK_SET)
            return copied
        }
    }
}

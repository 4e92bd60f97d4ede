import CLinux
import Glibc

extension DescriptorCopy {
    /// Copies up to `count` bytes in the kernel from the source's offset to the target's, and advances both. For
    /// callers that report progress between steps. Blocks.
    ///
    /// - Returns: the number of bytes copied. 0 at the end of the source, and for files that the kernel does not copy,
    ///   which the caller then reads; nil when it is certain that the kernel does not copy them.
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

import CTestSupport

/// The stack of a thread that runs a Swift task for the cooperative pool.
struct TaskStack: CustomStringConvertible {
    /// A position in a program or library, for a symbolizer: `/path/of/file 0x1234`.
    private struct Frame {
        let image: String
        let offset: UInt

        init?(_ address: UInt) {
            var offset: UInt = 0
            guard let image = ctest_image(address, &offset) else { return nil }
            self.image = String(cString: image)
            // A return address points to the next instruction.
            self.offset = offset - 1
        }

        var text: String { "\(image) 0x\(String(offset, radix: 16))" }
    }

    /// The frames, innermost first.
    private let frames: [Frame]

    /// Returns nil for a thread that runs no such task now, or none of our code.
    init?(thread: Int32) {
        var addresses = [UInt](repeating: 0, count: Int(CTEST_MOST_FRAMES))
        let count = addresses.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { ctest_stack(thread, $0) } ?? 0
        }
        let all = addresses.prefix(Int(count)).compactMap { Frame($0) }
        // The pool's threads belong to libdispatch and first call the runtime of Swift's tasks; other queues first call
        // a block.
        guard let outermost = all.lastIndex(where: { $0.image.contains("libdispatch.so") }),
            let entry = all[..<outermost].lastIndex(where: { !$0.image.contains("libdispatch.so") }),
            all[entry].image.contains("libswift_Concurrency.so")
        else { return nil }
        // The first frames are the signal handler's.
        frames = Array(all[..<entry].dropFirst(2))
        // Swift Testing itself blocks while it waits for the process of an exit test.
        let program = String(cString: ctest_program())
        guard frames.contains(where: { $0.image == program }) else { return nil }
    }

    /// The position, which is the same when the same code blocks again.
    var place: String { frames.prefix(12).map(\.text).joined(separator: " ") }

    var description: String { frames.prefix(32).reduce("") { $0 + "    at \($1.text)\n" } }
}

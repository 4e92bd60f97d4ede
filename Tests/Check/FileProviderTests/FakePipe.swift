import CLinux
import Glibc
import Testing
import Varlink

/// The host's end of a pipe, and the other one for a provider.
final class FakePipe: Sendable {
    let reading: CInt
    let writing: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(clinux_pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }

    /// Reads until all writing ends are closed, on a thread of its own.
    func all() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            let reading = reading
            let started = FakeThread.start {
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while case let count = read(reading, &buffer, buffer.count), count > 0 {
                    bytes.append(contentsOf: buffer[..<count])
                }
                close(reading)
                continuation.resume(returning: bytes)
            }
            if !started { continuation.resume(returning: []) }
        }
    }

    /// Waits for the first byte, on a thread of its own.
    ///
    /// - Returns: whether there was one.
    func hasFirstByte() async -> Bool {
        await withCheckedContinuation { continuation in
            let reading = reading
            let started = FakeThread.start {
                var byte: UInt8 = 0
                continuation.resume(returning: read(reading, &byte, 1) == 1)
            }
            if !started { continuation.resume(returning: false) }
        }
    }

    func closeReading() { close(reading) }
}

/// A thread that may block.
enum FakeThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(run))
        let result = pthread_create(
            &thread, nil,
            { @Sendable argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        if result == 0 { pthread_detach(thread) } else { body.release() }
        return result == 0
    }
}

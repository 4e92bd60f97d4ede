import Foundation
import Synchronization

/// How long each admitted test waited and took, a line each (`waited took identifier`, in seconds), in the file
/// `DOCENT_TEST_TIMINGS`.
///
/// Swift Testing counts from the moment at which it made the test's task, when the test did not run yet.
enum TestTimings {
    private static let file = Mutex<FileHandle?>(
        ProcessInfo.processInfo.environment["DOCENT_TEST_TIMINGS"].flatMap { path in
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
            }
            let file = FileHandle(forWritingAtPath: path)
            _ = try? file?.seekToEnd()
            return file
        })

    static func note(_ name: String, waited: Duration, took: Duration) {
        let line = "\(waited.seconds) \(took.seconds) \(name)\n"
        file.withLock { try? $0?.write(contentsOf: Data(line.utf8)) }
    }
}

extension Duration {
    fileprivate var seconds: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        return "\(Double(milliseconds) / 1000)"
    }
}

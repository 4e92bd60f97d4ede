import Foundation
import Synchronization

/// Records how long each admitted test waited and ran, in the file `DOCENT_TEST_TIMINGS`: one line per test (`waited
/// took identifier`, in seconds).
///
/// Swift Testing's own times start when the task of the test is created, before the test runs.
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

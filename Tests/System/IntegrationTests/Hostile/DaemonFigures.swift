import DocentTestSupport
import Foundation

/// A daemon's resources at one moment, as counted by the kernel.
struct DaemonFigures: Sendable, CustomStringConvertible {
    let process: pid_t
    var descriptors = 0
    var threads = 0
    /// In bytes.
    var resident = 0

    init(_ process: pid_t) throws {
        self.process = process
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        for line in try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 1, let number = Int(words[1]) else { continue }
            if line.hasPrefix("Threads:") { threads = number }
            if line.hasPrefix("VmRSS:") { resident = number << 10 }
        }
    }

    var description: String { "\(descriptors) descriptors, \(threads) threads, \(resident >> 20) MiB" }
}

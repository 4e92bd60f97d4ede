package import Foundation
import Glibc

extension ProcessMemory {
    /// The current resident memory of a process, in bytes.
    package static func resident(of process: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
        else { throw Problem("process \(process) does not tell its memory") }
        return kibibytes * 1024
    }
}

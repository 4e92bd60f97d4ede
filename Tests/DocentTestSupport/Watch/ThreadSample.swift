import Foundation
import Glibc

/// The kernel's information about a thread at one time.
struct ThreadSample: Sendable {
    /// What a thread did throughout the interval, if it keeps others from running.
    enum Conduct: String { case sleeps = "sleeps in a system call", computes = "computes without letting go" }

    /// `R`, `S`, `D` …, see proc(5).
    let state: Character
    /// The processor time so far, in ticks.
    let ticks: Int

    /// All threads of this process except the calling one, by number.
    static func all() -> [Int32: ThreadSample] {
        var all: [Int32: ThreadSample] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
            guard let thread = Int32(name), let sample = ThreadSample(thread: thread) else { continue }
            all[thread] = sample
        }
        return all
    }

    private init?(thread: Int32) {
        guard let line = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8),
            // The name before the bracket may contain any characters.
            let bracket = line.lastIndex(of: ")"), !line[..<bracket].hasSuffix("(pool-watch")
        else { return nil }
        let fields = line[line.index(after: bracket)...].split(separator: " ")
        guard fields.count > 12, let state = fields[0].first, let user = Int(fields[11]), let system = Int(fields[12])
        else {
            return nil
        }
        self.state = state
        ticks = user + system
    }

    /// What the thread has done since then; nil when it yielded, or waited for a disk or a processor.
    func conduct(since earlier: ThreadSample, microseconds: UInt32) -> Conduct? {
        let used = ticks - earlier.ticks
        if state == "S", earlier.state == "S", used == 0 { return .sleeps }
        let whole = Int(microseconds) * sysconf(Int32(_SC_CLK_TCK)) / 1_000_000
        return used * 10 >= whole * 8 ? .computes : nil
    }
}

import Foundation

/// The ticks of all processors together since the machine started.
struct ProcessorTime: Sendable {
    let idle: Int
    let all: Int

    static func now() -> ProcessorTime {
        // `cpu user nice system idle iowait …`, see proc(5).
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let ticks = text.prefix(while: { $0 != "\n" }).split(separator: " ").dropFirst().prefix(8).compactMap {
            Int($0)
        }
        return ProcessorTime(idle: ticks.count > 3 ? ticks[3] : 0, all: ticks.reduce(0, +))
    }

    /// From 0 to 1. Waiting for a disk is not idle. Neither are processes of low priority: with the kernel's automatic
    /// groups (`sched_autogroup_enabled`) they give way only to their own session.
    func idleShare(since earlier: ProcessorTime) -> Double {
        guard all > earlier.all else { return 0 }
        return Double(idle - earlier.idle) / Double(all - earlier.all)
    }
}

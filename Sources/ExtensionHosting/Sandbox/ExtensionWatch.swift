import CLinux
import ExtensionManifest
import Foundation
import Glibc

/// Watches one extension's processes from start to end, on its own thread.
///
/// There are three: bubblewrap outside, the supervisor inside, and the plugin's own. When one of them ends, by itself
/// or by a kill -9, the others follow at once, and all are reaped.
struct ExtensionWatch: Sendable {
    /// The outermost process, a child of this one.
    let process: Int32
    /// The daemon's end of the lifeline; owned.
    let lifeline: CInt
    /// The read end of the pipe of standard output and error; owned.
    let errors: CInt
    let isSandboxed: Bool
    /// Its limits; nil for none.
    let limits: ProviderLimits?
    /// Its control group, removed after its end.
    let group: ControlGroup?
    let shared: ExtensionProcessState

    func start() { Thread.detachNewThread { run() } }

    // Drains standard error until the supervisor's end of the lifeline closes, so that a chatty extension never blocks.
    private func run() {
        var report = LifelineReport()
        var outermost = clinux_pidfd_open(process, 0)
        // Opened when they report themselves, while they are certain to be alive.
        var supervisor: CInt = -1
        var plugin: CInt = -1
        var isLifelineOpen = true
        var isErrorOpen = true
        while isLifelineOpen {
            var watched = [
                pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isErrorOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: outermost, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 3, -1) >= 0 || errno == EINTR else { break }
            if watched[1].revents != 0 { isErrorOpen = drain() }
            if watched[0].revents != 0 {
                isLifelineOpen = listen(&report)
                if supervisor < 0, let number = report.supervisor { supervisor = clinux_pidfd_open(number, 0) }
                if plugin < 0, let number = report.plugin { plugin = clinux_pidfd_open(number, 0) }
            }
            if isLifelineOpen, watched[2].revents != 0 {
                // The wrapper was killed. Processes that survive inside end with their lifeline, or with their first
                // process.
                clinux_close(outermost)
                outermost = -1
                shutdown(lifeline, CInt(SHUT_WR))
                if supervisor >= 0 { clinux_pidfd_send_signal(supervisor, SIGKILL) }
            }
        }
        let exit = reap()
        if !isSandboxed, report.exit == nil, let group = report.plugin { endGroup(group) }
        for orphan in [supervisor, plugin] where orphan >= 0 {
            // A child of ours only if a process between was killed and this one is the first of its pid namespace.
            clinux_pidfd_send_signal(orphan, SIGKILL)
            clinux_wait_pidfd(orphan)
            clinux_close(orphan)
        }
        if outermost >= 0 { clinux_close(outermost) }
        clinux_set_status_flags(errors, O_NONBLOCK)
        while isErrorOpen { isErrorOpen = drain() }
        close(errors)
        close(lifeline)
        shared.finish(judge(report, exit))
    }

    private func judge(_ report: LifelineReport, _ exit: ExtensionExit) -> ExtensionExit {
        let wasOutOfMemory = group?.wasOutOfMemory ?? false
        group?.remove()
        let end = report.judge(exit, isSandboxed: isSandboxed)
        guard let limits else { return end }
        if let kind = report.exceeded { return .exceeded(.limit(kind, limits[kind])) }
        // A plugin that merely ignores the end of its helper, or exits by itself when memory runs out, keeps its own
        // exit.
        return wasOutOfMemory && end == .signalled(SIGKILL) ? .exceeded(.limit(.memory, limits.memory)) : end
    }

    // False at the end, and when no more output can come.
    private func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = clinux_read(errors, &buffer, buffer.count)
        if count > 0 { shared.keep(buffer[..<count]) }
        return count > 0
    }

    private func listen(_ report: inout LifelineReport) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1024)
        var sender: Int32 = 0
        let count = clinux_receive_from(lifeline, &buffer, buffer.count, &sender)
        guard count > 0 else { return false }
        report.append(buffer[..<count], from: sender)
        shared.note(report)
        return true
    }

    private func reap() -> ExtensionExit {
        var ended = siginfo_t()
        while waitid(P_PID, id_t(process), &ended, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return shared.withLock { facts in
            var status: CInt = 0
            facts.isReaped = true
            return clinux_wait(process, &status) >= 0 ? ExtensionExit(waitStatus: status) : .exited(-1)
        }
    }

    // Without a pid namespace, the plugin's descendants survive a supervisor that was killed.
    private func endGroup(_ group: Int32) {
        kill(-group, SIGKILL)
        var status: CInt = 0
        for _ in 0..<200 where waitpid(-group, &status, WNOHANG) >= 0 { usleep(5_000) }
    }
}

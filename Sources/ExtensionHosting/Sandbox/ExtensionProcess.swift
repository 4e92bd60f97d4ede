import CLinux
package import DocentInterfaces
import Foundation
import Glibc
import ProcessLaunching
import Storage
package import Varlink

/// One extension's process: started in its sandbox, watched until it ends.
///
/// Thread-safe. Its socket is taken once, with ``takeSocket()``; releasing the object ends the process through its
/// lifeline. A separate thread watches it; nothing here blocks the cooperative pool.
package final class ExtensionProcess: Sendable {
    package typealias Exit = ExtensionExit

    /// Process identifier of the outermost process: bubblewrap, or without a sandbox the supervisor.
    package let processIdentifier: Int32
    private let lifeline: CInt
    private let shared: ExtensionProcessState

    private init(processIdentifier: Int32, socket: CInt, lifeline: CInt) {
        self.processIdentifier = processIdentifier
        self.lifeline = lifeline
        shared = ExtensionProcessState(socket: socket)
    }

    deinit {
        _ = takeSocket()
        // The watching thread has its own copy, so closing alone would not reach the other end.
        shutdown(lifeline, CInt(SHUT_WR))
        close(lifeline)
    }

    /// Starts an extension.
    ///
    /// - Parameter groups: where its control group is made; nil if there are none: its limits are then the kernel's
    ///   per-process limits.
    /// - Throws: ``Failure`` `Unavailable` when a program cannot be started, bubblewrap included. A layer that turns
    ///   out to be missing later is not an error here: the process ends with ``ExtensionExit/isRefusal``.
    package static func start(
        _ profile: SandboxProfile, groups: ControlGroups? = nil
    ) throws(Failure) -> ExtensionProcess {
        try start(profile, isCheck: false, groups: groups)
    }

    /// - Parameters:
    ///   - isCheck: whether to close the sandbox and end, without loading a library.
    ///   - system: the parts of the machine that are shown.
    static func start(
        _ profile: SandboxProfile, isCheck: Bool, groups: ControlGroups? = nil, system: SystemLayout = .current()
    ) throws(Failure) -> ExtensionProcess {
        var profile = profile
        if !profile.isUnsandboxed { profile.spawn = try SandboxPrograms.existing(profile) }
        let group = try makeGroup(profile, groups)
        guard let channels = ExtensionChannels() else {
            throw Failure(
                .unavailable, "No socket can be created for the extension.", suggestion: "Close some programs.")
        }
        defer { channels.closeInner() }
        // Kept open until the process has its copies.
        let folders = try openFolders(profile)
        defer { withExtendedLifetime(folders) {} }
        let inherited = SandboxProbe.mountsDescriptors ? folders.map(\.descriptor.number) : []
        var program = profile.isUnsandboxed ? profile.hostProgram : SandboxProbe.bubblewrap
        var arguments =
            profile.isUnsandboxed
            ? profile.hostArguments(socket: 3, lifeline: 4, system: system)
            : profile.bubblewrapArguments(
                socket: 3, lifeline: 4,
                folders: Dictionary(
                    folders.enumerated().map { ($1.path, inherited.isEmpty ? nil : Int32($0 + 5)) },
                    uniquingKeysWith: { one, _ in one }),
                system: system)
        if isCheck { arguments.append("--check") }
        if let group {
            // Before it becomes bubblewrap, so that all its children are in the group from their first moment.
            arguments = ["--enter", group.path, "--", program] + arguments
            program = profile.hostProgram
        }
        clinux_pass_credentials(channels.lifeline.outer)
        // A duplicate for the thread, whose life does not depend on this object's.
        let watched = clinux_dup(channels.lifeline.outer)
        let process: Int32
        do throws(LaunchFailure) {
            guard watched >= 0 else { throw LaunchFailure(code: -watched) }
            process = try launch(program, arguments, profile.environment, channels.inner + inherited).start()
        } catch {
            if watched >= 0 { clinux_close(watched) }
            channels.closeOuter()
            group?.remove()
            throw Failure(
                .unavailable, "\(program) cannot be started: \(error.reason).",
                suggestion: "`docent doctor` explains what the sandbox needs.")
        }
        let started = ExtensionProcess(
            processIdentifier: process, socket: channels.socket.outer, lifeline: channels.lifeline.outer)
        ExtensionWatch(
            process: process, lifeline: watched, errors: channels.errors.outer, isSandboxed: !profile.isUnsandboxed,
            limits: profile.limits, group: group, shared: started.shared
        ).start()
        return started
    }

    // Opens the existing folders.
    private static func openFolders(_ profile: SandboxProfile) throws(Failure) -> [SharedFolder] {
        guard !profile.isUnsandboxed, !profile.folders.isEmpty else { return [] }
        let writable = SharedFolder.identities(
            profile.readWrite + profile.writableByOthers + [profile.container])
        let found: [SharedFolder]
        do {
            found = try Set(profile.folders).sorted().compactMap { try SharedFolder.open($0, writable: writable) }
        } catch {
            throw Failure.from(error)
        }
        if SandboxProbe.mountsDescriptors { return found }
        if let folder = found.first(where: \.isReplaceable) {
            throw Failure(
                .unavailable,
                "The folder \(folder.path) is in a place that a provider can write to, and this bubblewrap "
                    + "does not accept an open folder.",
                suggestion:
                    "Install a bubblewrap with --bind-fd: 0.10 or newer, or that of Debian 12 with its updates.")
        }
        return found
    }

    private static func makeGroup(
        _ profile: SandboxProfile, _ groups: ControlGroups?
    ) throws(Failure) -> ControlGroup? {
        guard let groups, let limits = profile.limits else { return nil }
        do {
            return try groups.make(limits)
        } catch {
            throw Failure(
                .unavailable, "No control group can be created for the extension: \(error).",
                suggestion: "Restart the daemon: `docent daemon stop`.")
        }
    }

    /// - Parameter descriptors: they get the numbers from 2 up.
    private static func launch(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ descriptors: [CInt]
    ) -> ProgramLaunch {
        var launch = ProgramLaunch(
            program, arguments, environment: .exactly(environment),
            descriptors: [.null, .null] + descriptors.map { .copy($0) })
        launch.startsSession = true
        return launch
    }

    /// The extension's socket; it can be taken once.
    package func takeSocket() -> OwnedDescriptor? {
        let socket = shared.withLock { state in
            defer { state.socket = -1 }
            return state.socket
        }
        return socket >= 0 ? OwnedDescriptor(socket) : nil
    }

    /// The last 4 KiB of its standard output and error.
    package var errorText: String {
        String(decoding: shared.withLock { $0.errorText }, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Total bytes of its standard output and error, including those that were not kept.
    package var errorBytes: Int { shared.withLock { $0.errorBytes } }

    /// What it tried beyond its sandbox; nil if that is not watched: ``SandboxProfile/watchesAttempts`` was not set, or
    /// the kernel cannot watch.
    package var attempts: [SandboxAttempt]? { shared.withLock { $0.isWatched ? $0.attempts : nil } }

    /// How it ended; nil while it is running.
    package var exit: Exit? { shared.withLock { $0.exit } }

    /// Whether it is running.
    package var isRunning: Bool { shared.withLock { $0.exit == nil } }

    /// The process in which the plugin's own code runs; nil before the sandbox is closed.
    package var pluginProcess: Int32? { shared.withLock { $0.plugin } }

    /// Landlock's version around the plugin, 0 if the kernel has none; nil without a sandbox or before it is closed.
    package var landlockVersion: Int? { shared.withLock { $0.landlockVersion } }

    /// Waits until it has ended.
    package func waitForExit() async -> Exit {
        await withCheckedContinuation { continuation in
            shared.whenEnded { continuation.resume(returning: $0) }
        }
    }

    /// How it ended; nil when it is still running after the limit. The wait is not shortened when the task is
    /// cancelled.
    ///
    /// Its sockets close before it has ended, and on a busy machine its end is noticed later still.
    package func exit(within limit: Duration) async -> Exit? {
        let shared = shared
        return await withCheckedContinuation { continuation in
            let waiter = shared.whenEnded { continuation.resume(returning: $0) }
            guard let waiter else { return }
            Task.detached {
                try? await Task.sleep(for: limit)
                if shared.giveUp(waiter) { continuation.resume(returning: nil) }
            }
        }
    }

    /// Ends it for exceeding a limit; its calls and its exit report that.
    package func terminate(for excess: ExtensionExit.Excess) {
        shared.withLock { if $0.exit == nil { $0.excess = excess } }
        terminate()
    }

    /// Ends it and all its children: closes the lifeline, and kills what is left after a second.
    package func terminate() {
        let isFirst = shared.withLock { state in
            defer { state.isTerminating = true }
            return !state.isTerminating
        }
        guard isFirst else { return }
        shutdown(lifeline, CInt(SHUT_WR))
        let shared = shared
        let process = processIdentifier
        Task.detached {
            try? await Task.sleep(for: .seconds(1))
            // While the lock is held, the number still belongs to this process: reaping takes the same lock.
            shared.withLock { state in
                guard !state.isReaped else { return }
                for inner in ProcessTree.descendants(of: process) + [process] { kill(inner, SIGKILL) }
            }
        }
    }

    /// Resident bytes of it and its children; nil when they cannot be read.
    package var residentBytes: Int? { ProcessTree.residentBytes(of: processIdentifier) }
}

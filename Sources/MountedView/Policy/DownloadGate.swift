import Dispatch
import DocentInterfaces
package import Documents
import Glibc
import Synchronization
import ViewPolicies

/// Decides for which programs documents are downloaded (``DownloadPolicy``), and remembers which were refused.
///
/// Thread-safe. It is asked only about documents that are not on this machine.
package final class DownloadGate: Sendable {
    /// The errno that refused programs get, "Object is remote". Nothing else here causes it, and no program takes it
    /// for a missing file, a missing right or a full disk.
    static let refusal = EREMOTE

    private struct State {
        var limiter = DownloadLimiter()
        var refused = RefusedPrograms()
    }

    private let policy: WatchedPolicy
    private let inspect: @Sendable (UInt32) -> CallingProgram?
    /// Called with each program that has asked for too many documents, and their number. Must not wait.
    private let stopped: @Sendable (AskingProgram, Int) -> Void
    // The file with the rules can be in the view itself: whoever reads it must not keep others from being answered.
    private let reading = DispatchQueue(label: "org.docent.view.policy")
    private let state = Mutex(State())

    /// The gate of a user.
    ///
    /// - Parameters:
    ///   - environment: leads to the file with the user's rules.
    ///   - client: tells the audit log which programs were stopped; nil for nobody.
    package convenience init(environment: [String: String], client: DocumentsClient? = nil) {
        self.init(policy: DownloadPolicyFile.path(environment)) { program, limit in
            client?.tell(
                AdministrationInterface.NoteDownloadLimit.self,
                .init(program: program.path, process: program.process, documentsPerMinute: limit))
        } inspect: {
            ProgramInspection.program(of: $0)
        }
    }

    /// - Parameters:
    ///   - path: the file with the user's rules; nil for none.
    ///   - stopped: called with each program that has asked for too many documents, and how many it may have within a
    ///     minute; for the same one not again for a while. Must not wait.
    ///   - inspect: the program of a thread; nil for one that is always allowed. May block.
    init(
        policy path: String?, stopped: @escaping @Sendable (AskingProgram, Int) -> Void = { _, _ in },
        inspect: @escaping @Sendable (UInt32) -> CallingProgram?
    ) {
        policy = WatchedPolicy(path)
        self.stopped = stopped
        self.inspect = inspect
    }

    /// Whether a document may be downloaded for a program, and which that is, if it is known.
    ///
    /// - Parameters:
    ///   - node: the document's.
    ///   - thread: the program's, as the kernel names it.
    func mayDownload(_ node: UInt64, for thread: UInt32) async -> (isAdmitted: Bool, program: AskingProgram?) {
        let found = await Self.value(on: DispatchQueue(label: "org.docent.view.caller")) { [inspect] in
            inspect(thread)
        }
        guard let program = found else { return (true, nil) }
        let asking = AskingProgram(path: program.executable, process: program.process ?? Int(thread))
        let rules = await Self.value(on: reading) { [policy] in policy.current() }
        let verdict = rules.verdict(on: program)
        switch verdict {
        case .allow, .limit(nil): return (true, asking)
        case .refuse: break
        case .limit(let most?):
            let isAdmitted = state.withLock {
                $0.limiter.admit(node, for: program.identity, limit: most, at: .now)
            }
            if isAdmitted { return (true, asking) }
        }
        note(program, asking, thread, verdict)
        return (false, asking)
    }

    /// The programs that were refused lately, as JSON; nil if there are none.
    var refused: String? { state.withLock { $0.refused }.text }

    private func note(
        _ program: CallingProgram, _ asking: AskingProgram, _ thread: UInt32, _ verdict: DownloadPolicy.Verdict
    ) {
        let isNew = state.withLock {
            $0.refused.note(program, process: thread, because: verdict, at: ViewTree.now())
        }
        guard isNew else { return }
        if case .limit(let most?) = verdict { stopped(asking, most) }
        // Its name may contain anything.
        let name = program.name.debugDescription
        let reason =
            switch verdict {
            case .refuse(let rule): "the rule \(rule.subject.text.debugDescription) refuses it"
            case .limit, .allow: "it asked for too many within a minute"
            }
        ViewLog.write("Nothing is downloaded for \(name), process \(thread): \(reason). See `docent policy`.")
    }

    /// Does something that may block on a thread of its own.
    private static func value<Value: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}

import DocentInterfaces
package import ExtensionManifest
package import Logging
import ProcessLaunching
package import Storage
import Synchronization

/// Enforces the disk limits of containers: checks while a provider runs, and before anything is added.
///
/// Thread-safe. A check walks the container on its own thread; the pause after it is twenty times as long as the check.
package final class ContainerQuotas: Sendable {
    private let layout: StorageLayout
    /// The limits that no provider may exceed. The administrator sets them.
    package let ceilings: [ProviderLimits.Kind: Int]
    private let worker: BlockingWorker
    private let logger: Logger
    private let looks = Mutex<[String: Look]>([:])
    private static let shortestPause = Duration.seconds(1)

    /// The result of the last check.
    private struct Look {
        var verdict: ContainerVerdict
        /// The earliest time of the next check: a check of many files must not happen at every call.
        var next: ContinuousClock.Instant
    }

    package init(
        layout: StorageLayout, ceilings: [ProviderLimits.Kind: Int], worker: BlockingWorker = BlockingWorker(),
        logger: Logger
    ) {
        self.layout = layout
        self.ceilings = ceilings
        self.worker = worker
        self.logger = logger
    }

    /// Checks repeatedly while an extension runs.
    ///
    /// - Returns: the excess for which it must be ended; nil when it ended before.
    package func follow(_ provider: KnownProvider, _ program: any ExtensionProgram) async -> String? {
        while program.isRunning, !Task.isCancelled {
            let before = looks.withLock { $0[provider.identifier]?.verdict }
            let (verdict, next) = await look(provider, program)
            if case .overflowing(let excess) = verdict { return excess }
            if let excess = verdict.excess, before?.excess == nil {
                logger.warning(
                    "a container is full", metadata: ["provider": "\(provider.identifier)", "has": "\(excess)"])
            }
            try? await Task.sleep(until: max(next, .now + Self.shortestPause), clock: .continuous)
        }
        return nil
    }

    /// Whether a container was within its limits at the last check; false if there was none.
    package func hasRoom(_ provider: String) -> Bool { looks.withLock { $0[provider]?.verdict } == .within }

    /// Refuses to add anything to a container that is full.
    ///
    /// - Throws: ``Failure`` `NoSpace`, which says what to do.
    package func requireRoom(_ provider: KnownProvider) async throws {
        let known = looks.withLock { $0[provider.identifier] }
        // A container that was full is looked at again: something may have been removed from it since.
        let isKnown = known.map { .now < $0.next && $0.verdict.excess == nil } ?? false
        guard !isKnown else { return }
        let verdict = await look(provider).verdict
        guard let excess = verdict.excess else { return }
        throw Failure(
            .noSpace, "\(provider.identifier) has \(excess).",
            suggestion: "Raise the limit in its manifest (docent provider show \(provider.identifier)), or move what "
                + "it does not need out of \(container(of: provider)), then try again.",
            provider: provider.identifier)
    }

    private func container(of provider: KnownProvider) -> String {
        layout.groupDirectory(ExtensionLauncher.group(provider.description))
    }

    private func look(_ provider: KnownProvider, _ program: (any ExtensionProgram)? = nil) async -> (
        verdict: ContainerVerdict, next: ContinuousClock.Instant
    ) {
        let began = ContinuousClock.now
        let limits = provider.description.limits.capped(by: ceilings)
        let most = limits.files + ContainerVerdict.margin(limits.files, .files)
        let name = String(container(of: provider).dropFirst(layout.groupsDirectory.text.count + 1))
        let outermost = program?.outermostProcess
        let usage = try? await worker.run { [layout] cancellation in
            let groups = try Directory(path: layout.groupsDirectory)
            var usage =
                try ContainerUsage.measure(groups, FileName(name), mostFiles: most, cancellation) ?? ContainerUsage()
            if let outermost {
                usage.bytes += UnlinkedFiles.bytes(of: ProcessTree.descendants(of: outermost), besides: groups)
            }
            return usage
        }
        let verdict = ContainerVerdict(usage ?? ContainerUsage(), limits)
        let next = ContinuousClock.now + (.now - began) * 20
        looks.withLock { $0[provider.identifier] = Look(verdict: verdict, next: next) }
        return (verdict, next)
    }
}

import DocentInterfaces
package import ExtensionManifest
package import Logging
package import Storage
import Synchronization

/// Holds containers to what they may have on the disk: looks while a provider runs, and before anything is put in.
///
/// Thread-safe. A look is a walk on a thread of its own; the pauses between are twenty times as long as it took.
package final class ContainerQuotas: Sendable {
    private let layout: StorageLayout
    /// The most that the administrator lets any provider use.
    package let ceilings: [ProviderLimits.Kind: Int]
    private let worker: BlockingWorker
    private let logger: Logger
    private let looks = Mutex<[String: Look]>([:])
    private static let shortestPause = Duration.seconds(1)

    /// What was seen last.
    private struct Look {
        var verdict: ContainerVerdict
        /// Before this time nobody looks again: a look at many files must not be had for every call.
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

    /// Looks again and again as long as a process lives.
    ///
    /// - Returns: what is too much when the process has to be ended for it; nil when it ended before.
    package func follow(_ provider: KnownProvider, _ process: ExtensionProcess) async -> String? {
        while process.isRunning, !Task.isCancelled {
            let before = looks.withLock { $0[provider.identifier]?.verdict }
            let (verdict, next) = await look(provider, process)
            if case .overflowing(let excess) = verdict { return excess }
            if let excess = verdict.excess, before?.excess == nil {
                logger.warning(
                    "a container is full", metadata: ["provider": "\(provider.identifier)", "has": "\(excess)"])
            }
            try? await Task.sleep(until: max(next, .now + Self.shortestPause), clock: .continuous)
        }
        return nil
    }

    /// Whether a container was last seen within its limits; false where nobody has looked.
    package func hasRoom(_ provider: String) -> Bool { looks.withLock { $0[provider]?.verdict } == .within }

    /// Refuses to put anything more into a container that has too much.
    ///
    /// - Throws: ``Failure`` `NoSpace`, which says what to do.
    package func requireRoom(_ provider: KnownProvider) async throws {
        let known = looks.withLock { $0[provider.identifier] }
        let verdict = if let known, .now < known.next { known.verdict } else { await look(provider).verdict }
        guard let excess = verdict.excess else { return }
        throw Failure(
            .noSpace, "\(provider.identifier) has \(excess).",
            suggestion: "Remove what it no longer needs from \(container(of: provider)), then try again. "
                + "Its manifest sets the limit: docent provider show \(provider.identifier)",
            provider: provider.identifier)
    }

    private func container(of provider: KnownProvider) -> String {
        layout.groupDirectory(ExtensionLauncher.group(provider.description))
    }

    private func look(_ provider: KnownProvider, _ process: ExtensionProcess? = nil) async -> (
        verdict: ContainerVerdict, next: ContinuousClock.Instant
    ) {
        let began = ContinuousClock.now
        let limits = provider.description.limits.capped(by: ceilings)
        let most = limits.files + ContainerVerdict.margin(limits.files, .files)
        let path = container(of: provider)
        let parent = layout.groupsDirectory.text
        let name = String(path.dropFirst(parent.count + 1))
        let outermost = process?.processIdentifier
        let usage = try? await worker.run { cancellation in
            var usage = ContainerUsage.measure(parent, name, mostFiles: most, cancellation) ?? ContainerUsage()
            if let outermost {
                usage.bytes += UnlinkedFiles.bytes(of: ProcessTree.descendants(of: outermost), besides: parent)
            }
            return usage
        }
        let verdict = ContainerVerdict(usage ?? ContainerUsage(), limits)
        let next = ContinuousClock.now + (.now - began) * 20
        looks.withLock { $0[provider.identifier] = Look(verdict: verdict, next: next) }
        return (verdict, next)
    }
}

import Access
import HostCore
import Logging
import Records
import RemoteDocuments
import Saving
import Storage

/// Creates the parts of the host that packages need, in the order of their dependencies.
struct PackageAssembly: Sendable {
    let publisher: PackagePublisher
    let service: PackageService

    init(
        gateway: DocumentGateway, access: AccessControl, coordination: CoordinationService, parts: RemoteParts,
        elements: PackageElements, kept: KeptVersionStore, keeper: VersionKeeper, layout: StorageLayout,
        worker: BlockingWorker, shares: StagingShares, limits: ContentLimits, logger: Logger, clock: any HostClock
    ) {
        let staging = PackageStaging(layout: layout)
        publisher = PackagePublisher(
            gateway: gateway, journal: parts.journal, locks: parts.locks, changes: parts.changes, staging: staging,
            metadata: parts.staged.metadata, superseded: parts.superseded, worker: worker,
            remote: RemotePackages(parts, staging: staging, worker: worker), logger: logger,
            crash: parts.crash, clock: clock)
        service = PackageService(
            gateway: gateway, access: access, journal: parts.journal, coordination: coordination, elements: elements,
            publisher: publisher, staging: staging,
            recovery: PackageRecovery(
                journal: parts.journal, versions: kept, staging: staging, changes: parts.changes, worker: worker,
                logger: logger),
            keeper: keeper, metadata: parts.staged.metadata, worker: worker, shares: shares, limits: limits)
    }
}

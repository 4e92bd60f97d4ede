package import Foundation
package import Logging
package import Records
package import Rights

/// Removes old audit entries and old finished operations, at start and once a day.
package struct Upkeep: Sendable {
    /// How many days the outcome of an operation is kept. Its name cannot be reused during that time.
    package static let operationDays = 30.0
    private static let day = 24 * 3600.0

    private let journal: OperationJournal
    private let audit: AuditLog
    private let logger: Logger

    package init(journal: OperationJournal, audit: AuditLog, logger: Logger) {
        self.journal = journal
        self.audit = audit
        self.logger = logger
    }

    /// Prunes now and once a day, until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            await prune()
            try? await Task.sleep(for: .seconds(Self.day))
        }
    }

    /// Prunes once. A failure is logged and retried the next time.
    ///
    /// - Returns: the number of audit entries and of operations that were removed.
    @discardableResult
    package func prune(at now: Date = .now) async -> (audit: Int, operations: Int) {
        do {
            let entries = try await audit.prune(at: now)
            let operations = try await journal.prune(before: now - Self.operationDays * Self.day)
            if entries + operations > 0 {
                logger.info("pruned", metadata: ["audit": "\(entries)", "operations": "\(operations)"])
            }
            return (entries, operations)
        } catch {
            logger.warning("cannot remove old records", metadata: ["why": "\(error)"])
            return (0, 0)
        }
    }
}

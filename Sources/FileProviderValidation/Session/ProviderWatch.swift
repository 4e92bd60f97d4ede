import Glibc
import ProcessLaunching
import Synchronization

/// Checks the resources of a provider regularly while a case runs, and kills it when they exceed the limits: otherwise
/// a provider that eats memory or fills the disk would take the validator down with it.
final class ProviderWatch: Sendable {
    private let task: Task<Void, Never>

    /// Watches the provider of a case until ``end()``.
    init(_ context: CaseContext) {
        task = Task.detached { [weak context] in
            var round = 0
            while !Task.isCancelled {
                do { try await Task.sleep(for: .milliseconds(250)) } catch { return }
                guard let context else { return }
                round += 1
                let directory = context.directory
                let process = context.watched
                let options = context.options
                let looksAtDisk = round.isMultiple(of: 8)
                let excess = try? await Blocking.run { () -> (limit: String, got: String)? in
                    if let excess = process.flatMap({ Self.excess(of: $0, options) }) { return excess }
                    return looksAtDisk ? Self.excess(in: directory, options) : nil
                }
                guard let excess = excess ?? nil else { continue }
                context.report(
                    did: "Looking at what the provider holds during the case", expected: excess.limit,
                    got: excess.got + "; it was killed")
                await context.stop(kill: true)
                return
            }
        }
    }

    /// Stops watching.
    func end() { task.cancel() }

    private static func excess(of process: Int32, _ options: ValidationOptions) -> (limit: String, got: String)? {
        let family = [process] + ProcessTree.descendants(of: process)
        guard family.count <= options.processLimit else {
            // They would not end with it.
            for member in family.dropFirst() { kill(member, SIGKILL) }
            return ("at most \(options.processLimit) processes at a time", "\(family.count) processes")
        }
        let bytes = family.reduce(0) { $0 + (ProcessFigures(process: $1)?.privateBytes ?? 0) }
        guard bytes > options.memoryLimit else { return nil }
        return ("at most \(options.memoryLimit >> 20) MiB of memory", "\(bytes >> 20) MiB of memory")
    }

    /// Which limit a directory exceeds; nil if none.
    static func excess(in directory: String, _ options: ValidationOptions) -> (limit: String, got: String)? {
        // More files than that are not scanned again and again.
        let bytes = ProviderFolder(path: directory)?.bytesOnDisk(most: 20_000) ?? 0
        guard bytes > options.diskLimit else { return nil }
        return ("at most \(options.diskLimit >> 20) MiB on disk", "\(bytes >> 20) MiB on disk")
    }
}

import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents

/// Whether a subcommand that may take long shows its progress.
struct ProgressOptions: ParsableArguments {
    @Flag(name: .long, help: "Show no progress. It is never shown if standard error is not a terminal.")
    var noProgress = false

    /// False if standard error is not a terminal.
    var isShown: Bool { !noProgress && StandardError.isTerminal }

    /// Runs a body that fetches a document, and shows the progress of the daemon's transfer.
    ///
    /// - Parameter item: called only if progress is shown. Nothing is shown for a document that is already local.
    nonisolated(nonsending) func watching<Result>(
        _ label: String, of item: nonisolated(nonsending) () async throws -> DocumentItem,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        guard isShown else { return try await body() }
        let watched = try await item()
        return try await withActivity(label) { activity in
            guard !watched.isDownloaded, !watched.isFolder, let activity else { return try await body() }
            let reference = watched.reference.wire
            let watch = Task.detached {
                // Best effort: the document arrives even if the daemon does not report its transfers.
                _ = try? await DocumentsClient.administrator(startsDaemon: false).follow(
                    AdministrationInterface.Transfers.self, .init(provider: reference.provider)
                ) { reply in
                    guard
                        let transfer = reply.transfers.first(where: {
                            $0.kind == "download" && $0.reference == reference
                        })
                    else { return }
                    activity.set(
                        done: transfer.completedBytes, total: transfer.totalBytes, rate: transfer.bytesPerSecond)
                }
            }
            defer { watch.cancel() }
            return try await body()
        }
    }
}

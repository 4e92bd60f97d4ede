import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents

/// Whether a verb that may take its time over a document shows how far it is.
struct ProgressOptions: ParsableArguments {
    @Flag(name: .long, help: "Show no progress; there is none anyway where standard error is no terminal.")
    var noProgress = false

    /// Whether progress is shown.
    var isShown: Bool { !noProgress && StandardError.isTerminal }

    /// Runs a body that fetches a document, and shows how far the daemon's transfer of it has come.
    ///
    /// - Parameter item: asked for only where progress is shown; nothing is shown for a document that is here.
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
                // An aid only: a daemon that does not tell of transfers brings the document all the same.
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

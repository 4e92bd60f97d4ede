import Documents
import Foundation

/// A client for tests: takes claims and presents documents on command, one command per line of standard input.
///
/// A line is `ID VERB ARGUMENT…`, separated by tabs; reports are lines that begin with the same ID. Commands run
/// concurrently. Verbs: see ``ProbeCommand``.
@main
struct ClaimProbe {
    static func main() async {
        var configuration = DocumentsClient.Configuration(
            clientIdentifier: ProcessInfo.processInfo.environment["CLAIM_PROBE_CLIENT"] ?? "org.docent.ClaimProbe")
        configuration.startsDaemon = true
        let probe = ProbeState(client: DocumentsClient(configuration))
        probe.tell("0", "ready")
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        // Reading standard input blocks, so it has its own thread.
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        await withDiscardingTaskGroup { group in
            for await line in lines {
                guard let command = ProbeCommand(line) else {
                    probe.tell("0", "error", "Unknown", "cannot read: \(line)")
                    continue
                }
                if probe.control(command) { continue }
                group.addTask { await command.run(probe) }
            }
            probe.releaseAll()
            group.cancelAll()
        }
        probe.client.close()
    }
}

import FileProvider

/// The probe's actions during a call of the host, selected by the name of the document, and their log.
///
/// | Name begins with | What happens |
/// |---|---|
/// | `own` | it changes the document within a claim under the provider's own purpose (H3) |
/// | `plain` | the same without that purpose: it would wait for the client that waits for it (2.9, deadlock 5) |
/// | `reads` | it reads the document with coordination first, without that purpose |
/// | `beside` | it reads `neighbour.txt` with coordination first, without that purpose |
/// | `with` | it reads `neighbour.txt` with coordination first, under that purpose |
///
/// For a new item the claim is one for moving the folder, which affects its contents.
struct ProbeCalls: Sendable {
    let host: FileProviderHost
    let log: ProbeLog
    let folder: ProbeFolder

    func run<Result>(
        _ call: String, _ name: String, _ item: ItemIdentifier, _ options: FileCoordinator.WritingOptions = [],
        _ body: () throws -> Result
    ) async throws -> Result {
        log.note("call-\(call)", name)
        defer { log.note("end-\(call)", name) }
        let coordinator = FileCoordinator(host: host)
        if name.hasPrefix("own") || name.hasPrefix("with") {
            try coordinator.setPurposeIdentifier(host.providerIdentifier)
        }
        let intent: FileAccessIntent
        if name.hasPrefix("own") || name.hasPrefix("plain") {
            intent = .writing(item, options: options)
        } else if name.hasPrefix("reads") {
            intent = .reading(item)
        } else if name.hasPrefix("beside") || name.hasPrefix("with") {
            intent = .reading(try folder.identifier(named: "neighbour.txt"))
        } else {
            return try body()
        }
        do {
            return try await coordinator.coordinate(with: [intent]) {
                log.note("claimed-\(call)", name)
                return try body()
            }
        } catch {
            log.note("failed-\(call)", name, failed: error)
            throw error
        }
    }
}

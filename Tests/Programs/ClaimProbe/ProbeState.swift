import Documents
import Foundation
import Synchronization

/// The shared state of a probe's commands. Thread-safe.
final class ProbeState: Sendable {
    private struct State {
        var references: [String: DocumentReference] = [:]
        var gates: [String: CheckedContinuation<Void, Never>] = [:]
        var opened: Set<String> = []
        var coordinators: [String: FileCoordinator] = [:]
        var presenters: [String: ProbePresenter] = [:]
    }

    let client: DocumentsClient
    private let state = Mutex(State())

    init(client: DocumentsClient) { self.client = client }

    /// Reports the result of a command.
    func tell(_ id: String, _ words: String...) {
        let line = ([id] + words.map { $0.replacingOccurrences(of: "\n", with: "\\n") }).joined(separator: "\t") + "\n"
        // One write per line, bypassing the buffers of the C library.
        FileHandle.standardOutput.write(Data(line.utf8))
    }

    /// The document at a location, granted at its first use; for `granted:NAME`, an already granted one (a client in a
    /// sandbox can name no other).
    func reference(_ location: String) async throws -> DocumentReference {
        if let known = state.withLock({ $0.references[location] }) { return known }
        let reference: DocumentReference
        if location.hasPrefix("granted:") {
            let name = location.dropFirst("granted:".count)
            for try await granted in client.grantedDocuments() where granted.name == String(name) {
                return granted.reference
            }
            throw DocumentsError(.notFound, "\(name) is not granted.")
        }
        let isFolder = location.hasSuffix("/")
        do throws(DocumentsError) {
            guard !isFolder else { throw DocumentsError(.invalidArgument, "It is a folder.") }
            reference = try await DocumentPicker(client: client).openDocument(at: Self.location(location)).reference
        } catch {
            guard error.code == .invalidArgument else { throw error }
            // A folder is opened by a request for folders (complaint 27).
            reference = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
                at: Self.location(location)
            ).reference
        }
        state.withLock { $0.references[location] = reference }
        return reference
    }

    static func location(_ text: String) -> DocumentLocation {
        let parts = text.split(separator: ":", maxSplits: 1)
        let place = parts[0].split(separator: "@", maxSplits: 1)
        return DocumentLocation(
            provider: String(place[0]), domain: place.count > 1 ? String(place[1]) : "",
            path: parts.count > 1 ? String(parts[1]) : "/")
    }

    /// Waits until `release ID`.
    func wait(_ id: String) async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard !state.opened.contains(id) else { return true }
                state.gates[id] = continuation
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Lets a waiting command continue.
    func release(_ id: String) {
        let gate = state.withLock { state in
            state.opened.insert(id)
            return state.gates.removeValue(forKey: id)
        }
        gate?.resume()
    }

    /// Lets all commands continue.
    func releaseAll() {
        let gates = state.withLock { state in
            defer { state.gates = [:] }
            return Array(state.gates.values)
        }
        for gate in gates { gate.resume() }
    }

    /// A coordinator that `cancel ID` can cancel.
    func coordinator(_ id: String, presenter: ProbePresenter? = nil) -> FileCoordinator {
        let coordinator = FileCoordinator(client: client, filePresenter: presenter)
        state.withLock { $0.coordinators[id] = coordinator }
        return coordinator
    }

    func keep(_ presenter: ProbePresenter, _ id: String) { state.withLock { $0.presenters[id] = presenter } }

    func presenter(_ id: String) -> ProbePresenter? { state.withLock { $0.presenters[id] } }

    /// Commands that run at once, whatever else waits.
    func control(_ command: ProbeCommand) -> Bool {
        switch command.verb {
        case "release": release(command[0])
        case "cancel": state.withLock { $0.coordinators[command[0]] }?.cancel()
        default: return false
        }
        return true
    }
}

import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Storage
import Testing
import Varlink

/// The three ways in which a document of a remote provider is saved.
enum SaveMode: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case write, export, move

    var testDescription: String { rawValue }
    var makesDocument: Bool { self != .write }
}

/// One save of the kill tests: the document and the content.
struct KillSave: Sendable {
    var mode: SaveMode
    var name: String

    /// The document's content before the write.
    static let old = "as it was before\n"
    /// The saved content.
    var text: String { Installation.content(name, lines: 3_000) }
}

extension WriteStep {
    /// Whether a save that was ended after this step must be completed.
    var isCommitted: Bool { Self.order(self) >= Self.order(.committed) }

    static func order(_ step: WriteStep) -> Int { allCases.firstIndex(of: step) ?? 0 }
}

extension RemoteInstallation {
    /// Saves with the command line.
    func run(_ save: KillSave) async throws -> Outcome {
        if save.mode == .write { return try await write(save.text, save.name) }
        let source = try installation.makeSource(save.text, name: save.name)
        return try await docent(save.mode.rawValue, source, location(""))
    }

    /// Saves with a client that retries nothing and starts no daemon.
    ///
    /// - Returns: the operation, and whether the reply arrived.
    func attempt(_ save: KillSave) async throws -> (operation: String, isConfirmed: Bool) {
        let client = installation.passiveClient()
        guard save.mode.makesDocument else {
            let place = DocumentLocation(provider: Self.provider, domain: Self.domain, path: "/" + save.name)
            let document = try await DocumentPicker(client: client).openDocument(at: place)
            let session = try await document.beginWriting(replacing: true)
            try writeAll(save.text, to: session.descriptor)
            let item = try? await session.commit()
            return (session.operation, item != nil)
        }
        let operation = UUID().uuidString
        let source = Glibc.open(try installation.makeSource(save.text, name: save.name), O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw Problem("the source of \(save.name) cannot be opened") }
        let folder = DocumentLocation(provider: Self.provider, domain: Self.domain, path: "/").wire
        let descriptors = DescriptorList(OwnedDescriptor(source))
        do {
            if save.mode == .export {
                _ = try await client.call(
                    PickerInterface.PickExport.self,
                    .init(folder: folder, name: save.name, source: 0, operation: operation), descriptors: descriptors)
            } else {
                _ = try await client.call(
                    PickerInterface.PickMove.self,
                    .init(folder: folder, name: save.name, source: 0, operation: operation), descriptors: descriptors)
            }
            return (operation, true)
        } catch {
            return (operation, false)
        }
    }

    /// Waits until everything is sent, with all necessary retries.
    func settle(within seconds: Double = 120) async throws {
        // A provider that is killed often is quarantined.
        try await docent("provider", "reset", Self.provider).succeeded()
        let deadline = Date().addingTimeInterval(seconds)
        while true {
            _ = try await docent("transfers", "retry")
            let drained = try await drain(seconds: 30)
            if drained.status == 0 { return }
            guard Date() < deadline else {
                throw Problem("never sent: \(drained.errors) \(try await docent("transfers").text)")
            }
        }
    }

    /// How often the server accepted a document's final content, by a MOVE to its name.
    func arrivals(of name: String) async throws -> Int {
        try await proxyRequests("MOVE").count {
            $0.destination?.hasSuffix("/" + name) == true && (200...299).contains($0.upstreamStatus ?? 0)
        }
    }

    private func proxyRequests(_ method: String) async throws -> [FaultProxy.Request] {
        guard let proxy else { throw Problem("there is no proxy") }
        return try await proxy.requests(method)
    }
}

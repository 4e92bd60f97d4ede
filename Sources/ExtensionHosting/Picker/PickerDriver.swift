package import DocentInterfaces
package import ExtensionManifest
import Foundation
package import HostCore
package import Storage
import Varlink

/// Drives a picker extension as a scripted user, in the order of B1: prepare, choose, and, when the host is done with
/// the URL, dismiss. The URL is judged by the rule of its mode before anything else happens (C5).
package struct PickerDriver: Sendable {
    /// The user's choice.
    package struct Choice: Sendable {
        package var verdict: URLRule.Verdict
        /// The file at the URL, opened by the extension (F3), if the verdict is ``URLRule/Verdict/pickerFile``.
        package var file: OpenDescriptor?
        package var url: String
        /// The purpose under which the picker coordinated its writing (H3).
        package var purpose: String?
    }

    /// The source of an export or a move.
    package struct Original: Sendable {
        package var descriptor: OpenDescriptor
        package var name: String
        package var contentType: String?

        package init(descriptor: OpenDescriptor, name: String, contentType: String?) {
            self.descriptor = descriptor
            self.name = name
            self.contentType = contentType
        }
    }

    private let supervisor: ExtensionSupervisor
    private let layout: StorageLayout

    package init(supervisor: ExtensionSupervisor, layout: StorageLayout) {
        self.supervisor = supervisor
        self.layout = layout
    }

    /// Whether the provider's picker has its own principal class; the host's standard browser serves the others.
    package static func hasOwnPicker(_ provider: KnownProvider) -> Bool {
        provider.description.picker?.principalClass != nil
    }

    /// Runs one presentation and passes the choice to a body before the extension is dismissed.
    ///
    /// - Parameter progress: gets the picker's progress in transferring the document to its service.
    package func present<Result: Sendable>(
        _ provider: KnownProvider, _ mode: PickerMode, domain: String, types: [String]?, original: Original?,
        path: ItemPath, name: String?, progress: PublishProgress = .unheard, _ body: (Choice) async throws -> Result
    ) async throws -> Result {
        let connection = try await supervisor.connection(provider, .picker)
        let session = UUID().uuidString
        let storage = storage(provider, domain)
        let isImport = mode == .import || mode == .open
        let descriptors = DescriptorList()
        if let original {
            let reopened = try OpenDescriptor.reopenReadOnly(original.descriptor.number)
            if let number = reopened.take() { descriptors.append(OwnedDescriptor(number)) }
        }
        _ = try await connection.call(
            DocumentPickerInterface.Prepare.self,
            .init(
                session: session, mode: mode.shortName, domain: domain, validTypes: isImport ? types : nil,
                original: original == nil ? nil : 0, originalName: original?.name, originalType: original?.contentType,
                providerIdentifier: storage == nil ? nil : provider.identifier, storage: storage?.path),
            descriptors: descriptors)
        do {
            let result = try await body(
                try await choose(connection, provider, mode, session, path, name, storage, progress))
            try? await dismiss(connection, session)
            return result
        } catch {
            try? await dismiss(connection, session)
            throw error
        }
    }

    /// The entries that the picker shows in a folder.
    package func contents(
        _ provider: KnownProvider, _ mode: PickerMode, domain: String, path: ItemPath, page: String?
    ) async throws -> (entries: [Wire.PickerEntry], nextPage: String?) {
        let connection = try await supervisor.connection(provider, .picker)
        let session = UUID().uuidString
        let storage = storage(provider, domain)
        _ = try await connection.call(
            DocumentPickerInterface.Prepare.self,
            .init(
                session: session, mode: mode.shortName, domain: domain,
                providerIdentifier: storage == nil ? nil : provider.identifier, storage: storage?.path))
        do {
            let reply = try await connection.call(
                DocumentPickerInterface.Contents.self, .init(session: session, path: path.text, page: page)
            ).value
            try? await dismiss(connection, session)
            return (reply.entries, reply.nextPage)
        } catch {
            try? await dismiss(connection, session)
            throw error
        }
    }

    private func choose(
        _ connection: ExtensionConnection, _ provider: KnownProvider, _ mode: PickerMode, _ session: String,
        _ path: ItemPath, _ name: String?, _ storage: CanonicalPath.Storage?, _ progress: PublishProgress
    ) async throws -> Choice {
        // The picker transfers the document to or from its service meanwhile, which may take a long time.
        let reply = try await connection.callWithProgress(
            DocumentPickerInterface.Choose.self, .init(session: session, path: path.text, name: name),
            descriptors: DescriptorList()
        ) { reply in
            guard let completed = reply.completedBytes else { return }
            progress.note(.publishing, Int64(completed), of: reply.totalBytes.map(Int64.init))
        }
        guard !reply.value.cancelled, let url = reply.value.url else {
            throw Failure(
                .cancelled, "The picker of \(provider.identifier) was cancelled.", provider: provider.identifier)
        }
        let file = try reply.value.file.map { OpenDescriptor(owning: try reply.descriptors.take($0).release()) }
        if let file { _ = try ForeignDescriptor.check(file.number, access: .readOnly) }
        let location = PickedLocation(url: url)
        var facts: URLRule.Facts?
        if case .file(let path) = location {
            // The daemon opens nothing that the picker names (F3): a descriptor proves that a file is there. The
            // canonical path is looked up only below the storage, which both see.
            facts = URLRule.Facts(
                canonicalPath: storage.map { CanonicalPath.resolve(path, in: $0) } ?? path, isReadableFile: file != nil)
        }
        let verdict = try URLRule.judge(
            location, mode: mode, facts: facts, provider: provider.identifier,
            storage: storage?.path)
        return Choice(verdict: verdict, file: file, url: url, purpose: reply.value.purpose)
    }

    private func dismiss(_ connection: ExtensionConnection, _ session: String) async throws {
        _ = try await connection.call(DocumentPickerInterface.Dismiss.self, .init(session: session))
    }

    // Nil without a file provider.
    private func storage(_ provider: KnownProvider, _ domain: String) -> CanonicalPath.Storage? {
        guard provider.description.fileProvider != nil else { return nil }
        let group = ExtensionLauncher.group(provider.description)
        let domain = domain.isEmpty ? nil : domain
        return CanonicalPath.Storage(
            path: layout.documentStorage(group: group, domain: domain),
            directory: layout.openDocumentStorage(group: group, domain: domain))
    }
}

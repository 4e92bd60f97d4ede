import CLinux
import DocentInterfaces
import FoundationEssentials
import Synchronization
import UniformTypes
import Varlink

/// Decodes the calls of `org.docent.DocumentPicker`, calls the author's pickers, and encodes the answers.
final class DocumentPickerHarness: Sendable {
    private typealias Interface = DocumentPickerInterface

    private struct Principal: Sendable {
        let type: DocumentPickerExtension.Type
        let provider: String
    }

    private static let maximumSessions = 256

    private let principal = Mutex<Principal?>(nil)
    private let sessions = Mutex<[String: DocumentPickerExtension]>([:])
    private let claims: ClaimHub
    private let keychain: KeychainHub

    init(claims: ClaimHub, keychain: KeychainHub) {
        self.claims = claims
        self.keychain = keychain
    }

    /// The methods of the interface.
    func table(_ server: ExtensionServer) -> MethodTable {
        var table = MethodTable(interface: Interface.name, description: Interface.description)
        table.add(Interface.Initialize.self, changesState: true) { parameters, _ in
            guard case .picker(let type) = try PrincipalClass(named: parameters.principalClass) else {
                throw FileProviderError(
                    .invalidArgument,
                    "\(parameters.principalClass ?? "") is a file provider; "
                        + "com.apple.fileprovider-ui needs a DocumentPickerExtension.")
            }
            self.principal.withLock { $0 = Principal(type: type, provider: parameters.provider) }
            return Reply(.init(sdk: ExtensionServer.sdk, features: []))
        }
        table.add(Interface.Connect.self, changesState: true) { [weak server] parameters, call in
            try server?.connect(call.descriptor(parameters.socket))
            return Reply(.init())
        }
        table.add(Interface.Prepare.self, changesState: true) { parameters, call in
            try await self.prepare(parameters, call)
            return Reply(.init())
        }
        table.add(Interface.Contents.self) { parameters, _ in
            let page = try await self.session(parameters.session).contents(of: parameters.path, page: parameters.page)
            return Reply(.init(entries: page.entries.map(Wire.PickerEntry.init), nextPage: page.nextPage))
        }
        table.addStream(Interface.Choose.self, requiresMore: false) { parameters, call, sink in
            try await self.choose(
                parameters,
                .sending(to: sink, call) { .init(cancelled: false, completedBytes: $0, totalBytes: $1) })
        }
        table.add(Interface.Dismiss.self, changesState: true) { parameters, _ in
            let session = self.sessions.withLock { $0.removeValue(forKey: parameters.session) }
            await session?.didDismiss()
            return Reply(.init())
        }
        return table
    }

    private func prepare(_ parameters: DocumentPickerInterface.Prepare.Parameters, _ call: IncomingCall) async throws {
        guard let principal = principal.withLock({ $0 }) else {
            throw FileProviderError(.invalidArgument, "Initialize has not been called.")
        }
        guard let mode = DocumentPickerMode(rawValue: parameters.mode) else {
            throw FileProviderError(.invalidArgument, "There is no mode \"\(parameters.mode)\".")
        }
        let takesSource = mode == .export || mode == .move
        let original = try parameters.original.map {
            try ContentReader(owning: call.descriptor($0).release())
        }
        guard takesSource == (original != nil) else {
            throw FileProviderError(.invalidArgument, "Export and move have a source, import and open have none.")
        }
        let presentation = DocumentPickerPresentation(
            mode: mode, domain: parameters.domain,
            validTypes: takesSource ? nil : parameters.validTypes?.compactMap { UniformType($0) },
            original: original.map { OriginalFile($0, name: parameters.originalName ?? "document") },
            originalName: takesSource ? parameters.originalName : nil,
            providerIdentifier: parameters.providerIdentifier,
            documentStorageURL: parameters.storage.map { URL(filePath: $0, directoryHint: .isDirectory) })
        let session = await principal.type.init(
            context: DocumentPickerContext(
                provider: principal.provider, claims: claims, keychain: keychain
            ) { Diagnostics.write($0) })
        let isKnown = sessions.withLock { sessions in
            guard sessions[parameters.session] == nil, sessions.count < Self.maximumSessions else { return true }
            sessions[parameters.session] = session
            return false
        }
        guard !isKnown else {
            throw FileProviderError(.invalidArgument, "That session exists, or there are too many.")
        }
        await session.begin(presentation)
        do {
            try await session.prepareForPresentation(in: mode)
        } catch {
            sessions.withLock { $0[parameters.session] = nil }
            throw error
        }
    }

    private func choose(
        _ parameters: DocumentPickerInterface.Choose.Parameters, _ progress: TransferProgress
    ) async throws -> Reply<DocumentPickerInterface.Choose.Reply> {
        let session = try session(parameters.session)
        guard await session.ending == nil else {
            throw FileProviderError(.invalidArgument, "The presentation has ended.")
        }
        await session.tell(progress)
        try await session.userDidChoose(parameters.path, name: parameters.name)
        switch await session.ending {
        case nil:
            throw FileProviderError(
                .failed, "The picker returned from userDidChoose without calling dismissGrantingAccess.")
        case .cancelled?: return Reply(.init(cancelled: true))
        case .granted(let url)?:
            let presentation = await session.presentation
            let sendsFile =
                presentation?.mode == .export
                || (presentation?.mode == .import && presentation?.documentStorageURL == nil)
            let purpose = await session.purposeIdentifier
            guard sendsFile else {
                return Reply(.init(cancelled: false, url: url.absoluteString, purpose: purpose))
            }
            let file = try Self.open(url)
            return Reply(
                .init(cancelled: false, url: url.absoluteString, file: 0, purpose: purpose),
                descriptors: DescriptorList(OwnedDescriptor(file.release())))
        }
    }

    private func session(_ name: String) throws -> DocumentPickerExtension {
        guard let session = sessions.withLock({ $0[name] }) else {
            throw FileProviderError(.invalidArgument, "There is no such session.")
        }
        return session
    }

    /// Opens a document that only the picker can reach.
    private static func open(_ url: URL) throws -> OpenFile {
        guard url.isFileURL, let name = LocalName(url.lastPathComponent) else {
            throw FileProviderError(.invalidArgument, "\(url.absoluteString) is not the URL of a file.")
        }
        return try LocalDirectory(path: url.deletingLastPathComponent().path).openFile(name)
    }
}

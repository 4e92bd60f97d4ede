import Dispatch
import DocentInterfaces
package import Documents
import Glibc
import UniformTypes
import Varlink

/// The picker's lists from the daemon.
package struct DaemonPickerSource: PickerSource {
    /// What the picker cannot do by itself.
    package struct Actions: Sendable {
        /// Signs in on the terminal.
        package var signIn: @Sendable (_ provider: String, _ domain: String) async throws -> Void
        /// Carries out the choice while the picker is shown.
        package var commit: @Sendable (PickerOutcome) async throws(DocumentsError) -> Void

        package init(
            signIn: @escaping @Sendable (_ provider: String, _ domain: String) async throws -> Void,
            commit: @escaping @Sendable (PickerOutcome) async throws(DocumentsError) -> Void = { _ in }
        ) {
            self.signIn = signIn
            self.commit = commit
        }
    }

    private static let longestPreview = 8192
    private static let mostPreviewLines = 200

    let client: DocumentsClient
    let mode: String?
    let types: [String]?
    private let memory: PickerMemory
    private let chooser: String
    private let actions: Actions

    /// - Parameters:
    ///   - client: the user's own program, which looks around.
    ///   - mode: the mode that the providers must have; nil for any.
    ///   - types: the types that can be chosen; nil for all.
    ///   - chooser: the program that the folder is remembered for.
    package init(
        client: DocumentsClient, mode: String?, types: [String]?, memory: PickerMemory, chooser: String,
        actions: Actions
    ) {
        self.client = client
        self.mode = mode
        self.types = types
        self.memory = memory
        self.chooser = chooser
        self.actions = actions
    }

    package func accounts() async throws(DocumentsError) -> [PickerAccount] {
        let providers = try await client.providers(mode: mode, types: types)
        let domains = try await client.call(AdministrationInterface.ListDomains.self, .init(provider: nil)).value
            .domains
        return PickerAccount.all(providers, domains)
    }

    package func space(provider: String, domain: String) async -> AccountUsage? {
        let picker = DocumentPicker(client: client, validTypes: ["public.folder"])
        let location = DocumentLocation(provider: provider, domain: domain, path: "/")
        let top = try? await picker.openDocument(at: location, access: .read, persistence: .transient)
        guard let top else { return nil }
        return try? await client.usage(of: top.reference, within: .seconds(5))
    }

    package func list(
        _ folder: DocumentLocation,
        _ received: @Sendable ([PickerEntry], RememberedListing?, Bool) -> Void
    ) async throws(DocumentsError) {
        var choosable = ChoosableTypes(types)
        var page: String?
        var isFirst = true
        repeat {
            let reply = try await client.call(
                PickerInterface.ListFolder.self, .init(location: folder.wire, page: page)
            ).value
            if Task.isCancelled { throw DocumentsError(.cancelled, "Cancelled.") }
            let entries = reply.items.map { item in
                PickerEntry(DocumentItem(item)) { choosable.contains($0) }
            }
            page = reply.nextPage
            let remembered =
                isFirst ? reply.remembered.map { RememberedListing(reason: $0.reason, since: $0.since) } : nil
            received(entries, remembered, page == nil)
            isFirst = false
        } while page != nil
    }

    package func preview(_ location: DocumentLocation, contentType: String) async -> [String]? {
        guard let type = UniformType(contentType), UniformTypeRegistry.system().conforms(type, to: .text) else {
            return nil
        }
        // With the content only if that takes no waiting: nothing is downloaded.
        guard let (document, content) = try? await DocumentPicker(client: client).openForReading(at: location),
            let content
        else { return nil }
        let bytes = await withCheckedContinuation { continuation in
            DispatchQueue(label: "org.docent.picker.preview").async {
                continuation.resume(returning: Self.beginning(of: content))
                close(content)
            }
        }
        document.stopAccessing()
        return PreviewText.lines(of: bytes, most: Self.mostPreviewLines)
    }

    private static func beginning(of file: CInt) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: longestPreview)
        let count = pread(file, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    package func follow(_ location: DocumentLocation) async throws(DocumentsError) -> PickerEntry {
        var entry = try await entry(at: location, followingLink: true)
        entry.location = location
        return entry
    }

    package func lookUp(_ location: DocumentLocation) async throws(DocumentsError) -> PickerEntry? {
        do throws(DocumentsError) {
            return try await entry(at: location, followingLink: false)
        } catch {
            // A drop box shows nothing. Without an answer the document waits to be sent, and then replaces nothing.
            let unknown: [DocumentsError.Code] = [.notFound, .notPermitted, .unavailable, .notAuthenticated]
            guard unknown.contains(error.code) else { throw error }
            return nil
        }
    }

    private func entry(at location: DocumentLocation, followingLink: Bool) async throws(DocumentsError) -> PickerEntry {
        let item = try await DocumentPicker(client: client).item(at: location, followingLink: followingLink)
        var choosable = ChoosableTypes(types)
        var entry = PickerEntry(item) { choosable.contains($0) }
        // What is chosen has the name that was chosen, wherever a link leads.
        entry.name = location.name
        return entry
    }

    package func makeFolder(in folder: DocumentLocation, name: String) async throws(DocumentsError) {
        _ = try await client.call(
            PickerInterface.MakeFolder.self,
            .init(folder: folder.wire, name: name, operation: OperationIdentifier.make()))
    }

    package func download(
        _ location: DocumentLocation, _ progress: @Sendable (DownloadProgress) -> Void
    ) async throws(DocumentsError) {
        let document = try await DocumentPicker(client: client).openDocument(
            at: location, access: .read, persistence: .transient)
        do throws(DocumentsError) {
            try await document.download { progress($0) }
        } catch {
            // What cannot be fetched separately is fetched when it is opened.
            guard error.code == .notSupported else { throw error }
        }
    }

    package func commit(_ outcome: PickerOutcome) async throws(DocumentsError) { try await actions.commit(outcome) }

    package func signIn(provider: String, domain: String) async throws { try await actions.signIn(provider, domain) }

    package func start() -> DocumentLocation? { memory.folder(of: chooser) }

    package func remember(_ folder: DocumentLocation?) { memory.remember(folder, for: chooser) }
}

/// Which types can be chosen. Each type is looked up once.
struct ChoosableTypes {
    private let wanted: [UniformType]?
    private var known: [String: Bool] = [:]

    init(_ types: [String]?) { wanted = types?.compactMap { UniformType($0) } }

    mutating func contains(_ contentType: String) -> Bool {
        guard let wanted else { return true }
        if let known = known[contentType] { return known }
        let registry = UniformTypeRegistry.system()
        let isWanted = UniformType(contentType).map { type in wanted.contains { registry.conforms(type, to: $0) } }
        known[contentType] = isWanted ?? false
        return isWanted ?? false
    }
}

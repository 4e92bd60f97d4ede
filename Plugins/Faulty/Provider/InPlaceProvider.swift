import FileProvider
import Glibc

/// A provider whose content is in local files, and which reports changes.
final class InPlaceProvider: FaultyBehaviour {
    static var features: ProviderFeatures { [.inPlace, .changes] }

    let core: FaultyCore

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        core = try FaultyCore(domain: domain, host: host)
    }

    func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent {
        try await core.trouble("open", identifier)
        let entry = try core.entry(identifier)
        func strikes(_ fault: String) -> Bool { core.script.strikes(fault, entry.identifier, entry.name) }
        let item = core.describe(entry, in: .answer)
        guard !entry.isFolder else {
            throw FileProviderError(.invalidArgument, "\"\(entry.name)\" is a folder.")
        }
        let files = core.tree.files
        if strikes("open.otherFile"), let other = try another(than: entry) {
            return InPlaceContent(item: item, file: try files.open(content: other.content))
        }
        let path = files.path(entry.content ?? "")
        if strikes("open.writable") {
            return InPlaceContent(item: item, file: OpenFile(owning: open(path, O_RDWR | O_CLOEXEC)))
        }
        if strikes("open.folder") {
            return InPlaceContent(item: item, file: OpenFile(owning: open("/", O_RDONLY | O_CLOEXEC)))
        }
        if strikes("open.short") {
            let bytes = try Content(files: files, entry: entry).bytes(at: 0, count: max(0, entry.size - 1))
            let copy = "short-\(core.nextCall())"
            try files.store(bytes, as: copy)
            defer { files.remove([copy]) }
            return InPlaceContent(item: item, file: try files.open(content: copy))
        }
        return InPlaceContent(item: item, file: try files.open(content: entry.content))
    }

    private func another(than entry: Entry) throws -> Entry? {
        try core.tree.read { state in
            state.entries.values.first { !$0.isFolder && $0.size != entry.size && $0.identifier != entry.identifier }
        }
    }
}

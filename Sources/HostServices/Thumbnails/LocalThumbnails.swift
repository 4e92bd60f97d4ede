import DocentInterfaces
import ExtensionHosting
import HostCore
import RemoteDocuments
import Storage
import UniformTypes

/// Draws pictures of documents with the programs that the desktop has for that, in a sandbox.
struct LocalThumbnails: Sendable {
    // Content that has no name must be copied into the sandbox, where it takes memory.
    private static let mostCopied: UInt64 = 48 << 20

    private let installed: InstalledThumbnailers
    private let sandbox: ThumbnailerSandbox
    private let types: TypeCatalogue
    // Drawing takes a processor each.
    private let gate = RangeGate(limit: 2)

    init(installed: InstalledThumbnailers, sandbox: ThumbnailerSandbox, types: TypeCatalogue) {
        (self.installed, self.sandbox, self.types) = (installed, sandbox, types)
    }

    /// Draws a document.
    ///
    /// - Parameter name: the document's, for the programs that go by its extension.
    /// - Returns: nil if there is no program for its type.
    /// - Throws: ``Failure`` `NotSupported` if the program fails, or leaves no picture; `CancellationError`.
    func picture(
        of content: OpenDescriptor, type: String, name: String, size: ThumbnailSize
    ) async throws -> PNGPicture? {
        guard let program = await installed.program(for: mimeTypes(of: type)) else { return nil }
        let status = try FileStatus(of: content.number)
        guard status.kind == .regular, status.links > 0 || status.size <= Self.mostCopied else {
            throw Failure(.notSupported, "The document is too large for a picture.")
        }
        // With its own position, which copying would move.
        let file = try OpenDescriptor.reopenReadOnly(content.number)
        return try await draw(status.links > 0 ? .file(file) : .bytes(file), program, name: name, size)
    }

    /// Draws a picture again that is too large, or no PNG.
    ///
    /// - Returns: nil if there is no program for its type.
    /// - Throws: as ``picture(of:type:name:size:)``.
    func picture(of bytes: [UInt8], mimeType: String, size: ThumbnailSize) async throws -> PNGPicture? {
        guard let program = await installed.program(for: [mimeType]) else { return nil }
        let name = mimeType == "image/jpeg" ? "picture.jpg" : "picture.png"
        return try await draw(.bytes(BoundedMemoryFile.reading(bytes)), program, name: name, size)
    }

    private func draw(
        _ input: ThumbnailerSandbox.Input, _ found: InstalledThumbnailers.Found, name: String, _ size: ThumbnailSize
    ) async throws -> PNGPicture {
        let bytes = try await gate.pass("") {
            try await sandbox.draw(
                input, program: found.program, suffix: Self.suffix(of: name), limit: PNGPicture.mostBytes
            ) { found.entry.arguments(document: $0, picture: $1, size: size.pixels) }
        }
        guard let picture = PNGPicture(bytes, most: size.pixels) else {
            throw Failure(.notSupported, "The thumbnailer has left no picture that can be used.")
        }
        return picture
    }

    private func mimeTypes(of identifier: String) -> [String] {
        guard let type = UniformType(identifier) else { return [] }
        let registry = types.registry
        let preferred = registry.preferredMIMEType(of: type).map { [$0] } ?? []
        return preferred + (registry.declaration(of: type)?.tags[.mimeType] ?? []).filter { !preferred.contains($0) }
    }

    // The extension if it is a plain one: it becomes part of a path.
    private static func suffix(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        let suffix = name.utf8[name.utf8.index(after: dot)...]
        let isPlain = suffix.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20)
        }
        return isPlain && suffix.count <= 12 ? String(decoding: suffix, as: UTF8.self) : ""
    }
}

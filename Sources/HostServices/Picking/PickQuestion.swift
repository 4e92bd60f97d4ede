package import DocentInterfaces
import ExtensionHosting
package import ExtensionManifest
import HostCore
package import Rights
import UniformTypes

/// A client's request that the user choose, validated. Pure.
package struct PickQuestion: Sendable {
    /// The picker mode: import, open, export or move.
    package let mode: PickerMode
    /// The types that the client can use; nil is any document.
    package let types: [String]?
    /// The widest access that the client wants.
    package let access: AccessLevel
    /// The patterns of names beside the document that the client also wants.
    package let companions: [String]
    /// The name of what is exported or moved.
    package let name: String?
    /// The content type of what is exported or moved.
    package let contentType: String?
    /// The client's reason in its own words, made safe to show.
    package let reason: String?
    /// The client's name for the call.
    package let operation: String

    /// Parses a request.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for an invalid request.
    package init(_ parameters: DocumentsInterface.RequestPick.Parameters) throws(Failure) {
        guard let mode = PickerMode(shortName: parameters.mode) else {
            throw Failure(
                .invalidArgument, "\"\(parameters.mode.prefix(40))\" is not a mode.",
                suggestion: "The modes are import, open, export and move.")
        }
        try OperationTable.check(parameters.operation)
        self.mode = mode
        operation = parameters.operation
        types = parameters.types
        try Self.check(types: parameters.types ?? [])
        let wanted = parameters.access ?? (mode == .moveToService ? "readWrite" : "read")
        guard let access = AccessLevel(rawValue: wanted) else {
            throw Failure(
                .invalidArgument, "\"\(wanted.prefix(40))\" is not an access.", suggestion: "Use read or readWrite.")
        }
        self.access = access
        companions = parameters.companions ?? []
        _ = try GrantTerms.patterns(companions)
        reason = ClientWords.shown(parameters.reason)
        contentType = parameters.contentType
        if let contentType { try Self.check(types: [contentType]) }
        name = try Self.name(parameters, mode)
    }

    private static func name(
        _ parameters: DocumentsInterface.RequestPick.Parameters, _ mode: PickerMode
    ) throws(Failure) -> String? {
        let hasSource = mode == .exportToService || mode == .moveToService
        guard hasSource == (parameters.source != nil) else {
            throw Failure(
                .invalidArgument,
                hasSource
                    ? "\(mode.shortName) needs a source: a descriptor of the file."
                    : "\(mode.shortName) takes no source.")
        }
        guard hasSource else { return nil }
        guard let name = parameters.name else {
            throw Failure(.invalidArgument, "\(mode.shortName) needs a name for the document.")
        }
        guard (1...255).contains(name.utf8.count) else {
            throw Failure(.invalidArgument, "A name has 1 to 255 bytes.")
        }
        guard ClientWords.isPlain(name) else {
            throw Failure(
                .invalidArgument,
                "The name contains invisible characters, so the user would agree to a different name.",
                suggestion: "Leave out control and direction characters.")
        }
        return name
    }

    private static func check(types: [String]) throws(Failure) {
        guard types.count <= 32 else {
            throw Failure(.invalidArgument, "More than 32 types were asked for.", suggestion: "Ask for public.item.")
        }
        guard let wrong = types.first(where: { $0.utf8.count > 128 || UniformType($0) == nil }) else { return }
        throw Failure(.invalidArgument, "\"\(wrong.prefix(80))\" is not a uniform type identifier.")
    }

    /// The narrower of the requested and the allowed access.
    package func access(allowed: AccessLevel?) -> AccessLevel {
        access == .read || allowed == .read ? .read : .readWrite
    }
}

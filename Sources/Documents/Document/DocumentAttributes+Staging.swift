import DocentInterfaces
import FoundationEssentials
import Varlink

extension DocumentAttributes {
    /// Attaches the attributes to an operation that is not committed or has not begun. Does nothing when no attribute
    /// is set.
    func stage(_ operation: String, _ client: DocumentsClient) async throws(DocumentsError) {
        guard !isEmpty else { return }
        var parameters = DocumentsInterface.StageAttributes.Parameters(
            operation: operation, creationDate: creationDate, modificationDate: modificationDate,
            hasHiddenExtension: hasHiddenExtension)
        if !extendedAttributes.isEmpty {
            parameters.attributes = extendedAttributes.mapValues { $0.base64EncodedString() }
        }
        var descriptors = DescriptorList()
        if let thumbnail {
            descriptors = DescriptorList(try ElementContent.data(thumbnail).open())
            parameters.thumbnail = 0
        }
        _ = try await client.call(DocumentsInterface.StageAttributes.self, parameters, descriptors: descriptors)
    }
}

extension WriteSession {
    /// Sets attributes that are published with the staged file. A second call replaces the first.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` when the thumbnail is not a PNG, or a limit is exceeded.
    public func setAttributes(_ attributes: DocumentAttributes) async throws(DocumentsError) {
        try await attributes.stage(operation, client)
    }
}

extension PackageWriteSession {
    /// Sets attributes that are published with the package. A second call replaces the first.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` when the thumbnail is not a PNG, or a limit is exceeded.
    public func setAttributes(_ attributes: DocumentAttributes) async throws(DocumentsError) {
        try await attributes.stage(operation, client)
    }
}

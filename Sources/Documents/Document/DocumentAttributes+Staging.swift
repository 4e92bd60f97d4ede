import DocentInterfaces
import FoundationEssentials
import Varlink

extension DocumentAttributes {
    /// Gives them to an operation that is not committed, or is still to begin; nothing happens if they say nothing.
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
    /// Has attributes published with the staged file (K10). Called again, what was given before is forgotten.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` for a thumbnail that is no PNG, or too much of anything.
    public func setAttributes(_ attributes: DocumentAttributes) async throws(DocumentsError) {
        try await attributes.stage(operation, client)
    }
}

extension PackageWriteSession {
    /// Has attributes published with the package (K10). Called again, what was given before is forgotten.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` for a thumbnail that is no PNG, or too much of anything.
    public func setAttributes(_ attributes: DocumentAttributes) async throws(DocumentsError) {
        try await attributes.stage(operation, client)
    }
}

import DocentInterfaces
import FoundationEssentials
import Varlink

extension ItemMetadata {
    /// The largest thumbnail that is accepted, in bytes.
    static let maximumThumbnail = 1 << 20

    /// Reads the metadata of a call; nil when it has none.
    ///
    /// - Throws: ``FileProviderError`` with `invalidArgument` for values that are not Base64, or a thumbnail that is
    ///   too large.
    init?(_ wire: Wire.ItemMetadata?, thumbnail: Int?, _ descriptors: DescriptorList) throws {
        guard wire != nil || thumbnail != nil else { return nil }
        var attributes: [String: Data] = [:]
        for (name, text) in wire?.attributes ?? [:] {
            guard let value = Data(base64Encoded: text), name.hasPrefix("user.") else {
                throw FileProviderError(.invalidArgument, "The attribute \"\(name)\" is not user.* in Base64.")
            }
            attributes[name] = value
        }
        let picture = try thumbnail.map {
            try ContentReader(owning: descriptors.take($0).release()).readAll(limit: Self.maximumThumbnail)
        }
        self.init(
            extendedAttributes: attributes, creationDate: wire?.creationDate.map(Date.init(timeIntervalSince1970:)),
            modificationDate: wire?.modificationDate.map(Date.init(timeIntervalSince1970:)),
            hasHiddenExtension: wire?.hasHiddenExtension, thumbnail: picture)
    }
}

import CLinux
import DocentInterfaces
import Storage
import UniformTypes

/// The type of a document whose name does not show it, from the first bytes of its content (7.4.5).
enum SniffedType {
    /// The number of bytes to read.
    static let length = 4096

    /// Whether the type may be taken from the content: only `public.data` or an unknown extension is known.
    static func isWanted(_ item: Wire.Item) -> Bool {
        !item.isFolder && (item.contentType == UniformType.data.identifier || item.contentType.hasPrefix("dyn."))
    }

    /// The item with the type of its content, if it is needed and can be recognised. Reads one page of a local file.
    static func told(_ item: Wire.Item, by descriptor: OpenDescriptor, _ types: UniformTypeRegistry) -> Wire.Item {
        guard isWanted(item) else { return item }
        var prefix = [UInt8](repeating: 0, count: length)
        let count = clinux_pread(descriptor.number, &prefix, prefix.count, 0)
        guard count > 0, let type = types.type(ofContent: Array(prefix[..<count])) else { return item }
        var result = item
        result.contentType = type.identifier
        return result
    }
}

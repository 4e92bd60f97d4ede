/// The types derived from the machine's MIME database.
final class SharedMimeTypes: Sendable {
    /// A type's claim on an extension.
    struct Claim: Sendable {
        let type: UniformType
        let weight: Int
    }

    /// The default weight of a rule; a rule with a greater weight takes precedence over the spine.
    static let usualWeight = 50
    static let identifierPrefix = "org.freedesktop.mime."

    /// The types that are not in the spine.
    let layer: DeclarationLayer
    /// Tags for types that are in the spine.
    let spineTags: [UniformType: [UniformTypeTagClass: [String]]]
    private let claimsByExtension: [String: [Claim]]
    private let typesByName: [String: UniformType]
    private let typesByMIMEType: [String: UniformType]

    init(database: SharedMimeDatabase, spine: DeclarationLayer) {
        var derivation = SharedMimeDerivation(database: database, spine: spine)
        derivation.run()
        layer = derivation.layer
        spineTags = derivation.spineTags
        typesByMIMEType = derivation.types
        var claims: [String: [(claim: Claim, isDerived: Bool, mimeType: String)]] = [:]
        var names: [String: (weight: Int, mimeType: String, type: UniformType)] = [:]
        for glob in database.globs {
            guard let type = derivation.types[glob.mimeType], type != .data else { continue }
            if glob.isWholeName {
                let known = names[glob.text]
                if known.map({ (-$0.weight, $0.mimeType) > (-glob.weight, glob.mimeType) }) ?? true {
                    names[glob.text] = (glob.weight, glob.mimeType, type)
                }
            } else {
                let isDerived = spine.declarations[type] == nil
                claims[glob.text, default: []].append(
                    (Claim(type: type, weight: glob.weight), isDerived, glob.mimeType))
            }
        }
        typesByName = names.mapValues(\.type)
        // The order of lines in the database differs between machines.
        claimsByExtension = claims.mapValues { claims in
            claims.sorted {
                ($1.claim.weight, $0.isDerived ? 1 : 0, $0.mimeType) < (
                    $0.claim.weight, $1.isDerived ? 1 : 0, $1.mimeType
                )
            }.map(\.claim)
        }
    }

    /// The claims on an extension, the strongest first.
    func claims(fileExtension: String) -> [Claim] { claimsByExtension[fileExtension] ?? [] }

    /// The type of files with exactly this name in lower case, such as `makefile`.
    func type(wholeName: String) -> UniformType? { typesByName[wholeName] }

    /// The type for a MIME type or alias.
    func type(mimeType: String) -> UniformType? { typesByMIMEType[mimeType] }

    /// The identifier for a MIME type that is not in the spine. It is unique and the same on every machine.
    static func identifier(mimeType: String) -> String {
        let bytes = Array(mimeType.utf8)
        var result = identifierPrefix
        result.reserveCapacity(result.utf8.count + bytes.count)
        var isInTopLevel = true
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "/") where isInTopLevel:
                isInTopLevel = false
                result += "."
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ".") where !isInTopLevel && index + 1 < bytes.count && isLabelStart(bytes, index):
                result += "."
            case UInt8(ascii: "-") where !looksEscaped(bytes[index...]):
                result += "-"
            default:
                result += "-x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) + "-"
            }
        }
        return result
    }

    private static func isLabelStart(_ bytes: [UInt8], _ index: Int) -> Bool {
        bytes[index - 1] != UInt8(ascii: ".") && bytes[index - 1] != UInt8(ascii: "/")
    }

    private static func looksEscaped(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = bytes.startIndex
        return bytes.count >= 5 && bytes[head + 1] == UInt8(ascii: "x") && bytes[head + 4] == UInt8(ascii: "-")
    }
}

/// Describes why a message does not fit its type. It names fields and kinds, but repeats no values.
enum DecodingText {
    static func words(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "the field \"\(path(context.codingPath + [key]))\" is missing"
        case DecodingError.valueNotFound(let type, let context):
            "the field \"\(path(context.codingPath))\" is null and not \(kind(type))"
        case DecodingError.typeMismatch(let type, let context):
            "the field \"\(path(context.codingPath))\" is not \(kind(type))"
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty: "it is not valid JSON"
        case DecodingError.dataCorrupted(let context): "the field \"\(path(context.codingPath))\" cannot be read"
        default: "it cannot be read"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { "[\($0)]" } ?? "." + key.stringValue }.joined()
            .drop { $0 == "." }.description
    }

    private static func kind(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is Double.Type, is Float.Type: "a number"
        case is any Sequence.Type: "a list or an object"
        default: "an object"
        }
    }
}

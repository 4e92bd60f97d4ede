/// How a program's next characters look, after its SGR sequences. A value of bounded size.
struct TerminalRendition: Equatable, Sendable {
    /// The SGR numbers in force, without colours.
    private var attributes: Set<Int> = []
    /// Colours by purpose, as SGR parameters: 38 for text, 48 for the background, 58 for underlines.
    private var colors: [Int: String] = [:]
    /// The style of the underline, if it is not plain.
    private var underline: Int?

    /// Applies one sequence.
    ///
    /// - Parameter parameters: groups that semicolons separate; colons separate the members of a group, and −1 is an
    ///   empty one.
    mutating func apply(_ parameters: [[Int]]) {
        var rest = parameters.isEmpty ? [[0]] : parameters[...]
        while let group = rest.popFirst() {
            let number = max(0, group.first ?? 0)
            switch number {
            case 0: self = TerminalRendition()
            case 1...9, 20, 21, 26, 51...53, 60...64, 73, 74:
                attributes.insert(number)
                if number == 4 {
                    underline = group.count > 1 ? group[1] : nil
                    if underline == 0 { attributes.remove(4) }
                    if let kind = underline, kind < 1 { underline = nil }
                }
            case 10: attributes.subtract(11...19)
            case 11...19:
                attributes.subtract(11...19)
                attributes.insert(number)
            case 22: attributes.subtract([1, 2])
            case 23: attributes.subtract([3, 20])
            case 24:
                attributes.subtract([4, 21])
                underline = nil
            case 25: attributes.subtract([5, 6])
            case 27...29: attributes.remove(number - 20)
            case 50: attributes.remove(26)
            case 54: attributes.subtract([51, 52])
            case 55: attributes.remove(53)
            case 65: attributes.subtract(60...64)
            case 75: attributes.subtract([73, 74])
            case 30...37, 90...97: colors[38] = String(number)
            case 40...47, 100...107: colors[48] = String(number)
            case 39, 49, 59: colors[number - 1] = nil
            case 38, 48, 58: colors[number] = Self.color(group, &rest)
            default: break
            }
        }
    }

    /// The sequence that sets it, whatever was set before.
    var sequence: String {
        let parameters =
            ["0"] + attributes.sorted().map { $0 == 4 && underline != nil ? "4:\(underline ?? 1)" : String($0) }
            + colors.sorted { $0.key < $1.key }.map(\.value)
        return "\u{1B}[" + parameters.joined(separator: ";") + "m"
    }

    /// A colour by its number or its components, in either notation.
    private static func color(_ group: [Int], _ rest: inout ArraySlice<[Int]>) -> String? {
        if group.count > 1 {
            return group.prefix(8).map { $0 < 0 ? "" : String($0) }.joined(separator: ":")
        }
        guard let kind = rest.popFirst()?.first, let count = [2: 3, 5: 1][kind], rest.count >= count else { return nil }
        var parts = [group.first ?? 0, kind]
        for _ in 0..<count { parts.append(max(0, rest.popFirst()?.first ?? 0)) }
        return parts.map(String.init).joined(separator: ";")
    }
}

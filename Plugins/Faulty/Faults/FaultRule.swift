import FileProvider

/// One rule of a script: `NAME[=VALUE][@WHEN][:ITEM]`.
struct FaultRule: Hashable, Sendable {
    /// Which of the matching calls a rule affects; they are counted from 1.
    enum Occasion: Hashable, Sendable {
        case always
        case between(ClosedRange<Int>)
        case every(Int)
        /// The first one, and never again on that storage, even in the next process.
        case once
    }

    let fault: Fault
    let value: String?
    let occasion: Occasion
    /// Affects only the item with that identifier or name.
    let item: String?

    /// Reads one rule.
    ///
    /// - Throws: ``FileProviderError`` with `invalidArgument` and a message that says what is wrong.
    init(_ text: String) throws {
        var rest = text[...]
        item = Self.cut(&rest, at: ":")
        let occasion = Self.cut(&rest, at: "@")
        value = Self.cut(&rest, at: "=")
        guard let fault = Fault.named(String(rest)) else {
            throw FileProviderError(.invalidArgument, "There is no fault \"\(rest)\", in the rule \"\(text)\".")
        }
        self.fault = fault
        self.occasion = try Self.occasion(occasion, in: text)
        if value != nil, fault.value == nil {
            throw FileProviderError(
                .invalidArgument, "The fault \"\(fault.name)\" takes no value, in the rule \"\(text)\".")
        }
    }

    /// Reads a script: rules separated by semicolons.
    static func script(_ text: String) throws -> [FaultRule] {
        try text.split(separator: ";").map { part in
            try FaultRule(String(part.drop { $0 == " " || $0 == "\n" }.reversed().drop { $0 == " " }.reversed()))
        }
    }

    /// Whether it affects the call with that number; the caller handles `once`.
    func strikes(on number: Int) -> Bool {
        switch occasion {
        case .always, .once: true
        case .between(let range): range.contains(number)
        case .every(let step): number % step == 0
        }
    }

    private static func cut(_ text: inout Substring, at sign: Character) -> String? {
        guard let index = text.firstIndex(of: sign) else { return nil }
        defer { text = text[..<index] }
        return String(text[text.index(after: index)...])
    }

    private static func occasion(_ text: String?, in rule: String) throws -> Occasion {
        guard let text else { return .always }
        if text == "once" { return .once }
        if text.hasPrefix("/"), let step = Int(text.dropFirst()), step > 0 { return .every(step) }
        if text.hasSuffix("+"), let first = Int(text.dropLast()), first > 0 { return .between(first...Int.max) }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        if ends.count <= 2, let first = ends.first, let last = ends.last, first > 0, first <= last {
            return .between(first...last)
        }
        throw FileProviderError(
            .invalidArgument, "\"@\(text)\" in the rule \"\(rule)\" is not one of @N, @N+, @N-M, @/N and @once.")
    }
}

extension SignInField {
    /// The values that are accepted; nil: any.
    private var possible: [String]? {
        switch kind {
        case .choice(let choices): choices.map(\.value)
        case .confirm: ["yes", "no"]
        case .text, .url, .secret: nil
        }
    }

    /// An answer as the provider receives it: an answer of several lines ends with a line feed, as a file does.
    func normalized(_ value: String) -> String {
        isMultiline && !value.isEmpty && value.utf8.last != UInt8(ascii: "\n") ? value + "\n" : value
    }

    /// Checks that a value is a valid answer. Does not check whether it is empty.
    ///
    /// - Throws: ``FileProviderError/Code/invalidArgument``; the message never contains the value.
    func check(_ value: String) throws(FileProviderError) {
        guard value.utf8.count <= SignInAnswers.maximumLength, !value.utf8.contains(0) else {
            throw FileProviderError(
                .invalidArgument,
                "The answer to \"\(label)\" is longer than \(SignInAnswers.maximumLength) bytes, or has a NUL in it.")
        }
        if let possible, !possible.contains(where: { $0.utf8.elementsEqual(value.utf8) }) {
            throw FileProviderError(
                .invalidArgument,
                "The answer to \"\(label)\" (\(key)) has to be one of: \(possible.joined(separator: ", ")).")
        }
    }
}

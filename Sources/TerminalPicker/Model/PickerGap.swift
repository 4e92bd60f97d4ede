package import Documents

/// An account that a search in everything did not cover, or not all of it.
package struct PickerGap: Hashable, Sendable {
    /// The account, as in `webdav@work`.
    package var account: String
    /// Why, in a sentence. It may quote others.
    package var sentence: String

    package init(account: String, sentence: String) {
        self.account = account
        self.sentence = sentence
    }

    package init(_ gap: SearchGap) {
        self.init(
            account: gap.domain.isEmpty ? gap.provider : "\(gap.provider)@\(gap.domain)", sentence: gap.sentence)
    }
}

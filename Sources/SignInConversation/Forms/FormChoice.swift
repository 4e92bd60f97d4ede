package import DocentInterfaces
package import Documents

/// Which of a provider's forms is meant. Pure.
package enum FormChoice {
    /// The form that was named, or that needs no choice; nil where a person is to choose.
    ///
    /// - Parameters:
    ///   - given: the keys of the answers that were given: a form that does not ask for them is not meant.
    ///   - device: whether only forms count that go by a code.
    /// - Throws: ``DocumentsError`` where there is none such.
    package static func find(
        _ forms: [Wire.SignInForm], named name: String?, given: Set<String> = [], device: Bool
    ) throws(DocumentsError) -> Wire.SignInForm? {
        guard !forms.isEmpty else {
            throw DocumentsError(
                .notSupported, "This provider has nothing to sign in to.",
                suggestion: "`docent domains add` adds a folder to a provider of local files.")
        }
        if let name {
            guard let form = forms.first(where: { $0.identifier == name }) else {
                throw DocumentsError(
                    .invalidArgument, "There is no form \"\(name)\".", suggestion: "Its forms: \(list(forms)).")
            }
            guard !device || offersCode(form) else { throw noCode }
            guard asks(form, given) else { throw unasked([form], given) }
            return form
        }
        guard !device || forms.contains(where: offersCode) else { throw noCode }
        let fitting = fitting(forms, given: given, device: device)
        guard let first = fitting.first else { throw unasked(forms, given) }
        return fitting.count == 1 ? first : nil
    }

    /// What can be chosen from.
    package static func fitting(_ forms: [Wire.SignInForm], given: Set<String>, device: Bool) -> [Wire.SignInForm] {
        forms.filter { (!device || offersCode($0)) && asks($0, given) }
    }

    private static func asks(_ form: Wire.SignInForm, _ keys: Set<String>) -> Bool {
        keys.isSubset(of: form.fields.map(\.key) + (form.questions ?? []).map(\.key))
    }

    private static func unasked(_ forms: [Wire.SignInForm], _ keys: Set<String>) -> DocumentsError {
        let known = Set(forms.flatMap { $0.fields.map(\.key) + ($0.questions ?? []).map(\.key) })
        let strange = keys.subtracting(known).sorted()
        return DocumentsError(
            .invalidArgument,
            strange.isEmpty
                ? "No form asks for all of \(keys.sorted().joined(separator: ", "))."
                : "Nothing asks for \(strange.joined(separator: ", ")).",
            suggestion: "What is asked for: \(list(forms)). Settings of a domain are `docent domains set`'s.")
    }

    /// `password (url, username, password), token (url, token)`
    private static func list(_ forms: [Wire.SignInForm]) -> String {
        forms.map { "\($0.identifier) (\($0.fields.map(\.key).joined(separator: ", ")))" }.joined(separator: ", ")
    }

    /// Whether a form can go by a code that is typed into a browser anywhere.
    static func offersCode(_ form: Wire.SignInForm) -> Bool {
        form.browser?.contains("device") ?? false
    }

    /// Whether a form can go by a browser on this machine.
    static func offersBrowser(_ form: Wire.SignInForm) -> Bool {
        form.browser?.contains("loopback") ?? false
    }

    /// Whether the browser on this machine is the way, and not a code.
    ///
    /// - Parameters:
    ///   - device: whether a code was asked for.
    ///   - hasBrowser: whether a browser can be shown here.
    package static func usesBrowser(_ form: Wire.SignInForm, device: Bool, hasBrowser: Bool) -> Bool {
        offersBrowser(form) && !device && (hasBrowser || !offersCode(form))
    }

    private static var noCode: DocumentsError {
        DocumentsError(
            .invalidArgument, "It cannot be signed in to with a code.", suggestion: "Leave out --device.")
    }
}

package import DocentInterfaces
package import Documents

/// Selects one of a provider's forms. Pure.
package enum FormChoice {
    /// The named form, or the only one that fits; nil if a person has to choose.
    ///
    /// - Parameters:
    ///   - given: the keys of the given answers; a form that does not ask for them is excluded.
    ///   - device: whether only forms that can use a code count.
    /// - Throws: ``DocumentsError`` if no form fits.
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
                    .invalidArgument, "There is no form \"\(name)\".", suggestion: "The forms are: \(list(forms)).")
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

    /// The forms that can be chosen.
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
                : "No form asks for \(strange.joined(separator: ", ")).",
            suggestion: "The forms are: \(list(forms)). `docent domains set` changes the settings of a domain.")
    }

    /// As in `password (url, username, password), token (url, token)`.
    private static func list(_ forms: [Wire.SignInForm]) -> String {
        forms.map { "\($0.identifier) (\($0.fields.map(\.key).joined(separator: ", ")))" }.joined(separator: ", ")
    }

    /// Whether a form can use a code that is typed into a browser on any device.
    static func offersCode(_ form: Wire.SignInForm) -> Bool {
        form.browser?.contains("device") ?? false
    }

    /// Whether a form can use a browser on this machine.
    static func offersBrowser(_ form: Wire.SignInForm) -> Bool {
        form.browser?.contains("loopback") ?? false
    }

    /// Whether to use the browser on this machine, and not a code.
    ///
    /// - Parameters:
    ///   - device: whether a code was requested.
    ///   - hasBrowser: whether a browser can be shown here.
    package static func usesBrowser(_ form: Wire.SignInForm, device: Bool, hasBrowser: Bool) -> Bool {
        offersBrowser(form) && !device && (hasBrowser || !offersCode(form))
    }

    private static var noCode: DocumentsError {
        DocumentsError(
            .invalidArgument, "You cannot sign in with a code here.", suggestion: "Leave out --device.")
    }
}

extension Fault {
    /// Faults in signing in, and in what an account has beside its documents.
    static let accounts: [Fault] = [
        Fault("signIn.anything", "Every credential is accepted."),
        Fault("signIn.wrongError", "A refused credential is reported as a failure of the service."),
        Fault("signIn.secretInError", "The error repeats the secret."),
        Fault("signIn.secretInLog", "The log repeats the secret."),
        Fault("signIn.kept", "Signing out forgets nothing."),
        Fault("usage.negative", "The space of the account is negative."),
        Fault("usage.nonsense", "More space is available than there is."),
        Fault("declared.usage", "The space is declared but refused."),
        Fault("undeclared.usage", "The space is not declared but known.", .readOnly),
        Fault("thumbnail.noPicture", "The picture of a document is a web page."),
        Fault("thumbnail.wrongType", "The picture of a document has another type than it says."),
        Fault("thumbnail.wrongVersion", "The picture of a document is of another version."),
        Fault("thumbnail.huge", "The picture of a document has more bytes than a picture may have."),
        Fault("declared.signIn", "Signing in is declared but refused."),
    ]
}

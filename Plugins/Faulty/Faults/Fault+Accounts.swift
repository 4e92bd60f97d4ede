extension Fault {
    /// Faults in signing in.
    static let accounts: [Fault] = [
        Fault("signIn.anything", "Every credential is taken."),
        Fault("signIn.wrongError", "A credential that is refused is reported as a broken service."),
        Fault("signIn.secretInError", "The error repeats the secret."),
        Fault("signIn.secretInLog", "The log repeats the secret."),
        Fault("signIn.kept", "Signing out forgets nothing."),
        Fault("declared.signIn", "Signing in is declared, and refused."),
    ]
}

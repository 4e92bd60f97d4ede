package import DocentInterfaces
package import Rights

/// The messages about signing in: one command, named in the same words everywhere. Pure.
package enum SignInWords {
    /// The command that signs a domain in.
    package static func command(_ domain: DomainKey) -> String {
        // People type names in lower case.
        let provider = DomainKey(provider: domain.provider, domain: "").name.lowercased()
        return "docent login " + (domain.domain.isEmpty ? provider : "\(provider)@\(domain.domain)")
    }

    /// What to do about a domain that is not signed in.
    package static func suggestion(_ domain: DomainKey) -> String { "Sign in: \(command(domain))" }

    /// The same, appended to an existing suggestion unless that already names the command.
    package static func suggestion(_ domain: DomainKey, after known: String?) -> String {
        guard let known, !known.isEmpty else { return suggestion(domain) }
        if known.contains("docent login") { return known }
        return known + (known.hasSuffix(".") ? " " : ". ") + "Or sign in: \(command(domain))"
    }

    /// The answer to any request in a domain that is signed out or being signed out.
    package static func refusal(_ domain: DomainKey, _ signOut: ProviderDomain.SignOut) -> Failure {
        let name = domain.name
        return Failure(
            .notAuthenticated, signOut == .signedOut ? "\(name) is signed out." : "\(name) is being signed out.",
            suggestion: suggestion(domain), provider: domain.provider)
    }
}

/// The provider under test, as a host knows it from its manifest and its user.
package struct ProviderSubject: Sendable, Hashable, Codable {
    /// A credential for `SignIn`.
    package struct Credential: Sendable, Hashable, Codable {
        /// password, token or oauth.
        package var kind: String
        /// The user name, if one is needed.
        package var username: String?
        /// The password or token.
        package var secret: String?

        /// Creates a credential.
        package init(kind: String = "password", username: String? = nil, secret: String? = nil) {
            self.kind = kind
            self.username = username
            self.secret = secret
        }
    }

    /// Its bundle identifier.
    package var identifier: String
    /// The principal class of its manifest.
    package var principalClass: String?
    /// Its display name.
    package var displayName: String
    /// The folder of its domain, for providers of local files.
    package var folder: String?
    /// The user's settings for the domain.
    package var settings: [String: String]
    /// The credential to sign in with first; nil: none.
    package var credential: Credential?
    /// A directory that stands for the user's home: the parts that the manifest asks for are copied from there for each
    /// case. nil: the home is empty.
    package var home: String?

    /// The settings in a case: paths below the directory that stands for the home become paths below the home of the
    /// case.
    ///
    /// - Parameter caseHome: the home of the case.
    package func settings(inHome caseHome: String) -> [String: String] {
        guard let home else { return settings }
        return settings.mapValues { value in
            if value == home { return caseHome }
            return value.hasPrefix(home + "/") ? caseHome + value.dropFirst(home.count) : value
        }
    }

    /// Creates a provider.
    package init(
        identifier: String, principalClass: String? = nil, displayName: String, folder: String? = nil,
        settings: [String: String] = [:], credential: Credential? = nil, home: String? = nil
    ) {
        self.identifier = identifier
        self.principalClass = principalClass
        self.displayName = displayName
        self.folder = folder
        self.settings = settings
        self.credential = credential
        self.home = home
    }
}

extension ProviderSubject {
    /// The account in the environment of a service program, without the secret.
    package var serviceVariables: [String: String] {
        var result: [String: String] = [:]
        for (key, value) in settings where !key.isEmpty {
            // Only names that a shell accepts for variables.
            guard key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else { continue }
            result["DOCENT_SERVICE_SETTING_" + key] = value
        }
        result["DOCENT_SERVICE_FOLDER"] = folder
        result["DOCENT_SERVICE_USERNAME"] = credential?.username
        return result
    }
}

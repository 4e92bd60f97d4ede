/// The provider that is validated, as a host would know it from its manifest and from its user.
package struct ProviderSubject: Sendable, Hashable, Codable {
    /// A credential for `SignIn`.
    package struct Credential: Sendable, Hashable, Codable {
        /// password, token or oauth.
        package var kind: String
        /// The user name, if one is needed.
        package var username: String?
        /// The password or token.
        package var secret: String?

        /// A credential.
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
    /// Its name for people.
    package var displayName: String
    /// The folder of its domain, if it shows one.
    package var folder: String?
    /// What its user set for the domain.
    package var settings: [String: String]
    /// What to sign in with before anything else; nil: nothing.
    package var credential: Credential?
    /// A directory that stands for the user's home: what the manifest asks for of the home is copied from there for
    /// each case. Nil: it is empty.
    package var home: String?

    /// The settings as they hold in a case: a path below the directory that stands for the home is one below the home
    /// of the case.
    ///
    /// - Parameter caseHome: the home of the case.
    package func settings(inHome caseHome: String) -> [String: String] {
        guard let home else { return settings }
        return settings.mapValues { value in
            if value == home { return caseHome }
            return value.hasPrefix(home + "/") ? caseHome + value.dropFirst(home.count) : value
        }
    }

    /// A provider.
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
    /// The account in the environment of a service program. The secret is not in it.
    package var serviceVariables: [String: String] {
        var result: [String: String] = [:]
        for (key, value) in settings where !key.isEmpty {
            // What a shell takes for the name of a variable.
            guard key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else { continue }
            result["DOCENT_SERVICE_SETTING_" + key] = value
        }
        result["DOCENT_SERVICE_FOLDER"] = folder
        result["DOCENT_SERVICE_USERNAME"] = credential?.username
        return result
    }
}

// Made from Interfaces/org.docent.Administration.varlink by Scripts/generate-interfaces.py; edit that file.

import Varlink

/// The interface `org.docent.Administration`.
package enum AdministrationInterface {
    /// Its name.
    package static let name = "org.docent.Administration"

    /// Its text, as introspection gives it.
    package static var description: String {
        String(decoding: PackageResources.org_docent_Administration_varlink, as: UTF8.self)
    }

    /// The consequences of enabling a provider. The digest identifies exactly what was shown.
    package enum DescribeProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.DescribeProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String

            package init(provider: String) {
                self.provider = provider
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var consent: Wire.Consent

            package init(consent: Wire.Consent) {
                self.consent = consent
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                consent = try container.decode(Wire.Consent.self, forKey: "consent")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(consent, forKey: "consent")
            }
        }
    }

    /// Enables a provider as it was shown. digest: that of the Consent that the user agreed to; any other is refused.
    /// joinGroups: agrees that the provider joins a document group of another provider.
    package enum EnableProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.EnableProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var digest: String
            package var unsandboxed: Bool?
            package var joinGroups: Bool?

            package init(provider: String, digest: String, unsandboxed: Bool? = nil, joinGroups: Bool? = nil) {
                self.provider = provider
                self.digest = digest
                self.unsandboxed = unsandboxed
                self.joinGroups = joinGroups
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                digest = try container.decode(String.self, forKey: "digest")
                unsandboxed = try container.decodeIfPresent(Bool.self, forKey: "unsandboxed")
                joinGroups = try container.decodeIfPresent(Bool.self, forKey: "joinGroups")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(digest, forKey: "digest")
                try container.encodeIfPresent(unsandboxed, forKey: "unsandboxed")
                try container.encodeIfPresent(joinGroups, forKey: "joinGroups")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// DisableProvider.
    package enum DisableProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.DisableProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String

            package init(provider: String) {
                self.provider = provider
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// Lifts a quarantine and clears the crash count.
    package enum ResetProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.ResetProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String

            package init(provider: String) {
                self.provider = provider
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// The manifests that cannot be used, with the reasons.
    package enum ListBroken: InterfaceMethod {
        package static let name = "org.docent.Administration.ListBroken"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var broken: [Wire.BrokenManifest]

            package init(broken: [Wire.BrokenManifest]) {
                self.broken = broken
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                broken = try container.decode([Wire.BrokenManifest].self, forKey: "broken")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(broken, forKey: "broken")
            }
        }
    }

    /// ListDomains.
    package enum ListDomains: InterfaceMethod {
        package static let name = "org.docent.Administration.ListDomains"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String?

            package init(provider: String? = nil) {
                self.provider = provider
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decodeIfPresent(String.self, forKey: "provider")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(provider, forKey: "provider")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var domains: [Wire.Domain]

            package init(domains: [Wire.Domain]) {
                self.domains = domains
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domains = try container.decode([Wire.Domain].self, forKey: "domains")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domains, forKey: "domains")
            }
        }
    }

    /// Adds a signed-in service or, for a provider of local files, a folder (an absolute path) that the provider's
    /// sandbox then includes. The service of an account is contacted at once, with the credential if there is one,
    /// and the account is added only if it answers, unless unchecked. found: what it answered, for people.
    /// notAsked: why it could not be contacted although the account is added; suggestion: what to do then.
    package enum AddDomain: InterfaceMethod {
        package static let name = "org.docent.Administration.AddDomain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: Wire.Domain
            package var credential: Wire.Credential?
            package var unchecked: Bool?

            package init(domain: Wire.Domain, credential: Wire.Credential? = nil, unchecked: Bool? = nil) {
                self.domain = domain
                self.credential = credential
                self.unchecked = unchecked
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(Wire.Domain.self, forKey: "domain")
                credential = try container.decodeIfPresent(Wire.Credential.self, forKey: "credential")
                unchecked = try container.decodeIfPresent(Bool.self, forKey: "unchecked")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encodeIfPresent(credential, forKey: "credential")
                try container.encodeIfPresent(unchecked, forKey: "unchecked")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var found: String?
            package var notAsked: String?
            package var suggestion: String?

            package init(found: String? = nil, notAsked: String? = nil, suggestion: String? = nil) {
                self.found = found
                self.notAsked = notAsked
                self.suggestion = suggestion
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                found = try container.decodeIfPresent(String.self, forKey: "found")
                notAsked = try container.decodeIfPresent(String.self, forKey: "notAsked")
                suggestion = try container.decodeIfPresent(String.self, forKey: "suggestion")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(found, forKey: "found")
                try container.encodeIfPresent(notAsked, forKey: "notAsked")
                try container.encodeIfPresent(suggestion, forKey: "suggestion")
            }
        }
    }

    /// Changes a domain. Settings are merged; an empty value removes one. A given credential replaces the current
    /// one.
    package enum ChangeDomain: InterfaceMethod {
        package static let name = "org.docent.Administration.ChangeDomain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var identifier: String
            package var displayName: String?
            package var settings: [String: String]?
            package var credential: Wire.Credential?

            package init(
                provider: String,
                identifier: String,
                displayName: String? = nil,
                settings: [String: String]? = nil,
                credential: Wire.Credential? = nil
            ) {
                self.provider = provider
                self.identifier = identifier
                self.displayName = displayName
                self.settings = settings
                self.credential = credential
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                identifier = try container.decode(String.self, forKey: "identifier")
                displayName = try container.decodeIfPresent(String.self, forKey: "displayName")
                settings = try container.decodeIfPresent([String: String].self, forKey: "settings")
                credential = try container.decodeIfPresent(Wire.Credential.self, forKey: "credential")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(displayName, forKey: "displayName")
                try container.encodeIfPresent(settings, forKey: "settings")
                try container.encodeIfPresent(credential, forKey: "credential")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var domain: Wire.Domain

            package init(domain: Wire.Domain) {
                self.domain = domain
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(Wire.Domain.self, forKey: "domain")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
            }
        }
    }

    /// Removes a domain. Refused while changes wait to be uploaded, unless forced; they are then kept as versions.
    /// Also refused when the secret cannot be deleted because its keyring cannot be opened, unless leaveSecret;
    /// `left` then says where it remains. Deletions that wait for their finalDate count as changes; when forced, they are
    /// given up: undeleted has the names of the items, which stay at the service.
    package enum RemoveDomain: InterfaceMethod {
        package static let name = "org.docent.Administration.RemoveDomain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var identifier: String
            package var force: Bool?
            package var leaveSecret: Bool?

            package init(provider: String, identifier: String, force: Bool? = nil, leaveSecret: Bool? = nil) {
                self.provider = provider
                self.identifier = identifier
                self.force = force
                self.leaveSecret = leaveSecret
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                identifier = try container.decode(String.self, forKey: "identifier")
                force = try container.decodeIfPresent(Bool.self, forKey: "force")
                leaveSecret = try container.decodeIfPresent(Bool.self, forKey: "leaveSecret")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(force, forKey: "force")
                try container.encodeIfPresent(leaveSecret, forKey: "leaveSecret")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var left: String?
            package var undeleted: [String]?

            package init(left: String? = nil, undeleted: [String]? = nil) {
                self.left = left
                self.undeleted = undeleted
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                left = try container.decodeIfPresent(String.self, forKey: "left")
                undeleted = try container.decodeIfPresent([String].self, forKey: "undeleted")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(left, forKey: "left")
                try container.encodeIfPresent(undeleted, forKey: "undeleted")
            }
        }
    }

    /// The questions for a person, and where the secret will be stored. provider may be a short name; the domain need
    /// not exist yet.
    package enum PrepareLogin: InterfaceMethod {
        package static let name = "org.docent.Administration.PrepareLogin"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var sealedFile: Bool?

            package init(provider: String, domain: String, sealedFile: Bool? = nil) {
                self.provider = provider
                self.domain = domain
                self.sealedFile = sealedFile
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                domain = try container.decode(String.self, forKey: "domain")
                sealedFile = try container.decodeIfPresent(Bool.self, forKey: "sealedFile")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(domain, forKey: "domain")
                try container.encodeIfPresent(sealedFile, forKey: "sealedFile")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: Wire.Domain?
            package var forms: [Wire.SignInForm]
            package var storage: Wire.CredentialStorage

            package init(
                provider: String,
                domain: Wire.Domain? = nil,
                forms: [Wire.SignInForm],
                storage: Wire.CredentialStorage
            ) {
                self.provider = provider
                self.domain = domain
                self.forms = forms
                self.storage = storage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                domain = try container.decodeIfPresent(Wire.Domain.self, forKey: "domain")
                forms = try container.decode([Wire.SignInForm].self, forKey: "forms")
                storage = try container.decode(Wire.CredentialStorage.self, forKey: "storage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encodeIfPresent(domain, forKey: "domain")
                try container.encode(forms, forKey: "forms")
                try container.encode(storage, forKey: "storage")
            }
        }
    }

    /// Signs a domain in, and adds it if it does not exist yet. The service is contacted before anything is kept; if
    /// it refuses, nothing is kept. values: the answers to the form, including secrets. sealedFile: agrees to
    /// Docent's own sealed file when there is no keyring. session: keeps the secret only in memory. redirect: see
    /// FileProvider.Authenticate. Called with `more`, every reply but the last has a step; ending the call ends the
    /// attempt. After a sign-in, waiting transfers continue. answersQuestions: the caller answers steps of the kind
    /// question with AnswerLogin; otherwise they remain unanswered. There are at most 16 of them, with at most 15
    /// minutes each.
    package enum Login: InterfaceMethod {
        package static let name = "org.docent.Administration.Login"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var form: String
            package var values: [String: String]
            package var attempt: String
            package var displayName: String?
            package var redirect: String?
            package var sealedFile: Bool?
            package var session: Bool?
            package var answersQuestions: Bool?

            package init(
                provider: String,
                domain: String,
                form: String,
                values: [String: String],
                attempt: String,
                displayName: String? = nil,
                redirect: String? = nil,
                sealedFile: Bool? = nil,
                session: Bool? = nil,
                answersQuestions: Bool? = nil
            ) {
                self.provider = provider
                self.domain = domain
                self.form = form
                self.values = values
                self.attempt = attempt
                self.displayName = displayName
                self.redirect = redirect
                self.sealedFile = sealedFile
                self.session = session
                self.answersQuestions = answersQuestions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                domain = try container.decode(String.self, forKey: "domain")
                form = try container.decode(String.self, forKey: "form")
                values = try container.decode([String: String].self, forKey: "values")
                attempt = try container.decode(String.self, forKey: "attempt")
                displayName = try container.decodeIfPresent(String.self, forKey: "displayName")
                redirect = try container.decodeIfPresent(String.self, forKey: "redirect")
                sealedFile = try container.decodeIfPresent(Bool.self, forKey: "sealedFile")
                session = try container.decodeIfPresent(Bool.self, forKey: "session")
                answersQuestions = try container.decodeIfPresent(Bool.self, forKey: "answersQuestions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(domain, forKey: "domain")
                try container.encode(form, forKey: "form")
                try container.encode(values, forKey: "values")
                try container.encode(attempt, forKey: "attempt")
                try container.encodeIfPresent(displayName, forKey: "displayName")
                try container.encodeIfPresent(redirect, forKey: "redirect")
                try container.encodeIfPresent(sealedFile, forKey: "sealedFile")
                try container.encodeIfPresent(session, forKey: "session")
                try container.encodeIfPresent(answersQuestions, forKey: "answersQuestions")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var step: Wire.SignInStep?
            package var domain: Wire.Domain?
            package var storage: Wire.CredentialStorage?

            package init(
                step: Wire.SignInStep? = nil,
                domain: Wire.Domain? = nil,
                storage: Wire.CredentialStorage? = nil
            ) {
                self.step = step
                self.domain = domain
                self.storage = storage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                step = try container.decodeIfPresent(Wire.SignInStep.self, forKey: "step")
                domain = try container.decodeIfPresent(Wire.Domain.self, forKey: "domain")
                storage = try container.decodeIfPresent(Wire.CredentialStorage.self, forKey: "storage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(step, forKey: "step")
                try container.encodeIfPresent(domain, forKey: "domain")
                try container.encodeIfPresent(storage, forKey: "storage")
            }
        }
    }

    /// Passes on the address that the browser was redirected to.
    package enum ContinueLogin: InterfaceMethod {
        package static let name = "org.docent.Administration.ContinueLogin"

        package struct Parameters: VarlinkMessage, Equatable {
            package var attempt: String
            package var url: String

            package init(attempt: String, url: String) {
                self.attempt = attempt
                self.url = url
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                attempt = try container.decode(String.self, forKey: "attempt")
                url = try container.decode(String.self, forKey: "url")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(attempt, forKey: "attempt")
                try container.encode(url, forKey: "url")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// Answers a question of the attempt, once. answer is absent when there is no one to ask or the person does not
    /// answer. InvalidArgument: another answer may follow; NotFound: the answer is no longer expected.
    package enum AnswerLogin: InterfaceMethod {
        package static let name = "org.docent.Administration.AnswerLogin"

        package struct Parameters: VarlinkMessage, Equatable {
            package var attempt: String
            package var number: Int
            package var answer: String?

            package init(attempt: String, number: Int, answer: String? = nil) {
                self.attempt = attempt
                self.number = number
                self.answer = answer
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                attempt = try container.decode(String.self, forKey: "attempt")
                number = try container.decode(Int.self, forKey: "number")
                answer = try container.decodeIfPresent(String.self, forKey: "answer")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(attempt, forKey: "attempt")
                try container.encode(number, forKey: "number")
                try container.encodeIfPresent(answer, forKey: "answer")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// Signs a domain out. Uploads pending changes (for at most timeout seconds), sets aside those that could not be
    /// uploaded (discard: drops them), and deletes the credential, the placeholders and the local copies. The domain
    /// is inaccessible until the next login, after which rights and bookmarks work again. Called with `more`, every
    /// reply but the last has the stage: uploading (pending changes), keeping, deletingCredential, removingCopies.
    /// The last has kept (the versions set aside), discarded (the number dropped) and openDescriptors (read
    /// descriptors that are still in use). The answer means that it is complete; after a crash in between, the next
    /// daemon continues. leaveSecret and left: as in RemoveDomain. Deletions that wait for their finalDate are carried out
    /// while uploading; undeleted: the names of the items that could not be deleted, and stay at the service.
    package enum Logout: InterfaceMethod {
        package static let name = "org.docent.Administration.Logout"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var discard: Bool?
            package var timeout: Double?
            package var leaveSecret: Bool?

            package init(
                provider: String,
                domain: String,
                discard: Bool? = nil,
                timeout: Double? = nil,
                leaveSecret: Bool? = nil
            ) {
                self.provider = provider
                self.domain = domain
                self.discard = discard
                self.timeout = timeout
                self.leaveSecret = leaveSecret
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                domain = try container.decode(String.self, forKey: "domain")
                discard = try container.decodeIfPresent(Bool.self, forKey: "discard")
                timeout = try container.decodeIfPresent(Double.self, forKey: "timeout")
                leaveSecret = try container.decodeIfPresent(Bool.self, forKey: "leaveSecret")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(domain, forKey: "domain")
                try container.encodeIfPresent(discard, forKey: "discard")
                try container.encodeIfPresent(timeout, forKey: "timeout")
                try container.encodeIfPresent(leaveSecret, forKey: "leaveSecret")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var stage: String?
            package var pending: Int?
            package var domain: Wire.Domain?
            package var kept: [Wire.Version]?
            package var discarded: Int?
            package var openDescriptors: Int?
            package var left: String?
            package var undeleted: [String]?

            package init(
                stage: String? = nil,
                pending: Int? = nil,
                domain: Wire.Domain? = nil,
                kept: [Wire.Version]? = nil,
                discarded: Int? = nil,
                openDescriptors: Int? = nil,
                left: String? = nil,
                undeleted: [String]? = nil
            ) {
                self.stage = stage
                self.pending = pending
                self.domain = domain
                self.kept = kept
                self.discarded = discarded
                self.openDescriptors = openDescriptors
                self.left = left
                self.undeleted = undeleted
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                stage = try container.decodeIfPresent(String.self, forKey: "stage")
                pending = try container.decodeIfPresent(Int.self, forKey: "pending")
                domain = try container.decodeIfPresent(Wire.Domain.self, forKey: "domain")
                kept = try container.decodeIfPresent([Wire.Version].self, forKey: "kept")
                discarded = try container.decodeIfPresent(Int.self, forKey: "discarded")
                openDescriptors = try container.decodeIfPresent(Int.self, forKey: "openDescriptors")
                left = try container.decodeIfPresent(String.self, forKey: "left")
                undeleted = try container.decodeIfPresent([String].self, forKey: "undeleted")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(stage, forKey: "stage")
                try container.encodeIfPresent(pending, forKey: "pending")
                try container.encodeIfPresent(domain, forKey: "domain")
                try container.encodeIfPresent(kept, forKey: "kept")
                try container.encodeIfPresent(discarded, forKey: "discarded")
                try container.encodeIfPresent(openDescriptors, forKey: "openDescriptors")
                try container.encodeIfPresent(left, forKey: "left")
                try container.encodeIfPresent(undeleted, forKey: "undeleted")
            }
        }
    }

    /// The transfers that are waiting, running or failed. Called with `more`, a new reply follows every change, at
    /// most four times a second.
    package enum Transfers: InterfaceMethod {
        package static let name = "org.docent.Administration.Transfers"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String?

            package init(provider: String? = nil) {
                self.provider = provider
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decodeIfPresent(String.self, forKey: "provider")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(provider, forKey: "provider")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var transfers: [Wire.Transfer]

            package init(transfers: [Wire.Transfer]) {
                self.transfers = transfers
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                transfers = try container.decode([Wire.Transfer].self, forKey: "transfers")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(transfers, forKey: "transfers")
            }
        }
    }

    /// Ends a transfer. Those who wait for a download are notified; an upload is kept as failed, never dropped.
    package enum CancelTransfer: InterfaceMethod {
        package static let name = "org.docent.Administration.CancelTransfer"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// Retries waiting and failed transfers at once. Every argument narrows the selection.
    package enum RetryTransfers: InterfaceMethod {
        package static let name = "org.docent.Administration.RetryTransfers"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String?
            package var provider: String?
            package var domain: String?

            package init(identifier: String? = nil, provider: String? = nil, domain: String? = nil) {
                self.identifier = identifier
                self.provider = provider
                self.domain = domain
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                identifier = try container.decodeIfPresent(String.self, forKey: "identifier")
                provider = try container.decodeIfPresent(String.self, forKey: "provider")
                domain = try container.decodeIfPresent(String.self, forKey: "domain")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(identifier, forKey: "identifier")
                try container.encodeIfPresent(provider, forKey: "provider")
                try container.encodeIfPresent(domain, forKey: "domain")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var count: Int

            package init(count: Int) {
                self.count = count
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                count = try container.decode(Int.self, forKey: "count")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(count, forKey: "count")
            }
        }
    }

    /// Waits until every change is uploaded. It does not wait for deletions that can still be taken back. Called with
    /// `more`, every reply but the last has what remains. Ends when nothing can proceed without the user (failed), or at the
    /// deadline (seconds).
    package enum Drain: InterfaceMethod {
        package static let name = "org.docent.Administration.Drain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var timeout: Double?

            package init(timeout: Double? = nil) {
                self.timeout = timeout
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                timeout = try container.decodeIfPresent(Double.self, forKey: "timeout")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(timeout, forKey: "timeout")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var pending: Int
            package var failed: Int

            package init(pending: Int, failed: Int) {
                self.pending = pending
                self.failed = failed
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                pending = try container.decode(Int.self, forKey: "pending")
                failed = try container.decode(Int.self, forKey: "failed")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(pending, forKey: "pending")
                try container.encode(failed, forKey: "failed")
            }
        }
    }

    /// Keeps a document, or everything now in a folder, on this machine, or stops doing so.
    package enum Pin: InterfaceMethod {
        package static let name = "org.docent.Administration.Pin"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var pinned: Bool

            package init(location: Wire.Location, pinned: Bool) {
                self.location = location
                self.pinned = pinned
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                pinned = try container.decode(Bool.self, forKey: "pinned")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
                try container.encode(pinned, forKey: "pinned")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: Int

            package init(items: Int) {
                self.items = items
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                items = try container.decode(Int.self, forKey: "items")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(items, forKey: "items")
            }
        }
    }

    /// Removes the local copies of a document or of everything in a folder. Refused for a document that is open,
    /// pinned or not uploaded; in a folder, such documents are skipped.
    package enum Evict: InterfaceMethod {
        package static let name = "org.docent.Administration.Evict"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location

            package init(location: Wire.Location) {
                self.location = location
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: Int
            package var bytes: Int

            package init(items: Int, bytes: Int) {
                self.items = items
                self.bytes = bytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                items = try container.decode(Int.self, forKey: "items")
                bytes = try container.decode(Int.self, forKey: "bytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(items, forKey: "items")
                try container.encode(bytes, forKey: "bytes")
            }
        }
    }

    /// Asks the provider for changes. accept: believes a listing that lacks more than half of the previous items.
    /// held: the folders whose listing is not used until it is accepted.
    package enum Refresh: InterfaceMethod {
        package static let name = "org.docent.Administration.Refresh"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var accept: Bool?

            package init(location: Wire.Location, accept: Bool? = nil) {
                self.location = location
                self.accept = accept
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                accept = try container.decodeIfPresent(Bool.self, forKey: "accept")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
                try container.encodeIfPresent(accept, forKey: "accept")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var changed: Int
            package var deleted: Int
            package var held: [String]

            package init(changed: Int, deleted: Int, held: [String]) {
                self.changed = changed
                self.deleted = deleted
                self.held = held
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                changed = try container.decode(Int.self, forKey: "changed")
                deleted = try container.decode(Int.self, forKey: "deleted")
                held = try container.decode([String].self, forKey: "held")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(changed, forKey: "changed")
                try container.encode(deleted, forKey: "deleted")
                try container.encode(held, forKey: "held")
            }
        }
    }

    /// The claims that are held or waiting, and what they wait for. Called with `more`, a new reply follows every
    /// change, at most four times a second.
    package enum Claims: InterfaceMethod {
        package static let name = "org.docent.Administration.Claims"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location?

            package init(location: Wire.Location? = nil) {
                self.location = location
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decodeIfPresent(Wire.Location.self, forKey: "location")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(location, forKey: "location")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var claims: [Wire.Claim]
            package var presenters: [Wire.Presenter]

            package init(claims: [Wire.Claim], presenters: [Wire.Presenter]) {
                self.claims = claims
                self.presenters = presenters
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                claims = try container.decode([Wire.Claim].self, forKey: "claims")
                presenters = try container.decode([Wire.Presenter].self, forKey: "presenters")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(claims, forKey: "claims")
                try container.encode(presenters, forKey: "presenters")
            }
        }
    }

    /// The kept versions of a document or, without a location, of all documents; all: also what saves have replaced
    /// (superseded). unresolved: only conflicts that somebody has to decide about, with the paths of their documents.
    package enum Versions: InterfaceMethod {
        package static let name = "org.docent.Administration.Versions"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location?
            package var all: Bool?
            package var unresolved: Bool?

            package init(location: Wire.Location? = nil, all: Bool? = nil, unresolved: Bool? = nil) {
                self.location = location
                self.all = all
                self.unresolved = unresolved
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decodeIfPresent(Wire.Location.self, forKey: "location")
                all = try container.decodeIfPresent(Bool.self, forKey: "all")
                unresolved = try container.decodeIfPresent(Bool.self, forKey: "unresolved")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(location, forKey: "location")
                try container.encodeIfPresent(all, forKey: "all")
                try container.encodeIfPresent(unresolved, forKey: "unresolved")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var versions: [Wire.Version]

            package init(versions: [Wire.Version]) {
                self.versions = versions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                versions = try container.decode([Wire.Version].self, forKey: "versions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(versions, forKey: "versions")
            }
        }
    }

    /// Opens a kept version for reading.
    package enum OpenVersion: InterfaceMethod {
        package static let name = "org.docent.Administration.OpenVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var version: Wire.Version
            package var file: Int

            package var descriptorCount: Int { 1 }

            package init(version: Wire.Version, file: Int) {
                self.version = version
                self.file = file
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                version = try container.decode(Wire.Version.self, forKey: "version")
                file = try container.decode(Int.self, forKey: "file")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(version, forKey: "version")
                try container.encode(file, forKey: "file")
            }
        }
    }

    /// Removes a kept version permanently.
    package enum RemoveVersion: InterfaceMethod {
        package static let name = "org.docent.Administration.RemoveVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// The rules about what is kept of replaced content. effective: what applies at the location, or without one to all
    /// documents that no rule is about; its space is the room that there is now. usedBytes, usedVersions: what all versions
    /// that may be thinned out take.
    package enum VersionRules: InterfaceMethod {
        package static let name = "org.docent.Administration.VersionRules"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location?

            package init(location: Wire.Location? = nil) {
                self.location = location
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decodeIfPresent(Wire.Location.self, forKey: "location")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(location, forKey: "location")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var rules: [Wire.VersionRule]
            package var effective: Wire.VersionRule
            package var usedBytes: Int
            package var usedVersions: Int

            package init(rules: [Wire.VersionRule], effective: Wire.VersionRule, usedBytes: Int, usedVersions: Int) {
                self.rules = rules
                self.effective = effective
                self.usedBytes = usedBytes
                self.usedVersions = usedVersions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                rules = try container.decode([Wire.VersionRule].self, forKey: "rules")
                effective = try container.decode(Wire.VersionRule.self, forKey: "effective")
                usedBytes = try container.decode(Int.self, forKey: "usedBytes")
                usedVersions = try container.decode(Int.self, forKey: "usedVersions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(rules, forKey: "rules")
                try container.encode(effective, forKey: "effective")
                try container.encode(usedBytes, forKey: "usedBytes")
                try container.encode(usedVersions, forKey: "usedVersions")
            }
        }
    }

    /// Changes the rule of a location, or of all documents. What is absent stays. reset: forgets the rule first. space: only
    /// without a location.
    package enum SetVersionRule: InterfaceMethod {
        package static let name = "org.docent.Administration.SetVersionRule"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location?
            package var isKept: Bool?
            package var versions: Int?
            package var days: Int?
            package var space: Int?
            package var whenFull: String?
            package var reset: Bool?
            package var merges: Bool?

            package init(
                location: Wire.Location? = nil,
                isKept: Bool? = nil,
                versions: Int? = nil,
                days: Int? = nil,
                space: Int? = nil,
                whenFull: String? = nil,
                reset: Bool? = nil,
                merges: Bool? = nil
            ) {
                self.location = location
                self.isKept = isKept
                self.versions = versions
                self.days = days
                self.space = space
                self.whenFull = whenFull
                self.reset = reset
                self.merges = merges
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decodeIfPresent(Wire.Location.self, forKey: "location")
                isKept = try container.decodeIfPresent(Bool.self, forKey: "isKept")
                versions = try container.decodeIfPresent(Int.self, forKey: "versions")
                days = try container.decodeIfPresent(Int.self, forKey: "days")
                space = try container.decodeIfPresent(Int.self, forKey: "space")
                whenFull = try container.decodeIfPresent(String.self, forKey: "whenFull")
                reset = try container.decodeIfPresent(Bool.self, forKey: "reset")
                merges = try container.decodeIfPresent(Bool.self, forKey: "merges")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(location, forKey: "location")
                try container.encodeIfPresent(isKept, forKey: "isKept")
                try container.encodeIfPresent(versions, forKey: "versions")
                try container.encodeIfPresent(days, forKey: "days")
                try container.encodeIfPresent(space, forKey: "space")
                try container.encodeIfPresent(whenFull, forKey: "whenFull")
                try container.encodeIfPresent(reset, forKey: "reset")
                try container.encodeIfPresent(merges, forKey: "merges")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var rule: Wire.VersionRule

            package init(rule: Wire.VersionRule) {
                self.rule = rule
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                rule = try container.decode(Wire.VersionRule.self, forKey: "rule")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(rule, forKey: "rule")
            }
        }
    }

    /// One page of what is in the trash of a domain, or was deleted there and can still be taken back; without `page`, the
    /// first. NotSupported: what is deleted there is deleted for good at once.
    package enum ListTrash: InterfaceMethod {
        package static let name = "org.docent.Administration.ListTrash"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var page: String?

            package init(provider: String, domain: String, page: String? = nil) {
                self.provider = provider
                self.domain = domain
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                domain = try container.decode(String.self, forKey: "domain")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(domain, forKey: "domain")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: [Wire.TrashEntry]
            package var nextPage: String?

            package init(items: [Wire.TrashEntry], nextPage: String? = nil) {
                self.items = items
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                items = try container.decode([Wire.TrashEntry].self, forKey: "items")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(items, forKey: "items")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
            }
        }
    }

    /// Moves something from the trash to a folder of its domain, never replacing anything. folder and name: absent for
    /// where it was and for what it was called. It has the rights again that it had.
    package enum RestoreTrashed: InterfaceMethod {
        package static let name = "org.docent.Administration.RestoreTrashed"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var identifier: String
            package var folder: Wire.Location?
            package var name: String?
            package var operation: String

            package init(
                provider: String,
                domain: String,
                identifier: String,
                folder: Wire.Location? = nil,
                name: String? = nil,
                operation: String
            ) {
                self.provider = provider
                self.domain = domain
                self.identifier = identifier
                self.folder = folder
                self.name = name
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                folder = try container.decodeIfPresent(Wire.Location.self, forKey: "folder")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(folder, forKey: "folder")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item

            package init(item: Wire.Item) {
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.Item.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
            }
        }
    }

    /// Deletes something in the trash for good. It does not wait for a provider that does not answer: what has a finalDate
    /// is then deleted as soon as it does.
    package enum DeleteTrashed: InterfaceMethod {
        package static let name = "org.docent.Administration.DeleteTrashed"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var identifier: String

            package init(provider: String, domain: String, identifier: String) {
                self.provider = provider
                self.domain = domain
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// For how long deletions can be taken back. The first rule is that of all accounts without one of their own. isFixed:
    /// the environment of the service decides, and no rule applies.
    package enum DeletionRules: InterfaceMethod {
        package static let name = "org.docent.Administration.DeletionRules"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var rules: [Wire.DeletionRule]
            package var isFixed: Bool?

            package init(rules: [Wire.DeletionRule], isFixed: Bool? = nil) {
                self.rules = rules
                self.isFixed = isFixed
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                rules = try container.decode([Wire.DeletionRule].self, forKey: "rules")
                isFixed = try container.decodeIfPresent(Bool.self, forKey: "isFixed")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(rules, forKey: "rules")
                try container.encodeIfPresent(isFixed, forKey: "isFixed")
            }
        }
    }

    /// Changes for how long deletions from now on can be taken back: in one account (provider and domain), or in all without
    /// a rule of their own. seconds: absent forgets the rule.
    package enum SetDeletionRule: InterfaceMethod {
        package static let name = "org.docent.Administration.SetDeletionRule"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String?
            package var domain: String?
            package var seconds: Int?

            package init(provider: String? = nil, domain: String? = nil, seconds: Int? = nil) {
                self.provider = provider
                self.domain = domain
                self.seconds = seconds
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decodeIfPresent(String.self, forKey: "provider")
                domain = try container.decodeIfPresent(String.self, forKey: "domain")
                seconds = try container.decodeIfPresent(Int.self, forKey: "seconds")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(provider, forKey: "provider")
                try container.encodeIfPresent(domain, forKey: "domain")
                try container.encodeIfPresent(seconds, forKey: "seconds")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var rules: [Wire.DeletionRule]

            package init(rules: [Wire.DeletionRule]) {
                self.rules = rules
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                rules = try container.decode([Wire.DeletionRule].self, forKey: "rules")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(rules, forKey: "rules")
            }
        }
    }

    /// Does something with a domain as a whole that its provider alone knows. action: its name. arguments: texts by name,
    /// which may be secret, as may the rows. NotSupported: the provider has no action of that name.
    package enum PerformAction: InterfaceMethod {
        package static let name = "org.docent.Administration.PerformAction"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var domain: String
            package var action: String
            package var arguments: [String: String]

            package init(provider: String, domain: String, action: String, arguments: [String: String]) {
                self.provider = provider
                self.domain = domain
                self.action = action
                self.arguments = arguments
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                domain = try container.decode(String.self, forKey: "domain")
                action = try container.decode(String.self, forKey: "action")
                arguments = try container.decode([String: String].self, forKey: "arguments")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encode(domain, forKey: "domain")
                try container.encode(action, forKey: "action")
                try container.encode(arguments, forKey: "arguments")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var rows: [Wire.ActionRow]

            package init(rows: [Wire.ActionRow]) {
                self.rows = rows
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                rows = try container.decode([Wire.ActionRow].self, forKey: "rows")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(rows, forKey: "rows")
            }
        }
    }

    /// The last change that was made through Docent and not taken back; absent if none is recorded.
    package enum LastChange: InterfaceMethod {
        package static let name = "org.docent.Administration.LastChange"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var change: Wire.Change?

            package init(change: Wire.Change? = nil) {
                self.change = change
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                change = try container.decodeIfPresent(Wire.Change.self, forKey: "change")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(change, forKey: "change")
            }
        }
    }

    /// Takes the last change back. identifier: that of LastChange; Conflict if another one is the last by now, or if
    /// something newer stands in the way. item: as it is now. May be repeated.
    package enum Undo: InterfaceMethod {
        package static let name = "org.docent.Administration.Undo"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var change: Wire.Change
            package var item: Wire.Item?

            package init(change: Wire.Change, item: Wire.Item? = nil) {
                self.change = change
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                change = try container.decode(Wire.Change.self, forKey: "change")
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(change, forKey: "change")
                try container.encodeIfPresent(item, forKey: "item")
            }
        }
    }

    /// One page of the changes that a client has made through Docent since a moment and that were not taken back, the newest
    /// first; without `page`, the first. since: seconds since 1970. Of each, obstacle is absent: TakeBack finds it out.
    package enum Changes: InterfaceMethod {
        package static let name = "org.docent.Administration.Changes"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String
            package var since: Double
            package var page: String?

            package init(client: String, since: Double, page: String? = nil) {
                self.client = client
                self.since = since
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decode(String.self, forKey: "client")
                since = try container.decode(Double.self, forKey: "since")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(client, forKey: "client")
                try container.encode(since, forKey: "since")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var changes: [Wire.Change]
            package var nextPage: String?

            package init(changes: [Wire.Change], nextPage: String? = nil) {
                self.changes = changes
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                changes = try container.decode([Wire.Change].self, forKey: "changes")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(changes, forKey: "changes")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
            }
        }
    }

    /// Takes a change of Changes back, although later ones may stay. Conflict: something newer stands in the way; a later
    /// save by the same client does not. item: as it is now. May be repeated.
    package enum TakeBack: InterfaceMethod {
        package static let name = "org.docent.Administration.TakeBack"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String

            package init(identifier: String) {
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var change: Wire.Change
            package var item: Wire.Item?

            package init(change: Wire.Change, item: Wire.Item? = nil) {
                self.change = change
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                change = try container.decode(Wire.Change.self, forKey: "change")
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(change, forKey: "change")
                try container.encodeIfPresent(item, forKey: "item")
            }
        }
    }

    /// What is held until the user decides. limit: how many documents a client may delete or replace within a minute; 0: any
    /// number.
    package enum Held: InterfaceMethod {
        package static let name = "org.docent.Administration.Held"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var clients: [Wire.HeldClient]
            package var listings: [Wire.HeldListing]
            package var limit: Int

            package init(clients: [Wire.HeldClient], listings: [Wire.HeldListing], limit: Int) {
                self.clients = clients
                self.listings = listings
                self.limit = limit
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                clients = try container.decode([Wire.HeldClient].self, forKey: "clients")
                listings = try container.decode([Wire.HeldListing].self, forKey: "listings")
                limit = try container.decode(Int.self, forKey: "limit")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(clients, forKey: "clients")
                try container.encode(listings, forKey: "listings")
                try container.encode(limit, forKey: "limit")
            }
        }
    }

    /// Lets a client delete and replace any number of documents for a while, and holds it no longer. seconds: 600 if absent,
    /// at most a day. until: seconds since 1970.
    package enum AllowHeld: InterfaceMethod {
        package static let name = "org.docent.Administration.AllowHeld"

        package struct Parameters: VarlinkMessage, Equatable {
            package var clientKind: String
            package var client: String
            package var seconds: Double?

            package init(clientKind: String, client: String, seconds: Double? = nil) {
                self.clientKind = clientKind
                self.client = client
                self.seconds = seconds
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                clientKind = try container.decode(String.self, forKey: "clientKind")
                client = try container.decode(String.self, forKey: "client")
                seconds = try container.decodeIfPresent(Double.self, forKey: "seconds")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(clientKind, forKey: "clientKind")
                try container.encode(client, forKey: "client")
                try container.encodeIfPresent(seconds, forKey: "seconds")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var until: Double

            package init(until: Double) {
                self.until = until
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                until = try container.decode(Double.self, forKey: "until")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(until, forKey: "until")
            }
        }
    }

    /// Sets how many documents a client may delete or replace within a minute; 0: any number. NotPermitted: the environment of
    /// the daemon sets it.
    package enum SetChangeLimit: InterfaceMethod {
        package static let name = "org.docent.Administration.SetChangeLimit"

        package struct Parameters: VarlinkMessage, Equatable {
            package var limit: Int

            package init(limit: Int) {
                self.limit = limit
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                limit = try container.decode(Int.self, forKey: "limit")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(limit, forKey: "limit")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// Lists rights. Every argument narrows the selection. olderThan: seconds since the right was given. Without
    /// `page`, the first page; `nextPage` is absent on the last.
    package enum ListGrants: InterfaceMethod {
        package static let name = "org.docent.Administration.ListGrants"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var provider: String?
            package var location: Wire.Location?
            package var clientKind: String?
            package var olderThan: Double?
            package var page: String?

            package init(
                client: String? = nil,
                provider: String? = nil,
                location: Wire.Location? = nil,
                clientKind: String? = nil,
                olderThan: Double? = nil,
                page: String? = nil
            ) {
                self.client = client
                self.provider = provider
                self.location = location
                self.clientKind = clientKind
                self.olderThan = olderThan
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decodeIfPresent(String.self, forKey: "client")
                provider = try container.decodeIfPresent(String.self, forKey: "provider")
                location = try container.decodeIfPresent(Wire.Location.self, forKey: "location")
                clientKind = try container.decodeIfPresent(String.self, forKey: "clientKind")
                olderThan = try container.decodeIfPresent(Double.self, forKey: "olderThan")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(client, forKey: "client")
                try container.encodeIfPresent(provider, forKey: "provider")
                try container.encodeIfPresent(location, forKey: "location")
                try container.encodeIfPresent(clientKind, forKey: "clientKind")
                try container.encodeIfPresent(olderThan, forKey: "olderThan")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var grants: [Wire.Grant]
            package var nextPage: String?

            package init(grants: [Wire.Grant], nextPage: String? = nil) {
                self.grants = grants
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                grants = try container.decode([Wire.Grant].self, forKey: "grants")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(grants, forKey: "grants")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
            }
        }
    }

    /// Revokes rights, durably and with immediate effect when answered. Every argument narrows the selection; without
    /// any, all rights are revoked. openDescriptors: read descriptors that are still in use; they keep the old
    /// content.
    package enum Revoke: InterfaceMethod {
        package static let name = "org.docent.Administration.Revoke"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var provider: String?
            package var location: Wire.Location?
            package var clientKind: String?
            package var olderThan: Double?
            package var id: Int?

            package init(
                client: String? = nil,
                provider: String? = nil,
                location: Wire.Location? = nil,
                clientKind: String? = nil,
                olderThan: Double? = nil,
                id: Int? = nil
            ) {
                self.client = client
                self.provider = provider
                self.location = location
                self.clientKind = clientKind
                self.olderThan = olderThan
                self.id = id
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decodeIfPresent(String.self, forKey: "client")
                provider = try container.decodeIfPresent(String.self, forKey: "provider")
                location = try container.decodeIfPresent(Wire.Location.self, forKey: "location")
                clientKind = try container.decodeIfPresent(String.self, forKey: "clientKind")
                olderThan = try container.decodeIfPresent(Double.self, forKey: "olderThan")
                id = try container.decodeIfPresent(Int.self, forKey: "id")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(client, forKey: "client")
                try container.encodeIfPresent(provider, forKey: "provider")
                try container.encodeIfPresent(location, forKey: "location")
                try container.encodeIfPresent(clientKind, forKey: "clientKind")
                try container.encodeIfPresent(olderThan, forKey: "olderThan")
                try container.encodeIfPresent(id, forKey: "id")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var revoked: Int
            package var openDescriptors: Int

            package init(revoked: Int, openDescriptors: Int) {
                self.revoked = revoked
                self.openDescriptors = openDescriptors
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                revoked = try container.decode(Int.self, forKey: "revoked")
                openDescriptors = try container.decode(Int.self, forKey: "openDescriptors")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(revoked, forKey: "revoked")
                try container.encode(openDescriptors, forKey: "openDescriptors")
            }
        }
    }

    /// Gives a client the right to the item at a location, as if it had been chosen for it. expires: seconds from
    /// now.
    package enum AddGrant: InterfaceMethod {
        package static let name = "org.docent.Administration.AddGrant"

        package struct Parameters: VarlinkMessage, Equatable {
            package var clientKind: String
            package var client: String
            package var location: Wire.Location
            package var access: String
            package var persist: Bool?
            package var expires: Double?
            package var companions: [String]?

            package init(
                clientKind: String,
                client: String,
                location: Wire.Location,
                access: String,
                persist: Bool? = nil,
                expires: Double? = nil,
                companions: [String]? = nil
            ) {
                self.clientKind = clientKind
                self.client = client
                self.location = location
                self.access = access
                self.persist = persist
                self.expires = expires
                self.companions = companions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                clientKind = try container.decode(String.self, forKey: "clientKind")
                client = try container.decode(String.self, forKey: "client")
                location = try container.decode(Wire.Location.self, forKey: "location")
                access = try container.decode(String.self, forKey: "access")
                persist = try container.decodeIfPresent(Bool.self, forKey: "persist")
                expires = try container.decodeIfPresent(Double.self, forKey: "expires")
                companions = try container.decodeIfPresent([String].self, forKey: "companions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(clientKind, forKey: "clientKind")
                try container.encode(client, forKey: "client")
                try container.encode(location, forKey: "location")
                try container.encode(access, forKey: "access")
                try container.encodeIfPresent(persist, forKey: "persist")
                try container.encodeIfPresent(expires, forKey: "expires")
                try container.encodeIfPresent(companions, forKey: "companions")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var grant: Wire.Grant
            package var item: Wire.Item

            package init(grant: Wire.Grant, item: Wire.Item) {
                self.grant = grant
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                grant = try container.decode(Wire.Grant.self, forKey: "grant")
                item = try container.decode(Wire.Item.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(grant, forKey: "grant")
                try container.encode(item, forKey: "item")
            }
        }
    }

    /// The audit log, newest first. Every argument narrows the selection. Called with `more` (follow), new entries
    /// arrive as they occur, oldest first in each reply, until the caller ends the call.
    package enum Log: InterfaceMethod {
        package static let name = "org.docent.Administration.Log"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var location: Wire.Location?
            package var refused: Bool?
            package var since: Double?
            package var limit: Int?

            package init(
                client: String? = nil,
                location: Wire.Location? = nil,
                refused: Bool? = nil,
                since: Double? = nil,
                limit: Int? = nil
            ) {
                self.client = client
                self.location = location
                self.refused = refused
                self.since = since
                self.limit = limit
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decodeIfPresent(String.self, forKey: "client")
                location = try container.decodeIfPresent(Wire.Location.self, forKey: "location")
                refused = try container.decodeIfPresent(Bool.self, forKey: "refused")
                since = try container.decodeIfPresent(Double.self, forKey: "since")
                limit = try container.decodeIfPresent(Int.self, forKey: "limit")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(client, forKey: "client")
                try container.encodeIfPresent(location, forKey: "location")
                try container.encodeIfPresent(refused, forKey: "refused")
                try container.encodeIfPresent(since, forKey: "since")
                try container.encodeIfPresent(limit, forKey: "limit")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var entries: [Wire.LogEntry]

            package init(entries: [Wire.LogEntry]) {
                self.entries = entries
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                entries = try container.decode([Wire.LogEntry].self, forKey: "entries")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(entries, forKey: "entries")
            }
        }
    }

    /// Makes an entry of the audit log (refused): this session, which shows documents to other programs, has nothing
    /// downloaded for one of them any more, because that has asked for more than documentsPerMinute documents within a
    /// minute. program, process: as the caller says.
    package enum NoteDownloadLimit: InterfaceMethod {
        package static let name = "org.docent.Administration.NoteDownloadLimit"

        package struct Parameters: VarlinkMessage, Equatable {
            package var program: String
            package var process: Int?
            package var documentsPerMinute: Int

            package init(program: String, process: Int? = nil, documentsPerMinute: Int) {
                self.program = program
                self.process = process
                self.documentsPerMinute = documentsPerMinute
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                program = try container.decode(String.self, forKey: "program")
                process = try container.decodeIfPresent(Int.self, forKey: "process")
                documentsPerMinute = try container.decode(Int.self, forKey: "documentsPerMinute")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(program, forKey: "program")
                try container.encodeIfPresent(process, forKey: "process")
                try container.encode(documentsPerMinute, forKey: "documentsPerMinute")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// The index for searching: its accounts, its file and the size of that. exists: there is none before the first search.
    package enum SearchIndex: InterfaceMethod {
        package static let name = "org.docent.Administration.SearchIndex"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var accounts: [Wire.IndexedAccount]
            package var path: String
            package var bytes: Int
            package var exists: Bool

            package init(accounts: [Wire.IndexedAccount], path: String, bytes: Int, exists: Bool) {
                self.accounts = accounts
                self.path = path
                self.bytes = bytes
                self.exists = exists
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                accounts = try container.decode([Wire.IndexedAccount].self, forKey: "accounts")
                path = try container.decode(String.self, forKey: "path")
                bytes = try container.decode(Int.self, forKey: "bytes")
                exists = try container.decode(Bool.self, forKey: "exists")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(accounts, forKey: "accounts")
                try container.encode(path, forKey: "path")
                try container.encode(bytes, forKey: "bytes")
                try container.encode(exists, forKey: "exists")
            }
        }
    }

    /// Changes what is done for the index. action: start (lists the folders of an account, or continues), pause (until start),
    /// rebuild (makes the index again; without an account). Without a provider: all accounts.
    package enum ChangeSearchIndex: InterfaceMethod {
        package static let name = "org.docent.Administration.ChangeSearchIndex"

        package struct Parameters: VarlinkMessage, Equatable {
            package var action: String
            package var provider: String?
            package var domain: String?

            package init(action: String, provider: String? = nil, domain: String? = nil) {
                self.action = action
                self.provider = provider
                self.domain = domain
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                action = try container.decode(String.self, forKey: "action")
                provider = try container.decodeIfPresent(String.self, forKey: "provider")
                domain = try container.decodeIfPresent(String.self, forKey: "domain")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(action, forKey: "action")
                try container.encodeIfPresent(provider, forKey: "provider")
                try container.encodeIfPresent(domain, forKey: "domain")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var accounts: Int

            package init(accounts: Int) {
                self.accounts = accounts
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                accounts = try container.decode(Int.self, forKey: "accounts")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(accounts, forKey: "accounts")
            }
        }
    }

    /// Who may access an item and through what, and who caused its last download. grants: on the item, on folders
    /// above it, and for it as a companion. sentences: the same in words for people.
    package enum Why: InterfaceMethod {
        package static let name = "org.docent.Administration.Why"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var client: String?

            package init(location: Wire.Location, client: String? = nil) {
                self.location = location
                self.client = client
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                client = try container.decodeIfPresent(String.self, forKey: "client")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
                try container.encodeIfPresent(client, forKey: "client")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var grants: [Wire.Grant]
            package var lastDownload: Wire.LogEntry?
            package var sentences: [String]

            package init(
                item: Wire.Item,
                grants: [Wire.Grant],
                lastDownload: Wire.LogEntry? = nil,
                sentences: [String]
            ) {
                self.item = item
                self.grants = grants
                self.lastDownload = lastDownload
                self.sentences = sentences
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.Item.self, forKey: "item")
                grants = try container.decode([Wire.Grant].self, forKey: "grants")
                lastDownload = try container.decodeIfPresent(Wire.LogEntry.self, forKey: "lastDownload")
                sentences = try container.decode([String].self, forKey: "sentences")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
                try container.encode(grants, forKey: "grants")
                try container.encodeIfPresent(lastDownload, forKey: "lastDownload")
                try container.encode(sentences, forKey: "sentences")
            }
        }
    }

    /// Subscribes to requests that the user choose (call with `more`); each reply has the requests that are waiting.
    /// client: only requests of this client. The subscription ends with the call. When no subscriber is left, waiting
    /// requests are refused.
    package enum PickRequests: InterfaceMethod {
        package static let name = "org.docent.Administration.PickRequests"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var clientKind: String?

            package init(client: String? = nil, clientKind: String? = nil) {
                self.client = client
                self.clientKind = clientKind
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decodeIfPresent(String.self, forKey: "client")
                clientKind = try container.decodeIfPresent(String.self, forKey: "clientKind")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(client, forKey: "client")
                try container.encodeIfPresent(clientKind, forKey: "clientKind")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var requests: [Wire.PickRequest]

            package init(requests: [Wire.PickRequest]) {
                self.requests = requests
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                requests = try container.decode([Wire.PickRequest].self, forKey: "requests")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(requests, forKey: "requests")
            }
        }
    }

    /// Answers a request with a location (of a document, or of the folder for an export or move), or refuses it.
    /// access: what is granted, at most what was asked for. name: the name of the export or move.
    package enum AnswerPick: InterfaceMethod {
        package static let name = "org.docent.Administration.AnswerPick"

        package struct Parameters: VarlinkMessage, Equatable {
            package var identifier: String
            package var location: Wire.Location?
            package var access: String?
            package var name: String?
            package var persist: Bool?
            package var expires: Double?
            package var companions: [String]?

            package init(
                identifier: String,
                location: Wire.Location? = nil,
                access: String? = nil,
                name: String? = nil,
                persist: Bool? = nil,
                expires: Double? = nil,
                companions: [String]? = nil
            ) {
                self.identifier = identifier
                self.location = location
                self.access = access
                self.name = name
                self.persist = persist
                self.expires = expires
                self.companions = companions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                identifier = try container.decode(String.self, forKey: "identifier")
                location = try container.decodeIfPresent(Wire.Location.self, forKey: "location")
                access = try container.decodeIfPresent(String.self, forKey: "access")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                persist = try container.decodeIfPresent(Bool.self, forKey: "persist")
                expires = try container.decodeIfPresent(Double.self, forKey: "expires")
                companions = try container.decodeIfPresent([String].self, forKey: "companions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(location, forKey: "location")
                try container.encodeIfPresent(access, forKey: "access")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encodeIfPresent(persist, forKey: "persist")
                try container.encodeIfPresent(expires, forKey: "expires")
                try container.encodeIfPresent(companions, forKey: "companions")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }

    /// Doctor.
    package enum Doctor: InterfaceMethod {
        package static let name = "org.docent.Administration.Doctor"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var checks: [Wire.Check]

            package init(checks: [Wire.Check]) {
                self.checks = checks
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                checks = try container.decode([Wire.Check].self, forKey: "checks")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(checks, forKey: "checks")
            }
        }
    }

    /// Status.
    package enum Status: InterfaceMethod {
        package static let name = "org.docent.Administration.Status"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var version: String
            package var processIdentifier: Int
            package var uptime: Double
            package var socket: String
            package var dataDirectory: String
            package var residentBytes: Int
            package var sessions: Int
            package var pendingOperations: Int
            package var extensions: [Wire.ExtensionStatus]

            package init(
                version: String,
                processIdentifier: Int,
                uptime: Double,
                socket: String,
                dataDirectory: String,
                residentBytes: Int,
                sessions: Int,
                pendingOperations: Int,
                extensions: [Wire.ExtensionStatus]
            ) {
                self.version = version
                self.processIdentifier = processIdentifier
                self.uptime = uptime
                self.socket = socket
                self.dataDirectory = dataDirectory
                self.residentBytes = residentBytes
                self.sessions = sessions
                self.pendingOperations = pendingOperations
                self.extensions = extensions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                version = try container.decode(String.self, forKey: "version")
                processIdentifier = try container.decode(Int.self, forKey: "processIdentifier")
                uptime = try container.decode(Double.self, forKey: "uptime")
                socket = try container.decode(String.self, forKey: "socket")
                dataDirectory = try container.decode(String.self, forKey: "dataDirectory")
                residentBytes = try container.decode(Int.self, forKey: "residentBytes")
                sessions = try container.decode(Int.self, forKey: "sessions")
                pendingOperations = try container.decode(Int.self, forKey: "pendingOperations")
                extensions = try container.decode([Wire.ExtensionStatus].self, forKey: "extensions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(version, forKey: "version")
                try container.encode(processIdentifier, forKey: "processIdentifier")
                try container.encode(uptime, forKey: "uptime")
                try container.encode(socket, forKey: "socket")
                try container.encode(dataDirectory, forKey: "dataDirectory")
                try container.encode(residentBytes, forKey: "residentBytes")
                try container.encode(sessions, forKey: "sessions")
                try container.encode(pendingOperations, forKey: "pendingOperations")
                try container.encode(extensions, forKey: "extensions")
            }
        }
    }

    /// Creates a socket for one confined client; whoever connects to it is that client. It exists as long as this
    /// call (call with `more`).
    package enum ListenForClient: InterfaceMethod {
        package static let name = "org.docent.Administration.ListenForClient"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String

            package init(client: String) {
                self.client = client
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decode(String.self, forKey: "client")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(client, forKey: "client")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var path: String

            package init(path: String) {
                self.path = path
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                path = try container.decode(String.self, forKey: "path")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(path, forKey: "path")
            }
        }
    }

    /// Ends the daemon. Refused while changes wait to be uploaded, unless forced; they are kept in either case.
    /// ifIdle, used by a newer program: refused also while anyone else is connected or anything is in progress; a
    /// later client starts another daemon.
    package enum Stop: InterfaceMethod {
        package static let name = "org.docent.Administration.Stop"

        package struct Parameters: VarlinkMessage, Equatable {
            package var force: Bool?
            package var ifIdle: Bool?

            package init(force: Bool? = nil, ifIdle: Bool? = nil) {
                self.force = force
                self.ifIdle = ifIdle
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                force = try container.decodeIfPresent(Bool.self, forKey: "force")
                ifIdle = try container.decodeIfPresent(Bool.self, forKey: "ifIdle")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(force, forKey: "force")
                try container.encodeIfPresent(ifIdle, forKey: "ifIdle")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }
    }
}

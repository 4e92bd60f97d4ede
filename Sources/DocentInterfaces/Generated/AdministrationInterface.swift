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

    /// What enabling would mean. The digest names exactly what was shown.
    package enum DescribeProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.DescribeProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String

            package init(provider: String) {
                self.provider = provider
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var consent: Wire.Consent

            package init(consent: Wire.Consent) {
                self.consent = consent
            }
        }
    }

    /// Enables a provider as it was shown. digest: of the Consent that the user agreed to; another one is refused.
    /// joinGroups: agree that it joins a document group which belongs to another provider.
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
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
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
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Lifts a quarantine and forgets crashes.
    package enum ResetProvider: InterfaceMethod {
        package static let name = "org.docent.Administration.ResetProvider"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String

            package init(provider: String) {
                self.provider = provider
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Manifests that cannot be used, and why.
    package enum ListBroken: InterfaceMethod {
        package static let name = "org.docent.Administration.ListBroken"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var broken: [Wire.BrokenManifest]

            package init(broken: [Wire.BrokenManifest]) {
                self.broken = broken
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
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var domains: [Wire.Domain]

            package init(domains: [Wire.Domain]) {
                self.domains = domains
            }
        }
    }

    /// Adds a signed-in service or, for a provider of local files, a folder (an absolute path), which the provider's
    /// sandbox is then opened for.
    package enum AddDomain: InterfaceMethod {
        package static let name = "org.docent.Administration.AddDomain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: Wire.Domain

            package init(domain: Wire.Domain) {
                self.domain = domain
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// RemoveDomain.
    package enum RemoveDomain: InterfaceMethod {
        package static let name = "org.docent.Administration.RemoveDomain"

        package struct Parameters: VarlinkMessage, Equatable {
            package var provider: String
            package var identifier: String

            package init(provider: String, identifier: String) {
                self.provider = provider
                self.identifier = identifier
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Every argument narrows.
    package enum ListGrants: InterfaceMethod {
        package static let name = "org.docent.Administration.ListGrants"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var provider: String?
            package var location: Wire.Location?

            package init(client: String? = nil, provider: String? = nil, location: Wire.Location? = nil) {
                self.client = client
                self.provider = provider
                self.location = location
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var grants: [Wire.Grant]

            package init(grants: [Wire.Grant]) {
                self.grants = grants
            }
        }
    }

    /// Durable, and in force, when it is answered. openDescriptors: read descriptors that are already out; they keep the old content.
    package enum Revoke: InterfaceMethod {
        package static let name = "org.docent.Administration.Revoke"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var provider: String?
            package var location: Wire.Location?

            package init(client: String? = nil, provider: String? = nil, location: Wire.Location? = nil) {
                self.client = client
                self.provider = provider
                self.location = location
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var revoked: Int
            package var openDescriptors: Int

            package init(revoked: Int, openDescriptors: Int) {
                self.revoked = revoked
                self.openDescriptors = openDescriptors
            }
        }
    }

    /// Doctor.
    package enum Doctor: InterfaceMethod {
        package static let name = "org.docent.Administration.Doctor"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var checks: [Wire.Check]

            package init(checks: [Wire.Check]) {
                self.checks = checks
            }
        }
    }

    /// Status.
    package enum Status: InterfaceMethod {
        package static let name = "org.docent.Administration.Status"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}
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
        }
    }

    /// A socket for one confined client, which is that client whoever connects; it lives as long as this call
    /// (call it with `more`).
    package enum ListenForClient: InterfaceMethod {
        package static let name = "org.docent.Administration.ListenForClient"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String

            package init(client: String) {
                self.client = client
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var path: String

            package init(path: String) {
                self.path = path
            }
        }
    }

    /// Ends the daemon. Refused while changes wait to be uploaded, unless forced; they are kept either way.
    package enum Stop: InterfaceMethod {
        package static let name = "org.docent.Administration.Stop"

        package struct Parameters: VarlinkMessage, Equatable {
            package var force: Bool?

            package init(force: Bool? = nil) {
                self.force = force
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }
}

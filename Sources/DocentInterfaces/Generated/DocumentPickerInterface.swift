// Made from Interfaces/org.docent.DocumentPicker.varlink by Scripts/generate-interfaces.py; edit that file.

import Varlink

/// The interface `org.docent.DocumentPicker`.
package enum DocumentPickerInterface {
    /// Its name.
    package static let name = "org.docent.DocumentPicker"

    /// Its text, as introspection gives it.
    package static var description: String {
        String(decoding: PackageResources.org_docent_DocumentPicker_varlink, as: UTF8.self)
    }

    /// Initialize.
    package enum Initialize: InterfaceMethod {
        package static let name = "org.docent.DocumentPicker.Initialize"

        package struct Parameters: VarlinkMessage, Equatable {
            package var version: Int
            package var provider: String
            package var point: String
            package var principalClass: String?
            package var displayName: String
            package var domains: [Wire.ProviderDomain]

            package init(
                version: Int,
                provider: String,
                point: String,
                principalClass: String? = nil,
                displayName: String,
                domains: [Wire.ProviderDomain]
            ) {
                self.version = version
                self.provider = provider
                self.point = point
                self.principalClass = principalClass
                self.displayName = displayName
                self.domains = domains
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var sdk: String
            package var features: [String]

            package init(sdk: String, features: [String]) {
                self.sdk = sdk
                self.features = features
            }
        }
    }

    /// Connect.
    package enum Connect: InterfaceMethod {
        package static let name = "org.docent.DocumentPicker.Connect"

        package struct Parameters: VarlinkMessage, Equatable {
            package var socket: Int

            package var descriptorCount: Int { 1 }

            package init(socket: Int) {
                self.socket = socket
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// prepareForPresentationInMode: import, open, export, move. providerIdentifier and storage are present if there
    /// is a file provider. original and originalName, for export and move: a descriptor of the source, and its name.
    /// validTypes: for import and open.
    package enum Prepare: InterfaceMethod {
        package static let name = "org.docent.DocumentPicker.Prepare"

        package struct Parameters: VarlinkMessage, Equatable {
            package var session: String
            package var mode: String
            package var domain: String
            package var validTypes: [String]?
            package var original: Int?
            package var originalName: String?
            package var originalType: String?
            package var providerIdentifier: String?
            package var storage: String?

            package var descriptorCount: Int { (original == nil ? 0 : 1) }

            package init(
                session: String,
                mode: String,
                domain: String,
                validTypes: [String]? = nil,
                original: Int? = nil,
                originalName: String? = nil,
                originalType: String? = nil,
                providerIdentifier: String? = nil,
                storage: String? = nil
            ) {
                self.session = session
                self.mode = mode
                self.domain = domain
                self.validTypes = validTypes
                self.original = original
                self.originalName = originalName
                self.originalType = originalType
                self.providerIdentifier = providerIdentifier
                self.storage = storage
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// What the picker shows in a folder; "/" is the top.
    package enum Contents: InterfaceMethod {
        package static let name = "org.docent.DocumentPicker.Contents"

        package struct Parameters: VarlinkMessage, Equatable {
            package var session: String
            package var path: String
            package var page: String?

            package init(session: String, path: String, page: String? = nil) {
                self.session = session
                self.path = path
                self.page = page
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var entries: [Wire.PickerEntry]
            package var nextPage: String?

            package init(entries: [Wire.PickerEntry], nextPage: String? = nil) {
                self.entries = entries
                self.nextPage = nextPage
            }
        }
    }

    /// Reports that the user chose this document (import, open), or this folder and name (export, move). The reply
    /// has what the extension passed to dismissGrantingAccessToURL: a file URL, or cancelled. For import by a picker
    /// without a file provider, and for export, `file` is a descriptor for reading the file at that URL. purpose:
    /// that of the coordination in which the picker wrote to storage. If it is the provider's own identifier, the
    /// picker has synchronised the file itself, and its file provider is not notified of the change. Called with
    /// `more`, every reply but the last has progress and extends the deadline.
    package enum Choose: InterfaceMethod {
        package static let name = "org.docent.DocumentPicker.Choose"

        package struct Parameters: VarlinkMessage, Equatable {
            package var session: String
            package var path: String
            package var name: String?

            package init(session: String, path: String, name: String? = nil) {
                self.session = session
                self.path = path
                self.name = name
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var cancelled: Bool
            package var url: String?
            package var file: Int?
            package var purpose: String?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package var descriptorCount: Int { (file == nil ? 0 : 1) }

            package init(
                cancelled: Bool,
                url: String? = nil,
                file: Int? = nil,
                purpose: String? = nil,
                completedBytes: Int? = nil,
                totalBytes: Int? = nil
            ) {
                self.cancelled = cancelled
                self.url = url
                self.file = file
                self.purpose = purpose
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }
        }
    }

    /// Reports that the host has finished with the URL.
    package enum Dismiss: InterfaceMethod {
        package static let name = "org.docent.DocumentPicker.Dismiss"

        package struct Parameters: VarlinkMessage, Equatable {
            package var session: String

            package init(session: String) {
                self.session = session
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    package static let errorNoSuchItem = "org.docent.DocumentPicker.NoSuchItem"

    package static let errorNotAuthenticated = "org.docent.DocumentPicker.NotAuthenticated"

    package static let errorServerUnreachable = "org.docent.DocumentPicker.ServerUnreachable"

    package static let errorCollision = "org.docent.DocumentPicker.Collision"

    package static let errorInsufficientQuota = "org.docent.DocumentPicker.InsufficientQuota"

    package static let errorNotSupported = "org.docent.DocumentPicker.NotSupported"

    package static let errorNotPermitted = "org.docent.DocumentPicker.NotPermitted"

    package static let errorInvalidArgument = "org.docent.DocumentPicker.InvalidArgument"

    package static let errorFailed = "org.docent.DocumentPicker.Failed"
}

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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                version = try container.decode(Int.self, forKey: "version")
                provider = try container.decode(String.self, forKey: "provider")
                point = try container.decode(String.self, forKey: "point")
                principalClass = try container.decodeIfPresent(String.self, forKey: "principalClass")
                displayName = try container.decode(String.self, forKey: "displayName")
                domains = try container.decode([Wire.ProviderDomain].self, forKey: "domains")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(version, forKey: "version")
                try container.encode(provider, forKey: "provider")
                try container.encode(point, forKey: "point")
                try container.encodeIfPresent(principalClass, forKey: "principalClass")
                try container.encode(displayName, forKey: "displayName")
                try container.encode(domains, forKey: "domains")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var sdk: String
            package var features: [String]

            package init(sdk: String, features: [String]) {
                self.sdk = sdk
                self.features = features
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                sdk = try container.decode(String.self, forKey: "sdk")
                features = try container.decode([String].self, forKey: "features")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(sdk, forKey: "sdk")
                try container.encode(features, forKey: "features")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                socket = try container.decode(Int.self, forKey: "socket")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(socket, forKey: "socket")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                session = try container.decode(String.self, forKey: "session")
                mode = try container.decode(String.self, forKey: "mode")
                domain = try container.decode(String.self, forKey: "domain")
                validTypes = try container.decodeIfPresent([String].self, forKey: "validTypes")
                original = try container.decodeIfPresent(Int.self, forKey: "original")
                originalName = try container.decodeIfPresent(String.self, forKey: "originalName")
                originalType = try container.decodeIfPresent(String.self, forKey: "originalType")
                providerIdentifier = try container.decodeIfPresent(String.self, forKey: "providerIdentifier")
                storage = try container.decodeIfPresent(String.self, forKey: "storage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(session, forKey: "session")
                try container.encode(mode, forKey: "mode")
                try container.encode(domain, forKey: "domain")
                try container.encodeIfPresent(validTypes, forKey: "validTypes")
                try container.encodeIfPresent(original, forKey: "original")
                try container.encodeIfPresent(originalName, forKey: "originalName")
                try container.encodeIfPresent(originalType, forKey: "originalType")
                try container.encodeIfPresent(providerIdentifier, forKey: "providerIdentifier")
                try container.encodeIfPresent(storage, forKey: "storage")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                session = try container.decode(String.self, forKey: "session")
                path = try container.decode(String.self, forKey: "path")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(session, forKey: "session")
                try container.encode(path, forKey: "path")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var entries: [Wire.PickerEntry]
            package var nextPage: String?

            package init(entries: [Wire.PickerEntry], nextPage: String? = nil) {
                self.entries = entries
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                entries = try container.decode([Wire.PickerEntry].self, forKey: "entries")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(entries, forKey: "entries")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                session = try container.decode(String.self, forKey: "session")
                path = try container.decode(String.self, forKey: "path")
                name = try container.decodeIfPresent(String.self, forKey: "name")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(session, forKey: "session")
                try container.encode(path, forKey: "path")
                try container.encodeIfPresent(name, forKey: "name")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                cancelled = try container.decode(Bool.self, forKey: "cancelled")
                url = try container.decodeIfPresent(String.self, forKey: "url")
                file = try container.decodeIfPresent(Int.self, forKey: "file")
                purpose = try container.decodeIfPresent(String.self, forKey: "purpose")
                completedBytes = try container.decodeIfPresent(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(cancelled, forKey: "cancelled")
                try container.encodeIfPresent(url, forKey: "url")
                try container.encodeIfPresent(file, forKey: "file")
                try container.encodeIfPresent(purpose, forKey: "purpose")
                try container.encodeIfPresent(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                session = try container.decode(String.self, forKey: "session")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(session, forKey: "session")
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

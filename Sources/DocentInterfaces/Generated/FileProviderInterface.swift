// Made from Interfaces/org.docent.FileProvider.varlink by Scripts/generate-interfaces.py; edit that file.

import Varlink

/// The interface `org.docent.FileProvider`.
package enum FileProviderInterface {
    /// Its name.
    package static let name = "org.docent.FileProvider"

    /// Its text, as introspection gives it.
    package static var description: String {
        String(decoding: PackageResources.org_docent_FileProvider_varlink, as: UTF8.self)
    }

    /// The first call. storage in ProviderDomain: documentStorageURL as a path inside the sandbox. features: inPlace
    /// (OpenInPlace), write (Create, Modify), delete, move, changes, resume (Fetch uses its offset), ranges (FetchRange),
    /// usage (Usage), trash (TrashItem, RestoreItem, ListTrash, DeleteTrashed), versions (ListVersions, FetchVersion,
    /// RestoreVersion), actions (Perform), thumbnails (Thumbnail), signIn, packages (BeginPackage), metadata (Create, Modify
    /// and CommitPackage keep what is beside the content), authenticate
    /// (SignInForms, Authenticate), classic (the iOS 8 class: no Fetch; Provide creates the file). Later calls add,
    /// change and remove domains.
    package enum Initialize: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Initialize"

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

    /// Adds a connection for simultaneous calls: one descriptor, an end of a socket pair.
    package enum Connect: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Connect"

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

    /// Notifications, for as long as the call lasts (call with `more`). kind: changed, deleted, resync, log. One
    /// reply per batch; identifiers are those of items and folders of the domain.
    package enum Events: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Events"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var kind: String
            package var domain: String
            package var identifiers: [String]
            package var message: String?

            package init(kind: String, domain: String, identifiers: [String], message: String? = nil) {
                self.kind = kind
                self.domain = domain
                self.identifiers = identifiers
                self.message = message
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                kind = try container.decode(String.self, forKey: "kind")
                domain = try container.decode(String.self, forKey: "domain")
                identifiers = try container.decode([String].self, forKey: "identifiers")
                message = try container.decodeIfPresent(String.self, forKey: "message")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(kind, forKey: "kind")
                try container.encode(domain, forKey: "domain")
                try container.encode(identifiers, forKey: "identifiers")
                try container.encodeIfPresent(message, forKey: "message")
            }
        }
    }

    /// Item.
    package enum Item: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Item"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem

            package init(item: Wire.ProviderItem) {
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.ProviderItem.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
            }
        }
    }

    /// The child with this name.
    package enum Child: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Child"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var parent: String
            package var name: String

            package init(domain: String, parent: String, name: String) {
                self.domain = domain
                self.parent = parent
                self.name = name
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                parent = try container.decode(String.self, forKey: "parent")
                name = try container.decode(String.self, forKey: "name")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(parent, forKey: "parent")
                try container.encode(name, forKey: "name")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem

            package init(item: Wire.ProviderItem) {
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.ProviderItem.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
            }
        }
    }

    /// One page; without `page`, the first. A page token has at most 500 bytes.
    package enum Children: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Children"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var parent: String
            package var page: String?

            package init(domain: String, parent: String, page: String? = nil) {
                self.domain = domain
                self.parent = parent
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                parent = try container.decode(String.self, forKey: "parent")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(parent, forKey: "parent")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: [Wire.ProviderItem]
            package var nextPage: String?

            package init(items: [Wire.ProviderItem], nextPage: String? = nil) {
                self.items = items
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                items = try container.decode([Wire.ProviderItem].self, forKey: "items")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(items, forKey: "items")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
            }
        }
    }

    /// The changes since an anchor; without one, only the current anchor. AnchorExpired: list again.
    package enum Changes: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Changes"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var anchor: String?

            package init(domain: String, anchor: String? = nil) {
                self.domain = domain
                self.anchor = anchor
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                anchor = try container.decodeIfPresent(String.self, forKey: "anchor")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encodeIfPresent(anchor, forKey: "anchor")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var changed: [Wire.ProviderItem]
            package var deleted: [String]
            package var anchor: String
            package var more: Bool

            package init(changed: [Wire.ProviderItem], deleted: [String], anchor: String, more: Bool) {
                self.changed = changed
                self.deleted = deleted
                self.anchor = anchor
                self.more = more
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                changed = try container.decode([Wire.ProviderItem].self, forKey: "changed")
                deleted = try container.decode([String].self, forKey: "deleted")
                anchor = try container.decode(String.self, forKey: "anchor")
                more = try container.decode(Bool.self, forKey: "more")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(changed, forKey: "changed")
                try container.encode(deleted, forKey: "deleted")
                try container.encode(anchor, forKey: "anchor")
                try container.encode(more, forKey: "more")
            }
        }
    }

    /// Opens the content in place: a descriptor for reading the file itself.
    package enum OpenInPlace: InterfaceMethod {
        package static let name = "org.docent.FileProvider.OpenInPlace"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem
            package var file: Int

            package var descriptorCount: Int { 1 }

            package init(item: Wire.ProviderItem, file: Int) {
                self.item = item
                self.file = file
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.ProviderItem.self, forKey: "item")
                file = try container.decode(Int.self, forKey: "file")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
                try container.encode(file, forKey: "file")
            }
        }
    }

    /// Writes the content to the descriptor `destination`, which is open for writing. Called with `more`, every reply
    /// but the last has progress and extends the deadline. completedBytes counts from the start of the content,
    /// including bytes that were already there. offset: the number of bytes of that version that are already there.
    /// The reply's offset is where writing began: 0 (or absent) when the provider started again because the version
    /// has changed or it cannot resume.
    package enum Fetch: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Fetch"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var destination: Int
            package var offset: Int?
            package var version: String?

            package var descriptorCount: Int { 1 }

            package init(
                domain: String,
                identifier: String,
                destination: Int,
                offset: Int? = nil,
                version: String? = nil
            ) {
                self.domain = domain
                self.identifier = identifier
                self.destination = destination
                self.offset = offset
                self.version = version
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                destination = try container.decode(Int.self, forKey: "destination")
                offset = try container.decodeIfPresent(Int.self, forKey: "offset")
                version = try container.decodeIfPresent(String.self, forKey: "version")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encode(destination, forKey: "destination")
                try container.encodeIfPresent(offset, forKey: "offset")
                try container.encodeIfPresent(version, forKey: "version")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var completedBytes: Int
            package var totalBytes: Int?
            package var offset: Int?

            package init(
                item: Wire.ProviderItem? = nil,
                completedBytes: Int,
                totalBytes: Int? = nil,
                offset: Int? = nil
            ) {
                self.item = item
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
                self.offset = offset
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.ProviderItem.self, forKey: "item")
                completedBytes = try container.decode(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
                offset = try container.decodeIfPresent(Int.self, forKey: "offset")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encode(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
                try container.encodeIfPresent(offset, forKey: "offset")
            }
        }
    }

    /// Writes a part of the content: `length` bytes from `offset` on, or fewer when the content ends before. They are
    /// written in order to the descriptor `destination`, a pipe that cannot be sought. The host may close the pipe before
    /// the end, when no one needs the rest. Only content of `version` may be written: if the item has another one, the
    /// answer is VersionOutOfDate. NotSupported: this content cannot be fetched in parts; the host uses Fetch. Called with
    /// `more`, every reply but the last has progress and extends the deadline. completedBytes counts from `offset`;
    /// totalBytes is the size of the whole content; version, in the last reply, is that of the bytes written. A reply before
    /// it has the version only if it is certain by then: what is written can then be read at once.
    package enum FetchRange: InterfaceMethod {
        package static let name = "org.docent.FileProvider.FetchRange"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var version: String
            package var offset: Int
            package var length: Int
            package var destination: Int

            package var descriptorCount: Int { 1 }

            package init(
                domain: String,
                identifier: String,
                version: String,
                offset: Int,
                length: Int,
                destination: Int
            ) {
                self.domain = domain
                self.identifier = identifier
                self.version = version
                self.offset = offset
                self.length = length
                self.destination = destination
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                version = try container.decode(String.self, forKey: "version")
                offset = try container.decode(Int.self, forKey: "offset")
                length = try container.decode(Int.self, forKey: "length")
                destination = try container.decode(Int.self, forKey: "destination")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encode(version, forKey: "version")
                try container.encode(offset, forKey: "offset")
                try container.encode(length, forKey: "length")
                try container.encode(destination, forKey: "destination")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var version: String?
            package var completedBytes: Int
            package var totalBytes: Int?

            package init(version: String? = nil, completedBytes: Int, totalBytes: Int? = nil) {
                self.version = version
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                version = try container.decodeIfPresent(String.self, forKey: "version")
                completedBytes = try container.decode(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(version, forKey: "version")
                try container.encode(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            }
        }
    }

    /// How much space the domain's account has, in bytes. What is not known is absent.
    package enum Usage: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Usage"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String

            package init(domain: String) {
                self.domain = domain
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var totalBytes: Int?
            package var usedBytes: Int?
            package var availableBytes: Int?

            package init(totalBytes: Int? = nil, usedBytes: Int? = nil, availableBytes: Int? = nil) {
                self.totalBytes = totalBytes
                self.usedBytes = usedBytes
                self.availableBytes = availableBytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
                usedBytes = try container.decodeIfPresent(Int.self, forKey: "usedBytes")
                availableBytes = try container.decodeIfPresent(Int.self, forKey: "availableBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
                try container.encodeIfPresent(usedBytes, forKey: "usedBytes")
                try container.encodeIfPresent(availableBytes, forKey: "availableBytes")
            }
        }
    }

    /// Writes a picture of an item's content to the descriptor `destination`, which is open for writing: a PNG or a JPEG of
    /// at most 4 MiB, `size` pixels wide or high (128, 256, 512 or 1024) if there is one of that size, otherwise a smaller
    /// or larger one. The content is not fetched for it. version: the one that the host knows; the reply's version is that of
    /// the picture. completedBytes: the length of the picture. contentType: its type identifier. NotSupported: there is no
    /// picture of this item in this version.
    package enum Thumbnail: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Thumbnail"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var version: String?
            package var size: Int
            package var destination: Int

            package var descriptorCount: Int { 1 }

            package init(domain: String, identifier: String, version: String? = nil, size: Int, destination: Int) {
                self.domain = domain
                self.identifier = identifier
                self.version = version
                self.size = size
                self.destination = destination
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                version = try container.decodeIfPresent(String.self, forKey: "version")
                size = try container.decode(Int.self, forKey: "size")
                destination = try container.decode(Int.self, forKey: "destination")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(version, forKey: "version")
                try container.encode(size, forKey: "size")
                try container.encode(destination, forKey: "destination")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var completedBytes: Int
            package var contentType: String
            package var version: String?

            package init(completedBytes: Int, contentType: String, version: String? = nil) {
                self.completedBytes = completedBytes
                self.contentType = contentType
                self.version = version
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                completedBytes = try container.decode(Int.self, forKey: "completedBytes")
                contentType = try container.decode(String.self, forKey: "contentType")
                version = try container.decodeIfPresent(String.self, forKey: "version")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(completedBytes, forKey: "completedBytes")
                try container.encode(contentType, forKey: "contentType")
                try container.encodeIfPresent(version, forKey: "version")
            }
        }
    }

    /// Does something with the domain as a whole that no other method stands for, such as letting another machine in. The
    /// person's own commands ask for it, never a program that is confined. action: its name. arguments: texts by name, which
    /// may be secret, as may the rows. NotSupported: the provider has no action of that name.
    package enum Perform: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Perform"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var action: String
            package var arguments: [String: String]

            package init(domain: String, action: String, arguments: [String: String]) {
                self.domain = domain
                self.action = action
                self.arguments = arguments
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                action = try container.decode(String.self, forKey: "action")
                arguments = try container.decode([String: String].self, forKey: "arguments")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
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

    /// Creates an item; content (a descriptor for reading) is absent for a folder. Never replaces an item: Collision.
    /// digest is the SHA-256 of the content. A repeated operation with the same digest gets the same answer. Called
    /// with `more`, every reply but the last has progress (without an item) and extends the deadline; the same holds
    /// for Modify. metadata and thumbnail (a descriptor of a PNG) are sent only with the feature metadata; what
    /// cannot be kept is ignored.
    package enum Create: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Create"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var parent: String
            package var name: String
            package var isFolder: Bool
            package var contentType: String?
            package var content: Int?
            package var size: Int?
            package var digest: String?
            package var operation: String
            package var metadata: Wire.ItemMetadata?
            package var thumbnail: Int?

            package var descriptorCount: Int { (content == nil ? 0 : 1) + (thumbnail == nil ? 0 : 1) }

            package init(
                domain: String,
                parent: String,
                name: String,
                isFolder: Bool,
                contentType: String? = nil,
                content: Int? = nil,
                size: Int? = nil,
                digest: String? = nil,
                operation: String,
                metadata: Wire.ItemMetadata? = nil,
                thumbnail: Int? = nil
            ) {
                self.domain = domain
                self.parent = parent
                self.name = name
                self.isFolder = isFolder
                self.contentType = contentType
                self.content = content
                self.size = size
                self.digest = digest
                self.operation = operation
                self.metadata = metadata
                self.thumbnail = thumbnail
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                parent = try container.decode(String.self, forKey: "parent")
                name = try container.decode(String.self, forKey: "name")
                isFolder = try container.decode(Bool.self, forKey: "isFolder")
                contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
                content = try container.decodeIfPresent(Int.self, forKey: "content")
                size = try container.decodeIfPresent(Int.self, forKey: "size")
                digest = try container.decodeIfPresent(String.self, forKey: "digest")
                operation = try container.decode(String.self, forKey: "operation")
                metadata = try container.decodeIfPresent(Wire.ItemMetadata.self, forKey: "metadata")
                thumbnail = try container.decodeIfPresent(Int.self, forKey: "thumbnail")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(parent, forKey: "parent")
                try container.encode(name, forKey: "name")
                try container.encode(isFolder, forKey: "isFolder")
                try container.encodeIfPresent(contentType, forKey: "contentType")
                try container.encodeIfPresent(content, forKey: "content")
                try container.encodeIfPresent(size, forKey: "size")
                try container.encodeIfPresent(digest, forKey: "digest")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(metadata, forKey: "metadata")
                try container.encodeIfPresent(thumbnail, forKey: "thumbnail")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package init(item: Wire.ProviderItem? = nil, completedBytes: Int? = nil, totalBytes: Int? = nil) {
                self.item = item
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.ProviderItem.self, forKey: "item")
                completedBytes = try container.decodeIfPresent(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encodeIfPresent(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            }
        }
    }

    /// Replaces the content if the item is still at baseVersion. Otherwise the stored content is kept beside it and
    /// named in `conflict`, or the answer is VersionOutOfDate. Repeated calls work as for Create.
    package enum Modify: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Modify"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var baseVersion: String?
            package var content: Int
            package var size: Int
            package var digest: String
            package var operation: String
            package var metadata: Wire.ItemMetadata?
            package var thumbnail: Int?

            package var descriptorCount: Int { 1 + (thumbnail == nil ? 0 : 1) }

            package init(
                domain: String,
                identifier: String,
                baseVersion: String? = nil,
                content: Int,
                size: Int,
                digest: String,
                operation: String,
                metadata: Wire.ItemMetadata? = nil,
                thumbnail: Int? = nil
            ) {
                self.domain = domain
                self.identifier = identifier
                self.baseVersion = baseVersion
                self.content = content
                self.size = size
                self.digest = digest
                self.operation = operation
                self.metadata = metadata
                self.thumbnail = thumbnail
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                baseVersion = try container.decodeIfPresent(String.self, forKey: "baseVersion")
                content = try container.decode(Int.self, forKey: "content")
                size = try container.decode(Int.self, forKey: "size")
                digest = try container.decode(String.self, forKey: "digest")
                operation = try container.decode(String.self, forKey: "operation")
                metadata = try container.decodeIfPresent(Wire.ItemMetadata.self, forKey: "metadata")
                thumbnail = try container.decodeIfPresent(Int.self, forKey: "thumbnail")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(baseVersion, forKey: "baseVersion")
                try container.encode(content, forKey: "content")
                try container.encode(size, forKey: "size")
                try container.encode(digest, forKey: "digest")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(metadata, forKey: "metadata")
                try container.encodeIfPresent(thumbnail, forKey: "thumbnail")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var conflict: String?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package init(
                item: Wire.ProviderItem? = nil,
                conflict: String? = nil,
                completedBytes: Int? = nil,
                totalBytes: Int? = nil
            ) {
                self.item = item
                self.conflict = conflict
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.ProviderItem.self, forKey: "item")
                conflict = try container.decodeIfPresent(String.self, forKey: "conflict")
                completedBytes = try container.decodeIfPresent(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encodeIfPresent(conflict, forKey: "conflict")
                try container.encodeIfPresent(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            }
        }
    }

    /// Delete.
    package enum Delete: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Delete"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var baseVersion: String?
            package var recursive: Bool

            package init(domain: String, identifier: String, baseVersion: String? = nil, recursive: Bool) {
                self.domain = domain
                self.identifier = identifier
                self.baseVersion = baseVersion
                self.recursive = recursive
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                baseVersion = try container.decodeIfPresent(String.self, forKey: "baseVersion")
                recursive = try container.decode(Bool.self, forKey: "recursive")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(baseVersion, forKey: "baseVersion")
                try container.encode(recursive, forKey: "recursive")
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

    /// Moves an item, a folder with all that it contains, to the trash of the domain, where nothing but ListTrash shows
    /// it. Its identifier then has no item. trashed: what it is in the trash, if that is known. A repeated operation
    /// gets the same answer. NotSupported: this item cannot be moved to the trash. The provider does not delete it
    /// instead.
    package enum TrashItem: InterfaceMethod {
        package static let name = "org.docent.FileProvider.TrashItem"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var baseVersion: String?
            package var operation: String

            package init(domain: String, identifier: String, baseVersion: String? = nil, operation: String) {
                self.domain = domain
                self.identifier = identifier
                self.baseVersion = baseVersion
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                baseVersion = try container.decodeIfPresent(String.self, forKey: "baseVersion")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(baseVersion, forKey: "baseVersion")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var trashed: String?

            package init(trashed: String? = nil) {
                self.trashed = trashed
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                trashed = try container.decodeIfPresent(String.self, forKey: "trashed")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(trashed, forKey: "trashed")
            }
        }
    }

    /// One page of what is in the trash of the domain, newest first if possible; without `page`, the first. NotSupported:
    /// this domain has no trash, although others of the provider have one.
    package enum ListTrash: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ListTrash"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var page: String?

            package init(domain: String, page: String? = nil) {
                self.domain = domain
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: [Wire.TrashedItem]
            package var nextPage: String?

            package init(items: [Wire.TrashedItem], nextPage: String? = nil) {
                self.items = items
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                items = try container.decode([Wire.TrashedItem].self, forKey: "items")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(items, forKey: "items")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
            }
        }
    }

    /// Moves an item from the trash to a folder, never replacing anything: Collision. parent and name: absent for where
    /// it was and for what it was called. It gets the identifier that it had if it returns to the domain that it was
    /// deleted from and identifiers are not places. NoSuchItem: it is not in the trash, or the folder does not exist.
    package enum RestoreItem: InterfaceMethod {
        package static let name = "org.docent.FileProvider.RestoreItem"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var trashed: String
            package var parent: String?
            package var name: String?
            package var operation: String

            package init(
                domain: String,
                trashed: String,
                parent: String? = nil,
                name: String? = nil,
                operation: String
            ) {
                self.domain = domain
                self.trashed = trashed
                self.parent = parent
                self.name = name
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                trashed = try container.decode(String.self, forKey: "trashed")
                parent = try container.decodeIfPresent(String.self, forKey: "parent")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(trashed, forKey: "trashed")
                try container.encodeIfPresent(parent, forKey: "parent")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem

            package init(item: Wire.ProviderItem) {
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.ProviderItem.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
            }
        }
    }

    /// Deletes one item of the trash for good, a folder with all that it contains.
    package enum DeleteTrashed: InterfaceMethod {
        package static let name = "org.docent.FileProvider.DeleteTrashed"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var trashed: String

            package init(domain: String, trashed: String) {
                self.domain = domain
                self.trashed = trashed
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                trashed = try container.decode(String.self, forKey: "trashed")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(trashed, forKey: "trashed")
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

    /// One page of the earlier contents of a document, in any order; without `page`, the first. NotSupported: there is no
    /// history for this document, although there is one for others.
    package enum ListVersions: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ListVersions"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var page: String?

            package init(domain: String, identifier: String, page: String? = nil) {
                self.domain = domain
                self.identifier = identifier
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var versions: [Wire.EarlierVersion]
            package var nextPage: String?

            package init(versions: [Wire.EarlierVersion], nextPage: String? = nil) {
                self.versions = versions
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                versions = try container.decode([Wire.EarlierVersion].self, forKey: "versions")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(versions, forKey: "versions")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
            }
        }
    }

    /// Writes an earlier content to the descriptor `destination`, which is open for writing, from its start. Called with
    /// `more`, every reply but the last has progress and extends the deadline. NoSuchItem: the version, or its content, is
    /// gone.
    package enum FetchVersion: InterfaceMethod {
        package static let name = "org.docent.FileProvider.FetchVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var version: String
            package var destination: Int

            package var descriptorCount: Int { 1 }

            package init(domain: String, identifier: String, version: String, destination: Int) {
                self.domain = domain
                self.identifier = identifier
                self.version = version
                self.destination = destination
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                version = try container.decode(String.self, forKey: "version")
                destination = try container.decode(Int.self, forKey: "destination")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encode(version, forKey: "version")
                try container.encode(destination, forKey: "destination")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var completedBytes: Int
            package var totalBytes: Int?

            package init(completedBytes: Int, totalBytes: Int? = nil) {
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                completedBytes = try container.decode(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            }
        }
    }

    /// Makes an earlier content the content of its document. What it replaces becomes an earlier version. baseVersion: the
    /// version that may be replaced; VersionOutOfDate if the document has another one. NoSuchItem: as in FetchVersion.
    package enum RestoreVersion: InterfaceMethod {
        package static let name = "org.docent.FileProvider.RestoreVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var version: String
            package var baseVersion: String?
            package var operation: String

            package init(
                domain: String,
                identifier: String,
                version: String,
                baseVersion: String? = nil,
                operation: String
            ) {
                self.domain = domain
                self.identifier = identifier
                self.version = version
                self.baseVersion = baseVersion
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                version = try container.decode(String.self, forKey: "version")
                baseVersion = try container.decodeIfPresent(String.self, forKey: "baseVersion")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encode(version, forKey: "version")
                try container.encodeIfPresent(baseVersion, forKey: "baseVersion")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem

            package init(item: Wire.ProviderItem) {
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.ProviderItem.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
            }
        }
    }

    /// Moves an item to another folder or renames it, never replacing anything: Collision.
    package enum Move: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Move"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var baseVersion: String?
            package var parent: String
            package var name: String
            package var operation: String

            package init(
                domain: String,
                identifier: String,
                baseVersion: String? = nil,
                parent: String,
                name: String,
                operation: String
            ) {
                self.domain = domain
                self.identifier = identifier
                self.baseVersion = baseVersion
                self.parent = parent
                self.name = name
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                baseVersion = try container.decodeIfPresent(String.self, forKey: "baseVersion")
                parent = try container.decode(String.self, forKey: "parent")
                name = try container.decode(String.self, forKey: "name")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encodeIfPresent(baseVersion, forKey: "baseVersion")
                try container.encode(parent, forKey: "parent")
                try container.encode(name, forKey: "name")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem

            package init(item: Wire.ProviderItem) {
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.ProviderItem.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
            }
        }
    }

    /// Gives the domain its credentials for the life of the process: a user name and a secret (password or token),
    /// one of them, or neither to ask what is already known. NotAuthenticated when the service refuses them. kind:
    /// password or token.
    package enum SignIn: InterfaceMethod {
        package static let name = "org.docent.FileProvider.SignIn"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var kind: String
            package var username: String?
            package var secret: String?

            package init(domain: String, kind: String, username: String? = nil, secret: String? = nil) {
                self.domain = domain
                self.kind = kind
                self.username = username
                self.secret = secret
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                kind = try container.decode(String.self, forKey: "kind")
                username = try container.decodeIfPresent(String.self, forKey: "username")
                secret = try container.decodeIfPresent(String.self, forKey: "secret")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(kind, forKey: "kind")
                try container.encodeIfPresent(username, forKey: "username")
                try container.encodeIfPresent(secret, forKey: "secret")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var displayName: String?

            package init(displayName: String? = nil) {
                self.displayName = displayName
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                displayName = try container.decodeIfPresent(String.self, forKey: "displayName")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(displayName, forKey: "displayName")
            }
        }
    }

    /// Discards the secret of the domain.
    package enum SignOut: InterfaceMethod {
        package static let name = "org.docent.FileProvider.SignOut"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String

            package init(domain: String) {
                self.domain = domain
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
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

    /// The ways to sign in. No domain is needed.
    package enum SignInForms: InterfaceMethod {
        package static let name = "org.docent.FileProvider.SignInForms"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var forms: [Wire.SignInForm]

            package init(forms: [Wire.SignInForm]) {
                self.forms = forms
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                forms = try container.decode([Wire.SignInForm].self, forKey: "forms")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(forms, forKey: "forms")
            }
        }
    }

    /// Tries a person's answers with the service, in a separate instance with that domain, which need not exist yet.
    /// Nothing is kept. values: the answers by key, including secrets. redirect: the loopback address
    /// (http://127.0.0.1:PORT/) that a browser may be redirected to. Called with `more`, every reply but the last has
    /// a step and extends the deadline. The last has what to pass to SignIn from now on (kind, username, secret), the
    /// account's name for people, and settings of the domain. kind: password, token, or oauth (the provider's own
    /// text with its tokens). NotAuthenticated says why it was refused. answersQuestions: the caller answers steps of
    /// the kind question with AnswerAuthentication; otherwise no question can be asked. At most 16 of them in an
    /// attempt.
    package enum Authenticate: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Authenticate"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: Wire.ProviderDomain
            package var form: String
            package var values: [String: String]
            package var attempt: String
            package var redirect: String?
            package var answersQuestions: Bool?

            package init(
                domain: Wire.ProviderDomain,
                form: String,
                values: [String: String],
                attempt: String,
                redirect: String? = nil,
                answersQuestions: Bool? = nil
            ) {
                self.domain = domain
                self.form = form
                self.values = values
                self.attempt = attempt
                self.redirect = redirect
                self.answersQuestions = answersQuestions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(Wire.ProviderDomain.self, forKey: "domain")
                form = try container.decode(String.self, forKey: "form")
                values = try container.decode([String: String].self, forKey: "values")
                attempt = try container.decode(String.self, forKey: "attempt")
                redirect = try container.decodeIfPresent(String.self, forKey: "redirect")
                answersQuestions = try container.decodeIfPresent(Bool.self, forKey: "answersQuestions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(form, forKey: "form")
                try container.encode(values, forKey: "values")
                try container.encode(attempt, forKey: "attempt")
                try container.encodeIfPresent(redirect, forKey: "redirect")
                try container.encodeIfPresent(answersQuestions, forKey: "answersQuestions")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var step: Wire.SignInStep?
            package var kind: String?
            package var username: String?
            package var secret: String?
            package var displayName: String?
            package var settings: [String: String]?

            package init(
                step: Wire.SignInStep? = nil,
                kind: String? = nil,
                username: String? = nil,
                secret: String? = nil,
                displayName: String? = nil,
                settings: [String: String]? = nil
            ) {
                self.step = step
                self.kind = kind
                self.username = username
                self.secret = secret
                self.displayName = displayName
                self.settings = settings
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                step = try container.decodeIfPresent(Wire.SignInStep.self, forKey: "step")
                kind = try container.decodeIfPresent(String.self, forKey: "kind")
                username = try container.decodeIfPresent(String.self, forKey: "username")
                secret = try container.decodeIfPresent(String.self, forKey: "secret")
                displayName = try container.decodeIfPresent(String.self, forKey: "displayName")
                settings = try container.decodeIfPresent([String: String].self, forKey: "settings")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(step, forKey: "step")
                try container.encodeIfPresent(kind, forKey: "kind")
                try container.encodeIfPresent(username, forKey: "username")
                try container.encodeIfPresent(secret, forKey: "secret")
                try container.encodeIfPresent(displayName, forKey: "displayName")
                try container.encodeIfPresent(settings, forKey: "settings")
            }
        }
    }

    /// Passes on the address that the browser was redirected to, with its query.
    package enum ContinueAuthentication: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ContinueAuthentication"

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
    /// answer. InvalidArgument: another answer may follow; NoSuchItem: the answer is no longer expected.
    package enum AnswerAuthentication: InterfaceMethod {
        package static let name = "org.docent.FileProvider.AnswerAuthentication"

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

    /// The extension's requests to the system keyring, which it never accesses itself. Called once with `more`, for
    /// the life of the connection. request: a name of the extension's choice, for KeychainAnswered. kind: store
    /// (replaces an entry with the same group, domain and account), lookUp, delete, list, or save (kind of
    /// credential, username and secret of `domain`, replacing its credentials, for example after a token was
    /// refreshed). group: one of the manifest's keychain-access-groups; others are refused. secret: base64, at most
    /// 64 KiB decoded; for save, text.
    package enum Keychain: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Keychain"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var kind: String
            package var request: String
            package var group: String?
            package var domain: String?
            package var account: String?
            package var secret: String?
            package var label: String?
            package var credentialKind: String?
            package var username: String?

            package init(
                kind: String,
                request: String,
                group: String? = nil,
                domain: String? = nil,
                account: String? = nil,
                secret: String? = nil,
                label: String? = nil,
                credentialKind: String? = nil,
                username: String? = nil
            ) {
                self.kind = kind
                self.request = request
                self.group = group
                self.domain = domain
                self.account = account
                self.secret = secret
                self.label = label
                self.credentialKind = credentialKind
                self.username = username
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                kind = try container.decode(String.self, forKey: "kind")
                request = try container.decode(String.self, forKey: "request")
                group = try container.decodeIfPresent(String.self, forKey: "group")
                domain = try container.decodeIfPresent(String.self, forKey: "domain")
                account = try container.decodeIfPresent(String.self, forKey: "account")
                secret = try container.decodeIfPresent(String.self, forKey: "secret")
                label = try container.decodeIfPresent(String.self, forKey: "label")
                credentialKind = try container.decodeIfPresent(String.self, forKey: "credentialKind")
                username = try container.decodeIfPresent(String.self, forKey: "username")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(kind, forKey: "kind")
                try container.encode(request, forKey: "request")
                try container.encodeIfPresent(group, forKey: "group")
                try container.encodeIfPresent(domain, forKey: "domain")
                try container.encodeIfPresent(account, forKey: "account")
                try container.encodeIfPresent(secret, forKey: "secret")
                try container.encodeIfPresent(label, forKey: "label")
                try container.encodeIfPresent(credentialKind, forKey: "credentialKind")
                try container.encodeIfPresent(username, forKey: "username")
            }
        }
    }

    /// Answers a request. secret: base64; absent if there is none. items: for list. code (an error's name) and
    /// message: why it failed.
    package enum KeychainAnswered: InterfaceMethod {
        package static let name = "org.docent.FileProvider.KeychainAnswered"

        package struct Parameters: VarlinkMessage, Equatable {
            package var request: String
            package var secret: String?
            package var items: [Wire.KeychainItem]?
            package var code: String?
            package var message: String?

            package init(
                request: String,
                secret: String? = nil,
                items: [Wire.KeychainItem]? = nil,
                code: String? = nil,
                message: String? = nil
            ) {
                self.request = request
                self.secret = secret
                self.items = items
                self.code = code
                self.message = message
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                request = try container.decode(String.self, forKey: "request")
                secret = try container.decodeIfPresent(String.self, forKey: "secret")
                items = try container.decodeIfPresent([Wire.KeychainItem].self, forKey: "items")
                code = try container.decodeIfPresent(String.self, forKey: "code")
                message = try container.decodeIfPresent(String.self, forKey: "message")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(request, forKey: "request")
                try container.encodeIfPresent(secret, forKey: "secret")
                try container.encodeIfPresent(items, forKey: "items")
                try container.encodeIfPresent(code, forKey: "code")
                try container.encodeIfPresent(message, forKey: "message")
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

    /// persistentIdentifierForItemAtURL and URLForItemWithPersistentIdentifier. URLs are file URLs below storage.
    package enum PersistentIdentifier: InterfaceMethod {
        package static let name = "org.docent.FileProvider.PersistentIdentifier"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var url: String

            package init(domain: String, url: String) {
                self.domain = domain
                self.url = url
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                url = try container.decode(String.self, forKey: "url")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(url, forKey: "url")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
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
    }

    /// URLForItem.
    package enum URLForItem: InterfaceMethod {
        package static let name = "org.docent.FileProvider.URLForItem"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var url: String

            package init(url: String) {
                self.url = url
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                url = try container.decode(String.self, forKey: "url")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(url, forKey: "url")
            }
        }
    }

    /// The calls of the classic class (feature classic), for the item's file URL. ProvidePlaceholder:
    /// providePlaceholderAtURL. Provide: startProvidingItemAtURL; the file exists when it is answered. Called with
    /// `more`, it may report progress. ItemChanged: itemChangedAtURL; a client's save has replaced the file below
    /// storage.
    package enum ProvidePlaceholder: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ProvidePlaceholder"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
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

    /// Provide.
    package enum Provide: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Provide"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package init(item: Wire.ProviderItem? = nil, completedBytes: Int? = nil, totalBytes: Int? = nil) {
                self.item = item
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.ProviderItem.self, forKey: "item")
                completedBytes = try container.decodeIfPresent(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encodeIfPresent(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            }
        }
    }

    /// ItemChanged.
    package enum ItemChanged: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ItemChanged"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
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

    /// Requests notifications about an item (Events: changed, deleted) for as long as it is presented. observing
    /// false: no longer needed. A folder stands for its contents.
    package enum Observe: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Observe"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String
            package var observing: Bool

            package init(domain: String, identifier: String, observing: Bool) {
                self.domain = domain
                self.identifier = identifier
                self.observing = observing
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
                observing = try container.decode(Bool.self, forKey: "observing")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encode(identifier, forKey: "identifier")
                try container.encode(observing, forKey: "observing")
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

    /// The provider's own file coordination: the extension's requests to read or write its items in turn with all
    /// other programs. Called once with `more`, for the life of the connection. kind: request, or release of a
    /// granted claim. claim: a name of the extension's choice. within: the host's call ("Method domain identifier",
    /// or the `operation` of one without an identifier) during which it is made. domain: that of the items; absent
    /// for the default one. enclosing: granted claims that enclose this one. A release withdraws a request that has
    /// not been answered.
    package enum Claims: InterfaceMethod {
        package static let name = "org.docent.FileProvider.Claims"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var kind: String
            package var claim: String
            package var domain: String?
            package var accesses: [Wire.ProviderAccess]?
            package var purpose: String?
            package var within: String?
            package var enclosing: [String]?

            package init(
                kind: String,
                claim: String,
                domain: String? = nil,
                accesses: [Wire.ProviderAccess]? = nil,
                purpose: String? = nil,
                within: String? = nil,
                enclosing: [String]? = nil
            ) {
                self.kind = kind
                self.claim = claim
                self.domain = domain
                self.accesses = accesses
                self.purpose = purpose
                self.within = within
                self.enclosing = enclosing
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                kind = try container.decode(String.self, forKey: "kind")
                claim = try container.decode(String.self, forKey: "claim")
                domain = try container.decodeIfPresent(String.self, forKey: "domain")
                accesses = try container.decodeIfPresent([Wire.ProviderAccess].self, forKey: "accesses")
                purpose = try container.decodeIfPresent(String.self, forKey: "purpose")
                within = try container.decodeIfPresent(String.self, forKey: "within")
                enclosing = try container.decodeIfPresent([String].self, forKey: "enclosing")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(kind, forKey: "kind")
                try container.encode(claim, forKey: "claim")
                try container.encodeIfPresent(domain, forKey: "domain")
                try container.encodeIfPresent(accesses, forKey: "accesses")
                try container.encodeIfPresent(purpose, forKey: "purpose")
                try container.encodeIfPresent(within, forKey: "within")
                try container.encodeIfPresent(enclosing, forKey: "enclosing")
            }
        }
    }

    /// Answers a request. message: why it was not granted. code: the same for programs, an error's name such as
    /// Deadlock. NoSuchItem when the extension no longer waits for that claim.
    package enum ClaimAnswered: InterfaceMethod {
        package static let name = "org.docent.FileProvider.ClaimAnswered"

        package struct Parameters: VarlinkMessage, Equatable {
            package var claim: String
            package var granted: Bool
            package var code: String?
            package var message: String?

            package init(claim: String, granted: Bool, code: String? = nil, message: String? = nil) {
                self.claim = claim
                self.granted = granted
                self.code = code
                self.message = message
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                claim = try container.decode(String.self, forKey: "claim")
                granted = try container.decode(Bool.self, forKey: "granted")
                code = try container.decodeIfPresent(String.self, forKey: "code")
                message = try container.decodeIfPresent(String.self, forKey: "message")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(claim, forKey: "claim")
                try container.encode(granted, forKey: "granted")
                try container.encodeIfPresent(code, forKey: "code")
                try container.encodeIfPresent(message, forKey: "message")
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

    /// Replaces a package as a whole, in steps that may be repeated: BeginPackage, StageElement for each element,
    /// CommitPackage. elements: the elements afterwards. Those with a version are unchanged from the stored ones of
    /// that version and are not sent. needed: the paths whose content must still be sent. If the package is not at
    /// baseVersion, the stored one is kept beside it and named in `conflict`, or the answer is VersionOutOfDate.
    /// identifier absent: a new package `name` in `parent` (Collision). digest: that of the list of elements.
    package enum BeginPackage: InterfaceMethod {
        package static let name = "org.docent.FileProvider.BeginPackage"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String?
            package var parent: String?
            package var name: String?
            package var baseVersion: String?
            package var elements: [Wire.PackagePart]
            package var digest: String
            package var operation: String

            package init(
                domain: String,
                identifier: String? = nil,
                parent: String? = nil,
                name: String? = nil,
                baseVersion: String? = nil,
                elements: [Wire.PackagePart],
                digest: String,
                operation: String
            ) {
                self.domain = domain
                self.identifier = identifier
                self.parent = parent
                self.name = name
                self.baseVersion = baseVersion
                self.elements = elements
                self.digest = digest
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decodeIfPresent(String.self, forKey: "identifier")
                parent = try container.decodeIfPresent(String.self, forKey: "parent")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                baseVersion = try container.decodeIfPresent(String.self, forKey: "baseVersion")
                elements = try container.decode([Wire.PackagePart].self, forKey: "elements")
                digest = try container.decode(String.self, forKey: "digest")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(domain, forKey: "domain")
                try container.encodeIfPresent(identifier, forKey: "identifier")
                try container.encodeIfPresent(parent, forKey: "parent")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encodeIfPresent(baseVersion, forKey: "baseVersion")
                try container.encode(elements, forKey: "elements")
                try container.encode(digest, forKey: "digest")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var needed: [String]
            package var item: Wire.ProviderItem?

            package init(needed: [String], item: Wire.ProviderItem? = nil) {
                self.needed = needed
                self.item = item
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                needed = try container.decode([String].self, forKey: "needed")
                item = try container.decodeIfPresent(Wire.ProviderItem.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(needed, forKey: "needed")
                try container.encodeIfPresent(item, forKey: "item")
            }
        }
    }

    /// StageElement.
    package enum StageElement: InterfaceMethod {
        package static let name = "org.docent.FileProvider.StageElement"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var path: String
            package var content: Int
            package var size: Int
            package var digest: String

            package var descriptorCount: Int { 1 }

            package init(operation: String, path: String, content: Int, size: Int, digest: String) {
                self.operation = operation
                self.path = path
                self.content = content
                self.size = size
                self.digest = digest
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
                path = try container.decode(String.self, forKey: "path")
                content = try container.decode(Int.self, forKey: "content")
                size = try container.decode(Int.self, forKey: "size")
                digest = try container.decode(String.self, forKey: "digest")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
                try container.encode(path, forKey: "path")
                try container.encode(content, forKey: "content")
                try container.encode(size, forKey: "size")
                try container.encode(digest, forKey: "digest")
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

    /// CommitPackage.
    package enum CommitPackage: InterfaceMethod {
        package static let name = "org.docent.FileProvider.CommitPackage"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var metadata: Wire.ItemMetadata?
            package var thumbnail: Int?

            package var descriptorCount: Int { (thumbnail == nil ? 0 : 1) }

            package init(operation: String, metadata: Wire.ItemMetadata? = nil, thumbnail: Int? = nil) {
                self.operation = operation
                self.metadata = metadata
                self.thumbnail = thumbnail
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
                metadata = try container.decodeIfPresent(Wire.ItemMetadata.self, forKey: "metadata")
                thumbnail = try container.decodeIfPresent(Int.self, forKey: "thumbnail")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(metadata, forKey: "metadata")
                try container.encodeIfPresent(thumbnail, forKey: "thumbnail")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.ProviderItem?
            package var conflict: String?

            package init(item: Wire.ProviderItem? = nil, conflict: String? = nil) {
                self.item = item
                self.conflict = conflict
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.ProviderItem.self, forKey: "item")
                conflict = try container.decodeIfPresent(String.self, forKey: "conflict")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encodeIfPresent(conflict, forKey: "conflict")
            }
        }
    }

    /// Reports that the item is no longer in use (stopProvidingItemAtURL).
    package enum StopProviding: InterfaceMethod {
        package static let name = "org.docent.FileProvider.StopProviding"

        package struct Parameters: VarlinkMessage, Equatable {
            package var domain: String
            package var identifier: String

            package init(domain: String, identifier: String) {
                self.domain = domain
                self.identifier = identifier
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                domain = try container.decode(String.self, forKey: "domain")
                identifier = try container.decode(String.self, forKey: "identifier")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
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

    package static let errorNoSuchItem = "org.docent.FileProvider.NoSuchItem"

    package static let errorNotAuthenticated = "org.docent.FileProvider.NotAuthenticated"

    package static let errorServerUnreachable = "org.docent.FileProvider.ServerUnreachable"

    package static let errorBusy = "org.docent.FileProvider.Busy"

    package static let errorCollision = "org.docent.FileProvider.Collision"

    package static let errorVersionOutOfDate = "org.docent.FileProvider.VersionOutOfDate"

    package static let errorInsufficientQuota = "org.docent.FileProvider.InsufficientQuota"

    package static let errorAnchorExpired = "org.docent.FileProvider.AnchorExpired"

    package static let errorNotSupported = "org.docent.FileProvider.NotSupported"

    package static let errorNotPermitted = "org.docent.FileProvider.NotPermitted"

    package static let errorInvalidArgument = "org.docent.FileProvider.InvalidArgument"

    package static let errorFailed = "org.docent.FileProvider.Failed"
}

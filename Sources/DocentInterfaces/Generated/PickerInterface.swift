// Made from Interfaces/org.docent.Picker.varlink by Scripts/generate-interfaces.py; edit that file.

import Varlink

/// The interface `org.docent.Picker`.
package enum PickerInterface {
    /// Its name.
    package static let name = "org.docent.Picker"

    /// Its text, as introspection gives it.
    package static var description: String {
        String(decoding: PackageResources.org_docent_Picker_varlink, as: UTF8.self)
    }

    /// The providers that can be used. mode: import, open, export or move. types: the types that the client can use;
    /// a provider is included when one of them conforms to a type that it supports. all: also disabled and broken
    /// providers.
    package enum ListProviders: InterfaceMethod {
        package static let name = "org.docent.Picker.ListProviders"

        package struct Parameters: VarlinkMessage, Equatable {
            package var mode: String?
            package var types: [String]?
            package var all: Bool?

            package init(mode: String? = nil, types: [String]? = nil, all: Bool? = nil) {
                self.mode = mode
                self.types = types
                self.all = all
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                mode = try container.decodeIfPresent(String.self, forKey: "mode")
                types = try container.decodeIfPresent([String].self, forKey: "types")
                all = try container.decodeIfPresent(Bool.self, forKey: "all")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(mode, forKey: "mode")
                try container.encodeIfPresent(types, forKey: "types")
                try container.encodeIfPresent(all, forKey: "all")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var providers: [Wire.ProviderSummary]

            package init(providers: [Wire.ProviderSummary]) {
                self.providers = providers
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                providers = try container.decode([Wire.ProviderSummary].self, forKey: "providers")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(providers, forKey: "providers")
            }
        }
    }

    /// The item at a location. A link at its end is followed; with `link`, the link itself is returned. remembered: as
    /// in Documents.Info.
    package enum GetItem: InterfaceMethod {
        package static let name = "org.docent.Picker.GetItem"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var link: Bool?

            package init(location: Wire.Location, link: Bool? = nil) {
                self.location = location
                self.link = link
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                link = try container.decodeIfPresent(Bool.self, forKey: "link")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
                try container.encodeIfPresent(link, forKey: "link")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var remembered: Wire.Remembered?

            package init(item: Wire.Item, remembered: Wire.Remembered? = nil) {
                self.item = item
                self.remembered = remembered
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.Item.self, forKey: "item")
                remembered = try container.decodeIfPresent(Wire.Remembered.self, forKey: "remembered")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
                try container.encodeIfPresent(remembered, forKey: "remembered")
            }
        }
    }

    /// One page of the folder at a location. remembered: as in Documents.List.
    package enum ListFolder: InterfaceMethod {
        package static let name = "org.docent.Picker.ListFolder"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var page: String?

            package init(location: Wire.Location, page: String? = nil) {
                self.location = location
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: [Wire.Item]
            package var nextPage: String?
            package var remembered: Wire.Remembered?

            package init(items: [Wire.Item], nextPage: String? = nil, remembered: Wire.Remembered? = nil) {
                self.items = items
                self.nextPage = nextPage
                self.remembered = remembered
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                items = try container.decode([Wire.Item].self, forKey: "items")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
                remembered = try container.decodeIfPresent(Wire.Remembered.self, forKey: "remembered")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(items, forKey: "items")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
                try container.encodeIfPresent(remembered, forKey: "remembered")
            }
        }
    }

    /// Import mode: makes a private copy in the caller's inbox. Records no grant.
    package enum PickImport: InterfaceMethod {
        package static let name = "org.docent.Picker.PickImport"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var types: [String]?
            package var operation: String

            package init(location: Wire.Location, types: [String]? = nil, operation: String) {
                self.location = location
                self.types = types
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                types = try container.decodeIfPresent([String].self, forKey: "types")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
                try container.encodeIfPresent(types, forKey: "types")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var path: String?
            package var file: Int

            package var descriptorCount: Int { 1 }

            package init(item: Wire.Item, path: String? = nil, file: Int) {
                self.item = item
                self.path = path
                self.file = file
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.Item.self, forKey: "item")
                path = try container.decodeIfPresent(String.self, forKey: "path")
                file = try container.decode(Int.self, forKey: "file")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
                try container.encodeIfPresent(path, forKey: "path")
                try container.encode(file, forKey: "file")
            }
        }
    }

    /// Open mode: grants the document to the caller. access: read or readWrite. The right ends with the client unless
    /// it is taken (persist, Documents.TakeAccess, or a bookmark). expires: seconds from now. companions: patterns
    /// for files beside the document that are granted with it, like {stem}.srt; {stem} is the document's name without
    /// its extension. open: also sends `file`, as Documents.Open does, if that takes no waiting: the content is on this
    /// machine, and no other program writes or presents the document. Without `file`, use Documents.Coordinate.
    package enum PickOpen: InterfaceMethod {
        package static let name = "org.docent.Picker.PickOpen"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var types: [String]?
            package var access: String
            package var operation: String
            package var persist: Bool?
            package var expires: Double?
            package var companions: [String]?
            package var open: Bool?

            package init(
                location: Wire.Location,
                types: [String]? = nil,
                access: String,
                operation: String,
                persist: Bool? = nil,
                expires: Double? = nil,
                companions: [String]? = nil,
                open: Bool? = nil
            ) {
                self.location = location
                self.types = types
                self.access = access
                self.operation = operation
                self.persist = persist
                self.expires = expires
                self.companions = companions
                self.open = open
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                types = try container.decodeIfPresent([String].self, forKey: "types")
                access = try container.decode(String.self, forKey: "access")
                operation = try container.decode(String.self, forKey: "operation")
                persist = try container.decodeIfPresent(Bool.self, forKey: "persist")
                expires = try container.decodeIfPresent(Double.self, forKey: "expires")
                companions = try container.decodeIfPresent([String].self, forKey: "companions")
                open = try container.decodeIfPresent(Bool.self, forKey: "open")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
                try container.encodeIfPresent(types, forKey: "types")
                try container.encode(access, forKey: "access")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(persist, forKey: "persist")
                try container.encodeIfPresent(expires, forKey: "expires")
                try container.encodeIfPresent(companions, forKey: "companions")
                try container.encodeIfPresent(open, forKey: "open")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var access: String
            package var file: Int?

            package var descriptorCount: Int { (file == nil ? 0 : 1) }

            package init(item: Wire.Item, access: String, file: Int? = nil) {
                self.item = item
                self.access = access
                self.file = file
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.Item.self, forKey: "item")
                access = try container.decode(String.self, forKey: "access")
                file = try container.decodeIfPresent(Int.self, forKey: "file")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
                try container.encode(access, forKey: "access")
                try container.encodeIfPresent(file, forKey: "file")
            }
        }
    }

    /// Export mode: copies the source (a descriptor) to the destination folder. Grants nothing. Called with `more`,
    /// every reply but the last has only progress. stage: copying (the source is being read), checking (the copy is
    /// being verified and made durable) or publishing (the provider is taking it over), each with its own totalBytes
    /// (absent while unknown). The last reply, or the only one without `more`, has the item. For the upload of a
    /// document to a server afterwards, see Administration.Transfers.
    package enum PickExport: InterfaceMethod {
        package static let name = "org.docent.Picker.PickExport"

        package struct Parameters: VarlinkMessage, Equatable {
            package var folder: Wire.Location
            package var name: String
            package var source: Int
            package var contentType: String?
            package var operation: String

            package var descriptorCount: Int { 1 }

            package init(
                folder: Wire.Location,
                name: String,
                source: Int,
                contentType: String? = nil,
                operation: String
            ) {
                self.folder = folder
                self.name = name
                self.source = source
                self.contentType = contentType
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                folder = try container.decode(Wire.Location.self, forKey: "folder")
                name = try container.decode(String.self, forKey: "name")
                source = try container.decode(Int.self, forKey: "source")
                contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(folder, forKey: "folder")
                try container.encode(name, forKey: "name")
                try container.encode(source, forKey: "source")
                try container.encodeIfPresent(contentType, forKey: "contentType")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item?
            package var stage: String?
            package var completedBytes: Int?
            package var totalBytes: Int?
            package var bytesPerSecond: Double?

            package init(
                item: Wire.Item? = nil,
                stage: String? = nil,
                completedBytes: Int? = nil,
                totalBytes: Int? = nil,
                bytesPerSecond: Double? = nil
            ) {
                self.item = item
                self.stage = stage
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
                self.bytesPerSecond = bytesPerSecond
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
                stage = try container.decodeIfPresent(String.self, forKey: "stage")
                completedBytes = try container.decodeIfPresent(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
                bytesPerSecond = try container.decodeIfPresent(Double.self, forKey: "bytesPerSecond")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encodeIfPresent(stage, forKey: "stage")
                try container.encodeIfPresent(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
                try container.encodeIfPresent(bytesPerSecond, forKey: "bytesPerSecond")
            }
        }
    }

    /// Move mode: as export, but grants the new document to the caller and waits for MoveFinished, which the caller
    /// sends after it has removed the source. Only the caller deletes `source`. device, inode, size and
    /// modificationNanoseconds, sent with the item, identify what was copied; only that may be deleted.
    package enum PickMove: InterfaceMethod {
        package static let name = "org.docent.Picker.PickMove"

        package struct Parameters: VarlinkMessage, Equatable {
            package var folder: Wire.Location
            package var name: String
            package var source: Int
            package var contentType: String?
            package var operation: String

            package var descriptorCount: Int { 1 }

            package init(
                folder: Wire.Location,
                name: String,
                source: Int,
                contentType: String? = nil,
                operation: String
            ) {
                self.folder = folder
                self.name = name
                self.source = source
                self.contentType = contentType
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                folder = try container.decode(Wire.Location.self, forKey: "folder")
                name = try container.decode(String.self, forKey: "name")
                source = try container.decode(Int.self, forKey: "source")
                contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(folder, forKey: "folder")
                try container.encode(name, forKey: "name")
                try container.encode(source, forKey: "source")
                try container.encodeIfPresent(contentType, forKey: "contentType")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item?
            package var device: Int?
            package var inode: Int?
            package var size: Int?
            package var modificationNanoseconds: Int?
            package var stage: String?
            package var completedBytes: Int?
            package var totalBytes: Int?
            package var bytesPerSecond: Double?

            package init(
                item: Wire.Item? = nil,
                device: Int? = nil,
                inode: Int? = nil,
                size: Int? = nil,
                modificationNanoseconds: Int? = nil,
                stage: String? = nil,
                completedBytes: Int? = nil,
                totalBytes: Int? = nil,
                bytesPerSecond: Double? = nil
            ) {
                self.item = item
                self.device = device
                self.inode = inode
                self.size = size
                self.modificationNanoseconds = modificationNanoseconds
                self.stage = stage
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
                self.bytesPerSecond = bytesPerSecond
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
                device = try container.decodeIfPresent(Int.self, forKey: "device")
                inode = try container.decodeIfPresent(Int.self, forKey: "inode")
                size = try container.decodeIfPresent(Int.self, forKey: "size")
                modificationNanoseconds = try container.decodeIfPresent(Int.self, forKey: "modificationNanoseconds")
                stage = try container.decodeIfPresent(String.self, forKey: "stage")
                completedBytes = try container.decodeIfPresent(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
                bytesPerSecond = try container.decodeIfPresent(Double.self, forKey: "bytesPerSecond")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encodeIfPresent(device, forKey: "device")
                try container.encodeIfPresent(inode, forKey: "inode")
                try container.encodeIfPresent(size, forKey: "size")
                try container.encodeIfPresent(modificationNanoseconds, forKey: "modificationNanoseconds")
                try container.encodeIfPresent(stage, forKey: "stage")
                try container.encodeIfPresent(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
                try container.encodeIfPresent(bytesPerSecond, forKey: "bytesPerSecond")
            }
        }
    }

    /// Renames an item, moves it to another folder of the same domain, or both. Never replaces anything. Grants and
    /// bookmarks stay valid.
    package enum MoveItem: InterfaceMethod {
        package static let name = "org.docent.Picker.MoveItem"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var folder: Wire.Location?
            package var name: String?
            package var operation: String

            package init(
                location: Wire.Location,
                folder: Wire.Location? = nil,
                name: String? = nil,
                operation: String
            ) {
                self.location = location
                self.folder = folder
                self.name = name
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                folder = try container.decodeIfPresent(Wire.Location.self, forKey: "folder")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
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

    /// Deletes an item: moves it to the trash of its provider; if there is none for it, deletes it for good, at once or at
    /// finalDate. Changes that were not uploaded are kept as a version. recursive: deletes a folder with everything in it.
    /// trash: "required" refuses to delete for good what a provider with a trash cannot move there (NotSupported); "unused"
    /// deletes for good at once; "temporary" does that too, and is nothing that the user takes back. trashed and
    /// finalDate: as for Documents.Delete.
    package enum DeleteItem: InterfaceMethod {
        package static let name = "org.docent.Picker.DeleteItem"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var recursive: Bool?
            package var operation: String
            package var trash: String?

            package init(location: Wire.Location, recursive: Bool? = nil, operation: String, trash: String? = nil) {
                self.location = location
                self.recursive = recursive
                self.operation = operation
                self.trash = trash
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                location = try container.decode(Wire.Location.self, forKey: "location")
                recursive = try container.decodeIfPresent(Bool.self, forKey: "recursive")
                operation = try container.decode(String.self, forKey: "operation")
                trash = try container.decodeIfPresent(String.self, forKey: "trash")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(location, forKey: "location")
                try container.encodeIfPresent(recursive, forKey: "recursive")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(trash, forKey: "trash")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var trashed: Bool?
            package var finalDate: Double?

            package init(trashed: Bool? = nil, finalDate: Double? = nil) {
                self.trashed = trashed
                self.finalDate = finalDate
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                trashed = try container.decodeIfPresent(Bool.self, forKey: "trashed")
                finalDate = try container.decodeIfPresent(Double.self, forKey: "finalDate")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(trashed, forKey: "trashed")
                try container.encodeIfPresent(finalDate, forKey: "finalDate")
            }
        }
    }

    /// Creates an empty folder. Never replaces anything.
    package enum MakeFolder: InterfaceMethod {
        package static let name = "org.docent.Picker.MakeFolder"

        package struct Parameters: VarlinkMessage, Equatable {
            package var folder: Wire.Location
            package var name: String
            package var operation: String

            package init(folder: Wire.Location, name: String, operation: String) {
                self.folder = folder
                self.name = name
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                folder = try container.decode(Wire.Location.self, forKey: "folder")
                name = try container.decode(String.self, forKey: "name")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(folder, forKey: "folder")
                try container.encode(name, forKey: "name")
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

    /// Stops or resumes remembering what a client uses; without `client`, what all use. Stopping also forgets what is
    /// remembered. Without `isRemembered` nothing changes. unremembered: the clients for which it is stopped; an empty one
    /// stands for all.
    package enum RememberRecents: InterfaceMethod {
        package static let name = "org.docent.Picker.RememberRecents"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var isRemembered: Bool?

            package init(client: String? = nil, isRemembered: Bool? = nil) {
                self.client = client
                self.isRemembered = isRemembered
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decodeIfPresent(String.self, forKey: "client")
                isRemembered = try container.decodeIfPresent(Bool.self, forKey: "isRemembered")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(client, forKey: "client")
                try container.encodeIfPresent(isRemembered, forKey: "isRemembered")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var unremembered: [String]

            package init(unremembered: [String]) {
                self.unremembered = unremembered
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                unremembered = try container.decode([String].self, forKey: "unremembered")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(unremembered, forKey: "unremembered")
            }
        }
    }

    /// The documents and folders that the user marked, in the order of marking.
    package enum Favourites: InterfaceMethod {
        package static let name = "org.docent.Picker.Favourites"

        package struct Parameters: VarlinkMessage, Equatable {
            package init() {}

            package init(from decoder: any Decoder) throws {
            }

            package func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: WireKey.self)
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: [Wire.RecentItem]

            package init(items: [Wire.RecentItem]) {
                self.items = items
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                items = try container.decode([Wire.RecentItem].self, forKey: "items")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(items, forKey: "items")
            }
        }
    }

    /// Marks an item as a favourite, or removes the mark. item: absent when a mark was removed. changed: whether it was
    /// marked, or not, before.
    package enum SetFavourite: InterfaceMethod {
        package static let name = "org.docent.Picker.SetFavourite"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var isFavourite: Bool

            package init(reference: Wire.ItemReference, isFavourite: Bool) {
                self.reference = reference
                self.isFavourite = isFavourite
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                isFavourite = try container.decode(Bool.self, forKey: "isFavourite")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(isFavourite, forKey: "isFavourite")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item?
            package var changed: Bool

            package init(item: Wire.Item? = nil, changed: Bool) {
                self.item = item
                self.changed = changed
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
                changed = try container.decode(Bool.self, forKey: "changed")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encode(changed, forKey: "changed")
            }
        }
    }
}

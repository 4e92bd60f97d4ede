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
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var providers: [Wire.ProviderSummary]

            package init(providers: [Wire.ProviderSummary]) {
                self.providers = providers
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
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var remembered: Wire.Remembered?

            package init(item: Wire.Item, remembered: Wire.Remembered? = nil) {
                self.item = item
                self.remembered = remembered
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
        }
    }

    /// Open mode: grants the document to the caller. access: read or readWrite. The right ends with the client unless
    /// it is taken (persist, Documents.TakeAccess, or a bookmark). expires: seconds from now. companions: patterns
    /// for files beside the document that are granted with it, like {stem}.srt; {stem} is the document's name without
    /// its extension.
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

            package init(
                location: Wire.Location,
                types: [String]? = nil,
                access: String,
                operation: String,
                persist: Bool? = nil,
                expires: Double? = nil,
                companions: [String]? = nil
            ) {
                self.location = location
                self.types = types
                self.access = access
                self.operation = operation
                self.persist = persist
                self.expires = expires
                self.companions = companions
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var access: String

            package init(item: Wire.Item, access: String) {
                self.item = item
                self.access = access
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
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item

            package init(item: Wire.Item) {
                self.item = item
            }
        }
    }

    /// Deletes an item. Changes that were not uploaded are kept as a version. recursive: deletes a folder with
    /// everything in it.
    package enum DeleteItem: InterfaceMethod {
        package static let name = "org.docent.Picker.DeleteItem"

        package struct Parameters: VarlinkMessage, Equatable {
            package var location: Wire.Location
            package var recursive: Bool?
            package var operation: String

            package init(location: Wire.Location, recursive: Bool? = nil, operation: String) {
                self.location = location
                self.recursive = recursive
                self.operation = operation
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
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
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item

            package init(item: Wire.Item) {
                self.item = item
            }
        }
    }
}

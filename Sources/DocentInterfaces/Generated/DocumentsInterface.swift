// Made from Interfaces/org.docent.Documents.varlink by Scripts/generate-interfaces.py; edit that file.

import Varlink

/// The interface `org.docent.Documents`.
package enum DocumentsInterface {
    /// Its name.
    package static let name = "org.docent.Documents"

    /// Its text, as introspection gives it.
    package static var description: String {
        String(decoding: PackageResources.org_docent_Documents_varlink, as: UTF8.self)
    }

    /// A session owns write sessions and import copies; it ends with the connection that opened it.
    /// `client` is the identifier that an unconfined program states; a confined one has no choice.
    package enum OpenSession: InterfaceMethod {
        package static let name = "org.docent.Documents.OpenSession"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?

            package init(client: String? = nil) {
                self.client = client
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var token: String
            package var principal: Wire.Principal

            package init(token: String, principal: Wire.Principal) {
                self.token = token
                self.principal = principal
            }
        }
    }

    /// A further connection of the same peer joins a session.
    package enum JoinSession: InterfaceMethod {
        package static let name = "org.docent.Documents.JoinSession"

        package struct Parameters: VarlinkMessage, Equatable {
            package var token: String

            package init(token: String) {
                self.token = token
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var principal: Wire.Principal

            package init(principal: Wire.Principal) {
                self.principal = principal
            }
        }
    }

    /// Ends the waiting or changing call that was given this operation. Past its commit point it is not
    /// undone; ask Outcome.
    package enum Cancel: InterfaceMethod {
        package static let name = "org.docent.Documents.Cancel"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String

            package init(operation: String) {
                self.operation = operation
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var found: Bool

            package init(found: Bool) {
                self.found = found
            }
        }
    }

    /// What became of a changing call whose reply was lost. state: unknown, open, committed, finished, failed.
    package enum Outcome: InterfaceMethod {
        package static let name = "org.docent.Documents.Outcome"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String

            package init(operation: String) {
                self.operation = operation
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var state: String
            package var message: String?
            package var reference: Wire.ItemReference?

            package init(state: String, message: String? = nil, reference: Wire.ItemReference? = nil) {
                self.state = state
                self.message = message
                self.reference = reference
            }
        }
    }

    /// What is known of a granted item.
    package enum Info: InterfaceMethod {
        package static let name = "org.docent.Documents.Info"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item

            package init(item: Wire.Item) {
                self.item = item
            }
        }
    }

    /// One page of a granted folder. Without `page` the first; `nextPage` is absent on the last.
    package enum List: InterfaceMethod {
        package static let name = "org.docent.Documents.List"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var page: String?

            package init(reference: Wire.ItemReference, page: String? = nil) {
                self.reference = reference
                self.page = page
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: [Wire.Item]
            package var nextPage: String?

            package init(items: [Wire.Item], nextPage: String? = nil) {
                self.items = items
                self.nextPage = nextPage
            }
        }
    }

    /// Opens a granted document for reading. The reply's descriptors: `file`, an open file description of the
    /// caller's own; and, when asked for, `lease`, a shared page of 64-bit generations. While the number in
    /// slot `slot` of that page equals `generation`, the file is current and the right stands.
    package enum Open: InterfaceMethod {
        package static let name = "org.docent.Documents.Open"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var lease: Bool?

            package init(reference: Wire.ItemReference, lease: Bool? = nil) {
                self.reference = reference
                self.lease = lease
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var file: Int
            package var lease: Int?
            package var slot: Int?
            package var generation: Int?

            package var descriptorCount: Int { 1 + (lease == nil ? 0 : 1) }

            package init(item: Wire.Item, file: Int, lease: Int? = nil, slot: Int? = nil, generation: Int? = nil) {
                self.item = item
                self.file = file
                self.lease = lease
                self.slot = slot
                self.generation = generation
            }
        }
    }

    /// Fetches a granted document, if it is not here, without opening it. Called with `more`, every reply but the last tells progress;
    /// totalBytes is absent while unknown. The last has the item. Closing the connection, or Cancel, gives up waiting.
    package enum Download: InterfaceMethod {
        package static let name = "org.docent.Documents.Download"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var operation: String

            package init(reference: Wire.ItemReference, operation: String) {
                self.reference = reference
                self.operation = operation
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var completedBytes: Int
            package var totalBytes: Int?
            package var bytesPerSecond: Double?
            package var item: Wire.Item?

            package init(
                completedBytes: Int,
                totalBytes: Int? = nil,
                bytesPerSecond: Double? = nil,
                item: Wire.Item? = nil
            ) {
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
                self.bytesPerSecond = bytesPerSecond
                self.item = item
            }
        }
    }

    /// Says that this session does not use a document any more that it opened (stopAccessingSecurityScopedResource). The end of the
    /// session says it of all of them.
    package enum StopAccessing: InterfaceMethod {
        package static let name = "org.docent.Documents.StopAccessing"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// Gives back the slot of a lease.
    package enum ReleaseLease: InterfaceMethod {
        package static let name = "org.docent.Documents.ReleaseLease"

        package struct Parameters: VarlinkMessage, Equatable {
            package var slot: Int

            package init(slot: Int) {
                self.slot = slot
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// A private copy in the caller's inbox, removed when the session ends. `path` is given to unconfined
    /// programs, which may rename the copy away; the descriptor reads it.
    package enum Import: InterfaceMethod {
        package static let name = "org.docent.Documents.Import"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var operation: String

            package init(reference: Wire.ItemReference, operation: String) {
                self.reference = reference
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

    /// An opaque name that brings the right back in a later session, for this client alone.
    package enum CreateBookmark: InterfaceMethod {
        package static let name = "org.docent.Documents.CreateBookmark"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var bookmark: String

            package init(bookmark: String) {
                self.bookmark = bookmark
            }
        }
    }

    /// The item behind a bookmark. stale: make a new bookmark; this one may stop working.
    package enum ResolveBookmark: InterfaceMethod {
        package static let name = "org.docent.Documents.ResolveBookmark"

        package struct Parameters: VarlinkMessage, Equatable {
            package var bookmark: String

            package init(bookmark: String) {
                self.bookmark = bookmark
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var access: String
            package var stale: Bool

            package init(item: Wire.Item, access: String, stale: Bool) {
                self.item = item
                self.access = access
                self.stale = stale
            }
        }
    }

    /// Starts writing a granted document. `file` is a private staged file: empty when replacing, else a copy of
    /// the content. Nothing is changed before CommitWrite.
    package enum BeginWrite: InterfaceMethod {
        package static let name = "org.docent.Documents.BeginWrite"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var replacing: Bool
            package var operation: String

            package init(reference: Wire.ItemReference, replacing: Bool, operation: String) {
                self.reference = reference
                self.replacing = replacing
                self.operation = operation
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var file: Int
            package var baseVersion: String?

            package var descriptorCount: Int { 1 }

            package init(file: Int, baseVersion: String? = nil) {
                self.file = file
                self.baseVersion = baseVersion
            }
        }
    }

    /// Publishes the staged file as one atomic replacement. The reply means: durable.
    package enum CommitWrite: InterfaceMethod {
        package static let name = "org.docent.Documents.CommitWrite"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String

            package init(operation: String) {
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

    /// Drops a write session and what was staged.
    package enum AbandonWrite: InterfaceMethod {
        package static let name = "org.docent.Documents.AbandonWrite"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String

            package init(operation: String) {
                self.operation = operation
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    /// The last step of a move: the source is gone (removed) or was kept, with the reason.
    package enum MoveFinished: InterfaceMethod {
        package static let name = "org.docent.Documents.MoveFinished"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var removed: Bool
            package var reason: String?

            package init(operation: String, removed: Bool, reason: String? = nil) {
                self.operation = operation
                self.removed = removed
                self.reason = reason
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package init() {}
        }
    }

    package static let errorNotFound = "org.docent.Documents.NotFound"

    package static let errorNotPermitted = "org.docent.Documents.NotPermitted"

    package static let errorNotAuthenticated = "org.docent.Documents.NotAuthenticated"

    package static let errorUnavailable = "org.docent.Documents.Unavailable"

    package static let errorConflict = "org.docent.Documents.Conflict"

    package static let errorCancelled = "org.docent.Documents.Cancelled"

    package static let errorDeadlineExceeded = "org.docent.Documents.DeadlineExceeded"

    package static let errorInvalidArgument = "org.docent.Documents.InvalidArgument"

    package static let errorNoSpace = "org.docent.Documents.NoSpace"

    package static let errorNotSupported = "org.docent.Documents.NotSupported"

    package static let errorProviderFailed = "org.docent.Documents.ProviderFailed"

    package static let errorFailed = "org.docent.Documents.Failed"
}

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

    /// Opens a session, which owns claims, presenters, write sessions and import copies. It ends with the connection
    /// that opened it. `client` is the identifier that an unconfined program states; ignored for a confined one.
    /// serving: for unconfined programs only, so that one with another environment notices that this daemon is not
    /// its own. leavesNoTrace: the documents that this session uses are not remembered as used (Recents).
    package enum OpenSession: InterfaceMethod {
        package static let name = "org.docent.Documents.OpenSession"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var leavesNoTrace: Bool?

            package init(client: String? = nil, leavesNoTrace: Bool? = nil) {
                self.client = client
                self.leavesNoTrace = leavesNoTrace
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decodeIfPresent(String.self, forKey: "client")
                leavesNoTrace = try container.decodeIfPresent(Bool.self, forKey: "leavesNoTrace")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(client, forKey: "client")
                try container.encodeIfPresent(leavesNoTrace, forKey: "leavesNoTrace")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var token: String
            package var principal: Wire.Principal
            package var serving: Wire.Serving?

            package init(token: String, principal: Wire.Principal, serving: Wire.Serving? = nil) {
                self.token = token
                self.principal = principal
                self.serving = serving
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                token = try container.decode(String.self, forKey: "token")
                principal = try container.decode(Wire.Principal.self, forKey: "principal")
                serving = try container.decodeIfPresent(Wire.Serving.self, forKey: "serving")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(token, forKey: "token")
                try container.encode(principal, forKey: "principal")
                try container.encodeIfPresent(serving, forKey: "serving")
            }
        }
    }

    /// Joins a session with another connection of the same peer.
    package enum JoinSession: InterfaceMethod {
        package static let name = "org.docent.Documents.JoinSession"

        package struct Parameters: VarlinkMessage, Equatable {
            package var token: String

            package init(token: String) {
                self.token = token
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                token = try container.decode(String.self, forKey: "token")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(token, forKey: "token")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var principal: Wire.Principal

            package init(principal: Wire.Principal) {
                self.principal = principal
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                principal = try container.decode(Wire.Principal.self, forKey: "principal")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(principal, forKey: "principal")
            }
        }
    }

    /// Cancels the waiting or changing call with this operation. A change that has passed its commit point is not
    /// undone; see Outcome.
    package enum Cancel: InterfaceMethod {
        package static let name = "org.docent.Documents.Cancel"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String

            package init(operation: String) {
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var found: Bool

            package init(found: Bool) {
                self.found = found
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                found = try container.decode(Bool.self, forKey: "found")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(found, forKey: "found")
            }
        }
    }

    /// The outcome of a changing call whose reply was lost. state: unknown, open, committed, finished, failed.
    package enum Outcome: InterfaceMethod {
        package static let name = "org.docent.Documents.Outcome"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String

            package init(operation: String) {
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                state = try container.decode(String.self, forKey: "state")
                message = try container.decodeIfPresent(String.self, forKey: "message")
                reference = try container.decodeIfPresent(Wire.ItemReference.self, forKey: "reference")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(state, forKey: "state")
                try container.encodeIfPresent(message, forKey: "message")
                try container.encodeIfPresent(reference, forKey: "reference")
            }
        }
    }

    /// The metadata of a granted item. remembered: they may be out of date; absent when the provider was asked, at
    /// most a moment ago.
    package enum Info: InterfaceMethod {
        package static let name = "org.docent.Documents.Info"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
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

    /// One page of a granted folder. Without `page`, the first; `nextPage` is absent on the last. remembered, on the
    /// first page: the listing may be out of date; absent when the provider was asked, at most a moment ago.
    package enum List: InterfaceMethod {
        package static let name = "org.docent.Documents.List"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var page: String?

            package init(reference: Wire.ItemReference, page: String? = nil) {
                self.reference = reference
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
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

    /// Opens a granted document for reading. The reply's descriptors are `file`, an open file description of the
    /// caller's own, and, if requested, `lease`, a shared page of 64-bit generations. While the number in slot `slot`
    /// of that page equals `generation`, the file is current and the right is valid. program, process: another program
    /// for which an unconfined caller opens it, and its process, as the caller says; for the audit log. partial: the caller
    /// reads only parts. The reply may then have `reading`: `file` is as long as the content, but only those parts are in
    /// it that FetchRange was called for. If the provider cannot fetch parts, the whole content is fetched, as always.
    package enum Open: InterfaceMethod {
        package static let name = "org.docent.Documents.Open"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var lease: Bool?
            package var program: String?
            package var process: Int?
            package var partial: Bool?

            package init(
                reference: Wire.ItemReference,
                lease: Bool? = nil,
                program: String? = nil,
                process: Int? = nil,
                partial: Bool? = nil
            ) {
                self.reference = reference
                self.lease = lease
                self.program = program
                self.process = process
                self.partial = partial
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                lease = try container.decodeIfPresent(Bool.self, forKey: "lease")
                program = try container.decodeIfPresent(String.self, forKey: "program")
                process = try container.decodeIfPresent(Int.self, forKey: "process")
                partial = try container.decodeIfPresent(Bool.self, forKey: "partial")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encodeIfPresent(lease, forKey: "lease")
                try container.encodeIfPresent(program, forKey: "program")
                try container.encodeIfPresent(process, forKey: "process")
                try container.encodeIfPresent(partial, forKey: "partial")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item
            package var file: Int
            package var lease: Int?
            package var slot: Int?
            package var generation: Int?
            package var reading: Int?

            package var descriptorCount: Int { 1 + (lease == nil ? 0 : 1) }

            package init(
                item: Wire.Item,
                file: Int,
                lease: Int? = nil,
                slot: Int? = nil,
                generation: Int? = nil,
                reading: Int? = nil
            ) {
                self.item = item
                self.file = file
                self.lease = lease
                self.slot = slot
                self.generation = generation
                self.reading = reading
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.Item.self, forKey: "item")
                file = try container.decode(Int.self, forKey: "file")
                lease = try container.decodeIfPresent(Int.self, forKey: "lease")
                slot = try container.decodeIfPresent(Int.self, forKey: "slot")
                generation = try container.decodeIfPresent(Int.self, forKey: "generation")
                reading = try container.decodeIfPresent(Int.self, forKey: "reading")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
                try container.encode(file, forKey: "file")
                try container.encodeIfPresent(lease, forKey: "lease")
                try container.encodeIfPresent(slot, forKey: "slot")
                try container.encodeIfPresent(generation, forKey: "generation")
                try container.encodeIfPresent(reading, forKey: "reading")
            }
        }
    }

    /// Fetches `length` bytes from `offset` on of a document that was opened with `partial`, where they are not here, and
    /// answers as soon as they are in its file. More may be fetched in advance. completedBytes: how many bytes from `offset`
    /// on are here, which may be more than `length`; fewer at the end of the content. file: the content is in another file
    /// now, to be read from then on. isComplete: the whole content is in the file, so no more calls are needed. Called with
    /// `more`, every reply but the last has progress. Conflict when the document has another version by now: open it again.
    /// NotFound when there is no such reading.
    package enum FetchRange: InterfaceMethod {
        package static let name = "org.docent.Documents.FetchRange"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reading: Int
            package var offset: Int
            package var length: Int

            package init(reading: Int, offset: Int, length: Int) {
                self.reading = reading
                self.offset = offset
                self.length = length
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reading = try container.decode(Int.self, forKey: "reading")
                offset = try container.decode(Int.self, forKey: "offset")
                length = try container.decode(Int.self, forKey: "length")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reading, forKey: "reading")
                try container.encode(offset, forKey: "offset")
                try container.encode(length, forKey: "length")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var completedBytes: Int
            package var file: Int?
            package var isComplete: Bool?

            package var descriptorCount: Int { (file == nil ? 0 : 1) }

            package init(completedBytes: Int, file: Int? = nil, isComplete: Bool? = nil) {
                self.completedBytes = completedBytes
                self.file = file
                self.isComplete = isComplete
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                completedBytes = try container.decode(Int.self, forKey: "completedBytes")
                file = try container.decodeIfPresent(Int.self, forKey: "file")
                isComplete = try container.decodeIfPresent(Bool.self, forKey: "isComplete")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(file, forKey: "file")
                try container.encodeIfPresent(isComplete, forKey: "isComplete")
            }
        }
    }

    /// Ends the reading of a document that was opened with `partial`. Ending the session ends all.
    package enum CloseReading: InterfaceMethod {
        package static let name = "org.docent.Documents.CloseReading"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reading: Int

            package init(reading: Int) {
                self.reading = reading
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reading = try container.decode(Int.self, forKey: "reading")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reading, forKey: "reading")
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

    /// Fetches a granted document, if it is not on this machine, without opening it. Called with `more`, every reply
    /// but the last has progress; totalBytes is absent while unknown. The last has the item. Closing the connection,
    /// or Cancel, stops waiting.
    package enum Download: InterfaceMethod {
        package static let name = "org.docent.Documents.Download"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var operation: String

            package init(reference: Wire.ItemReference, operation: String) {
                self.reference = reference
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(operation, forKey: "operation")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                completedBytes = try container.decode(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
                bytesPerSecond = try container.decodeIfPresent(Double.self, forKey: "bytesPerSecond")
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
                try container.encodeIfPresent(bytesPerSecond, forKey: "bytesPerSecond")
                try container.encodeIfPresent(item, forKey: "item")
            }
        }
    }

    /// How much space the account of a granted item has, in bytes, as far as its provider knows.
    package enum Usage: InterfaceMethod {
        package static let name = "org.docent.Documents.Usage"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
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

    /// Reports that this session no longer uses a document that it opened. started: instead ends one StartAccessing
    /// (stopAccessingSecurityScopedResource). Ending the session ends all uses.
    package enum StopAccessing: InterfaceMethod {
        package static let name = "org.docent.Documents.StopAccessing"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var started: Bool?

            package init(reference: Wire.ItemReference, started: Bool? = nil) {
                self.reference = reference
                self.started = started
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                started = try container.decodeIfPresent(Bool.self, forKey: "started")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encodeIfPresent(started, forKey: "started")
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

    /// Returns the slot of a lease.
    package enum ReleaseLease: InterfaceMethod {
        package static let name = "org.docent.Documents.ReleaseLease"

        package struct Parameters: VarlinkMessage, Equatable {
            package var slot: Int

            package init(slot: Int) {
                self.slot = slot
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                slot = try container.decode(Int.self, forKey: "slot")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(slot, forKey: "slot")
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

    /// Makes a private copy in the caller's inbox, which is removed when the session ends. `path` is present for
    /// unconfined programs, which may rename the copy away. The descriptor reads the copy.
    package enum Import: InterfaceMethod {
        package static let name = "org.docent.Documents.Import"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var operation: String

            package init(reference: Wire.ItemReference, operation: String) {
                self.reference = reference
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
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

    /// Starts using a document (startAccessingSecurityScopedResource). Counted, without a limit; balance each
    /// successful start with a StopAccessing with `started`. started is false, and nothing is counted, when there is
    /// no right to the document.
    package enum StartAccessing: InterfaceMethod {
        package static let name = "org.docent.Documents.StartAccessing"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var started: Bool

            package init(started: Bool) {
                self.started = started
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                started = try container.decode(Bool.self, forKey: "started")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(started, forKey: "started")
            }
        }
    }

    /// One page of the rights that the caller has been granted. Without `page`, the first; `nextPage` is absent on
    /// the last.
    package enum Granted: InterfaceMethod {
        package static let name = "org.docent.Documents.Granted"

        package struct Parameters: VarlinkMessage, Equatable {
            package var page: String?

            package init(page: String? = nil) {
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var items: [Wire.GrantedItem]
            package var nextPage: String?

            package init(items: [Wire.GrantedItem], nextPage: String? = nil) {
                self.items = items
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                items = try container.decode([Wire.GrantedItem].self, forKey: "items")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(items, forKey: "items")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
            }
        }
    }

    /// Takes a right that a mode offered, so that it persists. Making a bookmark also takes it. NotPermitted when it
    /// was not offered.
    package enum TakeAccess: InterfaceMethod {
        package static let name = "org.docent.Documents.TakeAccess"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
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

    /// Narrows the caller's own right to `access` (read); without it, gives up the right. Never widens a right.
    package enum NarrowAccess: InterfaceMethod {
        package static let name = "org.docent.Documents.NarrowAccess"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var access: String?

            package init(reference: Wire.ItemReference, access: String? = nil) {
                self.reference = reference
                self.access = access
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                access = try container.decodeIfPresent(String.self, forKey: "access")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encodeIfPresent(access, forKey: "access")
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

    /// Asks the user to choose, outside the caller's sandbox, in one of the four modes (import, open, export, move).
    /// Called with `more`, the state is asked when someone has been asked, and answered in the last reply. types:
    /// what the caller can use; public.folder asks for folders. access: the most that is wanted, read or readWrite.
    /// companions: patterns for files that are wanted too. name, contentType, source: of the document to export or
    /// move. For import, the reply has `file`. For a move, the caller removes the source itself and then calls
    /// MoveFinished, for `operation` if the reply has one. NotPermitted when the user refuses or there is no one to
    /// ask.
    package enum RequestPick: InterfaceMethod {
        package static let name = "org.docent.Documents.RequestPick"

        package struct Parameters: VarlinkMessage, Equatable {
            package var mode: String
            package var types: [String]?
            package var access: String?
            package var companions: [String]?
            package var name: String?
            package var contentType: String?
            package var source: Int?
            package var reason: String?
            package var operation: String

            package var descriptorCount: Int { (source == nil ? 0 : 1) }

            package init(
                mode: String,
                types: [String]? = nil,
                access: String? = nil,
                companions: [String]? = nil,
                name: String? = nil,
                contentType: String? = nil,
                source: Int? = nil,
                reason: String? = nil,
                operation: String
            ) {
                self.mode = mode
                self.types = types
                self.access = access
                self.companions = companions
                self.name = name
                self.contentType = contentType
                self.source = source
                self.reason = reason
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                mode = try container.decode(String.self, forKey: "mode")
                types = try container.decodeIfPresent([String].self, forKey: "types")
                access = try container.decodeIfPresent(String.self, forKey: "access")
                companions = try container.decodeIfPresent([String].self, forKey: "companions")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
                source = try container.decodeIfPresent(Int.self, forKey: "source")
                reason = try container.decodeIfPresent(String.self, forKey: "reason")
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(mode, forKey: "mode")
                try container.encodeIfPresent(types, forKey: "types")
                try container.encodeIfPresent(access, forKey: "access")
                try container.encodeIfPresent(companions, forKey: "companions")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encodeIfPresent(contentType, forKey: "contentType")
                try container.encodeIfPresent(source, forKey: "source")
                try container.encodeIfPresent(reason, forKey: "reason")
                try container.encode(operation, forKey: "operation")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var state: String
            package var item: Wire.Item?
            package var access: String?
            package var file: Int?
            package var operation: String?

            package var descriptorCount: Int { (file == nil ? 0 : 1) }

            package init(
                state: String,
                item: Wire.Item? = nil,
                access: String? = nil,
                file: Int? = nil,
                operation: String? = nil
            ) {
                self.state = state
                self.item = item
                self.access = access
                self.file = file
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                state = try container.decode(String.self, forKey: "state")
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
                access = try container.decodeIfPresent(String.self, forKey: "access")
                file = try container.decodeIfPresent(Int.self, forKey: "file")
                operation = try container.decodeIfPresent(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(state, forKey: "state")
                try container.encodeIfPresent(item, forKey: "item")
                try container.encodeIfPresent(access, forKey: "access")
                try container.encodeIfPresent(file, forKey: "file")
                try container.encodeIfPresent(operation, forKey: "operation")
            }
        }
    }

    /// Makes an opaque, sealed name that restores the right in a later session, only for this client. readOnly: even
    /// if more is granted. keys: fields of Item to embed (name, contentType, size, modificationDate, creationDate,
    /// path), returned by BookmarkValues. relativeTo: a granted folder that is required to resolve the bookmark.
    package enum CreateBookmark: InterfaceMethod {
        package static let name = "org.docent.Documents.CreateBookmark"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var readOnly: Bool?
            package var keys: [String]?
            package var relativeTo: Wire.ItemReference?

            package init(
                reference: Wire.ItemReference,
                readOnly: Bool? = nil,
                keys: [String]? = nil,
                relativeTo: Wire.ItemReference? = nil
            ) {
                self.reference = reference
                self.readOnly = readOnly
                self.keys = keys
                self.relativeTo = relativeTo
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                readOnly = try container.decodeIfPresent(Bool.self, forKey: "readOnly")
                keys = try container.decodeIfPresent([String].self, forKey: "keys")
                relativeTo = try container.decodeIfPresent(Wire.ItemReference.self, forKey: "relativeTo")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encodeIfPresent(readOnly, forKey: "readOnly")
                try container.encodeIfPresent(keys, forKey: "keys")
                try container.encodeIfPresent(relativeTo, forKey: "relativeTo")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var bookmark: String

            package init(bookmark: String) {
                self.bookmark = bookmark
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                bookmark = try container.decode(String.self, forKey: "bookmark")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(bookmark, forKey: "bookmark")
            }
        }
    }

    /// The item of a bookmark. stale: make a new bookmark, because this one may stop working.
    package enum ResolveBookmark: InterfaceMethod {
        package static let name = "org.docent.Documents.ResolveBookmark"

        package struct Parameters: VarlinkMessage, Equatable {
            package var bookmark: String
            package var relativeTo: Wire.ItemReference?

            package init(bookmark: String, relativeTo: Wire.ItemReference? = nil) {
                self.bookmark = bookmark
                self.relativeTo = relativeTo
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                bookmark = try container.decode(String.self, forKey: "bookmark")
                relativeTo = try container.decodeIfPresent(Wire.ItemReference.self, forKey: "relativeTo")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(bookmark, forKey: "bookmark")
                try container.encodeIfPresent(relativeTo, forKey: "relativeTo")
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decode(Wire.Item.self, forKey: "item")
                access = try container.decode(String.self, forKey: "access")
                stale = try container.decode(Bool.self, forKey: "stale")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(item, forKey: "item")
                try container.encode(access, forKey: "access")
                try container.encode(stale, forKey: "stale")
            }
        }
    }

    /// The values that were embedded when the caller made the bookmark. No provider is asked. provider is present
    /// even if it has been removed.
    package enum BookmarkValues: InterfaceMethod {
        package static let name = "org.docent.Documents.BookmarkValues"

        package struct Parameters: VarlinkMessage, Equatable {
            package var bookmark: String

            package init(bookmark: String) {
                self.bookmark = bookmark
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                bookmark = try container.decode(String.self, forKey: "bookmark")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(bookmark, forKey: "bookmark")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var provider: String
            package var name: String?
            package var contentType: String?
            package var size: Int?
            package var modificationDate: Double?
            package var creationDate: Double?
            package var path: String?

            package init(
                provider: String,
                name: String? = nil,
                contentType: String? = nil,
                size: Int? = nil,
                modificationDate: Double? = nil,
                creationDate: Double? = nil,
                path: String? = nil
            ) {
                self.provider = provider
                self.name = name
                self.contentType = contentType
                self.size = size
                self.modificationDate = modificationDate
                self.creationDate = creationDate
                self.path = path
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                provider = try container.decode(String.self, forKey: "provider")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
                size = try container.decodeIfPresent(Int.self, forKey: "size")
                modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
                creationDate = try container.decodeIfPresent(Double.self, forKey: "creationDate")
                path = try container.decodeIfPresent(String.self, forKey: "path")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(provider, forKey: "provider")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encodeIfPresent(contentType, forKey: "contentType")
                try container.encodeIfPresent(size, forKey: "size")
                try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
                try container.encodeIfPresent(creationDate, forKey: "creationDate")
                try container.encodeIfPresent(path, forKey: "path")
            }
        }
    }

    /// Starts writing a granted document. `file` is a private staged file: empty when replacing, otherwise a copy of
    /// the content. Nothing changes before CommitWrite. name: creates a document of that name in the granted folder
    /// `reference`, never replacing one. contentType: when the name does not determine it. base: the version that the
    /// client has read and writes a new content of. If the document has another one by now, `outdated` is true and `file`
    /// is empty, and the save counts as made beside that other one: both contents are kept. program, process: as in
    /// Open.
    package enum BeginWrite: InterfaceMethod {
        package static let name = "org.docent.Documents.BeginWrite"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var replacing: Bool
            package var operation: String
            package var claim: String?
            package var name: String?
            package var contentType: String?
            package var base: String?
            package var program: String?
            package var process: Int?

            package init(
                reference: Wire.ItemReference,
                replacing: Bool,
                operation: String,
                claim: String? = nil,
                name: String? = nil,
                contentType: String? = nil,
                base: String? = nil,
                program: String? = nil,
                process: Int? = nil
            ) {
                self.reference = reference
                self.replacing = replacing
                self.operation = operation
                self.claim = claim
                self.name = name
                self.contentType = contentType
                self.base = base
                self.program = program
                self.process = process
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                replacing = try container.decode(Bool.self, forKey: "replacing")
                operation = try container.decode(String.self, forKey: "operation")
                claim = try container.decodeIfPresent(String.self, forKey: "claim")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
                base = try container.decodeIfPresent(String.self, forKey: "base")
                program = try container.decodeIfPresent(String.self, forKey: "program")
                process = try container.decodeIfPresent(Int.self, forKey: "process")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(replacing, forKey: "replacing")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(claim, forKey: "claim")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encodeIfPresent(contentType, forKey: "contentType")
                try container.encodeIfPresent(base, forKey: "base")
                try container.encodeIfPresent(program, forKey: "program")
                try container.encodeIfPresent(process, forKey: "process")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var file: Int
            package var baseVersion: String?
            package var outdated: Bool?

            package var descriptorCount: Int { 1 }

            package init(file: Int, baseVersion: String? = nil, outdated: Bool? = nil) {
                self.file = file
                self.baseVersion = baseVersion
                self.outdated = outdated
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                file = try container.decode(Int.self, forKey: "file")
                baseVersion = try container.decodeIfPresent(String.self, forKey: "baseVersion")
                outdated = try container.decodeIfPresent(Bool.self, forKey: "outdated")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(file, forKey: "file")
                try container.encodeIfPresent(baseVersion, forKey: "baseVersion")
                try container.encodeIfPresent(outdated, forKey: "outdated")
            }
        }
    }

    /// What to publish beside the content (fileAttributesToWriteToURL): extended attributes in the namespace user.*
    /// with values in base 64, hasHiddenExtension, creationDate, modificationDate, and thumbnail, a PNG of at most 1
    /// MiB. Call it before CommitWrite. A provider ignores what it cannot keep.
    package enum StageAttributes: InterfaceMethod {
        package static let name = "org.docent.Documents.StageAttributes"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var attributes: [String: String]?
            package var creationDate: Double?
            package var modificationDate: Double?
            package var hasHiddenExtension: Bool?
            package var thumbnail: Int?

            package var descriptorCount: Int { (thumbnail == nil ? 0 : 1) }

            package init(
                operation: String,
                attributes: [String: String]? = nil,
                creationDate: Double? = nil,
                modificationDate: Double? = nil,
                hasHiddenExtension: Bool? = nil,
                thumbnail: Int? = nil
            ) {
                self.operation = operation
                self.attributes = attributes
                self.creationDate = creationDate
                self.modificationDate = modificationDate
                self.hasHiddenExtension = hasHiddenExtension
                self.thumbnail = thumbnail
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
                attributes = try container.decodeIfPresent([String: String].self, forKey: "attributes")
                creationDate = try container.decodeIfPresent(Double.self, forKey: "creationDate")
                modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
                hasHiddenExtension = try container.decodeIfPresent(Bool.self, forKey: "hasHiddenExtension")
                thumbnail = try container.decodeIfPresent(Int.self, forKey: "thumbnail")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(attributes, forKey: "attributes")
                try container.encodeIfPresent(creationDate, forKey: "creationDate")
                try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
                try container.encodeIfPresent(hasHiddenExtension, forKey: "hasHiddenExtension")
                try container.encodeIfPresent(thumbnail, forKey: "thumbnail")
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

    /// Starts writing a granted package, which is replaced as a whole. The new content starts as a copy of the
    /// current one (elements), or empty when replacing. name: creates a package of that name in the granted folder
    /// `reference`.
    package enum BeginPackage: InterfaceMethod {
        package static let name = "org.docent.Documents.BeginPackage"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var replacing: Bool
            package var operation: String
            package var claim: String?
            package var name: String?
            package var contentType: String?

            package init(
                reference: Wire.ItemReference,
                replacing: Bool,
                operation: String,
                claim: String? = nil,
                name: String? = nil,
                contentType: String? = nil
            ) {
                self.reference = reference
                self.replacing = replacing
                self.operation = operation
                self.claim = claim
                self.name = name
                self.contentType = contentType
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                replacing = try container.decode(Bool.self, forKey: "replacing")
                operation = try container.decode(String.self, forKey: "operation")
                claim = try container.decodeIfPresent(String.self, forKey: "claim")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                contentType = try container.decodeIfPresent(String.self, forKey: "contentType")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(replacing, forKey: "replacing")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(claim, forKey: "claim")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encodeIfPresent(contentType, forKey: "contentType")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var elements: [Wire.PackageElement]
            package var baseVersion: String?

            package init(elements: [Wire.PackageElement], baseVersion: String? = nil) {
                self.elements = elements
                self.baseVersion = baseVersion
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                elements = try container.decode([Wire.PackageElement].self, forKey: "elements")
                baseVersion = try container.decodeIfPresent(String.self, forKey: "baseVersion")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(elements, forKey: "elements")
                try container.encodeIfPresent(baseVersion, forKey: "baseVersion")
            }
        }
    }

    /// Stages one change of a package. file: the new content of the element at `path`, a regular file open for
    /// reading, copied before the reply. folder: creates a folder. removed: removes the element at `path`. from: uses
    /// the previous, unchanged element at that path. Missing folders above an element are created.
    package enum StageElement: InterfaceMethod {
        package static let name = "org.docent.Documents.StageElement"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var path: String
            package var file: Int?
            package var folder: Bool?
            package var removed: Bool?
            package var from: String?

            package var descriptorCount: Int { (file == nil ? 0 : 1) }

            package init(
                operation: String,
                path: String,
                file: Int? = nil,
                folder: Bool? = nil,
                removed: Bool? = nil,
                from: String? = nil
            ) {
                self.operation = operation
                self.path = path
                self.file = file
                self.folder = folder
                self.removed = removed
                self.from = from
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
                path = try container.decode(String.self, forKey: "path")
                file = try container.decodeIfPresent(Int.self, forKey: "file")
                folder = try container.decodeIfPresent(Bool.self, forKey: "folder")
                removed = try container.decodeIfPresent(Bool.self, forKey: "removed")
                from = try container.decodeIfPresent(String.self, forKey: "from")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
                try container.encode(path, forKey: "path")
                try container.encodeIfPresent(file, forKey: "file")
                try container.encodeIfPresent(folder, forKey: "folder")
                try container.encodeIfPresent(removed, forKey: "removed")
                try container.encodeIfPresent(from, forKey: "from")
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

    /// Publishes what was staged as one atomic replacement; it is durable when answered. claim: ClaimLost unless this
    /// session holds that claim. Without it, a writing claim is made for the moment of publishing.
    package enum CommitWrite: InterfaceMethod {
        package static let name = "org.docent.Documents.CommitWrite"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var claim: String?

            package init(operation: String, claim: String? = nil) {
                self.operation = operation
                self.claim = claim
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
                claim = try container.decodeIfPresent(String.self, forKey: "claim")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(claim, forKey: "claim")
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

    /// Discards a write session and what was staged. keep: instead keeps a document's staged content as a version for
    /// this reason: recovered or replaced (Administration.Versions).
    package enum AbandonWrite: InterfaceMethod {
        package static let name = "org.docent.Documents.AbandonWrite"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String
            package var keep: String?

            package init(operation: String, keep: String? = nil) {
                self.operation = operation
                self.keep = keep
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
                keep = try container.decodeIfPresent(String.self, forKey: "keep")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(keep, forKey: "keep")
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

    /// The last step of a move: the source was removed, or it was kept for the given reason.
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

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
                removed = try container.decode(Bool.self, forKey: "removed")
                reason = try container.decodeIfPresent(String.self, forKey: "reason")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
                try container.encode(removed, forKey: "removed")
                try container.encodeIfPresent(reason, forKey: "reason")
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

    /// Waits until other claims on the items allow it, asks the presenters to relinquish them, has the provider fetch
    /// what is to be read, and then holds a claim. Call it with `more`. state: waiting (sent from time to time, with
    /// waitsFor in words, or completedBytes and totalBytes of a download), granted, and released, the last. A granted
    /// claim is held until the caller's next call on the same connection (ReleaseClaim), or until the connection
    /// closes. items: one per access; absent for an item that does not exist.
    ///
    /// open: also sends `file`, as Open does, for the first access, which must be for reading; forUploading always
    /// does. operation: the claim's name. within: claims of this session that enclose this one. answering: messages
    /// to presenters that are being handled meanwhile. presenter: one of this session's presenters, which is not
    /// notified. purpose: claims with the same purpose never wait for each other. thread: the caller's name for the
    /// thread that it blocks meanwhile. prepares: only asks the presenters, for many items at once. deadline: seconds
    /// after which waiting ends with DeadlineExceeded. knownVersion: the version of the first item, when a claim that
    /// was lost in a restart is asked for again; if the item has another version, the answer is ClaimLost.
    package enum Coordinate: InterfaceMethod {
        package static let name = "org.docent.Documents.Coordinate"

        package struct Parameters: VarlinkMessage, Equatable {
            package var accesses: [Wire.ClaimAccess]
            package var operation: String
            package var purpose: String?
            package var presenter: String?
            package var within: [String]?
            package var answering: [String]?
            package var thread: String?
            package var open: Bool?
            package var prepares: Bool?
            package var deadline: Double?
            package var knownVersion: String?

            package init(
                accesses: [Wire.ClaimAccess],
                operation: String,
                purpose: String? = nil,
                presenter: String? = nil,
                within: [String]? = nil,
                answering: [String]? = nil,
                thread: String? = nil,
                open: Bool? = nil,
                prepares: Bool? = nil,
                deadline: Double? = nil,
                knownVersion: String? = nil
            ) {
                self.accesses = accesses
                self.operation = operation
                self.purpose = purpose
                self.presenter = presenter
                self.within = within
                self.answering = answering
                self.thread = thread
                self.open = open
                self.prepares = prepares
                self.deadline = deadline
                self.knownVersion = knownVersion
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                accesses = try container.decode([Wire.ClaimAccess].self, forKey: "accesses")
                operation = try container.decode(String.self, forKey: "operation")
                purpose = try container.decodeIfPresent(String.self, forKey: "purpose")
                presenter = try container.decodeIfPresent(String.self, forKey: "presenter")
                within = try container.decodeIfPresent([String].self, forKey: "within")
                answering = try container.decodeIfPresent([String].self, forKey: "answering")
                thread = try container.decodeIfPresent(String.self, forKey: "thread")
                open = try container.decodeIfPresent(Bool.self, forKey: "open")
                prepares = try container.decodeIfPresent(Bool.self, forKey: "prepares")
                deadline = try container.decodeIfPresent(Double.self, forKey: "deadline")
                knownVersion = try container.decodeIfPresent(String.self, forKey: "knownVersion")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(accesses, forKey: "accesses")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(purpose, forKey: "purpose")
                try container.encodeIfPresent(presenter, forKey: "presenter")
                try container.encodeIfPresent(within, forKey: "within")
                try container.encodeIfPresent(answering, forKey: "answering")
                try container.encodeIfPresent(thread, forKey: "thread")
                try container.encodeIfPresent(open, forKey: "open")
                try container.encodeIfPresent(prepares, forKey: "prepares")
                try container.encodeIfPresent(deadline, forKey: "deadline")
                try container.encodeIfPresent(knownVersion, forKey: "knownVersion")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var state: String
            package var items: [Wire.ClaimedItem]?
            package var file: Int?
            package var waitsFor: [String]?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package var descriptorCount: Int { (file == nil ? 0 : 1) }

            package init(
                state: String,
                items: [Wire.ClaimedItem]? = nil,
                file: Int? = nil,
                waitsFor: [String]? = nil,
                completedBytes: Int? = nil,
                totalBytes: Int? = nil
            ) {
                self.state = state
                self.items = items
                self.file = file
                self.waitsFor = waitsFor
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                state = try container.decode(String.self, forKey: "state")
                items = try container.decodeIfPresent([Wire.ClaimedItem].self, forKey: "items")
                file = try container.decodeIfPresent(Int.self, forKey: "file")
                waitsFor = try container.decodeIfPresent([String].self, forKey: "waitsFor")
                completedBytes = try container.decodeIfPresent(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(state, forKey: "state")
                try container.encodeIfPresent(items, forKey: "items")
                try container.encodeIfPresent(file, forKey: "file")
                try container.encodeIfPresent(waitsFor, forKey: "waitsFor")
                try container.encodeIfPresent(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            }
        }
    }

    /// Ends the claim that this connection holds. Open descriptors stay readable.
    package enum ReleaseClaim: InterfaceMethod {
        package static let name = "org.docent.Documents.ReleaseClaim"

        package struct Parameters: VarlinkMessage, Equatable {
            package var operation: String

            package init(operation: String) {
                self.operation = operation
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                operation = try container.decode(String.self, forKey: "operation")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(operation, forKey: "operation")
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

    /// Within a writing claim, reports that the caller has moved the item (itemAtURL:didMoveToURL:). Move reports it
    /// automatically.
    package enum DidMove: InterfaceMethod {
        package static let name = "org.docent.Documents.DidMove"

        package struct Parameters: VarlinkMessage, Equatable {
            package var claim: String
            package var reference: Wire.ItemReference
            package var newReference: Wire.ItemReference

            package init(claim: String, reference: Wire.ItemReference, newReference: Wire.ItemReference) {
                self.claim = claim
                self.reference = reference
                self.newReference = newReference
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                claim = try container.decode(String.self, forKey: "claim")
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                newReference = try container.decode(Wire.ItemReference.self, forKey: "newReference")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(claim, forKey: "claim")
                try container.encode(reference, forKey: "reference")
                try container.encode(newReference, forKey: "newReference")
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

    /// Presents an item, or a folder with everything in it, as long as the call lasts (call with `more`). presenter:
    /// a name of the client's choice. thread: the thread that handles messages, if the client itself may block it.
    /// version: the version that the client has read; if the item has another one, didChange follows at once.
    ///
    /// kind: registered (the first, with item); relinquishToReader, relinquishToWriter, saveChanges,
    /// accommodateDeletion, accommodateSubitemDeletion and accommodateEviction, each with a `message` to answer with
    /// AnswerPresenter; reacquire (message: that of the relinquish), didChange, didMove (newReference),
    /// subitemDidAppear, subitemDidChange, subitemDidMove, didGainVersion, didLoseVersion, didResolveConflict and
    /// their subitem forms (not for what saves replace: didChange reports those), didDelete, and resync (messages
    /// were left out: check again). subject: the item concerned.
    package enum Present: InterfaceMethod {
        package static let name = "org.docent.Documents.Present"

        package struct Parameters: VarlinkMessage, Equatable {
            package var place: Wire.ItemPlace
            package var presenter: String
            package var purpose: String?
            package var thread: String?
            package var version: String?

            package init(
                place: Wire.ItemPlace,
                presenter: String,
                purpose: String? = nil,
                thread: String? = nil,
                version: String? = nil
            ) {
                self.place = place
                self.presenter = presenter
                self.purpose = purpose
                self.thread = thread
                self.version = version
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                place = try container.decode(Wire.ItemPlace.self, forKey: "place")
                presenter = try container.decode(String.self, forKey: "presenter")
                purpose = try container.decodeIfPresent(String.self, forKey: "purpose")
                thread = try container.decodeIfPresent(String.self, forKey: "thread")
                version = try container.decodeIfPresent(String.self, forKey: "version")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(place, forKey: "place")
                try container.encode(presenter, forKey: "presenter")
                try container.encodeIfPresent(purpose, forKey: "purpose")
                try container.encodeIfPresent(thread, forKey: "thread")
                try container.encodeIfPresent(version, forKey: "version")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var kind: String
            package var message: String?
            package var item: Wire.Item?
            package var subject: Wire.ItemReference?
            package var newReference: Wire.ItemReference?
            package var version: String?
            package var cause: Wire.Cause?
            package var uncoordinated: Bool?
            package var deadline: Double?

            package init(
                kind: String,
                message: String? = nil,
                item: Wire.Item? = nil,
                subject: Wire.ItemReference? = nil,
                newReference: Wire.ItemReference? = nil,
                version: String? = nil,
                cause: Wire.Cause? = nil,
                uncoordinated: Bool? = nil,
                deadline: Double? = nil
            ) {
                self.kind = kind
                self.message = message
                self.item = item
                self.subject = subject
                self.newReference = newReference
                self.version = version
                self.cause = cause
                self.uncoordinated = uncoordinated
                self.deadline = deadline
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                kind = try container.decode(String.self, forKey: "kind")
                message = try container.decodeIfPresent(String.self, forKey: "message")
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
                subject = try container.decodeIfPresent(Wire.ItemReference.self, forKey: "subject")
                newReference = try container.decodeIfPresent(Wire.ItemReference.self, forKey: "newReference")
                version = try container.decodeIfPresent(String.self, forKey: "version")
                cause = try container.decodeIfPresent(Wire.Cause.self, forKey: "cause")
                uncoordinated = try container.decodeIfPresent(Bool.self, forKey: "uncoordinated")
                deadline = try container.decodeIfPresent(Double.self, forKey: "deadline")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(kind, forKey: "kind")
                try container.encodeIfPresent(message, forKey: "message")
                try container.encodeIfPresent(item, forKey: "item")
                try container.encodeIfPresent(subject, forKey: "subject")
                try container.encodeIfPresent(newReference, forKey: "newReference")
                try container.encodeIfPresent(version, forKey: "version")
                try container.encodeIfPresent(cause, forKey: "cause")
                try container.encodeIfPresent(uncoordinated, forKey: "uncoordinated")
                try container.encodeIfPresent(deadline, forKey: "deadline")
            }
        }
    }

    /// Reports what changes in an account, as soon as it is known, as long as the call lasts (call with `more`): for
    /// those who show its documents. reference: the top folder of the account, which the caller may read. changed: the
    /// identifiers of items that may have changed, have gone or are new, and of folders with other entries. resync:
    /// anything may have changed. The first reply has neither. Nobody is asked more often because of this call; a
    /// presenter is also asked before changes.
    package enum Observe: InterfaceMethod {
        package static let name = "org.docent.Documents.Observe"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var changed: [String]
            package var resync: Bool?

            package init(changed: [String], resync: Bool? = nil) {
                self.changed = changed
                self.resync = resync
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                changed = try container.decode([String].self, forKey: "changed")
                resync = try container.decodeIfPresent(Bool.self, forKey: "resync")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(changed, forKey: "changed")
                try container.encodeIfPresent(resync, forKey: "resync")
            }
        }
    }

    /// Searches names, folders, types, times, sizes and states of documents, also of those that are only at their
    /// provider. A confined caller finds what it was granted and what is in folders that it was granted; an unconfined
    /// one finds everything. No server is asked, so what nobody has listed yet is missing; `gaps` says where.
    /// query: words, all of which a name has to contain, and conditions (docs/find.md). folders: search only what is in
    /// them. grantedTo: only what this client was granted; only for an unconfined caller. limit: the most items, 1 to
    /// 10000. live: after the search, report what changes, as long as the call lasts (call with `more`).
    /// state: found (more items follow), gathered (these are the last items of the search), changed (items that are new
    /// among the found ones or have changed, and `gone` ones; gaps if they have changed). ranks: how well each item fits;
    /// larger is better. isCut: more was found than was asked for or could be compared. `found` and `gathered` list the
    /// items the best first. With `more` there are several replies; without, only the last, with all items, at most 1000.
    package enum Find: InterfaceMethod {
        package static let name = "org.docent.Documents.Find"

        package struct Parameters: VarlinkMessage, Equatable {
            package var query: String
            package var folders: [Wire.ItemReference]?
            package var grantedTo: String?
            package var limit: Int?
            package var live: Bool?

            package init(
                query: String,
                folders: [Wire.ItemReference]? = nil,
                grantedTo: String? = nil,
                limit: Int? = nil,
                live: Bool? = nil
            ) {
                self.query = query
                self.folders = folders
                self.grantedTo = grantedTo
                self.limit = limit
                self.live = live
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                query = try container.decode(String.self, forKey: "query")
                folders = try container.decodeIfPresent([Wire.ItemReference].self, forKey: "folders")
                grantedTo = try container.decodeIfPresent(String.self, forKey: "grantedTo")
                limit = try container.decodeIfPresent(Int.self, forKey: "limit")
                live = try container.decodeIfPresent(Bool.self, forKey: "live")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(query, forKey: "query")
                try container.encodeIfPresent(folders, forKey: "folders")
                try container.encodeIfPresent(grantedTo, forKey: "grantedTo")
                try container.encodeIfPresent(limit, forKey: "limit")
                try container.encodeIfPresent(live, forKey: "live")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var state: String
            package var items: [Wire.Item]
            package var ranks: [Double]
            package var gone: [Wire.ItemReference]?
            package var gaps: [Wire.SearchGap]?
            package var isCut: Bool?

            package init(
                state: String,
                items: [Wire.Item],
                ranks: [Double],
                gone: [Wire.ItemReference]? = nil,
                gaps: [Wire.SearchGap]? = nil,
                isCut: Bool? = nil
            ) {
                self.state = state
                self.items = items
                self.ranks = ranks
                self.gone = gone
                self.gaps = gaps
                self.isCut = isCut
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                state = try container.decode(String.self, forKey: "state")
                items = try container.decode([Wire.Item].self, forKey: "items")
                ranks = try container.decode([Double].self, forKey: "ranks")
                gone = try container.decodeIfPresent([Wire.ItemReference].self, forKey: "gone")
                gaps = try container.decodeIfPresent([Wire.SearchGap].self, forKey: "gaps")
                isCut = try container.decodeIfPresent(Bool.self, forKey: "isCut")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(state, forKey: "state")
                try container.encode(items, forKey: "items")
                try container.encode(ranks, forKey: "ranks")
                try container.encodeIfPresent(gone, forKey: "gone")
                try container.encodeIfPresent(gaps, forKey: "gaps")
                try container.encodeIfPresent(isCut, forKey: "isCut")
            }
        }
    }

    /// The documents that were used last (opened, saved, or chosen in open or move mode), newest first. A confined caller
    /// gets those that it used itself and may still read, without paths; an unconfined one those of all clients, or of
    /// `client`. Documents of accounts that are signed out, removed or disabled are not among them. limit: 1 to 1000.
    package enum Recents: InterfaceMethod {
        package static let name = "org.docent.Documents.Recents"

        package struct Parameters: VarlinkMessage, Equatable {
            package var client: String?
            package var limit: Int?

            package init(client: String? = nil, limit: Int? = nil) {
                self.client = client
                self.limit = limit
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                client = try container.decodeIfPresent(String.self, forKey: "client")
                limit = try container.decodeIfPresent(Int.self, forKey: "limit")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(client, forKey: "client")
                try container.encodeIfPresent(limit, forKey: "limit")
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

    /// Forgets that documents were used; without `references`, all. A confined caller forgets only its own uses; an
    /// unconfined one those of all clients, or of `client`. removed: how many uses were forgotten.
    package enum ForgetRecents: InterfaceMethod {
        package static let name = "org.docent.Documents.ForgetRecents"

        package struct Parameters: VarlinkMessage, Equatable {
            package var references: [Wire.ItemReference]?
            package var client: String?

            package init(references: [Wire.ItemReference]? = nil, client: String? = nil) {
                self.references = references
                self.client = client
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                references = try container.decodeIfPresent([Wire.ItemReference].self, forKey: "references")
                client = try container.decodeIfPresent(String.self, forKey: "client")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(references, forKey: "references")
                try container.encodeIfPresent(client, forKey: "client")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var removed: Int

            package init(removed: Int) {
                self.removed = removed
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                removed = try container.decode(Int.self, forKey: "removed")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(removed, forKey: "removed")
            }
        }
    }

    /// What is known of several items at once, at most 500, in their order. No content is fetched, and of remote items no
    /// server is asked that has described them before: it works offline. What is not known in time is Unavailable. A confined
    /// caller needs a right to each item; an unconfined one does not.
    package enum Values: InterfaceMethod {
        package static let name = "org.docent.Documents.Values"

        package struct Parameters: VarlinkMessage, Equatable {
            package var references: [Wire.ItemReference]

            package init(references: [Wire.ItemReference]) {
                self.references = references
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                references = try container.decode([Wire.ItemReference].self, forKey: "references")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(references, forKey: "references")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var values: [Wire.PromisedItem]

            package init(values: [Wire.PromisedItem]) {
                self.values = values
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                values = try container.decode([Wire.PromisedItem].self, forKey: "values")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(values, forKey: "values")
            }
        }
    }

    /// A picture of a document: `file` is a PNG, open for reading. size: the most pixels that it is to be wide or high,
    /// rounded up to 128, 256, 512 or 1024; it may be smaller. No content is fetched for it. source: where it is from: cache
    /// (an earlier one of the same version), provider, or local (made on this machine, of content that is here). version: the
    /// version that it shows. path: the file that keeps it, for unconfined callers. NotSupported: there is no picture of this
    /// document in this version. A confined caller needs a right to the document; an unconfined one does not. Closing the
    /// connection ends what is done for it.
    package enum Thumbnail: InterfaceMethod {
        package static let name = "org.docent.Documents.Thumbnail"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var size: Int

            package init(reference: Wire.ItemReference, size: Int) {
                self.reference = reference
                self.size = size
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                size = try container.decode(Int.self, forKey: "size")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(size, forKey: "size")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var file: Int
            package var width: Int
            package var height: Int
            package var source: String
            package var version: String?
            package var path: String?

            package var descriptorCount: Int { 1 }

            package init(
                file: Int,
                width: Int,
                height: Int,
                source: String,
                version: String? = nil,
                path: String? = nil
            ) {
                self.file = file
                self.width = width
                self.height = height
                self.source = source
                self.version = version
                self.path = path
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                file = try container.decode(Int.self, forKey: "file")
                width = try container.decode(Int.self, forKey: "width")
                height = try container.decode(Int.self, forKey: "height")
                source = try container.decode(String.self, forKey: "source")
                version = try container.decodeIfPresent(String.self, forKey: "version")
                path = try container.decodeIfPresent(String.self, forKey: "path")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(file, forKey: "file")
                try container.encode(width, forKey: "width")
                try container.encode(height, forKey: "height")
                try container.encode(source, forKey: "source")
                try container.encodeIfPresent(version, forKey: "version")
                try container.encodeIfPresent(path, forKey: "path")
            }
        }
    }

    /// The transfers of a document, or of everything in a folder, whoever asked for them. Called with `more`, a new reply
    /// follows every change, at most four times a second, as long as the call lasts. A confined caller needs a right to the
    /// item; an unconfined one does not. item: the document or folder, in the first reply, and again when the document has
    /// changed. transfers: the first 200, those that run first. ended: what has ended since the last reply. running, waiting,
    /// failed: how many of all; one that is retried or paused is waiting. completedBytes, totalBytes, bytesPerSecond: of those
    /// that run or wait; totalBytes is absent while one of the sizes is unknown. isCut: there are more than 200, or more have
    /// ended than could be remembered.
    package enum Watch: InterfaceMethod {
        package static let name = "org.docent.Documents.Watch"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference

            package init(reference: Wire.ItemReference) {
                self.reference = reference
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var item: Wire.Item?
            package var transfers: [Wire.DocumentTransfer]
            package var ended: [Wire.DocumentTransfer]?
            package var running: Int
            package var waiting: Int
            package var failed: Int
            package var completedBytes: Int
            package var totalBytes: Int?
            package var bytesPerSecond: Double?
            package var isCut: Bool?

            package init(
                item: Wire.Item? = nil,
                transfers: [Wire.DocumentTransfer],
                ended: [Wire.DocumentTransfer]? = nil,
                running: Int,
                waiting: Int,
                failed: Int,
                completedBytes: Int,
                totalBytes: Int? = nil,
                bytesPerSecond: Double? = nil,
                isCut: Bool? = nil
            ) {
                self.item = item
                self.transfers = transfers
                self.ended = ended
                self.running = running
                self.waiting = waiting
                self.failed = failed
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
                self.bytesPerSecond = bytesPerSecond
                self.isCut = isCut
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                item = try container.decodeIfPresent(Wire.Item.self, forKey: "item")
                transfers = try container.decode([Wire.DocumentTransfer].self, forKey: "transfers")
                ended = try container.decodeIfPresent([Wire.DocumentTransfer].self, forKey: "ended")
                running = try container.decode(Int.self, forKey: "running")
                waiting = try container.decode(Int.self, forKey: "waiting")
                failed = try container.decode(Int.self, forKey: "failed")
                completedBytes = try container.decode(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
                bytesPerSecond = try container.decodeIfPresent(Double.self, forKey: "bytesPerSecond")
                isCut = try container.decodeIfPresent(Bool.self, forKey: "isCut")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(item, forKey: "item")
                try container.encode(transfers, forKey: "transfers")
                try container.encodeIfPresent(ended, forKey: "ended")
                try container.encode(running, forKey: "running")
                try container.encode(waiting, forKey: "waiting")
                try container.encode(failed, forKey: "failed")
                try container.encode(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
                try container.encodeIfPresent(bytesPerSecond, forKey: "bytesPerSecond")
                try container.encodeIfPresent(isCut, forKey: "isCut")
            }
        }
    }

    /// Answers a message. error: why the presenter could not save or refuses; the claim fails with it.
    package enum AnswerPresenter: InterfaceMethod {
        package static let name = "org.docent.Documents.AnswerPresenter"

        package struct Parameters: VarlinkMessage, Equatable {
            package var presenter: String
            package var message: String
            package var error: String?

            package init(presenter: String, message: String, error: String? = nil) {
                self.presenter = presenter
                self.message = message
                self.error = error
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                presenter = try container.decode(String.self, forKey: "presenter")
                message = try container.decode(String.self, forKey: "message")
                error = try container.decodeIfPresent(String.self, forKey: "error")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(presenter, forKey: "presenter")
                try container.encode(message, forKey: "message")
                try container.encodeIfPresent(error, forKey: "error")
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

    /// One page of the versions of a granted document, newest first; the first page begins with the current one. unresolved:
    /// only those that somebody has to decide about. local: only those on this machine; the provider is not asked. Without
    /// `page`, the first; `nextPage` is absent on the last. missing, on the first page: why the versions of the provider are
    /// not among them, in words.
    package enum Versions: InterfaceMethod {
        package static let name = "org.docent.Documents.Versions"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var unresolved: Bool?
            package var page: String?
            package var local: Bool?

            package init(
                reference: Wire.ItemReference,
                unresolved: Bool? = nil,
                page: String? = nil,
                local: Bool? = nil
            ) {
                self.reference = reference
                self.unresolved = unresolved
                self.page = page
                self.local = local
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                unresolved = try container.decodeIfPresent(Bool.self, forKey: "unresolved")
                page = try container.decodeIfPresent(String.self, forKey: "page")
                local = try container.decodeIfPresent(Bool.self, forKey: "local")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encodeIfPresent(unresolved, forKey: "unresolved")
                try container.encodeIfPresent(page, forKey: "page")
                try container.encodeIfPresent(local, forKey: "local")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var versions: [Wire.DocumentVersion]
            package var nextPage: String?
            package var missing: String?

            package init(versions: [Wire.DocumentVersion], nextPage: String? = nil, missing: String? = nil) {
                self.versions = versions
                self.nextPage = nextPage
                self.missing = missing
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                versions = try container.decode([Wire.DocumentVersion].self, forKey: "versions")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
                missing = try container.decodeIfPresent(String.self, forKey: "missing")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(versions, forKey: "versions")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
                try container.encodeIfPresent(missing, forKey: "missing")
            }
        }
    }

    /// Opens a version of a granted document that is not the current one for reading. Open opens the current one. What is
    /// not on this machine is fetched. Called with `more`, every reply but the last has only progress. path: the file to open
    /// in the version of a package, as VersionElements names it.
    package enum OpenVersion: InterfaceMethod {
        package static let name = "org.docent.Documents.OpenVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var version: String
            package var path: String?

            package init(reference: Wire.ItemReference, version: String, path: String? = nil) {
                self.reference = reference
                self.version = version
                self.path = path
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                version = try container.decode(String.self, forKey: "version")
                path = try container.decodeIfPresent(String.self, forKey: "path")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(version, forKey: "version")
                try container.encodeIfPresent(path, forKey: "path")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var version: Wire.DocumentVersion?
            package var file: Int?
            package var completedBytes: Int?
            package var totalBytes: Int?

            package var descriptorCount: Int { (file == nil ? 0 : 1) }

            package init(
                version: Wire.DocumentVersion? = nil,
                file: Int? = nil,
                completedBytes: Int? = nil,
                totalBytes: Int? = nil
            ) {
                self.version = version
                self.file = file
                self.completedBytes = completedBytes
                self.totalBytes = totalBytes
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                version = try container.decodeIfPresent(Wire.DocumentVersion.self, forKey: "version")
                file = try container.decodeIfPresent(Int.self, forKey: "file")
                completedBytes = try container.decodeIfPresent(Int.self, forKey: "completedBytes")
                totalBytes = try container.decodeIfPresent(Int.self, forKey: "totalBytes")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encodeIfPresent(version, forKey: "version")
                try container.encodeIfPresent(file, forKey: "file")
                try container.encodeIfPresent(completedBytes, forKey: "completedBytes")
                try container.encodeIfPresent(totalBytes, forKey: "totalBytes")
            }
        }
    }

    /// One page of the files and folders in a kept version of a granted package, at any depth, each folder before its
    /// contents, without references. Without `page`, the first; `nextPage` is absent on the last.
    package enum VersionElements: InterfaceMethod {
        package static let name = "org.docent.Documents.VersionElements"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var version: String
            package var page: String?

            package init(reference: Wire.ItemReference, version: String, page: String? = nil) {
                self.reference = reference
                self.version = version
                self.page = page
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                version = try container.decode(String.self, forKey: "version")
                page = try container.decodeIfPresent(String.self, forKey: "page")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(version, forKey: "version")
                try container.encodeIfPresent(page, forKey: "page")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var elements: [Wire.PackageElement]
            package var nextPage: String?

            package init(elements: [Wire.PackageElement], nextPage: String? = nil) {
                self.elements = elements
                self.nextPage = nextPage
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                elements = try container.decode([Wire.PackageElement].self, forKey: "elements")
                nextPage = try container.decodeIfPresent(String.self, forKey: "nextPage")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(elements, forKey: "elements")
                try container.encodeIfPresent(nextPage, forKey: "nextPage")
            }
        }
    }

    /// Keeps content beside a granted document as a version of it. file: a regular file open for reading, copied before the
    /// reply. name: what it is called; absent for the name of the document. modificationDate: when the content was made; absent
    /// for now. Presenters receive didGainVersion. May be repeated with the same operation.
    package enum AddVersion: InterfaceMethod {
        package static let name = "org.docent.Documents.AddVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var file: Int
            package var operation: String
            package var name: String?
            package var modificationDate: Double?

            package var descriptorCount: Int { 1 }

            package init(
                reference: Wire.ItemReference,
                file: Int,
                operation: String,
                name: String? = nil,
                modificationDate: Double? = nil
            ) {
                self.reference = reference
                self.file = file
                self.operation = operation
                self.name = name
                self.modificationDate = modificationDate
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                file = try container.decode(Int.self, forKey: "file")
                operation = try container.decode(String.self, forKey: "operation")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                modificationDate = try container.decodeIfPresent(Double.self, forKey: "modificationDate")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(file, forKey: "file")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encodeIfPresent(modificationDate, forKey: "modificationDate")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var version: Wire.DocumentVersion

            package init(version: Wire.DocumentVersion) {
                self.version = version
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                version = try container.decode(Wire.DocumentVersion.self, forKey: "version")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(version, forKey: "version")
            }
        }
    }

    /// Makes a version the content of its document: a save like any other, whose replaced content is kept as a version,
    /// also where saves keep none. The version itself stays. operation, claim: as for BeginWrite and CommitWrite.
    package enum RestoreVersion: InterfaceMethod {
        package static let name = "org.docent.Documents.RestoreVersion"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var version: String
            package var operation: String
            package var claim: String?

            package init(reference: Wire.ItemReference, version: String, operation: String, claim: String? = nil) {
                self.reference = reference
                self.version = version
                self.operation = operation
                self.claim = claim
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                version = try container.decode(String.self, forKey: "version")
                operation = try container.decode(String.self, forKey: "operation")
                claim = try container.decodeIfPresent(String.self, forKey: "claim")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(version, forKey: "version")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(claim, forKey: "claim")
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

    /// Removes kept versions of a granted document permanently; without `versions`, all of them except unresolved conflicts.
    /// A confined client removes only versions of conflicts. removed: their number. Presenters receive didLoseVersion, and
    /// didResolveConflict with the last conflict.
    package enum RemoveVersions: InterfaceMethod {
        package static let name = "org.docent.Documents.RemoveVersions"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var versions: [String]?

            package init(reference: Wire.ItemReference, versions: [String]? = nil) {
                self.reference = reference
                self.versions = versions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                versions = try container.decodeIfPresent([String].self, forKey: "versions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encodeIfPresent(versions, forKey: "versions")
            }
        }

        package struct Reply: VarlinkMessage, Equatable {
            package var removed: Int

            package init(removed: Int) {
                self.removed = removed
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                removed = try container.decode(Int.self, forKey: "removed")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(removed, forKey: "removed")
            }
        }
    }

    /// Reports that the caller has settled the conflict with these kept versions (didGainVersion). Other presenters
    /// receive didResolveConflict. The versions are ordinary ones from now on, which the daemon may thin out.
    package enum ResolveConflict: InterfaceMethod {
        package static let name = "org.docent.Documents.ResolveConflict"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var versions: [String]

            package init(reference: Wire.ItemReference, versions: [String]) {
                self.reference = reference
                self.versions = versions
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                versions = try container.decode([String].self, forKey: "versions")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encode(versions, forKey: "versions")
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

    /// Renames a granted item, moves it to another folder that the caller has a right to, or both. Never replaces
    /// anything.
    package enum Move: InterfaceMethod {
        package static let name = "org.docent.Documents.Move"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var parent: Wire.ItemReference?
            package var name: String?
            package var operation: String
            package var claim: String?

            package init(
                reference: Wire.ItemReference,
                parent: Wire.ItemReference? = nil,
                name: String? = nil,
                operation: String,
                claim: String? = nil
            ) {
                self.reference = reference
                self.parent = parent
                self.name = name
                self.operation = operation
                self.claim = claim
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                parent = try container.decodeIfPresent(Wire.ItemReference.self, forKey: "parent")
                name = try container.decodeIfPresent(String.self, forKey: "name")
                operation = try container.decode(String.self, forKey: "operation")
                claim = try container.decodeIfPresent(String.self, forKey: "claim")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encodeIfPresent(parent, forKey: "parent")
                try container.encodeIfPresent(name, forKey: "name")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(claim, forKey: "claim")
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

    /// Deletes a granted item: moves it to the trash of its provider; if there is none for it, deletes it for good, at once
    /// or at finalDate.
    /// version: deletes only this version. Changes that were not uploaded are kept as a version. recursive: deletes a
    /// folder with everything in it. trashed: it is in the trash. finalDate: in seconds since 1970; until then the user can
    /// take the deletion back.
    package enum Delete: InterfaceMethod {
        package static let name = "org.docent.Documents.Delete"

        package struct Parameters: VarlinkMessage, Equatable {
            package var reference: Wire.ItemReference
            package var version: String?
            package var recursive: Bool?
            package var operation: String
            package var claim: String?

            package init(
                reference: Wire.ItemReference,
                version: String? = nil,
                recursive: Bool? = nil,
                operation: String,
                claim: String? = nil
            ) {
                self.reference = reference
                self.version = version
                self.recursive = recursive
                self.operation = operation
                self.claim = claim
            }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: WireKey.self)
                reference = try container.decode(Wire.ItemReference.self, forKey: "reference")
                version = try container.decodeIfPresent(String.self, forKey: "version")
                recursive = try container.decodeIfPresent(Bool.self, forKey: "recursive")
                operation = try container.decode(String.self, forKey: "operation")
                claim = try container.decodeIfPresent(String.self, forKey: "claim")
            }

            package func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: WireKey.self)
                try container.encode(reference, forKey: "reference")
                try container.encodeIfPresent(version, forKey: "version")
                try container.encodeIfPresent(recursive, forKey: "recursive")
                try container.encode(operation, forKey: "operation")
                try container.encodeIfPresent(claim, forKey: "claim")
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

    package static let errorClaimLost = "org.docent.Documents.ClaimLost"

    package static let errorDeadlock = "org.docent.Documents.Deadlock"

    package static let errorHeld = "org.docent.Documents.Held"
}

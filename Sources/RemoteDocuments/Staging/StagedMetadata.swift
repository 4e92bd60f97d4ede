package import DocentInterfaces
import FoundationEssentials
import HostCore
package import Records
package import Rights
package import Storage
import Synchronization
package import Varlink

/// The metadata that clients want stored beside the content (K10), from StageAttributes until the provider has it. It
/// is durable before the commit point, and is sent in the same call as the content. Thread-safe.
package final class StagedMetadata: Sendable {
    /// The most attributes, the bytes of all of them, and the bytes of a thumbnail.
    static let maximumCount = 64
    static let maximumSize = 64 << 10
    static let maximumThumbnail = 1 << 20

    /// A client's metadata, checked.
    package struct Given: Sendable {
        var values: Wire.ItemMetadata
        var thumbnail: [UInt8]?
    }

    // The form on disk.
    private struct Stored: Codable {
        var attributes: [String: String]?
        var creationDate: Double?
        var modificationDate: Double?
        var hasHiddenExtension: Bool?
        var hasThumbnail: Bool
    }

    /// The metadata parameters of a call to the provider.
    package struct Parameters: Sendable {
        /// The values; nil when there are none, or the provider does not store them.
        package var metadata: Wire.ItemMetadata?
        fileprivate var picture: (@Sendable () throws -> OpenDescriptor)?

        /// The index of the thumbnail's descriptor after the given number of descriptors; nil without a thumbnail.
        package func thumbnail(after count: Int) -> Int? { picture == nil ? nil : count }

        /// The descriptors of a call: the content's, then the thumbnail's. Created for each attempt.
        package func descriptors(_ content: OpenDescriptor? = nil) throws -> DescriptorList {
            let list = try content.map { try DescriptorList($0) } ?? DescriptorList()
            if let number = try picture?().take() { list.append(OwnedDescriptor(number)) }
            return list
        }
    }

    private let store: MetadataStore
    private let worker: BlockingWorker
    private let waiting = Mutex(WaitingMetadata<Given>())

    package init(layout: StorageLayout, worker: BlockingWorker) {
        store = MetadataStore(layout: layout)
        self.worker = worker
    }

    // MARK: From the client

    /// Checks a client's metadata. Blocks while a thumbnail is read.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for attributes other than `user.*`, values that are not base 64,
    ///   metadata over the limits, or a thumbnail that is not a PNG.
    static func check(_ values: Wire.ItemMetadata, thumbnail: OpenDescriptor?) throws -> Given {
        var size = 0
        for (name, value) in values.attributes ?? [:] {
            guard name.hasPrefix("user."), (6...255).contains(name.utf8.count), !name.utf8.contains(0),
                let data = Data(base64Encoded: value)
            else {
                throw Failure(
                    .invalidArgument, "\"\(name)\" is not an extended attribute that can be set.",
                    suggestion: "Names begin with \"user.\" and have at most 255 bytes; values are base64.")
            }
            size += name.utf8.count + data.count
        }
        guard (values.attributes?.count ?? 0) <= maximumCount, size <= maximumSize else {
            throw Failure(
                .invalidArgument, "There are too many attributes.",
                suggestion: "At most \(maximumCount) attributes of \(maximumSize) bytes in total can be set.")
        }
        for date in [values.creationDate, values.modificationDate] where date.map({ !($0.magnitude < 1e11) }) ?? false {
            throw Failure(.invalidArgument, "A date is out of range.", suggestion: "Dates are seconds since 1970.")
        }
        return Given(values: values, thumbnail: try thumbnail.map(picture))
    }

    private static func picture(_ file: OpenDescriptor) throws -> [UInt8] {
        let status = try ForeignDescriptor.check(file.number, access: .readOnly)
        guard status.size <= maximumThumbnail else {
            throw Failure(
                .invalidArgument, "The thumbnail has \(status.size) bytes.",
                suggestion: "At most \(maximumThumbnail) are allowed: make it smaller.")
        }
        let bytes = try PackageStaging.bytes(of: file, limit: maximumThumbnail)
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw Failure(.invalidArgument, "The thumbnail is not a PNG image.", suggestion: "Convert it to PNG.")
        }
        return bytes
    }

    /// Stores the metadata of a running operation. Durable when it returns.
    package func put(_ id: String, _ values: Wire.ItemMetadata, thumbnail: OpenDescriptor?) async throws {
        try await worker.run { [store] _ in
            try Self.put(try Self.check(values, thumbnail: thumbnail), id, store)
        }
    }

    /// Keeps the metadata of a creation that has not begun yet. Over the limits, an old entry is removed
    /// (``WaitingMetadata``).
    package func put(
        _ operation: String, of principal: Principal, _ values: Wire.ItemMetadata, thumbnail: OpenDescriptor?
    ) async throws {
        let given = try await worker.run { _ in try Self.check(values, thumbnail: thumbnail) }
        waiting.withLock { $0.put(given, operation, of: principal) }
    }

    /// Makes the metadata of a creation durable when the creation begins.
    package func adopt(_ row: JournaledOperation) async throws {
        guard let found = waiting.withLock({ $0.take(row.operation, of: row.principal) }) else { return }
        try await worker.run { [store] _ in try Self.put(found, row.id, store) }
    }

    private static func put(_ given: Given, _ id: String, _ store: MetadataStore) throws {
        let values = given.values
        let stored = Stored(
            attributes: values.attributes, creationDate: values.creationDate,
            modificationDate: values.modificationDate, hasHiddenExtension: values.hasHiddenExtension,
            hasThumbnail: given.thumbnail != nil)
        try store.put(id, Array(JSONEncoder().encode(stored)), picture: given.thumbnail)
    }

    // MARK: To the provider

    /// The metadata of an operation, for a provider with these features.
    ///
    /// - Throws: what reading it throws.
    package func parameters(_ id: String, for features: Set<String>) async throws -> Parameters {
        guard features.contains("metadata"), let bytes = try await worker.run({ [store] _ in try store.bytes(id) })
        else { return Parameters() }
        let stored = try JSONDecoder().decode(Stored.self, from: Data(bytes))
        let values = Wire.ItemMetadata(
            attributes: stored.attributes, creationDate: stored.creationDate,
            modificationDate: stored.modificationDate, hasHiddenExtension: stored.hasHiddenExtension)
        let store = store
        let picture: @Sendable () throws -> OpenDescriptor = { try store.openPicture(id) }
        return Parameters(metadata: values, picture: stored.hasThumbnail ? picture : nil)
    }

    /// Removes the metadata of an operation that has ended.
    package func remove(_ id: String) async { try? await worker.run { [store] _ in try store.remove(id) } }

    /// Removes the metadata of all unknown operations.
    func removeOrphans(known: Set<String>) async {
        try? await worker.run { [store] _ in try store.removeOrphans(known: known) }
    }
}

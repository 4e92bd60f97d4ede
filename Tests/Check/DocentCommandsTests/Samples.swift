import DocentInterfaces
import Documents

/// Records as the daemon might send them.
enum Samples {
    static let reference = Wire.ItemReference(provider: "org.example.Cloud", domain: "work", identifier: "id-1")

    static func transfer(
        kind: String = "upload", state: String, name: String = "a.txt", message: String? = nil
    ) -> Wire.Transfer {
        Wire.Transfer(
            identifier: "17", kind: kind, state: state, priority: "awaited", reference: reference, name: name,
            completedBytes: 5_000_000, totalBytes: 10_000_000, bytesPerSecond: 1_000_000, attempts: 1, waiters: 2,
            message: message, nextAttempt: 1)
    }

    static let version = Wire.Version(
        identifier: "9", reference: reference, name: "a.txt", reason: "conflict", size: 1500, created: 1)

    static func fileVersion(
        _ identifier: String, name: String = "a.txt", reason: String? = "superseded", isConflict: Bool? = nil,
        isResolved: Bool? = nil, modificationDate: Double? = 1, savedBy: String? = nil
    ) -> FileVersion {
        FileVersion(
            .init(
                identifier: identifier, name: name, reason: reason, isCurrent: reason == nil ? true : nil,
                isConflict: isConflict, isResolved: isResolved, size: 1500, modificationDate: modificationDate,
                created: 2, savedBy: savedBy.map { .init(kind: "run", identifier: $0) },
                host: savedBy == nil ? nil : "desk", hasLocalContents: true),
            of: DocumentReference(reference), client: DocumentsClient(.init(clientIdentifier: "org.example.a")))
    }

    static func item(
        uploadState: String? = nil, uploadError: String? = nil, isDownloaded: Bool = true, isPinned: Bool? = nil,
        isStale: Bool? = nil, conflicts: Int? = nil
    ) -> Wire.Item {
        Wire.Item(
            reference: reference, name: "a.txt", contentType: "public.plain-text", size: 12, isFolder: false,
            isDownloaded: isDownloaded, isUploaded: uploadState == nil || uploadState == "uploaded",
            uploadState: uploadState, uploadError: uploadError, isPinned: isPinned, isStale: isStale,
            conflicts: conflicts)
    }

    static let logEntry = Wire.LogEntry(
        id: 1, event: "refused", clientKind: "unconfined", client: "c", strength: "stated", provider: "p", domain: "",
        identifier: "a\nb", access: "read", detail: "no right", process: 3, count: 2, first: 1, last: 2)
}

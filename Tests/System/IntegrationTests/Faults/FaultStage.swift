import DocentTestSupport
import Testing

/// A request of a save, a creation, a download or a listing, as the plugin WebDAV makes them; see docs/webdav.md.
enum FaultStage: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Replacing a document.
    case lookBefore, lookAgain, put, lookAtUpload, lock, lookUnderLock, move, lookAfter, unlock
    /// Creating a document.
    case newLookBefore, newLookAbove, newLookAtFolder, newPut, newLookAtUpload, newMove, newLookAfter
    /// Fetching a document.
    case fetchLook, get

    static let saving: [FaultStage] = [
        .lookBefore, .lookAgain, .put, .lookAtUpload, .lock, .lookUnderLock, .move, .lookAfter, .unlock,
    ]
    static let creating: [FaultStage] = [
        .newLookBefore, .newLookAbove, .newLookAtFolder, .newPut, .newLookAtUpload, .newMove, .newLookAfter,
    ]
    static let fetching: [FaultStage] = [.fetchLook, .get]

    var testDescription: String { rawValue }
    var isCreation: Bool { Self.creating.contains(self) }

    var method: String {
        switch self {
        case .put, .newPut: "PUT"
        case .lock: "LOCK"
        case .unlock: "UNLOCK"
        case .move, .newMove: "MOVE"
        case .get: "GET"
        default: "PROPFIND"
        }
    }

    /// Why a fault cannot happen to this request, so that it is no cell of the table; nil if it can.
    func reasonAgainst(_ fault: Fault) -> String? {
        switch (fault, method) {
        case (.cutRequest, "UNLOCK"), (.cutRequest, "MOVE"), (.cutRequest, "GET"): "it has no body that could be cut"
        case (.lastByte, "UNLOCK"): "its reply (204) has no body whose last byte could be missing"
        case (.corrupt, "PUT"), (.corrupt, "GET"): nil
        case (.corrupt, _): "it carries no content; a listing that is corrupted is tried by itself"
        default: nil
        }
    }

    /// The number, from 1, among the requests of that method with ``part(_:)`` in their paths. Before anything is
    /// created, four check whether the name is free.
    var position: Int {
        switch self {
        case .lookAgain: 2
        case .lookAtUpload: 1
        case .lookUnderLock: 3
        case .lookAfter: 4
        case .newLookBefore: 5
        case .newLookAbove: 6
        case .newLookAtFolder: 7
        case .newLookAtUpload: 7
        case .newLookAfter: 8
        default: 1
        }
    }

    /// Whether a request is the one of this stage, and not another of the same method, judging by the preceding
    /// requests in the document's folder.
    func isMet(by request: FaultProxy.Request, after earlier: [FaultProxy.Request]) -> Bool {
        let isUpload = request.path.contains("/.docent-upload-")
        func hasBeen(_ method: String) -> Bool { earlier.contains { $0.method == method } }
        return switch self {
        case .put, .newPut: isUpload
        case .lookAtUpload, .newLookAtUpload: isUpload
        case .lookBefore, .lookAgain, .newLookBefore, .newLookAbove, .newLookAtFolder:
            !isUpload && !hasBeen("PUT") && !hasBeen("MOVE")
        case .lookUnderLock: !isUpload && hasBeen("PUT") && hasBeen("LOCK") && !hasBeen("MOVE")
        case .lookAfter, .newLookAfter: !isUpload && hasBeen("MOVE")
        case .fetchLook: !hasBeen("GET")
        case .lock, .unlock, .move, .newMove, .get: request.method == method
        }
    }

    /// The part of the path of the counted requests, for a folder.
    func part(_ folder: String) -> String {
        switch self {
        // The folder itself is requested without a slash at its end.
        case .newLookAtFolder: "/\(folder)"
        // An upload is checked until its second is over, where versions are whole seconds.
        case .lookAtUpload: "/\(folder)/.docent-upload-"
        case .lookUnderLock, .lookAfter: "/\(folder)/\(folder)."
        default: "/\(folder)/"
        }
    }
}

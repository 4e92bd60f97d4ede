import DocentInterfaces
import Rights

/// The state of the bookmark key as a check of `docent doctor`. Pure.
enum BookmarkKeyCheck {
    enum State: Hashable {
        /// No bookmark was made yet.
        case none
        /// The key can be used. `unusable` bookmarks were sealed with another key.
        case present(BookmarkStore.KeyPlace, path: String, unusable: Int)
        /// The key is not where it was stored.
        case lost(BookmarkStore.KeyPlace, path: String, bookmarks: Int)
        /// The state cannot be determined: the reason and a remedy.
        case unavailable(String, String?)
    }

    static func check(_ state: State) -> Wire.Check {
        let name = "bookmark key"
        switch state {
        case .none:
            return Wire.Check(name: name, status: "ok", detail: "is created with the first bookmark")
        case .present(let place, let path, 0):
            return Wire.Check(name: name, status: "ok", detail: detail(place, path))
        case .present(let place, let path, let unusable):
            return Wire.Check(
                name: name, status: "warning",
                detail: "\(detail(place, path)); \(count(unusable)) sealed with a lost key cannot be used",
                remedy: "Programs will ask you to choose those documents again.")
        case .lost(let place, let path, let bookmarks):
            let place = place == .file ? "\(path) is missing or is not a key" : "it is not in the keyring any more"
            return Wire.Check(
                name: name, status: bookmarks > 0 ? "error" : "warning",
                detail: "\(place): \(count(bookmarks)) cannot be used",
                remedy: "Restore it from a backup before the next bookmark creates a new key; otherwise choose "
                    + "the documents again.")
        case .unavailable(let why, let remedy):
            return Wire.Check(name: name, status: "warning", detail: why, remedy: remedy)
        }
    }

    private static func count(_ bookmarks: Int) -> String { bookmarks == 1 ? "1 bookmark" : "\(bookmarks) bookmarks" }

    private static func detail(_ place: BookmarkStore.KeyPlace, _ path: String) -> String {
        switch place {
        case .file: "in \(path), because no keyring can be used"
        case .keyring: "in the keyring"
        }
    }
}

/// The limits of watching.
package struct WatchLimits: Hashable, Sendable {
    /// Folders, including those that were only listed.
    package var folders = 4_096
    /// Folders that contain a presented item.
    package var pinnedFolders = 3_072
    /// Folders below a presented one.
    package var foldersBelow = 1_024
    /// Files that are polled where watching is not possible.
    package var polledFiles = 20_000
    /// The pause between two polls in seconds; longer if a poll takes long.
    package var pollSeconds = 2.0

    package init() {}
}

/// How much is watched at most.
package struct WatchLimits: Hashable, Sendable {
    /// Folders, those included that were only listed.
    package var folders = 4_096
    /// Folders in which somebody shows something.
    package var pinnedFolders = 3_072
    /// Folders below one that somebody shows.
    package var foldersBelow = 1_024
    /// Files that are looked at where watching is not possible.
    package var polledFiles = 20_000
    /// The pause between two looks, in seconds; longer where a look takes long.
    package var pollSeconds = 2.0

    package init() {}
}

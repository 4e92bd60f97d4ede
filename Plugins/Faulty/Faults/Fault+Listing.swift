extension Fault {
    /// Faults in items and listings.
    static let listing: [Fault] = [
        Fault("item.sizeLies", "The size of documents differs from that of their content."),
        Fault("item.versionUnstable", "Every description has another version."),
        Fault("item.versionStuck", "The version stays when the content changes."),
        Fault("item.identifierUnstable", "Each list has other identifiers."),
        Fault("item.identifierAfterRestart", "A new process has other identifiers."),
        Fault("item.wrongParent", "Documents say that they are in the top folder."),
        Fault("item.wrongName", "The item has another name than its folder lists."),
        Fault("item.kindFlips", "A document is described as a folder when it is asked for alone."),
        Fault("item.unknownSucceeds", "There is an item for every identifier."),
        Fault("item.deletedSucceeds", "Deleted items are still described."),
        Fault("item.rootFails", "The top folder is missing."),
        Fault("item.longVersion", "A version has 400 bytes."),
        Fault("children.loses", "Every tenth item of a longer list is left out."),
        Fault("children.repeats", "An item is on two pages."),
        Fault("children.neverEnds", "After the last page comes the first."),
        Fault("children.longToken", "A page token has 600 bytes."),
        Fault("children.ofDocument", "A document is an empty folder."),
        Fault("children.ofUnknown", "A missing folder is listed as empty."),
        Fault("children.showsDeleted", "Deleted items are still listed."),
        Fault("children.staleForOthers", "Listings do not show changes by others."),
        Fault("children.phantom", "An item is listed that does not exist."),
        Fault("child.unknownSucceeds", "A missing name returns another item."),
    ]
}

extension Fault {
    /// Faults in items and listings.
    static let listing: [Fault] = [
        Fault("item.sizeLies", "Documents have another size than their content."),
        Fault("item.versionUnstable", "Each look shows another version."),
        Fault("item.versionStuck", "The version stays when the content changes."),
        Fault("item.identifierUnstable", "Each list has other identifiers."),
        Fault("item.identifierAfterRestart", "A new process has other identifiers."),
        Fault("item.wrongParent", "Documents say that they lie in the top folder."),
        Fault("item.wrongName", "The item has another name than its folder lists."),
        Fault("item.kindFlips", "A document is described as a folder when it is asked for alone."),
        Fault("item.unknownSucceeds", "There is an item for every identifier."),
        Fault("item.deletedSucceeds", "What was deleted is still described."),
        Fault("item.rootFails", "The top folder is not there."),
        Fault("item.longVersion", "A version has 400 bytes."),
        Fault("children.loses", "Every tenth item of a longer list is left out."),
        Fault("children.repeats", "An item comes on two pages."),
        Fault("children.neverEnds", "After the last page comes the first."),
        Fault("children.longToken", "A page token has 600 bytes."),
        Fault("children.ofDocument", "A document is an empty folder."),
        Fault("children.ofUnknown", "A folder that is not there is empty."),
        Fault("children.showsDeleted", "What was deleted is still listed."),
        Fault("children.staleForOthers", "What others did does not show in lists."),
        Fault("children.phantom", "An item is listed of which nothing else is known."),
        Fault("child.unknownSucceeds", "A name that is not there brings another item."),
    ]
}

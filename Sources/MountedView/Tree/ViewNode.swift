import FileSystemMessages

/// A file or folder of the view that the kernel knows by number, or that was listed.
struct ViewNode: Sendable {
    /// What it shows.
    enum Subject: Sendable {
        case top
        case account(ViewAccount)
        case item(ViewItem)
    }

    /// The folder that it is in; its own number for the top.
    var parent: UInt64
    /// Its name in that folder.
    var name: EntryName
    var subject: Subject
    /// The number that programs see.
    let inode: UInt64
    /// How many look-ups of the kernel it was the answer to, without those that were taken back.
    var lookUps: UInt64 = 0
    /// The known entries of a folder.
    var entries: [EntryName: UInt64] = [:]
    /// Whether ``entries`` are all.
    var isListed = false
    /// When its provider was asked last; nil before.
    var checked: ContinuousClock.Instant?
    /// How often its entries were changed here.
    var localChanges = 0
    /// The number of changes of its entries that are being made here.
    var changesUnderWay = 0
    /// Whether programs have written to it what is not published: then only they know its size and date.
    var isWritten = false
    /// Whether the journal has it.
    var isRecorded = false
    /// Whether it was removed, and is only kept for those who have it open.
    var isRemoved = false

    init(parent: UInt64, name: EntryName, subject: Subject, inode: UInt64) {
        self.inode = inode
        self.parent = parent
        self.name = name
        self.subject = subject
    }

    var item: ViewItem? {
        if case .item(let item) = subject { return item }
        return nil
    }

    var kind: NodeAttributes.Kind { item?.kind ?? .folder }
}

import CFUSE

/// A request that the kernel makes of the file system.
package struct KernelRequest: Sendable, Equatable {
    /// Names the request in its reply, with the mark of a repetition.
    package var unique: UInt64
    /// What it is about: the number that a reply to a look-up gave, or ``root``.
    package var node: UInt64
    /// Who caused it.
    package var caller: Caller
    /// The operation and its parameters.
    package var operation: Operation

    /// The number of the top folder.
    package static let root: UInt64 = 1

    /// A program that uses the file system.
    package struct Caller: Sendable, Equatable {
        package var user: UInt32
        package var group: UInt32
        /// The number of its thread, in the namespace of the reader; 0 if it has none there, or for the kernel itself.
        package var process: UInt32

        package init(user: UInt32, group: UInt32, process: UInt32) {
            self.user = user
            self.group = group
            self.process = process
        }
    }

    /// Whether the kernel sends it again, because the reader that got it first has ended. It may have been carried out.
    package var isRepeated: Bool { unique & Self.repetition != 0 }

    /// The mark of a repetition in ``unique``.
    package static let repetition = UInt64(CFUSE_UNIQUE_RESEND)

    package init(
        unique: UInt64, node: UInt64, caller: Caller, operation: Operation
    ) {
        self.unique = unique
        self.node = node
        self.caller = caller
        self.operation = operation
    }

    /// What a request asks. A name is nil when it is not UTF-8: no document has such a name.
    package enum Operation: Sendable, Equatable {
        case initialize(Offer)
        case destroy
        /// A node may be forgotten: its count of look-ups goes down. There is no reply.
        case forget([Forgotten])
        /// A request need not be answered any more. There is no reply.
        case interrupt(unique: UInt64)
        case lookUp(String?)
        case attributes(handle: UInt64?)
        case setAttributes(NewAttributes)
        case readLink
        case makeFolder(String?, permissions: UInt32)
        case makeNode(String?, mode: UInt32)
        case makeLink(String?)
        case makeSymbolicLink(String?)
        case remove(String?)
        case removeFolder(String?)
        case rename(String?, newParent: UInt64, newName: String?, flags: UInt32)
        case open(flags: UInt32)
        case openFolder(flags: UInt32)
        case create(String?, flags: UInt32, permissions: UInt32)
        case read(handle: UInt64, offset: UInt64, count: Int)
        case readFolder(handle: UInt64, offset: UInt64, count: Int, withAttributes: Bool)
        /// Where the data is among the bytes that were read from the kernel.
        case write(handle: UInt64, offset: UInt64, data: Range<Int>)
        case flush(handle: UInt64)
        case release(handle: UInt64)
        case releaseFolder(handle: UInt64)
        case synchronize(handle: UInt64)
        case synchronizeFolder(handle: UInt64)
        case statistics
        case access
        case extendedAttribute(String?, room: Int)
        case extendedAttributes(room: Int)
        case setExtendedAttribute(String?, value: Range<Int>, flags: UInt32)
        case removeExtendedAttribute(String?)
        case allocate(handle: UInt64, offset: UInt64, count: UInt64, mode: UInt32)
        case seek(handle: UInt64, offset: UInt64, whence: UInt32)
        /// One that this file system does not know.
        case other(UInt32)
    }

    /// A node with the number of look-ups that the kernel takes back.
    package struct Forgotten: Sendable, Equatable {
        package var node: UInt64
        package var count: UInt64

        package init(node: UInt64, count: UInt64) {
            self.node = node
            self.count = count
        }
    }

    /// What the kernel can do (``Negotiation``).
    package struct Offer: Sendable, Equatable {
        package var major: UInt32
        package var minor: UInt32
        /// In bytes.
        package var readAhead: UInt32
        package var features: Features

        package init(major: UInt32, minor: UInt32, readAhead: UInt32, features: Features) {
            self.major = major
            self.minor = minor
            self.readAhead = readAhead
            self.features = features
        }
    }

    /// The attributes to change; nil for those that stay.
    package struct NewAttributes: Sendable, Equatable {
        package var handle: UInt64?
        /// In bytes.
        package var size: UInt64?
        package var permissions: UInt32?
        package var user: UInt32?
        package var group: UInt32?
        package var modified: Moment?

        package init(
            handle: UInt64? = nil, size: UInt64? = nil, permissions: UInt32? = nil, user: UInt32? = nil,
            group: UInt32? = nil, modified: Moment? = nil
        ) {
            self.handle = handle
            self.size = size
            self.permissions = permissions
            self.user = user
            self.group = group
            self.modified = modified
        }

        /// A time to set.
        package enum Moment: Sendable, Equatable {
            case now
            case at(FileTime)
        }
    }
}

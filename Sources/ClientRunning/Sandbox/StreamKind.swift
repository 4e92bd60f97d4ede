import Glibc

/// How a standard stream of `docent run` reaches the program. Pure.
enum StreamKind: Equatable {
    /// The program gets the stream itself.
    case handedOn
    /// The program gets a pipe, and this process copies.
    case carried
    /// The program does not get it.
    case refused

    /// A stream that is handed on can be opened again through `/proc/self/fd`, changed in mode, passed on, and used for
    /// more than its bytes: a socket reaches its other end, and a named pipe the other direction. Only pipes without a
    /// name, the null device and terminals are therefore handed on, and a terminal is replaced by another one. Every
    /// other stream of bytes is carried.
    ///
    /// - Parameters:
    ///   - mode, device: from `stat`; the second is what a device file stands for.
    ///   - isNameless: whether it is in the kernel's own file system for pipes.
    init(mode: mode_t, device: dev_t, isNameless: Bool, isTerminal: Bool) {
        switch mode & S_IFMT {
        case S_IFREG, S_IFSOCK: self = .carried
        case S_IFIFO: self = isNameless ? .handedOn : .carried
        case S_IFCHR: self = isTerminal || device == Self.nullDevice ? .handedOn : .carried
        // Folders, disks, and descriptors without a type, which are handles of kernel facilities.
        default: self = .refused
        }
    }

    /// 1:3, as `makedev` encodes it.
    static let nullDevice: dev_t = 0x103
    /// The type of the pipe file system, as statfs reports it.
    static let pipes: UInt64 = 0x5049_5045
}

import Glibc

/// What becomes of a standard stream of `docent run`. Pure.
enum StreamKind: Equatable {
    /// The program gets it as it is.
    case handedOn
    /// The program gets a pipe, and this process copies.
    case carried
    /// No program gets it.
    case refused

    /// What is handed on can be opened anew through `/proc/self/fd`, changed in mode, sent further and asked for more than its bytes: a
    /// socket for who is at its other end, a named pipe for the other direction. So that is a pipe without a name, the null device and
    /// a terminal, for which another one stands; all else that is a stream of bytes is carried.
    ///
    /// - Parameters:
    ///   - mode, device: of `stat`; the second is what a device file stands for.
    ///   - isNameless: whether it lies in the kernel's own file system for pipes.
    init(mode: mode_t, device: dev_t, isNameless: Bool, isTerminal: Bool) {
        switch mode & S_IFMT {
        case S_IFREG, S_IFSOCK: self = .carried
        case S_IFIFO: self = isNameless ? .handedOn : .carried
        case S_IFCHR: self = isTerminal || device == Self.nullDevice ? .handedOn : .carried
        // A folder, a disk, and what has no type at all: the handles of the kernel's facilities.
        default: self = .refused
        }
    }

    /// 1:3, as `makedev` puts it together.
    static let nullDevice: dev_t = 0x103
    /// The file system of pipes, as statfs names it.
    static let pipes: UInt64 = 0x5049_5045
}

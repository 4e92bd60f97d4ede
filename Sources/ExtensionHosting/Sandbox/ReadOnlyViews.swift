import CLinux
import Glibc
package import Storage
import Synchronization

/// Opens documents for confined clients without a copy (S4): those in the daemon's folders through one view of each
/// folder, any other through a view of the single file, made for this one time.
package final class ReadOnlyViews: Sendable {
    private let views: [ReadOnlyView]
    // Set once it is known that this machine cannot make views of single files.
    private let isImpossible = Atomic<Bool>(false)

    /// - Parameter directories: each must exist at the first use.
    package init(_ directories: [OwnPath]) { views = directories.map(ReadOnlyView.init) }

    /// Opens the same file that a descriptor of this process has open, if it is still in its place. Blocks for some
    /// milliseconds.
    ///
    /// - Returns: nil if this user cannot have views, or another file has taken the place.
    package func open(sameAs descriptor: OpenDescriptor) -> OpenDescriptor? {
        for view in views {
            if let file = view.open(sameAs: descriptor) { return file }
        }
        return openAlone(sameAs: descriptor)
    }

    // The kernel's path has no links, and none is followed: a provider may have put one there. Only the same file is
    // handed out.
    private func openAlone(sameAs descriptor: OpenDescriptor) -> OpenDescriptor? {
        guard !isImpossible.load(ordering: .relaxed),
            let path = PathLookup.linkTarget("/proc/self/fd/\(descriptor.number)"), path.hasPrefix("/")
        else { return nil }
        let number = clinux_read_only_view(path, 0)
        guard number >= 0 else {
            if [-EPERM, -ENOSYS, -ENOSPC].contains(number) { isImpossible.store(true, ordering: .relaxed) }
            return nil
        }
        let view = OpenDescriptor(owning: number)
        guard let one = try? FileStatus(of: descriptor.number), let other = try? FileStatus(of: view.number),
            one.identity == other.identity, one.kind == .regular,
            let file = try? OpenDescriptor.reopenReadOnly(view.number),
            (try? ForeignDescriptor.check(file.number, access: .readOnly, allowingFUSE: true)) != nil
        else { return nil }
        return file
    }
}

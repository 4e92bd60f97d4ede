import CLinux
package import ExtensionManifest
import Glibc
import Synchronization

/// The daemon's part of the kernel's control groups, if its session grants one: the daemon in a leaf, and beside it a
/// group for each extension. Thread-safe.
package final class ControlGroups: Sendable {
    /// Why control groups are not available, for people.
    package struct Unavailable: Error, CustomStringConvertible {
        package let description: String
    }

    /// The directory of the daemon's part.
    package let directory: String
    private let settings: @Sendable (ProviderLimits) -> [(file: String, value: String, isNeeded: Bool)]
    private let counter = Atomic(0)
    private static let leaf = "docentd"
    private static let prefix = "extension-"

    /// Takes over this process's own group: moves the process into a leaf and enables the controllers for the groups
    /// beside it.
    ///
    /// - Parameters:
    ///   - directory: the group; nil for the one of this process.
    ///   - needed: controllers that must be available.
    ///   - settings: what is written into an extension's group.
    /// - Throws: ``Unavailable`` if the group is not this user's, has other processes, or lacks a controller.
    package init(
        directory given: String? = nil, needed: [String] = ControlGroupPlace.needed,
        welcome: [String] = ControlGroupPlace.welcome,
        settings: @escaping @Sendable (ProviderLimits) -> [(file: String, value: String, isNeeded: Bool)] =
            ControlGroupPlace.settings
    ) throws(Unavailable) {
        let found =
            given
            ?? ControlGroupPlace.directory(
                membership: Self.read("/proc/self/cgroup") ?? "", mounts: Self.read("/proc/self/mountinfo") ?? "")
        guard let directory = found else {
            throw Unavailable(description: "control groups of version 2 are not mounted")
        }
        self.directory = directory
        self.settings = settings
        guard let controllers = Self.read(directory + "/cgroup.controllers"),
            let members = Self.read(directory + "/cgroup.procs"), access(directory, W_OK) == 0
        else { throw Unavailable(description: "the control group \(directory) does not belong to this user") }
        if let obstacle = ControlGroupPlace.obstacle(
            controllers: controllers, members: members, process: getpid(), needed: needed)
        {
            throw Unavailable(description: "the control group \(directory) cannot be used: \(obstacle)")
        }
        let leaf = directory + "/" + Self.leaf
        guard mkdir(leaf, 0o755) == 0 || errno == EEXIST, Self.write("\(getpid())", to: leaf + "/cgroup.procs") else {
            throw Unavailable(
                description: "no group can be created in \(directory): \(String(cString: strerror(errno)))")
        }
        let available = Set(controllers.split(whereSeparator: \.isWhitespace).map(String.init))
        for controller in needed + welcome.filter(available.contains) {
            guard
                Self.write("+" + controller, to: directory + "/cgroup.subtree_control") || welcome.contains(controller)
            else {
                let reason = String(cString: strerror(errno))
                // Restore the previous state.
                _ = Self.write("\(getpid())", to: directory + "/cgroup.procs")
                rmdir(leaf)
                throw Unavailable(description: "\(directory) does not delegate the controller \(controller): \(reason)")
            }
        }
        removeLeftOvers()
    }

    /// A group whose leaf and controllers the caller manages.
    init(
        prepared directory: String,
        settings: @escaping @Sendable (ProviderLimits) -> [(file: String, value: String, isNeeded: Bool)]
    ) {
        self.directory = directory
        self.settings = settings
    }

    /// Removes the groups of an earlier daemon that was killed.
    private func removeLeftOvers() {
        guard let listing = opendir(directory) else { return }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(Self.prefix) { names.append(name) }
        }
        for name in names {
            _ = Self.write("1", to: "\(directory)/\(name)/cgroup.kill")
            rmdir("\(directory)/\(name)")
        }
    }

    /// Creates the group of one extension's process, with its limits.
    package func make(_ limits: ProviderLimits) throws(Unavailable) -> ControlGroup {
        let number = counter.add(1, ordering: .relaxed).newValue
        let path = "\(directory)/\(Self.prefix)\(getpid())-\(number)"
        guard mkdir(path, 0o755) == 0 else {
            throw Unavailable(description: "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        for setting in settings(limits) {
            guard Self.write(setting.value, to: "\(path)/\(setting.file)") || !setting.isNeeded else {
                let reason = String(cString: strerror(errno))
                rmdir(path)
                throw Unavailable(description: "\(path)/\(setting.file) cannot be set: \(reason)")
            }
        }
        return ControlGroup(path: path)
    }

    static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = clinux_read(file, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? String(decoding: text, as: UTF8.self) : nil }
            text += buffer[..<count]
        }
    }

    /// Writes in one call, as the kernel requires; returns false with `errno` set.
    static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        let bytes = Array(text.utf8)
        let count = Glibc.write(file, bytes, bytes.count)
        let error = errno
        close(file)
        errno = error
        return count == bytes.count
    }
}

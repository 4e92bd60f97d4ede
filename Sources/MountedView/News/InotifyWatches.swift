import CLinux
import Glibc
import ViewMounting

/// Which files and folders of a mount the user's programs watch with inotify. Pure but for reading /proc.
enum InotifyWatches {
    /// The numbers, as programs see them, of what is watched on a device. Blocks for some milliseconds.
    ///
    /// - Parameter device: as `stat` shows it.
    static func current(on device: UInt64) -> Set<UInt64> {
        var result: Set<UInt64> = []
        for process in names("/proc") where process.first?.isNumber == true {
            let folder = "/proc/\(process)/fd"
            // Processes of other users cannot be looked at; they cannot use the mount either.
            for descriptor in names(folder) where isInotify("\(folder)/\(descriptor)") {
                guard let text = KernelTextFile.text("/proc/\(process)/fdinfo/\(descriptor)", most: 16 << 20) else {
                    continue
                }
                result.formUnion(watched(in: text, on: device))
            }
        }
        return result
    }

    /// The numbers that the `fdinfo` of an inotify descriptor has for a device.
    ///
    /// - Parameter device: as `stat` shows it.
    static func watched(in text: String, on device: UInt64) -> Set<UInt64> {
        var result: Set<UInt64> = []
        for line in text.split(separator: "\n") where line.hasPrefix("inotify ") {
            var number: UInt64?
            var isHere = false
            for word in line.split(separator: " ") {
                if word.hasPrefix("ino:") { number = UInt64(word.dropFirst(4), radix: 16) }
                if word.hasPrefix("sdev:") { isHere = UInt64(word.dropFirst(5), radix: 16) == kernelNumber(device) }
            }
            if isHere, let number { result.insert(number) }
        }
        return result
    }

    /// The kernel's own form of a device number: the minor number has 20 bits there.
    private static func kernelNumber(_ device: UInt64) -> UInt64 {
        let major = (device >> 8) & 0xfff | (device >> 32) & ~0xfff
        let minor = device & 0xff | (device >> 12) & ~0xff & 0xffff_ffff
        return major << 20 | minor
    }

    private static func isInotify(_ path: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 32)
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 && String(decoding: buffer[..<count], as: UTF8.self) == "anon_inode:inotify"
    }

    private static func names(_ path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var result: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { result.append(name) }
        }
        return result
    }
}

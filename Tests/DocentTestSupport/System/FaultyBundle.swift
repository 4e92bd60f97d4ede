import Foundation

/// The provider Faulty with its manifests in a directory, as its author would have it.
package enum FaultyBundle {
    /// Creates the directory.
    package static func make(in installation: Installation) throws -> String {
        let bundle = installation.root + "/faulty"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for file in ["org.docent.Faulty.FileProvider.plist", "org.docent.Faulty.Picker.plist"] {
            try FileManager.default.copyItem(
                atPath: "\(Repository.root)/Plugins/Faulty/manifests/\(file)", toPath: "\(bundle)/\(file)")
        }
        try FileManager.default.copyItem(
            atPath: Installation.binaries + "/libFaulty.so", toPath: bundle + "/libFaulty.so")
        return bundle
    }
}

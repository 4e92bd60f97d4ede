import DocentInterfaces
import ExtensionHosting
import ExtensionManifest

/// The check of a provider in `docent doctor`. Pure.
enum ProviderCheck {
    /// Its state, and a remedy.
    static func check(_ provider: KnownProvider, folders: UserFolders) -> Wire.Check {
        let identifier = provider.identifier
        func said(_ status: String, _ detail: String, _ remedy: String? = nil) -> Wire.Check {
            Wire.Check(name: identifier, status: status, detail: detail, remedy: remedy)
        }
        switch provider.state {
        case .ready where provider.isUnsandboxed:
            return said("warning", "enabled, without a sandbox", "Enable it again without --unsandboxed.")
        case .ready:
            guard let withheld = ConsentDescription.withheld(provider, folders: folders) else {
                return said("ok", "enabled")
            }
            return said(
                "warning",
                "enabled; it asks for more than was agreed to, and runs without it: "
                    + withheld.map(\.explanation).joined(separator: ", "),
                "If you agree: docent provider enable \(identifier)")
        case .disabled: return said("ok", "installed, not enabled")
        case .changed:
            return said(
                "warning", "changed since it was enabled", "Review it again: docent provider enable \(identifier)")
        case .quarantined:
            return said(
                "error", provider.quarantineReason ?? "in quarantine", "docent provider reset \(identifier)")
        }
    }
}

package import ExtensionABI
import Varlink

/// The entry point: serves the extension's interface on the given socket until the host closes it.
///
/// - Returns: 0 after an orderly end, 1 when the context or the socket cannot be used.
@c @implementation
package func docent_extension_main_v1(_ context: UnsafePointer<docent_extension_context_v1>) -> Int32 {
    guard context.pointee.size >= MemoryLayout<docent_extension_context_v1>.size, context.pointee.socket >= 0 else {
        return 1
    }
    do {
        try ExtensionServer(OwnedDescriptor(context.pointee.socket)).wait()
        return 0
    } catch {
        return 1
    }
}

import FileProviderValidation
import Glibc

/// `loader-probe LIBRARY`: loads a provider's library without a sandbox, and serves the connection on descriptor 3 with
/// it.
@main
enum LoaderProbe {
    static func main() {
        guard CommandLine.arguments.count == 2 else { exit(64) }
        exit(LibraryLoader.serve(library: CommandLine.arguments[1], socket: 3))
    }
}

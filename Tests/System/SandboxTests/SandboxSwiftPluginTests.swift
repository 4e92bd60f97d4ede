import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import ExtensionHosting

@Suite("A plugin in Swift", .needs(.programs, within: .seconds(300)))
struct SandboxSwiftPluginTests {
    static let compiler: String? = ["/opt/swift/usr/bin/swiftc", "/usr/bin/swiftc", "/usr/local/bin/swiftc"]
        .first { access($0, X_OK) == 0 }

    static let source = """
        import Dispatch
        import Foundation
        @_cdecl("docent_extension_main_v1")
        public func start(_ context: UnsafePointer<Int>) -> Int32 {
            let socket = context.advanced(by: 1).withMemoryRebound(to: Int32.self, capacity: 1) { $0.pointee }
            let folder = ProcessInfo.processInfo.environment["LC_DOCENT_CONTAINER"] ?? ""
            do { try Data("x".utf8).write(to: URL(filePath: folder + "/atomic"), options: .atomic) } catch { return 8 }
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { Task { await Task.yield(); done.signal() } }
            done.wait()
            let zone = TimeZone(identifier: "Europe/Berlin")?.secondsFromGMT(for: Date(timeIntervalSince1970: 0)) ?? 0
            let answer = "\\(UUID() != UUID()) \\(zone) end\\n"
            return answer.withCString { write(socket, $0, strlen($0)) } > 0 ? 0 : 9
        }
        """

    @Test(
        "the plugin loads, threads and atomic writes work, two UUIDs differ, and time zones are known",
        .enabled(if: compiler != nil))
    func runs() async throws {
        let compiler = try #require(Self.compiler)
        let world = try SandboxWorld(nil)
        let source = world.folder + "/plugin.swift"
        try Data(Self.source.utf8).write(to: URL(filePath: source))
        let (status, output) = try SandboxWorld.run(
            compiler, ["-emit-library", "-module-name", "P", source, "-o", world.library])
        try #require(status == 0, "\(output)")
        var profile = world.profile()
        let toolchain = ((PathLookup.canonical(compiler) ?? compiler) as NSString).deletingLastPathComponent
        profile.swiftRuntime = PathLookup.canonical(toolchain + "/../lib/swift/linux")
        profile.locale = ["LC_DOCENT_CONTAINER": world.container]
        let process = try ExtensionProcess.start(profile)
        #expect(await SandboxWorld.talk(process) == "true 3600 end\n")
        #expect(await process.waitForExit() == .exited(0), "\(process.errorText)")
        #expect(access(world.container + "/atomic", F_OK) == 0)
    }
}

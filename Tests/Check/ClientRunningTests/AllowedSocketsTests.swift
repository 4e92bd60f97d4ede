import Testing

@testable import ClientRunning

@Suite struct AllowedSocketsTests {
    private static let environment = [
        "XDG_RUNTIME_DIR": "/run/user/7", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/7/bus,guid=1",
        "DISPLAY": ":1.0",
        "WAYLAND_DISPLAY": "wayland-3", "HOME": "/home/ada",
    ]

    private static func shown(
        _ allowances: Set<ClientAllowance>, _ change: [String: String] = [:],
        exists: (String) -> Bool = { _ in true }
    ) -> (mounts: [String], variables: [String: String]) {
        let found = AllowedSockets.find(
            allowances, environment: environment.merging(change) { $1 }, runtime: "/run/user/9", exists: exists)
        return (found.mounts.map { "\($0.source) \($0.target)\($0.isWritable ? " writable" : "")" }, found.variables)
    }

    @Test(
        "S6: no socket of the user's session is visible unless it is allowed",
        arguments: [[], [.network]] as [Set<ClientAllowance>])
    func nothing(allowances: Set<ClientAllowance>) {
        let (mounts, variables) = Self.shown(allowances)
        #expect(mounts.isEmpty)
        #expect(variables.isEmpty)
    }

    @Test(
        "S6: the bus is a single socket, at any path",
        arguments: [
            ("unix:path=/run/user/7/bus,guid=1", "/run/user/7/bus"), ("unix:path=/tmp/b;unix:path=/c", "/tmp/b"),
            ("unix:abstract=/tmp/x", "/run/user/7/bus"), ("tcp:host=h", "/run/user/7/bus"),
        ])
    func bus(address: String, source: String) {
        let (mounts, variables) = Self.shown([.sessionBus], ["DBUS_SESSION_BUS_ADDRESS": address])
        #expect(mounts == ["\(source) /run/user/9/bus"])
        #expect(variables == ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/9/bus"])
    }

    @Test("S6: the displays are single sockets, with the key for the second")
    func display() {
        let (mounts, variables) = Self.shown([.display])
        #expect(
            mounts == [
                "/run/user/7/wayland-3 /run/user/9/wayland-0", "/tmp/.X11-unix/X1 /tmp/.X11-unix/X1",
                "/home/ada/.Xauthority /run/user/9/xauthority",
            ])
        #expect(variables == ["WAYLAND_DISPLAY": "wayland-0", "XAUTHORITY": "/run/user/9/xauthority"])
        #expect(
            Self.shown([.display], ["WAYLAND_DISPLAY": "/w", "XAUTHORITY": "/x"]).mounts.first
                == "/w /run/user/9/wayland-0")
    }

    @Test("A missing socket is neither mounted nor named")
    func missing() {
        let (mounts, variables) = Self.shown([.sessionBus, .display]) { _ in false }
        #expect(mounts.isEmpty)
        #expect(variables.isEmpty)
    }

    @Test(
        "A display on another machine has no socket here, and no display name leads out of the sockets' folder",
        arguments: [
            (":0", "0"), ("unix:12.1", "12"), ("host:0", nil), (":", nil), ("", nil), (":../x", nil), (":x", nil),
        ] as [(String, String?)])
    func numbers(display: String, number: String?) { #expect(AllowedSockets.displayNumber(display) == number) }
}

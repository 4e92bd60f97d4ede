import Testing

@testable import HostCore

/// The sandbox information of a Flatpak (I2).
@Suite struct FlatpakInstanceTests {
    @Test("I2: the application and the instance are read only from their groups")
    func reads() {
        let text = """
            [Application]
            name = org.example.Editor
            runtime=runtime/org.freedesktop.Platform/x86_64/24.08

            # name=org.example.Comment
            [Instance]
            instance-id=123456
            name=org.example.Other
            [Context]
            name=org.example.Third
            instance-id=7
            """
        let instance = FlatpakInstance(text)
        #expect(instance?.application == "org.example.Editor")
        #expect(instance?.instance == "123456")
    }

    private static func text(_ name: String, _ instance: String) -> String {
        "[Application]\nname=\(name)\n[Instance]\ninstance-id=\(instance)\n"
    }

    @Test(
        "I2: information that lacks the application or the instance, or has it twice, is refused",
        arguments: [
            "", "[Application]\nname=org.example.Editor\n", "[Instance]\ninstance-id=1\n",
            "[Runtime]\nname=org.example.Editor\n[Instance]\ninstance-id=1\n",
            text("org.example.Editor", "1") + text("org.example.Other", "1"),
            text("org.example.Editor", "1") + "instance-id=2\n",
            text("", "1"), text("editor", "1"), text("org..editor", "1"), text("org.example/../x", "1"),
            text("org.example.é", "1"), text("org.example.Editor", ""), text("org.example.Editor", "../1"),
            text("org.example.Editor", "org.example.Editor"), text("org.example.Editor", "1/2"),
            text("org.example.Editor", "."), text("org.example.Editor", "123456789012345678901"),
            text("org.example.Editor", "١"),
        ])
    func nothing(_ text: String) {
        #expect(FlatpakInstance(text) == nil)
    }

    @Test(
        "I2: the first process of an instance is read from bwrap's information",
        arguments: [
            (#"{"child-pid": 17, "mnt-namespace": 4026532}"#, 17), (#"{"child-pid": 0}"#, nil),
            (#"{"child-pid": -4}"#, nil), (#"{"child-pid": "17"}"#, nil), ("{}", nil), ("", nil), ("[17]", nil),
            (#"{"child-pid": 99999999999}"#, nil),
        ] as [(String, Int32?)])
    func child(_ text: String, _ child: Int32?) {
        #expect(FlatpakInstance.child(bwrapInformation: text) == child)
        #expect(FlatpakInstance.child(bwrapInformation: nil) == nil)
    }

    @Test("I2: mounts are distinguished by identifier, even at one place, and a mount in memory is recognised")
    func mounts() {
        let table = MountTable(
            """
            620 580 0:52 / / ro,nosuid,nodev,relatime master:1 - tmpfs tmpfs rw,size=10k
            621 620 0:52 /bindfile /.flatpak-info rw,relatime - tmpfs tmpfs rw
            622 621 0:60 / /.flatpak-info ro,relatime shared:3 propagate_from:2 - fuse.evil evil rw
            630 620 0:61 / /doc rw - fuse.portal portal rw
            631 620 0:61 / /over rw - overlay overlay rw,lowerdir=/doc
            nonsense
            """)
        #expect(table.mount(620) == MountTable.Mount(place: "/", type: "tmpfs", isReadOnly: true))
        #expect(table.mount(620)?.isMemory == true)
        #expect(table.mount(621)?.isReadOnly == false)
        #expect(table.mount(622) == MountTable.Mount(place: "/.flatpak-info", type: "fuse.evil", isReadOnly: true))
        #expect(table.mount(622)?.isMemory == false)
        #expect(table.mount(631)?.isMemory == false)
        #expect(table.mount(1) == nil)
    }
}

import Testing

@testable import ExtensionManifest

@Suite struct BuildVariablesTests {
    @Test(
        "the module name of a library is its file name, as the build tools would write it",
        arguments: [
            ("libDrive.so", "Drive"), ("Drive.so", "Drive"), ("lib/x86/libDrive.so.1.2", "Drive"),
            ("libMy-Drive 2.so", "My_Drive_2"), ("libmy_drive9.so", "my_drive9"), ("lib.so", nil), ("", nil),
            ("libe\u{301}t\u{E9}.so", "_t_"), ("lib\u{212A}ey.so", "_ey"), ("lib\u{663}.so", "_"),
        ] as [(String, String?)])
    func module(library: String, module: String?) {
        #expect(BuildVariables(product: BuildVariables.product(ofLibrary: library)).module == module)
    }

    @Test(
        "6: variables that the manifest determines are expanded, with their modifiers; others stay as written",
        arguments: [
            ("$(PRODUCT_MODULE_NAME).Provider", "My_Drive.Provider", []),
            ("${PRODUCT_BUNDLE_IDENTIFIER}", "org.example.My-Drive", []),
            ("$(PRODUCT_BUNDLE_IDENTIFIER:c99extidentifier)", "org_example_My_Drive", []),
            ("$(PRODUCT_NAME:rfc1034identifier:lower)", "my-drive", []),
            ("$(TEAM).a", "$(TEAM).a", ["TEAM"]), ("$(PRODUCT_NAME:odd)", "$(PRODUCT_NAME:odd)", ["PRODUCT_NAME:odd"]),
            ("$(AppIdentifierPrefix)org.example", "org.example", []),
            ("${TeamIdentifierPrefix}org.example", "org.example", []), ("$ and $(", "$ and $(", []),
        ] as [(String, String, [String])])
    func variables(written: String, text: String, unknown: [String]) {
        let variables = BuildVariables(product: "My_Drive", bundleIdentifier: "org.example.My-Drive")
        let result = variables.expand(written)
        #expect(result.text == text)
        #expect(result.unknown == unknown)
    }
}

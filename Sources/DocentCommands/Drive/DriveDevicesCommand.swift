import ArgumentParser
import CommandConsole
import Documents

struct DriveDevicesCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the machines of a drive.",
        discussion: """
            For each: when it joined by its own clock, how many records of it were read here, and their fingerprint. On \
            two machines, equal numbers of records must have equal fingerprints; otherwise the store shows different \
            things to them. Machines that were shut out stay in the list, with the time.

            EXAMPLES
              docent drive devices
              docent drive devices home --json | jq -r '.[].name'
            """)

    @OptionGroup var selection: DriveSelection
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let rows = try await selection.open().perform("devices")
        try StandardOutput.write(
            format.json ? JSONValue.array(rows.map(DriveText.record(device:))).pretty : DriveText.devices(rows).shown)
    }
}

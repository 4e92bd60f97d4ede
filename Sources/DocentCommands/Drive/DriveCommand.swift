import ArgumentParser

struct DriveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive", abstract: "Create, join and look after a drive: one tree of documents on all machines.",
        discussion: """
            A drive lives in a store: a folder, or a bucket at a service that speaks S3. Everything in the store is \
            encrypted. docs/drive.md describes it.

            EXAMPLES
              docent drive create /media/disk/drive
              docent drive invite
              docent drive join /media/disk/drive
            """,
        subcommands: [
            DriveCreateCommand.self, DriveInviteCommand.self, DriveJoinCommand.self, DriveRecoverCommand.self,
            DriveDevicesCommand.self, DriveRemoveDeviceCommand.self, DriveStatusCommand.self, DriveCheckCommand.self,
            DriveRepairCommand.self, DriveGCCommand.self,
        ])
}

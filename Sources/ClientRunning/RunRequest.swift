package import Documents

/// One run of a client: its program, and what the sandbox shows of this machine.
package struct RunRequest: Sendable {
    let client: String
    let program: String
    let arguments: [String]
    /// What `--allow` opens the sandbox for.
    package var allowances: Set<ClientAllowance> = []
    /// The documents that are granted and passed at the start.
    package var documents: [RunDocument] = []
    /// The access to documents that specify none.
    package var defaultAccess: AccessMode = .read
    /// Environment variables that the program gets in addition to the usual ones.
    package var variables: [String: String] = [:]
    /// Folders that are shown in addition to the program's.
    package var programFolders: [String] = []
    /// Whether the program sees what it was granted as files in a folder.
    package var showsView = false
    /// Whether the user is asked on this terminal when the program requests a document.
    package var asksForPicks = true

    package init(client: String, program: String, arguments: [String]) {
        self.client = client
        self.program = program
        self.arguments = arguments
    }
}

/// A document that is granted to a run, and shown in its sandbox.
package struct RunDocument: Hashable, Sendable {
    package let location: DocumentLocation
    /// nil for the run's default.
    package let access: AccessMode?

    package init(location: DocumentLocation, access: AccessMode?) {
        self.location = location
        self.access = access
    }
}

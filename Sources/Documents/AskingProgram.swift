/// Another program for which this one opens a document, for the audit log.
package struct AskingProgram: Sendable, Hashable {
    /// The path of its file.
    package let path: String
    /// The number of its process.
    package let process: Int

    package init(path: String, process: Int) {
        self.path = path
        self.process = process
    }
}

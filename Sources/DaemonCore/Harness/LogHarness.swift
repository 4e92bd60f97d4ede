import DocentInterfaces
package import HostCore
package import HostServices
import Varlink

/// `org.docent.Administration.Log` and `.Why` on the wire.
package struct LogHarness: Sendable {
    private typealias Interface = AdministrationInterface

    private let sessions: SessionRegistry
    private let log: LogService
    private let why: WhyService

    package init(sessions: SessionRegistry, log: LogService, why: WhyService) {
        self.sessions = sessions
        self.log = log
        self.why = why
    }

    /// Adds the methods to the table of the interface.
    func add(to table: inout MethodTable) {
        let (sessions, log, why) = (sessions, log, why)
        table.stream(Interface.Log.shortName, requiresMore: false, Interface.Log.Parameters.self) {
            parameters, call, sink in
            let question = try await log.question(parameters)
            guard call.wantsMore else {
                return Reply(Interface.Log.Reply(entries: try await log.entries(question)))
            }
            try await log.follow(question) { entries in
                try await sink.send(Reply(Interface.Log.Reply(entries: entries)))
            }
            return Reply(Interface.Log.Reply(entries: []))
        }
        table.call(Interface.NoteDownloadLimit.self, changesState: true) { parameters, call in
            try await log.noteLimit(
                try sessions.session(call.connection),
                .init(path: parameters.program, process: parameters.process),
                documentsPerMinute: parameters.documentsPerMinute)
            return Reply(.init())
        }
        table.call(Interface.Why.self) { parameters, call in
            return Reply(try await why.why(parameters.location, client: parameters.client))
        }
    }
}

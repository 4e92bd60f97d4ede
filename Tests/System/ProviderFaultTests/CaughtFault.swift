import Testing

/// A fault, and a case that must fail with it.
struct CaughtFault: Sendable, CustomTestStringConvertible {
    /// A script with one rule.
    let script: String
    /// The name of the case.
    let caseName: String

    init(_ script: String, _ caseName: String) {
        self.script = script
        self.caseName = caseName
    }

    /// The name of the fault.
    var name: String { String(script.prefix { $0 != "=" }) }

    var testDescription: String { "\(script) → \(caseName)" }

    /// Faults that can affect any call, with a case that makes the call.
    static let troubles: [CaughtFault] = [
        ("item", "errors.steady"), ("child", "creating.spelling"), ("children", "creating.names"),
        ("changes", "changes.anchor"), ("fetch", "progress.fetch"), ("open", "content.facts"),
        ("create", "modifying.withoutBase"), ("modify", "modifying.withoutBase"), ("move", "moving.repeated"),
        ("delete", "deleting.refused"), ("package", "packages.create"), ("signIn", "signin.refused"),
        ("observe", "observe.items"), ("usage", "usage.values"),
    ].flatMap { method, name in
        ["delay=2", "hang", "block", "crash", "exit", "error"].map { CaughtFault("\(method).\($0)", name) }
    }

    /// All other faults except those that only a sandbox shows.
    static let others: [CaughtFault] = [
        CaughtFault("init.error", "errors.steady"),
        CaughtFault("init.crash", "errors.steady"),
        CaughtFault("init.block", "errors.steady"),
        CaughtFault("errors.storm", "errors.steady"),
        CaughtFault("errors.unmapped", "errors.unknownItem"),
        CaughtFault("fetch.wrongBytes", "creating.document"),
        CaughtFault("fetch.short", "creating.document"),
        CaughtFault("fetch.long", "creating.document"),
        CaughtFault("fetch.empty", "creating.document"),
        CaughtFault("fetch.hole", "creating.document"),
        CaughtFault("fetch.folderSucceeds", "creating.folder"),
        CaughtFault("fetch.stale", "modifying.content"),
        CaughtFault("fetch.progressBack", "progress.fetch"),
        CaughtFault("fetch.progressBeyond", "progress.fetch"),
        CaughtFault("fetch.stands=4", "progress.fetch"),
        CaughtFault("fetch.silent=3", "progress.fetch"),
        CaughtFault("fetch.ignoresCancel", "cancel.fetch"),
        CaughtFault("fetch.sizeLies", "reading.whole"),
        CaughtFault("fetch.wrongVersion", "content.facts"),
        CaughtFault("fetch.otherItem", "reading.whole"),
        CaughtFault("fetch.mixed", "reading.concurrent"),
        CaughtFault("fetch.cut", "creating.document"),
        CaughtFault("fetch.resumesAnyVersion", "resume.otherVersion"),
        CaughtFault("fetch.resumeRepeats", "resume.offset"),
        CaughtFault("item.sizeLies", "creating.document"),
        CaughtFault("item.versionUnstable", "modifying.content"),
        CaughtFault("item.versionStuck", "modifying.content"),
        CaughtFault("item.identifierUnstable", "creating.document"),
        CaughtFault("item.identifierAfterRestart", "creating.kept"),
        CaughtFault("item.wrongParent", "creating.document"),
        CaughtFault("item.wrongName", "creating.document"),
        CaughtFault("item.kindFlips", "creating.document"),
        CaughtFault("item.unknownSucceeds", "errors.unknownItem"),
        CaughtFault("item.deletedSucceeds", "deleting.document"),
        CaughtFault("item.rootFails", "errors.steady"),
        CaughtFault("item.longVersion", "creating.document"),
        CaughtFault("children.showsDeleted", "deleting.document"),
        CaughtFault("children.phantom", "creating.folder"),
        CaughtFault("children.ofUnknown", "errors.unknownItem"),
        CaughtFault("children.loses", "listing.pages"),
        CaughtFault("children.repeats", "listing.pages"),
        CaughtFault("children.neverEnds", "listing.pages"),
        CaughtFault("children.longToken", "listing.pages"),
        CaughtFault("children.ofDocument", "listing.document"),
        CaughtFault("child.unknownSucceeds", "errors.unknownItem"),
        CaughtFault("child.ignoresCase", "creating.spelling"),
        CaughtFault("create.replaces", "creating.collision"),
        CaughtFault("create.doubles", "creating.collision"),
        CaughtFault("create.truncates", "creating.document"),
        CaughtFault("create.wrongBytes", "creating.document"),
        CaughtFault("create.lost", "creating.document"),
        CaughtFault("create.elsewhere", "creating.document"),
        CaughtFault("create.doubleApply", "creating.repeatedAfterRestart"),
        CaughtFault("create.unanswered", "creating.document"),
        CaughtFault("create.volatile", "creating.kept"),
        CaughtFault("create.early", "creating.whole"),
        CaughtFault("create.cancelKeeps", "cancel.create"),
        CaughtFault("create.orphans", "creating.place"),
        CaughtFault("modify.ignoresBase", "modifying.staleBase"),
        CaughtFault("modify.lost", "modifying.content"),
        CaughtFault("modify.truncates", "modifying.content"),
        CaughtFault("modify.wrongBytes", "modifying.content"),
        CaughtFault("modify.doubleApply", "modifying.repeatedAfterRestart"),
        CaughtFault("modify.unanswered", "modifying.content"),
        CaughtFault("modify.volatile", "creating.kept"),
        CaughtFault("modify.newIdentifier", "modifying.content"),
        CaughtFault("modify.conflictNotKept", "modifying.staleBase"),
        CaughtFault("modify.conflictIsNew", "modifying.staleBase"),
        CaughtFault("modify.resurrects", "modifying.unknown"),
        CaughtFault("modify.appends", "modifying.content"),
        CaughtFault("modify.progressBack", "progress.write"),
        CaughtFault("writers.race", "writers.oneDocument"),
        CaughtFault("declared.write", "creating.document"),
        CaughtFault("declared.packages", "packages.create"),
        CaughtFault("declared.move", "moving.rename"),
        CaughtFault("declared.delete", "deleting.document"),
        CaughtFault("declared.changes", "changes.anchor"),
        CaughtFault("declared.signIn", "signin.refused"),
        CaughtFault("usage.negative", "usage.values"),
        CaughtFault("usage.nonsense", "usage.values"),
        CaughtFault("declared.usage", "declaring.does"),
        CaughtFault("metadata.refused", "metadata.create"),
        CaughtFault("metadata.wrongDate", "metadata.create"),
        CaughtFault("metadata.contentLost", "metadata.create"),
        CaughtFault("package.losesElement", "packages.create"),
        CaughtFault("package.early", "packages.replace"),
        CaughtFault("package.ignoresBase", "packages.staleElement"),
        CaughtFault("package.keepsRemoved", "packages.replace"),
        CaughtFault("package.needsNothing", "packages.create"),
        CaughtFault("move.replaces", "moving.collision"),
        CaughtFault("move.copies", "moving.rename"),
        CaughtFault("move.lost", "moving.rename"),
        CaughtFault("move.newIdentifier", "moving.rename"),
        CaughtFault("move.intoItself", "moving.intoItself"),
        CaughtFault("move.ignoresBase", "moving.staleBase"),
        CaughtFault("move.losesContent", "moving.rename"),
        CaughtFault("move.losesChildren", "moving.folder"),
        CaughtFault("delete.lost", "deleting.document"),
        CaughtFault("delete.ignoresBase", "deleting.staleBase"),
        CaughtFault("delete.notEmpty", "deleting.folder"),
        CaughtFault("delete.orphans", "deleting.folder"),
        CaughtFault("delete.siblings", "deleting.document"),
        CaughtFault("delete.volatile", "deleting.kept"),
        CaughtFault("changes.lost", "changes.told"),
        CaughtFault("changes.lostDeletion", "changes.told"),
        CaughtFault("changes.anchorStands", "changes.told"),
        CaughtFault("changes.anyAnchor", "changes.foreignAnchor"),
        CaughtFault("changes.neverEnds", "changes.anchor"),
        CaughtFault("changes.phantomDeletion", "changes.told"),
        CaughtFault("changes.stale", "changes.told"),
        CaughtFault("changes.notAfterRestart", "changes.afterRestart"),
        CaughtFault("changes.overtaken", "changes.many"),
        CaughtFault("events.storm", "events.own"),
        CaughtFault("events.phantomDeletion", "events.own"),
        CaughtFault("observe.unknownCrashes", "observe.items"),
        CaughtFault("signIn.anything", "signin.refused"),
        CaughtFault("signIn.wrongError", "signin.refused"),
        CaughtFault("signIn.secretInError", "signin.refused"),
        CaughtFault("signIn.secretInLog", "signin.refused"),
        CaughtFault("signIn.kept", "signin.signOut"),
        CaughtFault("wire.garbage", "errors.steady"),
        CaughtFault("wire.secondReply", "errors.steady"),
        CaughtFault("wire.wrongType", "errors.steady"),
        CaughtFault("wire.close", "errors.steady"),
        CaughtFault("wire.flood", "errors.steady"),
        CaughtFault("open.writable", "inPlace.readOnly"),
        CaughtFault("open.otherFile", "content.facts"),
        CaughtFault("open.short", "content.facts"),
        CaughtFault("open.folder", "content.facts"),
        CaughtFault("names.composed", "creating.spelling"),
        CaughtFault("names.trimmed", "names.punctuation"),
        CaughtFault("names.lowercased", "names.ordinary"),
        CaughtFault("names.shortened", "names.length"),
        CaughtFault("undeclared.write", "declaring.refuses"),
        CaughtFault("undeclared.move", "declaring.refuses"),
        CaughtFault("undeclared.delete", "declaring.refuses"),
        CaughtFault("undeclared.changes", "declaring.refuses"),
        CaughtFault("undeclared.usage", "declaring.refuses"),
        CaughtFault("memory.leak", "growth.brief"),
        CaughtFault("descriptors.leak", "growth.brief"),
        CaughtFault("threads.leak", "growth.brief"),
    ]

    /// Faults that only occur when the service is changed behind the provider.
    static let served: [CaughtFault] = [
        CaughtFault("unreachable.noSuchItem", "unreachable.reading"),
        CaughtFault("unreachable.empty", "unreachable.reading"),
        CaughtFault("create.savedWhenCut", "unreachable.creating"),
        CaughtFault("modify.savedWhenCut", "unreachable.replacing"),
        CaughtFault("fetch.wholeWhenCut", "unreachable.fetching"),
        CaughtFault("children.staleForOthers", "foreign.listing"),
        CaughtFault("fetch.staleForOthers", "foreign.content"),
        CaughtFault("modify.ignoresOthers", "foreign.staleBase"),
        CaughtFault("changes.lostForOthers", "foreign.changes"),
        CaughtFault("observe.nothing", "foreign.observing"),
    ]

    /// Faults that only occur during another call, if the timing fits.
    static let hurried: [CaughtFault] = [
        CaughtFault("modify.inPlace", "reading.versions"),
        CaughtFault("modify.swapped", "writers.manyDocuments"),
        CaughtFault("fetch.swapped", "reading.concurrent"),
    ]

    /// Access beyond the sandbox: `docent provider validate` finds it with the sandbox around the provider
    /// (`SandboxFaultTests` of the integration tests).
    static let sandboxed = ["sandbox.connect", "sandbox.run", "sandbox.writeOutside"]
}

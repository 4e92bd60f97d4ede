extension Fault {
    /// The names that scripts use for the calls that can fail.
    package static let methods = [
        "item", "child", "children", "changes", "fetch", "range", "open", "create", "modify", "move", "delete",
        "package", "signIn", "observe", "usage", "thumbnail",
    ]

    /// Faults of any call.
    static let trouble: [Fault] =
        methods.flatMap { method -> [Fault] in
            let subject: Subject = method == "open" ? .inPlace : .full
            return [
                Fault("\(method).delay", "The call takes longer.", subject, value: "seconds, 1"),
                Fault("\(method).hang", "The call is never answered; it ends when it is cancelled.", subject),
                Fault(
                    "\(method).block", "The call is never answered, and its thread is blocked forever.", subject,
                    needsProcess: true),
                Fault("\(method).crash", "The process ends with SIGSEGV.", subject, needsProcess: true),
                Fault("\(method).exit", "The process ends with status 0.", subject, needsProcess: true),
                Fault(
                    "\(method).error", "The call fails with the wrong error.", subject,
                    value: "an error's name as the interface spells it, Failed"),
            ]
        } + [
            Fault("init.error", "No instance can be created.", value: "an error's name, Failed"),
            Fault("init.crash", "The process ends with SIGSEGV when an instance is created.", needsProcess: true),
            Fault("init.block", "No instance is ever ready.", needsProcess: true),
            Fault("errors.storm", "Every other call fails, each time with another error."),
            Fault("unreachable.noSuchItem", "While the service is unreachable, every item is missing."),
            Fault("unreachable.empty", "While the service is unreachable, folders are empty."),
            Fault("errors.unmapped", "A missing item is reported with an error of the provider's own."),
        ]
}

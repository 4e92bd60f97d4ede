extension DownloadRule {
    /// The rules that apply after the user's own: programs that read everything and that nobody waits for.
    ///
    /// What a person runs to read documents (cp, tar, grep, rsync) is not among them. Neither is what only asks an
    /// index that is there already (baloorunner, zeitgeist).
    package static let standard: [DownloadRule] =
        refusals(programs, Subject.program) + refusals(units, Subject.unit)

    static let programs: [String] = indexers + thumbnailers + backups + scanners

    private static let indexers = [
        "tracker-miner-*", "tracker-extract*", "localsearch*", "baloo_file*", "recollindex", "updatedb*", "plocate*",
        "mlocate*",
    ]

    private static let thumbnailers = [
        "tumblerd", "*thumbnailer*", "*-thumbnail-font",
        // The module with which KDE's kioworker makes thumbnails.
        "thumbnail.so",
    ]

    private static let backups = [
        "restic*", "rustic*", "borg*", "vorta", "pika-backup*", "duplicity*", "deja-dup*", "duplicati*",
        "Duplicati.*", "rdiff-backup*", "kopia*", "rsnapshot*", "backintime*", "timeshift*", "bupstash*", "bup",
        "tarsnap*", "dirvish*", "backupninja*", "proxmox-backup-client", "bareos-fd", "bacula-fd", "urbackup*",
    ]

    private static let scanners = ["clamscan", "clamdscan", "clamd", "clamonacc"]

    /// Units count too, because indexers and backups read through helpers with names of their own.
    static let units = [
        "tracker-*.service", "localsearch*.service", "*baloo*.service", "*recollindex*.service", "tumblerd.service",
        "*updatedb*.service", "restic*.service", "rustic*.service", "borg*.service", "duplicity*.service",
        "deja-dup*.service", "kopia*.service", "rsnapshot*.service", "backintime*.service", "timeshift*.service",
        "clamav*.service",
    ]

    private static func refusals(_ names: [String], _ subject: (ProgramPattern) -> Subject) -> [DownloadRule] {
        names.compactMap { ProgramPattern($0) }.map { DownloadRule(subject($0), .refuse) }
    }
}

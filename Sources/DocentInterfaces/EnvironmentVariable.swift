/// An environment variable that a Docent program, or a script of the source tree, reads.
package struct EnvironmentVariable: Sendable {
    /// Who sets or reads the variable; each audience has a table in docs/environment.md.
    package enum Audience: String, Sendable, CaseIterable {
        /// `docent`, and programs that use the SDK for clients.
        case clients
        /// `docentd`.
        case daemon
        /// Variables that the system sets.
        case system
        /// Providers, in their sandboxes.
        case providers
        /// Service programs of the validator, and the validator itself.
        case services
        /// Building and testing Docent.
        case building
    }

    /// The name; several for variables with related effects, or for alternatives in order of precedence.
    package let names: [String]
    /// The table in which the variable is listed.
    package let audience: Audience
    /// The effect of the variable, in Markdown.
    package let meaning: String
    /// What applies if the variable is unset, in Markdown; empty if nothing does.
    package let otherwise: String

    private init(_ names: [String], _ audience: Audience, _ meaning: String, otherwise: String = "") {
        self.names = names
        self.audience = audience
        self.meaning = meaning
        self.otherwise = otherwise
    }

    /// Every variable that is read anywhere. `Scripts/generate-environment.py` generates the tables of
    /// docs/environment.md from this list, and a test finds variables that are read but not listed here.
    package static let all: [EnvironmentVariable] = [
        .init(
            ["DOCENT_SOCKET"], .clients,
            """
            the daemon's socket. No daemon is ever started for a socket given here, because it may belong to a \
            single client
            """,
            otherwise: "see `XDG_RUNTIME_DIR`"),
        .init(
            ["DOCENT_DAEMON"], .clients,
            "the daemon program to start",
            otherwise: """
                `docentd`: beside the program, in `../libexec/docent`, `/usr/local/libexec/docent` or \
                `/usr/libexec/docent`, on `PATH`, or in the prefix of the `docent` on `PATH`, in this order
                """),
        .init(
            ["DOCENT_VIEW"], .clients,
            "the program that `docent mount` and `docent run --view` start",
            otherwise: "`docent-view`, in the same places"),
        .init(
            ["DOCENT_VIEW_LOG_FILE"], .clients,
            "the file to which they append what that program reports",
            otherwise: "nothing is kept"),
        .init(
            ["DOCENT_VIEW_FRESH_SECONDS"], .clients,
            "seconds for which a mounted folder shows what it learned without asking again",
            otherwise: "10; 1 with `docent run --view`"),
        .init(
            ["DOCENT_VIEW_DEPARTURE_SECONDS"], .clients,
            "seconds that a mounted folder waits for an editor's new document when one was renamed to a backup's name",
            otherwise: "5"),
        .init(
            ["DOCENT_VIEW_FOLDER"], .clients,
            "the folder in which a program in a sandbox finds what it was granted; set by `docent run --view`"),
        .init(
            ["DOCENT_VALIDATOR"], .clients,
            "the program that runs the cases of `docent provider validate`",
            otherwise: "`docent-provider-validator`, in the same places"),
        .init(
            ["DOCENT_SERVICES"], .clients,
            "the directory of the service programs `directory`, `webdav` and `sftp` of `docent provider validate`",
            otherwise: """
                `services` beside the validator, otherwise `packaging/services` of the source tree that it was built \
                in
                """),
        .init(
            ["DOCENT_LOG_FILE"], .clients,
            "the file to which a daemon that a client starts appends its log",
            otherwise: "the log is discarded"),
        .init(
            ["DOCENT_TEMPLATES"], .clients,
            "the templates of `docent provider init`; the SDK is looked for beside them",
            otherwise: """
                `share/docent/templates` of the prefix that `docent` is installed in, otherwise the templates of the \
                source tree that it was built in
                """),
        .init(
            ["DOCENT_ASKPASS", "SSH_ASKPASS"], .clients,
            """
            the program that `docent login` asks for a secret if there is no terminal; the first variable that is \
            set counts. The question is the program's argument, its output the answer
            """,
            otherwise: "a secret must be given by `--secret-fd`, `--askpass` or `--password-stdin`"),
        .init(
            ["BROWSER"], .clients,
            """
            programs that open an address for `docent login`, separated by colons; `%s` in a program stands for the \
            address, otherwise the address is appended
            """,
            otherwise: "`xdg-open`, if `DISPLAY` or `WAYLAND_DISPLAY` is set"),
        .init(
            ["DOCENT_MANIFEST_PATH"], .daemon,
            "more directories of manifests, separated by colons, searched first; also for `docent provider validate`",
            otherwise: "none"),
        .init(
            ["DOCENT_LIBRARY_PATH"], .daemon,
            """
            more directories of providers' libraries, separated by colons, searched last; also for `docent provider \
            validate`
            """,
            otherwise: "none"),
        .init(
            ["DOCENT_IDLE_SECONDS"], .daemon,
            "seconds without any work after which the daemon exits; 0: never",
            otherwise: "60"),
        .init(
            ["DOCENT_EXTENSION_IDLE_SECONDS"], .daemon,
            "seconds without a call after which a provider's process is ended; 0: never",
            otherwise: "60"),
        .init(
            ["DOCENT_RESUME_SECONDS"], .daemon,
            """
            seconds after a restart of the daemon in which a client may resume its write sessions. After that they \
            become recovered versions; with 0 they do so at once
            """,
            otherwise: "60"),
        .init(
            ["DOCENT_PROVIDER_DEADLINE_SECONDS"], .daemon,
            """
            seconds that a provider may take for one call without reporting progress; for a transfer, without one \
            more byte. To accept a connection, it has twice as long, at least 10 and at most 30 seconds
            """,
            otherwise: "60"),
        .init(
            ["DOCENT_CLAIM_SECONDS"], .daemon,
            """
            seconds that a claim without a deadline of its own waits for its turn \
            ([coordination.md](clients/coordination.md))
            """,
            otherwise: "300"),
        .init(
            ["DOCENT_PRESENTER_DEADLINE_SECONDS"], .daemon,
            """
            seconds in which a presenter must answer when it is asked to save or to let go \
            ([coordination.md](clients/coordination.md))
            """,
            otherwise: "20"),
        .init(
            ["DOCENT_PICK_SECONDS"], .daemon,
            "seconds that a program's request to choose a document waits for your answer ([identity.md](identity.md))",
            otherwise: "600"),
        .init(
            ["DOCENT_AUDIT_DAYS"], .daemon,
            "days that an entry of the audit (`docent log`) is kept; may be a fraction ([isolation.md](isolation.md))",
            otherwise: "180"),
        .init(
            ["DOCENT_TRANSIENT_SECONDS"], .daemon,
            """
            seconds that a right which was not taken outlives the last session of its client \
            ([isolation.md](isolation.md))
            """,
            otherwise: "60"),
        .init(
            ["DOCENT_CHANGE_LIMIT"], .daemon,
            "how many documents a client may delete or replace within a minute before it is held; `off`: any number",
            otherwise: "50, or as `docent held limit` says"),
        .init(
            ["DOCENT_DELETION_GRACE_SECONDS"], .daemon,
            """
            seconds for which a deletion can be taken back if the provider has no trash; 0: it is final at once \
            ([trash.md](trash.md))
            """,
            otherwise: "3600, or as `docent trash keep` says"),
        .init(
            ["DOCENT_LISTING_ITEMS"], .daemon,
            "the maximum number of items in one folder; listing a larger folder fails",
            otherwise: "200000, in place 1000000"),
        .init(
            ["DOCENT_FRESH_SECONDS"], .daemon,
            "seconds for which a remote provider's answer is used without asking again; 0: always ask",
            otherwise: "10"),
        .init(
            ["DOCENT_POLL_SECONDS"], .daemon,
            "seconds between two polls of a remote provider for changes, longer while nothing changes; 0: never",
            otherwise: "30"),
        .init(
            ["DOCENT_MINIMUM_FREE_BYTES"], .daemon,
            "bytes that local copies of remote documents, and content of sandboxed programs, must leave free on the disk",
            otherwise: "268435456 (256 MiB)"),
        .init(
            ["DOCENT_LOG_LEVEL"], .daemon,
            "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`; the log goes to standard error",
            otherwise: "`info`"),
        .init(
            ["DOCENT_PROVIDER_MEMORY", "DOCENT_PROVIDER_DISK"], .daemon,
            """
            the most memory, and the most space in its container, that any provider may use, whatever its manifest \
            asks for: `512 MiB`, `2 GB` or a number of bytes. An invalid size counts as the default limit
            """,
            otherwise: "what the manifest asks for"),
        .init(
            ["DOCENT_PROVIDER_PROCESSES", "DOCENT_PROVIDER_FILES", "DOCENT_PROVIDER_PROCESSOR_WEIGHT"], .daemon,
            """
            the same for processes and threads, for files in its container, and for its share of a busy processor (1 \
            to 100)
            """,
            otherwise: "what the manifest asks for"),
        .init(
            ["DOCENT_EXTENSION_HOST"], .daemon,
            "the program that runs providers",
            otherwise: "`docent-extension-host` beside the daemon"),
        .init(
            ["DOCENT_KEYRING_PASSWORD_FILE"], .daemon,
            """
            the file with the master password of the encrypted file for secrets; only you may be able to read it. \
            The systemd credential `docent.keyring-password` takes precedence ([keyring.md](keyring.md))
            """,
            otherwise: "that credential; without it, the encrypted file is not used"),
        .init(
            ["DOCENT_SEALED_FILE"], .daemon,
            """
            1: new secrets go to the sealed file if there is no better place, even without `--sealed-file` \
            ([keyring.md](keyring.md))
            """,
            otherwise: "only with `--sealed-file`"),
        .init(
            ["DOCENT_KEYRING_FILE_PROGRAM"], .daemon,
            "the program that reads and writes the encrypted file",
            otherwise: "`docent-keyring-file` beside the daemon"),
        .init(
            ["DOCENT_SWIFT_RUNTIME"], .daemon,
            "the directory of the Swift runtime that providers see",
            otherwise: """
                the runtime of the toolchain that the provider was built with, if it is on this machine; otherwise \
                the daemon's own; otherwise `lib/swift` of the prefix that the daemon is installed in
                """),
        .init(
            ["XDG_RUNTIME_DIR"], .system,
            "contains the socket, `docent/docent.sock`",
            otherwise: """
                `/run/user/UID`, otherwise `docent/run` in the state directory. A directory is used only if it is \
                yours, nobody else can write to it, and its name is short enough for a socket
                """),
        .init(
            ["XDG_DATA_HOME"], .system,
            """
            contains `docent`, with rights, journal, unsent changes and containers; a user's manifests are in \
            `docent/manifests`
            """,
            otherwise: "`~/.local/share`"),
        .init(
            ["XDG_DATA_DIRS"], .system,
            "the system's manifests are in `docent/manifests` of each of these directories",
            otherwise: "`/usr/local/share:/usr/share`"),
        .init(
            ["XDG_STATE_HOME"], .system,
            "see `XDG_RUNTIME_DIR`; `docent/picker.json` in it has the last folder of each program",
            otherwise: "`~/.local/state`"),
        .init(
            ["XDG_DOCUMENTS_DIR"], .system,
            """
            the folder for documents, if `user-dirs.dirs` in the configuration directory names none: LocalFolder \
            shows it, and the home-relative entitlement `Documents` stands for it. A folder that no entitlement may \
            name, such as the home, counts as unset
            """,
            otherwise: "`~/Documents`"),
        .init(
            ["XDG_CONFIG_HOME", "XDG_CACHE_HOME"], .system,
            """
            `docent` in these directories is never opened to a provider, whatever its manifest asks for. That of the \
            configuration contains the rules of `docent policy` ([view.md](view.md))
            """,
            otherwise: "`~/.config`, `~/.cache`"),
        .init(
            ["HOME"], .system,
            "the directory that home-relative entitlements are relative to"),
        .init(
            ["CREDENTIALS_DIRECTORY"], .system,
            "the directory of the systemd credentials that `docent domains add --credential` names",
            otherwise: "such domains cannot sign in"),
        .init(
            ["DBUS_SESSION_BUS_ADDRESS"], .system,
            "the session bus, on which the keyring is looked for ([keyring.md](keyring.md))",
            otherwise: "`bus` in `XDG_RUNTIME_DIR`"),
        .init(
            ["LISTEN_PID", "LISTEN_FDS"], .system,
            "the service manager's socket, as systemd passes it",
            otherwise: "the daemon creates its own"),
        .init(
            ["TMPDIR"], .system,
            "where `docent write` stores its input for a document that does not exist yet",
            otherwise: "`/var/tmp`"),
        .init(
            ["DOCENT_LOOPBACK_LISTENER"], .providers,
            """
            the descriptor of the provider's listening socket, in its sandbox; set by the extension host \
            ([sandbox-base.md](providers/sandbox-base.md))
            """,
            otherwise: "the provider has no such socket"),
        .init(
            ["DOCENT_SERVICE_SETTING_KEY"], .services,
            "the setting `KEY` of the domain, as given with `--setting`; for keys of letters, digits and `_`",
            otherwise: "the domain has no such setting"),
        .init(
            ["DOCENT_SERVICE_FOLDER"], .services,
            "the directory given with `--folder`",
            otherwise: "none was given"),
        .init(
            ["DOCENT_SERVICE_USERNAME", "DOCENT_SERVICE_PASSWORD_FILE"], .services,
            "the user name and the file given with `--username` and `--password-file`",
            otherwise: "none was given"),
        .init(
            ["DOCENT_SERVICE_HOME"], .services,
            "the home that the provider has in the case",
            otherwise: "outside a case"),
        .init(
            ["DOCENT_SERVICE_STORAGE"], .services,
            "the provider's own storage in the case",
            otherwise: "outside a case"),
        .init(
            ["DOCENT_SERVICE_SFTP_OPTIONS"], .services,
            """
            further arguments of `sftp` for the service program `sftp`, separated by spaces; set by whoever runs the \
            validator
            """,
            otherwise: "none"),
        .init(
            ["DOCENT_SERVICE_PROGRAM"], .services,
            "the number of the run, by which the validator finds processes that a service program left running"),
        .init(
            ["DOCENT_VALIDATION_PLACE"], .services,
            "the directory of the run, by which the processes of a case find it and are found",
            otherwise: "a directory is created"),
        .init(
            ["DOCENT_VALIDATION_TMPDIR"], .services,
            "`TMPDIR` as it was before the run",
            otherwise: "it was not set"),
        .init(
            ["PREFIX", "DESTDIR"], .building,
            "where `make install` puts files",
            otherwise: "`/usr/local`, none"),
        .init(
            ["DOCENT_INSTALL_BINARIES"], .building,
            """
            programs, plugins and compiled modules that `Scripts/install.sh install` takes instead of building them, \
            for tests
            """,
            otherwise: "a release build"),
        .init(
            ["DOCENT_SDK_SOURCES"], .building,
            "if set for `swift build` of a provider's package, the SDK is built from its sources",
            otherwise: "the compiled SDK that came with Docent is used, if the compiler is the one that built it"),
        .init(
            ["SETUP"], .building,
            "the command that `make` runs to install system packages; `true` to install none",
            otherwise: "`Scripts/setup.sh`"),
        .init(
            ["ARGS"], .building,
            """
            `--filter` and `--skip` with regular expressions in `make check`, `make test` and `make test-full`; \
            arguments of the benchmarks in `make bench`
            """,
            otherwise: "none"),
        .init(
            ["SEED"], .building,
            "the number that selects the sample of `make test`",
            otherwise: "the number of commits"),
        .init(
            ["DOCENT_TEST_PLACE", "DOCENT_TEST_USER"], .building,
            "where root's copy of the tree is built, and the ordinary user that root becomes",
            otherwise: "`/var/tmp/docent-test-build`, `docent-test`"),
        .init(
            ["DOCENT_TEST_BUILD"], .building,
            "any value builds Docent optimised, with its assertions, as `make test` and `make demo` do in `.build-tests`",
            otherwise: "nothing is optimised in a debug build"),
        .init(
            ["DOCENT_TEST_BINARIES"], .building,
            "programs and plugins that integration tests and `make demo` use",
            otherwise: "those that were just built"),
        .init(
            ["DOCENT_TEST_PYTHON"], .building,
            """
            a Python with the package `varlink`, for tests of clients in other languages; `rclone` and `weed` are \
            beside it, for tests and benchmarks with servers
            """,
            otherwise: """
                created in `.build-python` by `make test` and `make bench`; for the scripts in `Tests/Servers`, \
                `/var/tmp/docent-test-venv/bin/python`
                """),
        .init(
            ["DOCENT_TEST_SERVERS"], .building,
            "the directory with the servers from Debian's packages that tests start",
            otherwise: "`.build-servers`, created by `make test`"),
        .init(
            ["DOCENT_TEST_PJDFSTEST"], .building,
            "the git repository with the tests of file systems that `make test-full` runs in mounted folders",
            otherwise: "`https://github.com/pjd/pjdfstest`"),
        .init(
            ["DOCENT_TEST_MODULES"], .building,
            "the Swift modules from which tests build the documentation of the SDKs",
            otherwise: "those that were just built"),
        .init(
            ["DOCENT_TEST_CAPACITY"], .building,
            """
            how many units of load run at the same time: a daemon is two, a compiler four \
            (`Tests/DocentTestSupport/Admission/Need.swift`)
            """,
            otherwise: "4 for each processor; while processors are idle, more tests run"),
        .init(
            ["DOCENT_TEST_SEED", "DOCENT_TEST_TIMINGS", "DOCENT_TEST_POOL_REPORT"], .building,
            """
            set by `Scripts/run-tests.py` for the test processes: the seed, a file for the duration of each test, \
            and a file that names whatever blocked the threads of Swift's tasks
            """,
            otherwise: "everything runs; none; standard error"),
        .init(
            ["DOCENT_TEST_RCLONE_CACHE"], .building,
            "`--vfs-cache-mode` of rclone as a server",
            otherwise: "`off`"),
        .init(
            ["DOCENT_TEST_PASSWORD"], .building,
            "the password of the account of the identity server in `Tests/Servers`; set by its script"),
        .init(
            ["DOCENT_TEST_KILL_ROUNDS"], .building,
            "two numbers: the first seed of the kill tests, and the one after the last; `make kill-table` sets it",
            otherwise: "some of the seeds 0 to 39, selected by `SEED`"),
        .init(
            ["DOCENT_TEST_KILL_RESULTS"], .building,
            "a file to which the kill tests append their tallies",
            otherwise: "none"),
        .init(
            ["DOCENT_FUZZ_ROUNDS", "DOCENT_FUZZ_SEED"], .building,
            "how often the tests give mutated bytes to each reader of outside data, and from which seed",
            otherwise: "4000, and 5; in `make test-full` as long as there is time, and any"),
        .init(
            ["DOCENT_TEST_FINDINGS"], .building,
            "a file to which the survey of WebDAV servers appends its findings; `make server-table` sets it",
            otherwise: "none; the findings are compared with `Tests/Servers/findings.json`"),
        .init(
            ["DOCENT_RIGHTS_BENCHMARK"], .building,
            "the program that measures rights; `make bench` sets it",
            otherwise: "the one beside the installed programs"),
        .init(
            ["DOCENT_TEST_CRASH_AFTER"], .building,
            "the daemon kills itself after this step of a write, for tests of recovery",
            otherwise: "never"),
        .init(
            ["DOCENT_TEST_CRASH_AFTER_MOVE"], .building,
            "the same for the steps of `docent move`",
            otherwise: "never"),
    ]
}

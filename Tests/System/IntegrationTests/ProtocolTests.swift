import DocentTestSupport
import Foundation
import Testing

/// The protocol from the view of a client in another language, using the PyPI package `varlink`.
@Suite(.needs(.daemon)) struct ProtocolTests {
    @Test("a client library in another language reads the interfaces from the daemon and calls their methods")
    func foreignPackage() async throws {
        try await Installation.withLocalFolder { installation in
            for number in 0..<3_000 { try installation.write("x", to: "item-\(number).txt") }
            let script = installation.root + "/client.py"
            try Data(Self.client.utf8).write(to: URL(fileURLWithPath: script))
            let python = try await ProtocolPython.withVarlink(installation)
            try await installation.run(python, [script, installation.socket]).succeeded()
        }
    }

    @Test("the example in another language lists providers and folders, and reads a document by its descriptor")
    func example() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello\n", to: "a.txt")
            let python = try await ProtocolPython.withVarlink(installation)
            let script = Repository.root + "/Examples/PythonClient/documents.py"
            #expect(
                try await installation.run(python, [script]).succeeded().text
                    == "org.docent.LocalFolder Local Folder import open export move\n")
            #expect(try await installation.run(python, [script, "LocalFolder:/"]).succeeded().text == "a.txt\n")
            #expect(try await installation.run(python, [script, "LocalFolder:/a.txt"]).succeeded().text == "hello\n")
            let missing = try await installation.run(python, [script, "LocalFolder:/none"])
            #expect(missing.status == 1 && missing.errors.contains("org.docent.Documents.NotFound"))
        }
    }

    private static let client = """
        import sys, varlink

        with varlink.Client("unix:" + sys.argv[1]) as client:
            info = client.get_interface("org.varlink.service")
            with client.open("org.varlink.service") as service:
                answer = service.GetInfo()
                assert answer["product"] == "docentd" and answer["vendor"] and answer["version"], answer
                wanted = {"org.docent.Documents", "org.docent.Picker", "org.docent.Administration"}
                assert wanted <= set(answer["interfaces"]), answer
                try:
                    service.GetInterfaceDescription("org.example.None")
                    assert False, "an unknown interface was described"
                except varlink.InterfaceNotFound as error:
                    assert error.parameters()["interface"] == "org.example.None", error
                for name in wanted:
                    text = service.GetInterfaceDescription(name)["description"]
                    interface = varlink.Interface(text)
                    assert interface.name == name and interface.get_description() == text

            with client.open("org.docent.Documents") as documents:
                opened = documents.OpenSession("org.example.Python")
                stated = {"kind": "unconfined", "identifier": "org.example.Python", "strength": "stated"}
                assert opened["principal"] == stated, opened
                try:
                    documents.Info({"provider": "org.docent.LocalFolder", "domain": "", "identifier": "none"})
                    assert False, "no grant, and no error"
                except varlink.VarlinkError as error:
                    assert error.error() == "org.docent.Documents.NotPermitted", error
                    assert error.parameters()["message"], error

            with client.open("org.docent.Picker") as picker:
                found = picker.ListProviders()["providers"]
                assert [one["identifier"] for one in found] == ["org.docent.LocalFolder"], found
                where = {"provider": "LocalFolder", "domain": "", "path": "/"}
                names, page, pages = [], None, 0
                while True:
                    answer = picker.ListFolder(where, page)
                    names += [item["name"] for item in answer["items"]]
                    pages += 1
                    page = answer.get("nextPage")
                    if page is None:
                        break
                assert sorted(names) == sorted(f"item-{number}.txt" for number in range(3000)), len(names)
                assert pages > 1, "lists travel by the page (T4)"
                try:
                    picker.GetItem({"provider": "LocalFolder", "domain": "", "path": "/none"})
                    assert False, "there is nothing of that name"
                except varlink.VarlinkError as error:
                    assert error.error() == "org.docent.Documents.NotFound", error
                    assert error.parameters()["provider"] == "org.docent.LocalFolder", error
                assert len(picker.ListProviders()["providers"]) == 1, "an error ended the connection"

            with client.open("org.docent.Administration") as administration:
                try:
                    administration.ListenForClient("org.example.Confined")
                    assert False, "without more there is no stream whose end could be awaited"
                except varlink.VarlinkError as error:
                    assert error.error() == "org.varlink.service.ExpectedMore", error
            with client.open("org.docent.Administration") as administration:
                for answer in administration.ListenForClient("org.example.Confined", _more=True):
                    with varlink.Client("unix:" + answer["path"]) as confined:
                        with confined.open("org.docent.Documents") as documents:
                            principal = documents.OpenSession("org.example.Other")["principal"]
                            given = {"kind": "run", "identifier": "org.example.Confined", "strength": "enforced"}
                            assert principal == given, principal
                    break
        """
}

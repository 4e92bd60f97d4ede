import Documents
import Glibc
import ProviderInstallation

/// Where the provider templates are, and the SDK that they build on.
struct TemplateLibrary: Equatable {
    /// The directory with one template for each language.
    let templates: String
    /// The directory of the SDK's package.
    let sdk: String

    /// Looks in `DOCENT_TEMPLATES` if that is set; otherwise in `share/docent` of this program's prefix, then in the
    /// source tree that it was built in.
    ///
    /// - Parameters:
    ///   - environment: the environment of the process.
    ///   - program: the path of this program, without links.
    /// - Throws: ``DocumentsError`` `notFound` if they are in none of these places.
    static func find(environment: [String: String], program: String?) throws(DocumentsError) -> TemplateLibrary {
        if let given = environment["DOCENT_TEMPLATES"], !given.isEmpty {
            guard let found = library(given) else {
                throw DocumentsError(
                    .notFound, "DOCENT_TEMPLATES names \(given), which has no templates, or no SDK beside it.",
                    suggestion: "Unset it, or name the directory share/docent/templates of an installed Docent.")
            }
            return found
        }
        var looked: [String] = []
        if let program {
            let places = candidates(program)
            for place in places {
                if let found = library(place) { return found }
            }
            looked = places
        }
        throw DocumentsError(
            .notFound,
            "The provider templates were not found"
                + (looked.first.map { "; they should be in \($0)." } ?? "."),
            suggestion: "Install Docent with `make install`, or name their directory in DOCENT_TEMPLATES.")
    }

    /// The directory of one language's template.
    ///
    /// - Throws: ``DocumentsError`` `notFound`.
    func template(_ language: TemplateLanguage) throws(DocumentsError) -> String {
        let path = templates + "/" + language.rawValue
        guard FileWork.isDirectory(path) else {
            throw DocumentsError(
                .notFound, "There is no template for \(language.rawValue) in \(templates).",
                suggestion: "Choose another --language.")
        }
        return path
    }

    // The installed templates first, then those in the directories above a build.
    private static func candidates(_ program: String) -> [String] {
        let folders = program.split(separator: "/").dropLast()
        var places = ["/" + (folders.dropLast() + ["share", "docent", "templates"]).joined(separator: "/")]
        for count in stride(from: folders.count - 1, through: max(1, folders.count - 6), by: -1) where count > 0 {
            places.append("/" + (folders.prefix(count) + ["Templates"]).joined(separator: "/"))
        }
        return places
    }

    private static func library(_ templates: String) -> TemplateLibrary? {
        guard FileWork.isDirectory(templates), let real = FileWork.canonical(templates) else { return nil }
        let above = FileWork.parent(real)
        let sdk = [above + "/sdk", above + "/packaging/sdk"].first { access($0 + "/Package.swift", R_OK) == 0 }
        return sdk.map { TemplateLibrary(templates: real, sdk: $0) }
    }
}

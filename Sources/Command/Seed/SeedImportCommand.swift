import ArgumentParser
import Cloud
import Seeds
import WireFormats

/// `virga seed import`: creates a seed from an AWS account.
struct SeedImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a seed of an AWS account's users, groups, roles and policies.",
        discussion: """
            Reads what 'aws iam get-account-authorization-details' prints, and prints a seed. What a seed cannot hold is listed on \
            standard error. Access keys are not in the document; add those that you need.
            """)

    @Argument(help: "The document; - or nothing reads standard input.")
    var file: String?

    func run() throws {
        let source: SeedFile
        if let file, file != "-" {
            source = try reportingFailure { try SeedFile(path: file) }
        } else {
            source = SeedFile(name: "standard input", text: try Input.all())
        }
        try reportingFailure {
            let imported: AccountImport
            do {
                imported = try AccountImport(JSONValue(parsing: source.text))
            } catch let error as JSONSyntaxError {
                throw Failure(description: "\(source.name): not JSON: \(error)".visible)
            } catch let error as AccountImport.Fault {
                throw Failure(description: "\(source.name): \(error.description)".visible)
            }
            for note in imported.leftOut { Output.note("left out: \(note)".visible) }
            Output.line(imported.seed.serialized(pretty: true))
        }
    }
}

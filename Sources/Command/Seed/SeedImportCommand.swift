import ArgumentParser
import Cloud
import Seeds
import WireFormats

/// `virga seed import`: creates a seed from an AWS account or from a realm of Keycloak.
struct SeedImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a seed of an AWS account, or of a Keycloak realm.",
        discussion: """
            Reads what 'aws iam get-account-authorization-details' prints or, with --keycloak, what 'kc.sh export' writes, and prints a \
            seed. What a seed cannot hold is listed on standard error. Access keys are not in the document of an account; add those that \
            you need.
            """)

    @Argument(help: "The document; - or nothing reads standard input.")
    var file: String?

    @Flag(help: "Read a realm of Keycloak: users, groups, roles and clients.")
    var keycloak = false

    func run() throws {
        let source: SeedFile
        if let file, file != "-" {
            source = try reportingFailure { try SeedFile(path: file) }
        } else {
            source = SeedFile(name: "standard input", text: try Input.all())
        }
        try reportingFailure {
            let (seed, leftOut) = try converted(source)
            for note in leftOut { Output.note("left out: \(note)".visible) }
            Output.line(seed.serialized(pretty: true))
        }
    }

    private func converted(_ source: SeedFile) throws -> (seed: JSONValue, leftOut: [String]) {
        do {
            let document = try JSONValue(parsing: source.text)
            if keycloak {
                let imported = try RealmImport(document)
                return (imported.seed, imported.leftOut)
            }
            guard !RealmImport.isRealm(document) else {
                throw Failure(description: "\(source.name): a realm of Keycloak; pass --keycloak".visible)
            }
            let imported = try AccountImport(document)
            return (imported.seed, imported.leftOut)
        } catch let error as JSONSyntaxError {
            throw Failure(description: "\(source.name): not JSON: \(error)".visible)
        } catch let error as AccountImport.Fault {
            throw Failure(description: "\(source.name): \(error.description)".visible)
        } catch let error as RealmImport.Fault {
            throw Failure(description: "\(source.name): \(error.description)".visible)
        }
    }
}

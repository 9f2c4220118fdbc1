import ArgumentParser
import Cloud
import Federation
import Seeds

/// `virga seed check`: lists all faults of seeds.
struct SeedCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "List all faults of seed files.",
        discussion: """
            The files are checked as layers: a later one may refer to what an earlier one has. Each fault is a line \
            'FILE:LINE:COLUMN: error: KEY: MESSAGE' on standard error. Exits with 0 if there is none, else with 1.
            """)

    @Argument(help: "JSON5 files; - reads standard input.")
    var file: [String]

    @Option(help: "The service whose policies the seeds hold: aws or ceph. [VIRGA_DIALECT, default aws]")
    var dialect: String?

    func run() throws {
        let name = dialect ?? Variables.value("DIALECT") ?? Dialect.aws.rawValue
        guard let dialect = Dialect(rawValue: name) else { throw ValidationError("--dialect must be aws or ceph, not \(name).") }
        var files: [SeedFile] = []
        var faults: [SeedError] = []
        for path in file {
            do {
                files.append(path == "-" ? SeedFile(name: "standard input", text: Input.all()) : try SeedFile(path: path))
            } catch let error as SeedError {
                faults.append(error)
            }
        }
        guard faults.isEmpty else {
            // Without all layers, references cannot be judged.
            for fault in faults { Output.note("\(fault.file): error: expected \(fault.expected)") }
            throw ExitCode.failure
        }
        faults = SeedFile.faults(of: files, dialect.ofPolicies)
        guard !faults.isEmpty else { return }
        Output.note(SeedFaults(faults: faults).description)
        throw ExitCode.failure
    }
}

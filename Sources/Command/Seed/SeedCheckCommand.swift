import ArgumentParser
import Cloud
import Federation
import Seeds
import WireFormats

/// `virga seed check`: lists all faults of seeds.
struct SeedCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "List all faults of seed files.",
        discussion: """
            The files are checked as layers: a later one may refer to what an earlier one has. Each fault is a line \
            'FILE:LINE:COLUMN: error: KEY: MESSAGE' on standard error; after 100 faults the others are only counted. Exits with 0 if there \
            is none, else with 1.
            """)

    @Argument(help: "JSON5 files; - reads standard input.")
    var file: [String]

    @Option(help: "The service whose policies the seeds hold: aws or ceph. [VIRGA_DIALECT, default aws]")
    var dialect: String?

    @Flag(help: "Print nothing if there are no faults.")
    var quiet = false

    func run() throws {
        let dialect: Dialect = try ServeFlag.dialect.choice(dialect) ?? .aws
        var files: [SeedFile] = []
        var faults: [SeedError] = []
        for path in file {
            if path == "-" {
                files.append(SeedFile(name: "standard input", text: try Input.all()))
            } else {
                do throws(SeedError) { files.append(try SeedFile(path: path)) } catch { faults.append(error) }
            }
        }
        guard faults.isEmpty else {
            // References cannot be checked without all layers.
            for fault in faults { Output.note("\(fault.file): error: expected \(fault.expected)".visible) }
            throw ExitCode.failure
        }
        let found = SeedFile.faults(of: files, dialect.ofPolicies)
        guard !found.faults.isEmpty else {
            if !quiet { for file in files { Output.line("\(file.name): no faults".visible) } }
            return
        }
        Output.note(found.description)
        throw ExitCode.failure
    }
}

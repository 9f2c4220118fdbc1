import ArgumentParser
import ControlDocuments
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `virga coverage`: shows which statements of policies decided requests.
struct CoverageCommand: AsyncParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, cobertura
    }

    static let configuration = CommandConfiguration(
        commandName: "coverage", abstract: "Show which statements of policies decided requests.",
        discussion: """
            Needs a server that records requests: virga serve --usage. Each request is decided again without each statement that applied to \
            it. A statement 'decided' if a request would then have been decided differently; it was 'applied' if it matched requests and \
            changed nothing; else it was 'never' used.
            """)

    @Option(help: "text, json or cobertura (XML for CI servers).")
    var format = Format.text

    @Option(help: ArgumentHelp("Also write each policy as a file into this folder, for tools that show lines.", valueName: "folder"))
    var sources: String?

    @Option(help: ArgumentHelp("Exit with 2 if fewer statements decided.", valueName: "percent"))
    var failUnder: Double?

    @OptionGroup var server: ServerArguments

    func validate() throws {
        if let failUnder, !(0...100).contains(failUnder) { throw ValidationError("--fail-under must be from 0 to 100, not \(failUnder).") }
    }

    func run() async throws {
        let fields = try server.fields
        let endpoint = try server.origin()
        let report = try await reporting {
            let coverage = try await CloudClient.with(endpoint) {
                try await $0.control(CoverageMembers.self, "GET", "usage/coverage", fields: fields)
            }
            guard let report = CoverageReport(coverage) else { throw Failure(description: "the coverage cannot be read") }
            return report
        }
        if let sources { try reportingFailure { try Self.write(report, to: sources) } }
        switch format {
        case .text: for line in report.lines { Output.line(line.visible) }
        case .json: Output.line(report.coverage.json.serialized(pretty: true))
        case .cobertura: Output.word(report.cobertura(sources: sources ?? ".", at: .now()))
        }
        if let failUnder, report.percentage < failUnder {
            Output.note("virga: \(report.summary), fewer than \(failUnder) percent")
            throw ExitCode(2)
        }
    }

    /// Writes the policies below a folder, which is created if needed.
    private static func write(_ report: CoverageReport, to folder: String) throws {
        for policy in report.policies {
            var path = folder
            for part in policy.file.split(separator: "/").dropLast() {
                try makeFolder(path)
                path += "/\(part)"
            }
            try makeFolder(path)
            try PrivateFile.write(policy.text, to: "\(folder)/\(policy.file)", mode: 0o644)
        }
    }

    private static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw Failure(description: "cannot create \(path): \(String(cString: strerror(errno)))")
        }
    }
}

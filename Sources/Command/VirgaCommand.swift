package import ArgumentParser
import VirgaServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The command line.
package struct VirgaCommand: AsyncParsableCommand {
    /// The name of the command, and its subcommands.
    package static let configuration = CommandConfiguration(
        commandName: "virga",
        abstract: "A local cloud: identity providers, AWS, Alibaba Cloud and a mobile cloud, with real signatures, tokens and policies.",
        discussion: "Options of serve are also variables, which their help names: --data is VIRGA_DATA.",
        version: "virga \(VirgaVersion.text)",
        subcommands: [
            ServeCommand.self, RunCommand.self, EnvCommand.self, TokenCommand.self, ExplainCommand.self, LogCommand.self,
            PolicyCommand.self, CoverageCommand.self, UsageCommand.self, SeedCommand.self, SandboxCommand.self,
            TourCommand.self, HealthcheckCommand.self, DrainCommand.self,
        ])

    package init() {}

    /// Runs the command in the arguments. For a mistyped command, the error suggests the most similar one.
    package static func main() async {
        openStandardDescriptors()
        if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), word != "help" {
            let names = configuration.subcommands.compactMap { $0.configuration.commandName }
            if !names.contains(word) {
                exit(withError: ValidationError("Unknown command '\(word)'." + Suggestion.text(for: word, among: names)))
            }
        }
        await main(nil)
    }

    /// Opens missing standard descriptors. Without them, the first files that the process opens would become its standard streams.
    private static func openStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }
}

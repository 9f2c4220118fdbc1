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
            ServeCommand.self, StartDevCommand.self, RunCommand.self, EnvCommand.self, TokenCommand.self, ExplainCommand.self,
            LogCommand.self, PolicyCommand.self, CoverageCommand.self, UsageCommand.self, SeedCommand.self, SandboxCommand.self,
            CertificateCommand.self, CredentialProcessCommand.self, TourCommand.self, HealthcheckCommand.self, DrainCommand.self,
        ])

    package init() {}

    /// Runs the command in the arguments. For a mistyped command, the error suggests the most similar one.
    package static func main() async {
        openStandardDescriptors()
        if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), word != "help" {
            let names = configuration.subcommands.compactMap { $0.configuration.commandName }
            if !names.contains(word) {
                end(with: ValidationError("Unknown command '\(word)'." + Suggestion.text(for: word, among: names)))
            }
        }
        do {
            var command = try await asyncParseAsRoot()
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
        end(withStatus: EXIT_SUCCESS)
    }

    /// Prints the message of an error, or the help that it stands for, and ends the process with the error's status.
    private static func end(with error: any Error) -> Never {
        let (message, code) = (fullMessage(for: error), exitCode(for: error))
        if !message.isEmpty { code.isSuccess ? Output.line(message) : Output.note(message) }
        end(withStatus: code.rawValue)
    }

    /// Ends the process without its destructors. Threads of the event loops still run, and one that has just accepted a connection would use
    /// what the destructors of Swift's runtime free.
    private static func end(withStatus status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// Opens missing standard descriptors. Without them, the first files that the process opens would become its standard streams.
    private static func openStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }
}

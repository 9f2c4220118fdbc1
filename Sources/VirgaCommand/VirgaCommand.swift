package import ArgumentParser

/// The command line.
package struct VirgaCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "virga",
        abstract: "A local cloud: identity providers, AWS, Alibaba Cloud, a mobile cloud; signatures, tokens and policies are real.",
        discussion: "Every flag can be given as a variable as well: --data as VIRGA_DATA, and so on.",
        subcommands: [
            ServeCommand.self, TourCommand.self, EnvCommand.self, TokenCommand.self, ExplainCommand.self, HealthcheckCommand.self,
        ])

    package init() {}
}

import ArgumentParser
import Logging
import VirgaServer

/// `virga tour`: runs the tour and prints each step.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "Run a tour from the login page to the stored object, with refusals.",
        discussion: """
            Starts a cloud of its own with the personal file store, or uses a running one, which must hold that seed. \
            It ages the cloud by an hour and five minutes on the way.
            """)

    @Option(help: "A running cloud; one is started without it. [VIRGA_ENDPOINT]")
    var endpoint: String?

    @OptionGroup var controlToken: ControlTokenArguments

    func run() async throws {
        let token = try controlToken.read()
        let running = (endpoint ?? Variables.value("ENDPOINT")) == nil ? nil : try OriginArgument.endpoint(endpoint)
        try await reporting {
            if let running { return try await Self.walk(running, token) }
            LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
            var settings = Settings()
            settings.ports = [0]
            settings.seeds = try Seeds.load([])
            try await Server(settings: settings).whileRunning { try await Self.walk(try OriginArgument.endpoint($0), nil) }
        }
    }

    private static func walk(_ endpoint: OriginArgument, _ controlToken: String?) async throws {
        try await CloudClient.with(endpoint) { client in
            try await Tour(client: client, printer: TourPrinter(), controlToken: controlToken).walk()
        }
    }
}

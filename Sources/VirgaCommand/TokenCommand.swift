import ArgumentParser
import WireFormats

/// `virga token`: a token of one of the cloud's identity providers, without a login.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print a token from a running cloud.",
        discussion: "For Facebook and Amazon it is an access token, for every other provider an ID token.")

    @Option(help: "facebook, amazon, google, or the name of an issuer.")
    var provider: String

    @Option(help: "Whose token, by the name of the login page.")
    var user: String

    @Option(help: "For which client; the provider's first one if not said.")
    var client: String?

    @Option(help: "Seconds that the token lives.")
    var lifetime: Int?

    @Option(help: "Where the cloud runs. [VIRGA_ENDPOINT, default http://127.0.0.1:4566]")
    var endpoint: String?

    @Option(help: "The cloud's control token. [VIRGA_CONTROL_TOKEN]")
    var controlToken: String?

    func run() async throws {
        var request: JSONObject = ["provider": .string(provider), "user": .string(user)]
        if let client { request["client"] = .string(client) }
        if let lifetime { request["lifetime"] = .integer(Int64(lifetime)) }
        let token = controlToken ?? Variables.value("CONTROL_TOKEN")
        let fields = token.map { [("authorization", "Bearer \($0)")] } ?? []
        let json = JSONValue.object(request)
        let endpoint = try OriginArgument.endpoint(endpoint)
        try await reporting {
            let answer = try await CloudClient.with(endpoint) { client in
                try await client.post(json: json, to: "/_virga/tokens", fields: fields)
            }
            guard let token = answer.json?["token"]?.stringValue else {
                throw Failure(description: answer.json?["message"]?.stringValue ?? "the cloud answered \(answer.status)")
            }
            // AWS's SDKs read `AWS_WEB_IDENTITY_TOKEN_FILE` as it is, and no token has a line feed behind it.
            Output.word(token)
        }
    }
}

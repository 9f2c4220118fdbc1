import ArgumentParser
import WireFormats

/// `virga token`: a token of one of the cloud's identity providers, without a login.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print a token from a running cloud.",
        discussion: "Prints an access token for Facebook and Amazon, and an ID token for every other provider.")

    @Option(help: "The provider: facebook, amazon, google, or the name of an issuer.")
    var provider: String

    @Option(help: "The person, by the name on the login page.")
    var user: String

    @Option(help: "The client that the token is for. (default: the provider's first client)")
    var client: String?

    @Option(help: "The lifetime of the token in seconds.")
    var lifetime: Int?

    @OptionGroup var server: ServerArguments

    func run() async throws {
        var request: JSONObject = ["provider": .string(provider), "user": .string(user)]
        if let client { request["client"] = .string(client) }
        if let lifetime { request["lifetime"] = .integer(Int64(lifetime)) }
        let fields = server.fields
        let json = JSONValue.object(request)
        let endpoint = try server.origin()
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

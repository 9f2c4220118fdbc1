import ArgumentParser
import ControlDocuments
import Federation
import WireFormats

/// `virga token`: prints a token of an identity provider, without a login.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print a token from a running cloud.",
        discussion: "Prints an access token for Facebook, Amazon and GitHub, and an ID token for every other provider.")

    @Option(help: "The provider: facebook, amazon, google, github, or the name of an issuer.")
    var provider: String

    @Option(help: "The user, by the name on the login page.")
    var user: String

    @Option(help: "The client that the token is for. (default: the provider's first client)")
    var client: String?

    @Option(help: "The lifetime of the token in seconds.")
    var lifetime: Int?

    @Option(name: .customLong("claim"), help: ArgumentHelp("A claim to set. The value is JSON, or else text.", valueName: "name=value"))
    var claims: [String] = []

    @Option(help: "What is wrong with the token.")
    var fault: TokenFault?

    @OptionGroup var server: ServerArguments

    func validate() throws {
        for claim in claims where !claim.contains("=") || claim.hasPrefix("=") {
            throw ValidationError("'\(claim)' is not a claim; write NAME=VALUE.")
        }
    }

    func run() async throws {
        var request: JSONObject = ["provider": .string(provider), "user": .string(user)]
        if let client { request["client"] = .string(client) }
        if let lifetime { request["lifetime"] = .integer(Int64(lifetime)) }
        if let fault { request["fault"] = .string(fault.rawValue) }
        if !claims.isEmpty { request["claims"] = .object(JSONObject(claims.map(Self.claim))) }
        let fields = try server.fields
        let json = JSONValue.object(request)
        let endpoint = try server.origin()
        try await reporting {
            let answer = try await CloudClient.with(endpoint) { client in
                try await client.post(json: json, to: "/_virga/tokens", fields: fields)
            }
            guard let token = answer.json?.objectValue.map({ Document<IssuedTokenMembers>($0).token }), !token.isEmpty else {
                throw Failure(description: answer.json?["message"]?.stringValue ?? "the cloud answered \(answer.status)")
            }
            // AWS SDKs use the content of `AWS_WEB_IDENTITY_TOKEN_FILE` unchanged, so the token must not end with a line feed.
            Output.word(token)
        }
    }

    private static func claim(_ text: String) -> (String, JSONValue) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = String(parts[1])
        return (String(parts[0]), (try? JSONValue(parsing: Array(value.utf8))) ?? .string(value))
    }
}

extension TokenFault: ExpressibleByArgument {}

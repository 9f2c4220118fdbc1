import ArgumentParser
import WireFormats

/// `virga policy`: prints the least policy for what a role or user was allowed to do.
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Print the least policy for what a role or user did.",
        discussion: """
            Needs a server that records requests: virga serve --usage. Then every recorded request is decided again with the policy. \
            What was generalized, and what could not be, is listed on standard error. The exit code is 2 if a request would be decided \
            differently.
            """)

    @Option(help: "The ARN of a role, or the name of a role in account 000000000000.")
    var role: String?

    @Option(help: "The ARN of a user or of a root user, or the name of a user in account 000000000000.")
    var user: String?

    @Flag(help: "Print JSON with the notes and the proof.")
    var json = false

    @OptionGroup var server: ServerArguments

    func validate() throws {
        guard (role == nil) != (user == nil) else { throw ValidationError("Give either --role or --user.") }
    }

    func run() async throws {
        let fields = try server.fields
        let principal = Self.arn(role, "role") ?? Self.arn(user, "user") ?? ""
        let endpoint = try server.origin()
        let answer = try await reporting {
            try await CloudClient.with(endpoint) { try await LeastPolicyAnswer(of: principal, from: $0, fields: fields) }
        }
        if json {
            Output.line(answer.text)
        } else {
            Output.line(answer.policy ?? "{}")
            for line in answer.lines { Output.note(line) }
        }
        if !answer.isProven { throw ExitCode(2) }
    }

    private static func arn(_ name: String?, _ kind: String) -> String? {
        name.map { $0.contains(":") ? $0 : "arn:aws:iam::000000000000:\(kind)/\($0)" }
    }
}

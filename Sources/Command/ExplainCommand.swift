import ArgumentParser
import ControlDocuments
import WireFormats

/// `virga explain`: explains who may do what, and why not.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain who may do what, and why not.",
        discussion: """
            With a request ID: explains what was decided in the request, as long as the journal has it.
            With --as, --action and --resource: explains what would be decided now.

            A denial ends with the smallest statement that would allow the request. The exit code is 0 if everything was allowed, 2 if \
            something was denied, and 3 if no policy was evaluated for the request.
            """)

    @Argument(help: "The ID of a request, from x-amz-request-id or x-amzn-RequestId in its response.")
    var requestID: String?

    @Option(
        name: .customLong("as"),
        help: """
            The ARN of the root user, a user, a role or a session; an access key; anonymous; or, for sts:AssumeRole, a service such as \
            ec2.amazonaws.com.
            """)
    var caller: String?

    @Option(help: "The action, such as s3:GetObject.")
    var action: String?

    @Option(help: "The resource, such as arn:aws:s3:::bucket/key.")
    var resource: String = "*"

    @Option(help: ArgumentHelp("A condition key of the request; may be repeated.", valueName: "key=value"))
    var context: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var server: ServerArguments

    func validate() throws {
        guard (requestID == nil) == (caller != nil && action != nil), requestID == nil || (caller == nil && action == nil) else {
            throw ValidationError("Give a request ID, or --as, --action and --resource.")
        }
        for entry in context where !entry.dropFirst().contains("=") { throw ValidationError("--context is written as key=value.") }
    }

    func run() async throws {
        let fields = try server.fields
        let question = JSONValue.object(question)
        let endpoint = try server.origin()
        let decisions = try await reporting {
            let answer = try await CloudClient.with(endpoint) { client in
                try await client.post(json: question, to: "/_virga/explain", fields: fields)
            }
            guard answer.status == 200, let explanation = answer.json?.objectValue else {
                throw Failure(description: answer.json?["message"]?.stringValue ?? "the cloud answered \(answer.status)")
            }
            if json {
                Output.line(JSONValue.object(explanation).serialized(pretty: true))
            } else {
                for line in Self.lines(of: explanation) { Output.line(line.visible) }
            }
            return Self.decisions(of: explanation)
        }
        if decisions.isEmpty { throw ExitCode(3) }
        if !decisions.allSatisfy({ $0.decision == "allowed" }) { throw ExitCode(2) }
    }

    private var question: JSONObject {
        if let requestID { return ["request_id": .string(requestID)] }
        var question: JSONObject = ["as": .string(caller ?? ""), "action": .string(action ?? ""), "resource": .string(resource)]
        var keys: JSONObject = [:]
        for entry in context {
            let mark = entry.firstIndex(of: "=") ?? entry.endIndex
            let (key, value) = (String(entry[..<mark]), JSONValue.string(String(entry[mark...].dropFirst())))
            // A key that is given several times has several values.
            switch keys[key] {
            case nil: keys[key] = value
            case .array(let values)?: keys[key] = .array(values + [value])
            case let earlier?: keys[key] = .array([earlier, value])
            }
        }
        if !keys.isEmpty { question["context"] = .object(keys) }
        return question
    }

    /// Returns the explanation as text. For a request it starts with a summary line, then each decision follows.
    static func lines(of explanation: JSONObject) -> [String] {
        guard explanation["decisions"] != nil else { return Document<DecisionMembers>(explanation).explanation }
        let request = Document<ExplanationMembers>(explanation)
        let error = request.error.map { " \($0)" } ?? ""
        var lines = ["\(request.face) \(request.operation ?? "") answered \(request.status)\(error)"]
        if request.decisions.isEmpty { lines += ["no policy was evaluated"] + (request.reason.map { [$0] } ?? []) }
        for decision in request.decisions { lines += [""] + decision.explanation }
        return lines
    }

    private static func decisions(of explanation: JSONObject) -> [Document<DecisionMembers>] {
        explanation["decisions"] == nil ? [Document(explanation)] : Document<ExplanationMembers>(explanation).decisions
    }
}

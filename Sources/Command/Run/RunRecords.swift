import ArgumentParser
import Cloud
import ControlDocuments
import WireFormats

/// What `virga run` records about the calls of its command.
struct RunRecords: ParsableArguments {
    @Flag(help: "Record the distinct requests that policies decide, for virga policy and virga coverage in the command. [VIRGA_USAGE]")
    var usage = false

    @Option(
        help: ArgumentHelp(
            """
            Where to write the least policy for what the command did: with --role or --credentials as this role, or as the role that it \
            assumed, else as the root user.
            """, valueName: "file"))
    var policy: String?

    @Option(
        help: ArgumentHelp("Compare the calls with those in this file; exit with 2 and print a diff if they differ.", valueName: "file"))
    var golden: String?

    @Flag(help: "Write the file of --golden instead of comparing.")
    var update = false

    func validate() throws {
        if update, golden == nil { throw ValidationError("--update needs --golden.") }
    }

    /// Whether requests are recorded for policies.
    var recordsUsage: Bool { get throws { try ServeFlag.usage.isOn(usage || policy != nil) } }

    /// Reads the golden file.
    /// - Returns: `nil` if nothing is compared.
    /// - Throws: `Failure` if there is no file.
    func expectedTrace() throws -> [String]? {
        guard let golden, !update else { return nil }
        guard let bytes = try Input.contents(of: golden) else {
            throw Failure(description: "there is no file \(golden); add --update to write it")
        }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasSuffix("\r") ? String($0.dropLast()) : String($0)
        }
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Compares the calls of a run with the golden file, or writes the file.
    /// - Returns: whether they are equal.
    func finish(_ trace: GoldenTrace, expected: [String]?) throws -> Bool {
        guard let golden else { return true }
        guard let expected else {
            try PrivateFile.write(trace.text, to: golden, mode: 0o644)
            return true
        }
        let difference = UnifiedDiff(from: expected, named: golden, to: trace.lines, named: "this run")
        for line in difference.lines { Output.note(line) }
        return difference.lines.isEmpty
    }

    /// Writes the least policy for what the command did.
    /// - Parameter role: the ARN of the role that the command used, if it had no keys.
    func writePolicy(of role: String?, from client: CloudClient) async throws {
        guard let policy else { return }
        let usage = try await client.control(UsageMembers.self, "GET", "usage?limit=10000", fields: [])
        let callers = Set(usage.questions.map(\.caller))
        let root = callers.filter { $0.hasSuffix(":root") }.min()
        let assumed = try await role == nil && root == nil ? Self.roles(of: callers, from: client) : []
        guard assumed.count <= 1 else {
            throw Failure(
                description: """
                    \(policy) was not written: the command used several roles (\(assumed.joined(separator: ", "))); use --usage, and \
                    virga policy with each of them in the command
                    """)
        }
        guard let principal = role ?? root ?? assumed.first else {
            throw Failure(
                description: "\(policy) was not written: the command, as the root user or as a role, made no request that policies decide")
        }
        let answer = try await LeastPolicyAnswer(of: principal, from: client, fields: [])
        try PrivateFile.write((answer.policy ?? "{}") + "\n", to: policy, mode: 0o644, takesDevices: true)
        for line in answer.lines { Output.note(line) }
        let pattern = CallPattern([.caller: principal])
        for other in callers.filter({ Self.hasPolicies($0) && !pattern.matches(caller: $0) }).sorted() {
            Output.note("virga: also called, without a policy in \(policy): \(other)".visible)
        }
    }

    /// Returns the ARNs of the roles whose sessions are among the callers.
    private static func roles(of callers: Set<String>, from client: CloudClient) async throws -> [String] {
        let principals = try await client.control("GET", "principals", fields: [])["principals"]?.arrayValue ?? []
        let roles = principals.filter { $0["kind"] == "role" }.compactMap { $0["arn"]?.stringValue }
        return roles.filter { role in
            let pattern = CallPattern([.caller: role])
            return callers.contains { pattern.matches(caller: $0) }
        }
    }

    /// Whether a caller is a user or a session, which have identity policies.
    private static func hasPolicies(_ caller: String) -> Bool {
        [":user/", ":assumed-role/", ":federated-user/", ":root"].contains { caller.contains($0) }
    }
}

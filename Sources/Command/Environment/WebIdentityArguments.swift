import ArgumentParser
import ClientEnvironment
import ControlDocuments
import WireFormats

/// `--as USER@PROVIDER --role ROLE`: a user in place of the root keys.
struct WebIdentityArguments: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Use a web-identity token of this person instead of keys. Needs --role.", valueName: "user@provider"))
    var person: String?

    @Option(help: "The ARN of the role that the token is for, or the name of a role in account 000000000000.")
    var role: String?

    func validate() throws {
        guard (person == nil) == (role == nil) else { throw ValidationError("--as and --role need each other.") }
        if let role, role.isEmpty || role.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw ValidationError("--role must be the name or the ARN of a role, without control characters.")
        }
        if let person, person.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw ValidationError("--as must be USER@PROVIDER, without control characters.")
        }
        if person != nil, identity == nil { throw ValidationError("--as must be USER@PROVIDER, such as alice@company.") }
    }

    /// The user and the ARN of the role, if they are given.
    var identity: (person: ClientVariables.Person, role: String)? {
        guard let person, let role, let mark = person.lastIndex(of: "@"), mark != person.startIndex,
            person.index(after: mark) != person.endIndex
        else { return nil }
        let parsed = ClientVariables.Person(user: String(person[..<mark]), provider: String(person[person.index(after: mark)...]))
        return (parsed, role.contains(":") ? role : "arn:aws:iam::000000000000:role/\(role)")
    }
}

extension CloudClient {
    /// Returns the token that a user's application would get after a login.
    func token(of person: ClientVariables.Person, controlToken: String?) async throws -> String {
        let fields = controlToken.map { [("authorization", "Bearer \($0)")] } ?? []
        let answer = try await post(
            json: ["provider": .string(person.provider), "user": .string(person.user)], to: "/_virga/tokens", fields: fields)
        guard let token = answer.json?.objectValue.map({ Document<IssuedTokenMembers>($0).token }), !token.isEmpty else {
            throw Failure(description: answer.json?["message"]?.stringValue ?? "\(endpoint) answered \(answer.status)")
        }
        return token
    }
}

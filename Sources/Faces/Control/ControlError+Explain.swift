import Directory
import HTTPTypes
import Seeds
import WireFormats

extension ControlError {
    /// Returns the error for a principal that does not exist, with the most similar one that does.
    static func unknownCaller(_ name: String, in directory: Directory) -> ControlError {
        let form = "Expected the ARN of the root user, a user, a role, or a session of one; an access key; or anonymous."
        let identity = name.hasPrefix("arn:") || name.hasPrefix("acs:") ? name.split(separator: ":").last.map(String.init) ?? "" : name
        let parts = identity.split(separator: "/").map(String.init)
        let wanted = (parts.first == "assumed-role" ? parts.dropFirst().first : parts.last) ?? ""
        var principals = directory.roles.values.map { (name: $0.role.name, arn: $0.arn) }
        if parts.first != "assumed-role", parts.first != "role" {
            principals += directory.users.values.map { (name: $0.user.name, arn: $0.arn) }
        }
        principals.sort { $0.arn < $1.arn }
        var nearest = principals.filter { $0.name.lowercased() == wanted.lowercased() }
        if nearest.isEmpty, let word = nearestWord(to: wanted, among: principals.map(\.name)) {
            nearest = principals.filter { $0.name == word }
        }
        let names = nearest.prefix(5).map { "'\($0.arn)'" }.joined(separator: " or ")
        let suggestion = names.isEmpty ? "" : " Did you mean \(names)?"
        return ControlError(.notFound, "unknown_caller", "There is no principal '\(name)'.\(suggestion) \(form)")
    }

    /// Returns the error for an S3 action that no operation requires.
    static func unknownAction(_ action: String, among actions: [String]) -> ControlError {
        let suggestion = nearestWord(to: action, among: actions).map { " Did you mean '\($0)'?" } ?? ""
        return ControlError(.badRequest, "unknown_action", "No supported operation of S3 requires '\(action)'.\(suggestion)")
    }

    /// Returns the error for a resource that is not an ARN of S3.
    static func malformedResourceOfS3(_ resource: String) -> ControlError {
        let path = resource.hasPrefix("s3://") ? String(resource.dropFirst("s3://".count)) : resource
        let suggestion = path.isEmpty || path.contains(":") ? "" : " Did you mean 'arn:aws:s3:::\(path)'?"
        return ControlError(
            .badRequest, "malformed_resource", "A resource of S3 is arn:aws:s3:::<bucket>[/<key>], or *; not '\(resource)'.\(suggestion)")
    }

    /// Returns the error for a role that does not exist.
    static func unknownRole(_ arn: String) -> ControlError { ControlError(.notFound, "unknown_role", "There is no role '\(arn)'.") }

    /// Returns the error for an action whose calls present a token, not the caller's access key.
    static func actionWithToken(_ action: String) -> ControlError {
        ControlError(
            .badRequest, "token_action",
            "Identity-based policies do not count for \(action): the call presents a token, and the role's trust policy alone decides. "
                + "Ask 'as' the identity provider, such as accounts.google.com or its ARN, with its claims in 'context'; or send the 'token'."
        )
    }
}

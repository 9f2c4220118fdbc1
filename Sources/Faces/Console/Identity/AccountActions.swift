import Calls
import WireFormats

/// The forms of an account. Each is a call of IAM or RAM as the root user.
struct AccountActions {
    let account: AccountClient

    private var scene: IdentityScene { account.scene }
    private var form: FormFields { scene.visit.form }

    private func field(_ name: String) -> String { form.first(name) ?? "" }
    /// A field whose value is percent-encoded.
    private func name(_ field: String) -> String { percentDecoded(self.field(field)) ?? "" }
    private var kind: HolderKind { HolderKind(rawValue: field("kind")) ?? .users }
    /// The page of the user, group or role that the form is about.
    private var page: String { account.path(kind.rawValue, name("name")) }

    func perform(_ action: String) async throws -> Response {
        switch action {
        case "create-user", "create-group", "create-role", "create-policy": return try await create(action)
        case "save-version", "delete-managed": return try await changePolicy(action)
        default: return try await change(action)
        }
    }

    /// Calls an operation, and opens the page that shows its result.
    private func send(
        _ title: String, _ action: String, _ operation: String, _ parameters: KeyValuePairs<String, String>, at page: String,
        next: String? = nil, _ message: DoneMessage
    ) async throws -> Response {
        let exchange = try await account.call(operation, parameters, title: title)
        var result = IdentityResult(action: action, exchange: exchange, form: form)
        guard exchange.isSuccess else { return try scene.show(result, at: page) }
        result.form = [:]
        if let secret = exchange.text(of: "SecretAccessKey") ?? exchange.text(of: "AccessKeySecret") {
            result.secrets.append(.init(name: "the secret of \(exchange.text(of: "AccessKeyId") ?? "the key")", text: secret))
        }
        return try scene.show(result, at: next ?? page, message)
    }

    private func create(_ action: String) async throws -> Response {
        switch action {
        case "create-user":
            let name = field("user-name").trimmed
            return try await send(
                "Create the user \(name)", action, "CreateUser", ["UserName": name], at: account.path(), next: account.path("users", name),
                .created)
        case "create-group":
            let name = field("group-name").trimmed
            return try await send(
                "Create the group \(name)", action, "CreateGroup", ["GroupName": name], at: account.path(),
                next: account.path("groups", name), .created)
        case "create-role":
            let name = field("role-name").trimmed
            return try await send(
                "Create the role \(name)", action, "CreateRole",
                ["RoleName": name, "AssumeRolePolicyDocument": text("trust"), "Description": field("description")], at: account.path(),
                next: account.path("roles", name), .created)
        default:
            let name = field("policy-name").trimmed
            return try await send(
                "Create the policy \(name)", action, "CreatePolicy", ["PolicyName": name, "PolicyDocument": text("document")],
                at: account.path(), .created)
        }
    }

    /// A document, with the line breaks that were typed.
    private func text(_ name: String) -> String { field(name).replacing("\r\n", with: "\n") }

    private func changePolicy(_ action: String) async throws -> Response {
        let policy = name("policy")
        let own = account.path("policies", policy)
        if action == "delete-managed" {
            return try await send(
                "Delete the policy", action, "DeletePolicy",
                account.isAWS ? ["PolicyArn": policy] : ["PolicyName": AccountClient.ramPolicy(policy).name],
                at: own, next: account.path(), .deleted)
        }
        if account.isAWS {
            return try await send(
                "Save the policy", action, "CreatePolicyVersion",
                ["PolicyArn": policy, "PolicyDocument": text("document"), "SetAsDefault": "true"], at: own, .saved)
        }
        return try await send(
            "Save the policy", action, "CreatePolicyVersion",
            ["PolicyName": AccountClient.ramPolicy(policy).name, "PolicyDocument": text("document"), "SetAsDefault": "true"], at: own,
            .saved)
    }

    private func change(_ action: String) async throws -> Response {
        let holder = name("name")
        let key = name("key")
        switch action {
        case "delete":
            return try await send(
                "Delete the \(kind.word)", action, "Delete\(kind.name)", [kind.parameter: holder], at: page, next: account.path(), .deleted)
        case "attach", "detach":
            let policy = action == "attach" ? field("attached").trimmed : name("policy")
            let verb = action == "attach" ? "Attach" : "Detach"
            if account.isAWS {
                return try await send(
                    "\(verb) \(policy)", action, "\(verb)\(kind.name)Policy", [kind.parameter: holder, "PolicyArn": policy], at: page,
                    .saved)
            }
            let (type, name) = AccountClient.ramPolicy(policy)
            return try await send(
                "\(verb) \(policy)", action, "\(verb)Policy\(action == "attach" ? "To" : "From")\(kind.name)",
                [kind.parameter: holder, "PolicyType": type, "PolicyName": name], at: page, .saved)
        case "put-policy":
            let policy = field("policy").isEmpty ? field("policy-name").trimmed : name("policy")
            return try await send(
                "Save the policy \(policy)", action, "Put\(kind.name)Policy",
                [kind.parameter: holder, "PolicyName": policy, "PolicyDocument": text("document")], at: page, .saved)
        case "delete-policy":
            return try await send(
                "Delete the policy", action, "Delete\(kind.name)Policy", [kind.parameter: holder, "PolicyName": name("policy")], at: page,
                .deleted)
        case "trust":
            let (operation, parameter) =
                account.isAWS ? ("UpdateAssumeRolePolicy", "PolicyDocument") : ("UpdateRole", "NewAssumeRolePolicyDocument")
            return try await send(
                "Save the trust policy", action, operation, ["RoleName": holder, parameter: text("document")], at: page, .saved)
        case "create-key":
            return try await send("Create an access key", action, "CreateAccessKey", ["UserName": holder], at: page, .created)
        case "set-key":
            return try await send(
                "Set the access key to \(name("status").lowercased())", action, "UpdateAccessKey",
                ["UserName": holder, account.isAWS ? "AccessKeyId" : "UserAccessKeyId": key, "Status": name("status")], at: page, .saved)
        case "delete-key":
            return try await send(
                "Delete the access key", action, "DeleteAccessKey",
                ["UserName": holder, account.isAWS ? "AccessKeyId" : "UserAccessKeyId": key], at: page, .deleted)
        case "join":
            return try await send(
                "Join \(field("joined"))", action, "AddUserToGroup", ["UserName": holder, "GroupName": field("joined")], at: page, .saved)
        case "leave":
            return try await send(
                "Leave \(name("group"))", action, "RemoveUserFromGroup", ["UserName": holder, "GroupName": name("group")], at: page, .saved)
        default: throw ConsoleRefusal.noSuchAction
        }
    }
}

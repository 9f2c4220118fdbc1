import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// An account, whose users, groups, roles and policies are read and changed by the API of IAM or RAM as the root user.
struct AccountClient: Sendable {
    let scene: IdentityScene
    let id: String
    let root: String
    let name: String
    /// Whether it is an account of AWS; otherwise one of Alibaba Cloud.
    let isAWS: Bool

    /// - Throws: ``ConsoleRefusal`` if there is no such account.
    init(_ scene: IdentityScene, _ id: String) throws {
        guard let account = scene.info.accounts.first(where: { $0.id == id }) else {
            throw ConsoleRefusal(code: "unknown_account", message: "There is no account \(id).", status: .notFound)
        }
        self.scene = scene
        self.id = id
        root = account.root
        name = account.name
        isAWS = account.vendor != "alibaba"
    }

    var service: String { isAWS ? "IAM" : "RAM" }

    /// Calls an operation. A parameter without a value is left out.
    func call(_ action: String, _ parameters: KeyValuePairs<String, String> = [:], title: String? = nil) async throws -> Exchange {
        var fields: FormFields = ["Action": action, "Version": isAWS ? "2010-05-08" : "2015-05-01"]
        for (name, value) in parameters where !value.isEmpty { fields.fields.append(.init(name: name, value: value)) }
        return try await Sender(client: scene.visit.client).form(
            title ?? action, as: .principal(root), service: isAWS ? "iam" : "ram", to: "/", fields)
    }

    /// Returns the path of a page of the account.
    func path(_ parts: String...) -> String { IdentityScene.path(["accounts", id] + parts) }

    /// The parameter that names a managed policy.
    func policyParameters(_ policy: String) -> KeyValuePairs<String, String> {
        if isAWS { return ["PolicyArn": policy] }
        let (type, name) = Self.ramPolicy(policy)
        return ["PolicyType": type, "PolicyName": name]
    }

    /// Returns the ARN of a managed policy.
    func policyARN(_ policy: String) -> String {
        if isAWS { return policy }
        let (type, name) = Self.ramPolicy(policy)
        return "acs:ram::\(type == "System" ? "system" : id):policy/\(name)"
    }

    /// Returns the type and name of a policy that is written as `System/AliyunOSSFullAccess`.
    static func ramPolicy(_ text: String) -> (type: String, name: String) {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : ("Custom", text)
    }

    /// Returns the managed policy that an element describes, as this console names it: an ARN, or type and name.
    func policyName(_ element: XMLElement) -> String {
        if isAWS { return element.child("PolicyArn")?.text ?? element.child("Arn")?.text ?? "" }
        return "\(element.child("PolicyType")?.text ?? "Custom")/\(element.child("PolicyName")?.text ?? "")"
    }

    /// A link to a managed policy.
    func link(policy: String) -> HTML {
        "<a href=\"\(path("policies", policy))\">\(Parts.value(policy.split(separator: "/").last.map(String.init) ?? policy))</a>"
    }
}

/// What has policies. The raw value is the part of the path.
enum HolderKind: String, CaseIterable {
    case users, groups, roles

    /// The name in operations.
    var name: String {
        switch self {
        case .users: "User"
        case .groups: "Group"
        case .roles: "Role"
        }
    }

    var word: String { name.lowercased() }
    var title: String { name + "s" }
    var parameter: String { name + "Name" }
}

extension Exchange {
    /// Returns the elements of a list in the response, such as `Users`.
    func elements(of list: String) -> [XMLElement] { xml?.descendant(list)?.children ?? [] }

    /// Returns the text of an element of the response.
    func text(of name: String) -> String? { xml?.descendant(name)?.text }
}

extension XMLElement {
    /// Returns the first element with a name, in the order of the document.
    fileprivate func descendant(_ name: String) -> XMLElement? {
        for child in children {
            if child.name == name { return child }
            if let found = child.descendant(name) { return found }
        }
        return nil
    }
}

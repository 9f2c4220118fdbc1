package import Cloud
import Directory
package import WireFormats

/// A request of the journal, as far as diagrams show it.
package struct JournalStep: Sendable {
    /// The number of the entry.
    package var number: Int64
    /// The time of arrival in ISO 8601.
    package var time: String
    /// The face that responded.
    package var face: String
    /// The operation, or `nil` if the request is none.
    package var operation: String?
    /// The method, and the path without the query.
    package var request: String
    /// The caller's ARN or name; `nil` for an anonymous caller.
    package var caller: String?
    /// The ARN of the resource that the policies decided about last.
    package var resource: String?
    /// The HTTP status; 0 if the connection was closed without a response.
    package var status: Int
    /// The error code of the response.
    package var error: String?
    /// Why the request failed.
    package var reason: String?
    /// Whether the request was refused, by a policy or because of its signature, token or login.
    package var isRefused: Bool

    package init(_ entry: JournalEntry) {
        number = entry.number
        time = entry.time.iso8601Milliseconds
        face = entry.face
        operation = entry.operation
        request = "\(entry.method) \(entry.target.prefix { $0 != "?" })"
        caller = entry.caller
        resource = entry.decisions.last?.resource
        status = entry.status
        error = entry.errorCode
        reason = entry.reason
        isRefused = entry.isRefused
    }

    /// Creates a step from an entry of `GET /_virga/journal`.
    package init(json: JSONValue) {
        number = json["number"]?.integerValue ?? 0
        time = json["time"]?.stringValue ?? ""
        face = json["face"]?.stringValue ?? ""
        operation = json["operation"]?.stringValue
        request = "\(json["method"]?.stringValue ?? "") \((json["target"]?.stringValue ?? "").prefix { $0 != "?" })"
        caller = json["caller"]?.stringValue
        resource = json["decisions"]?.arrayValue?.last?["resource"]?.stringValue
        status = Int(json["status"]?.integerValue ?? 0)
        error = json["error"]?.stringValue
        reason = json["reason"]?.stringValue
        isRefused = json["refused"]?.boolValue ?? false
    }

    /// Whether the response is an error, or there was none.
    package var hasFailed: Bool { isRefused || status == 0 || status >= 400 }

    /// The operation, or the request.
    package var name: String { operation ?? request }

    /// The part of the resource's ARN that names the resource in its service.
    package var shortResource: String? {
        resource.map { resource in
            // An ARN of Alibaba Cloud has no partition.
            let most = resource.hasPrefix("acs:") ? 4 : 5
            let parts = resource.split(separator: ":", maxSplits: most, omittingEmptySubsequences: false)
            return parts.count == most + 1 ? String(parts[most]) : resource
        }
    }
}

/// Who sends or receives a request of a diagram, in the order of their lifelines.
package enum DiagramParty: Int, Sendable, CaseIterable {
    case browser, application, provider, credentialDoor, sts, iam, store, mobile, control

    /// The name at the lifeline.
    package var title: String {
        switch self {
        case .browser: "Browser"
        case .application: "Application"
        case .provider: "Provider"
        case .credentialDoor: "Credential service"
        case .sts: "STS"
        case .iam: "IAM"
        case .store: "Store"
        case .mobile: "Mobile cloud"
        case .control: "Control API"
        }
    }
}

extension JournalStep {
    /// The party that answered.
    package var receiver: DiagramParty {
        switch face {
        case "sts", "alibaba-sts": .sts
        case "iam", "account", "ram", "ims", "organizations", "alibaba-rpc": .iam
        case "s3", "oss": .store
        case "mobile": .mobile
        case "tvm", "appserver": .credentialDoor
        case "control", "console": .control
        default: CredentialSources.services.contains(face) ? .credentialDoor : .provider
        }
    }

    /// The party that sent the request: a browser shows pages and sends forms, applications call the rest.
    package var sender: DiagramParty {
        switch receiver {
        case .provider: Self.pages.contains(operation ?? "") ? .browser : .application
        case .store where operation == "PostObject": .browser
        default: .application
        }
    }

    /// The operations of providers that browsers call: pages, their forms, and frames.
    private static let pages: Set<String> = [
        "AccessTokenTool", "Authorize", "CheckSession", "ConnectedApplications", "FedCMConfiguration", "IdpInitiatedSignOn", "IssueToken",
        "ListAccounts", "Logout", "LogoutConfirmation", "RemoveApplication", "SessionStatus", "SignIn", "SingleLogout", "TestUserLogin",
    ]
}

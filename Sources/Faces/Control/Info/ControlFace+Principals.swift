import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import Policy
import WireFormats

extension ControlFace {
    /// The most sessions of one response.
    static let mostSessions = 100

    /// `GET /_virga/principals`: lists the principals that `POST /_virga/send` and `POST /_virga/explain` accept: root users, users, roles and
    /// the live sessions of temporary credentials.
    func listPrincipals(_ call: Call) -> Response {
        let directory = call.cloud.directory
        var principals = directory.accounts.values.sorted { $0.id < $1.id }.map { account in
            Self.principal("root", arn: account.rootARN, name: account.name, account: account.id)
        }
        principals += directory.users.values.sorted { $0.arn < $1.arn }.map { entry in
            Self.principal("user", arn: entry.arn, name: entry.user.name, account: entry.user.account)
        }
        principals += directory.roles.values.sorted { $0.arn < $1.arn }.map { entry in
            Self.principal("role", arn: entry.arn, name: entry.role.name, account: entry.role.account)
        }
        principals += liveSessions().prefix(Self.mostSessions).compactMap { session -> Document<PrincipalMembers>? in
            guard let arn = liveCaller(session.accessKeyID)?.arn else { return nil }
            let principal = Self.principal("session", arn: arn, name: session.holder.name, account: session.holder.account)
            return Document {
                [
                    principal.object, $0.accessKey(session.accessKeyID),
                    $0.issued(session.effectiveIssue(by: call.cloud.clock).iso8601),
                    $0.expires(session.effectiveExpiry(by: call.cloud.clock).iso8601),
                ]
            }
        }
        return .json(Document<PrincipalListMembers> { [$0.principals(principals)] }.json)
    }

    private static func principal(_ kind: String, arn: String, name: String, account: String) -> Document<PrincipalMembers> {
        Document { [$0.kind(kind), $0.arn(arn), $0.name(name), $0.account(account), $0.vendor(vendorName(account))] }
    }

    /// Returns the cloud that an account belongs to, as responses name it.
    static func vendorName(_ account: String) -> String { Vendor(account: account) == .aws ? "aws" : "alibaba" }
}

extension SessionCredentials.Holder {
    /// The name of the session, or of the user.
    fileprivate var name: String {
        switch self {
        case .role(let arn, _, let session): "\(Directory.PrincipalName(arn: arn)?.name ?? arn)/\(session)"
        case .user(let arn, _): Directory.PrincipalName(arn: arn)?.name ?? arn
        case .root: "root"
        case .federatedUser(let name, _, _): name
        }
    }
}

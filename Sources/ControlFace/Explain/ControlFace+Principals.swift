import Calls
import Cloud
import Directory
import Federation
import ObjectStore
import Policy
import WireFormats

extension ControlFace {
    /// The most principals of each kind that are listed.
    private static let mostPrincipals = 1000

    /// `GET /_virga/principals`: lists root users, users, roles, running sessions, identity providers, and the buckets that they can use.
    func listPrincipals(_ call: Call) -> Response {
        let directory = call.cloud.directory
        let clock = call.cloud.clock
        var principals: [JSONValue] = []
        func add(_ kind: String, _ arns: [String]) {
            principals += arns.sorted().prefix(Self.mostPrincipals).map { ["kind": .string(kind), "arn": .string($0)] }
        }
        add("root", directory.accounts.values.map(\.rootARN))
        add("user", directory.users.values.map(\.arn))
        add("role", directory.roles.values.map(\.arn))
        for session in liveSessions().prefix(Self.mostPrincipals) {
            let end = Timestamp(milliseconds: session.expires.milliseconds - clock.aging(since: session.issued) * 1000)
            principals.append([
                "kind": "session", "arn": .string(liveCaller(session.accessKeyID)?.arn ?? session.accessKeyID),
                "access_key_id": .string(session.accessKeyID), "issued": .string(session.issued.iso8601Milliseconds),
                "expires": .string(end.iso8601Milliseconds),
            ])
        }
        let social = directory.providers.values.compactMap { provider -> String? in
            switch provider.kind {
            case .facebook: "graph.facebook.com"
            case .amazon: "www.amazon.com"
            case .google: "accounts.google.com"
            case .openIDConnect: nil
            }
        }
        add("provider", Array(Set(social)) + directory.trusts.values.map(\.arn) + directory.samlTrusts.values.map(\.arn))
        let buckets = call.cloud.objects.allBuckets.prefix(Self.mostPrincipals).map { bucket -> JSONValue in
            let isShownByS3 = call.cloud.objects.bucket(named: bucket.name, for: .aws) != nil
            return [
                "name": .string(bucket.name), "arn": .string(isShownByS3 ? "arn:aws:s3:::\(bucket.name)" : "acs:oss:*:*:\(bucket.name)"),
            ]
        }
        return .json([
            "principals": .array(principals), "buckets": .array(Array(buckets)), "actions": .array(actionsOfS3.map(JSONValue.string)),
        ])
    }
}

import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import Tokens
import WireFormats

@testable import CredentialsFace

@Suite("EKS Pod Identity")
struct PodIdentityTests {
    private static let tagKeys = [
        "eks-cluster-arn", "eks-cluster-name", "kubernetes-namespace", "kubernetes-pod-name", "kubernetes-pod-uid",
        "kubernetes-service-account",
    ]

    @Test("issues sessions of the associated role, with six transitive tags (K9, K12)")
    func credentials() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let answer = try await sandbox.pod(sandbox.serviceAccountToken())
            #expect(answer.status == 200)
            #expect(answer.json.names == ["AccessKeyId", "SecretAccessKey", "Token", "Expiration", "AccountId"])
            #expect(answer.member("AccountId") == "111122223333")
            let session = try answer.session(in: sandbox).credentials
            #expect(session.tags.map(\.key).sorted { $0 < $1 } == Self.tagKeys)
            #expect(session.transitiveTags.count == 6)
            #expect(session.tags.contains(Tag(key: "eks-cluster-arn", value: "arn:aws:eks:us-east-1:111122223333:cluster/shop")))
            #expect(session.tags.contains(Tag(key: "kubernetes-service-account", value: "processor")))
            #expect(session.sessionName.hasPrefix("eks-shop-processor--"))
            #expect(session.sessionName.utf8.count <= 64)
            #expect(session.expires.seconds - session.issued.seconds == 6 * 3600)
            #expect(answer.journal.decisions.map(\.action) == ["sts:AssumeRole", "sts:TagSession"])
            #expect(answer.journal.caller == "system:serviceaccount:pay:processor")
        }
    }

    @Test("refuses requests without a token, and what is none (K9)")
    func noToken() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let none = try await sandbox.pod(nil)
            #expect(none.status == 400)
            #expect(none.text == "Service account token cannot be empty\n")
            let wrong = try await sandbox.pod("x")
            #expect(wrong.status == 400)
            #expect(wrong.text.hasPrefix("Service account token cannot be parsed: "))
        }
    }

    @Test("refuses tokens that have expired (K9, K11)")
    func expired() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let token = try await sandbox.serviceAccountToken()
            try await sandbox.cloud.age(by: .seconds(601))
            let answer = try await sandbox.pod(token)
            #expect(answer.status == 400)
            #expect(answer.text == "Service account token failed basic claim validations: token is expired\n")
        }
    }

    @Test("refuses other hosts, and browsers (K9, K38)")
    func hosts() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let token = try await sandbox.serviceAccountToken()
            let answer = try await sandbox.pod(token, authority: "rebound.example")
            #expect(answer.status == 403)
            #expect(
                answer.text
                    == "Access Denied. Called agent through invalid address, please use either [169.254.170.23 fd00:ec2::23] address not rebound.example\n"
            )
            #expect(try await sandbox.send(.get, "/v1/credentials", ["Authorization": token, "Origin": "null"]).status == 403)
        }
    }

    @Test("refuses tokens for other audiences, and those that other keys signed (K11)")
    func foreign() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let audience = try await sandbox.pod(sandbox.serviceAccountToken(audience: "sts.amazonaws.com"))
            #expect(audience.status == 400)
            #expect(audience.text.contains("(InvalidTokenException): "))
            #expect(audience.text.hasSuffix(", fault: client\n"))
            #expect(audience.journal.isRefused)
            let token = try await sandbox.serviceAccountToken()
            var claims = try JSONWebToken(parsing: token).claims
            claims["kubernetes.io"] = ["namespace": "kube-system"]
            let key = try await sandbox.cloud.signingKey(for: "another")
            let forged = try await sandbox.pod(try JSONWebToken.sign(claims: claims, key: key))
            #expect(forged.status == 400)
            #expect(forged.journal.cause == "No key of the cluster made the signature.")
            claims["iss"] = "https://issuer.example"
            let foreign = try await sandbox.pod(try JSONWebToken.sign(claims: claims, key: key))
            #expect(foreign.journal.cause?.contains("https://issuer.example") == true)
        }
    }

    @Test(
        "has no credentials for service accounts without an association (K9, K11)",
        arguments: [("idle", "shop"), ("processor", "other")])
    func notAssociated(serviceAccount: String, cluster: String) async throws {
        try await DoorSandbox.run { sandbox async throws in
            let answer = try await sandbox.pod(sandbox.serviceAccountToken(serviceAccount, cluster: cluster))
            #expect(answer.status == 404)
            #expect(answer.text.contains("(ResourceNotFoundException): "))
        }
    }

    @Test(
        "needs sts:TagSession in the trust policy, but not without tags (K12)",
        arguments: [("", 400), ("disableSessionTags: true", 200)])
    func noTagSession(association: String, status: Int) async throws {
        let seed = DoorSandbox.seed(association: association, actions: "'sts:AssumeRole'")
        try await DoorSandbox.run(seed) { sandbox async throws in
            let answer = try await sandbox.pod(sandbox.serviceAccountToken())
            #expect(answer.status == status)
            if status == 400 {
                #expect(
                    answer.text.hasSuffix(
                        "(AccessDeniedException): Unauthorized Exception! EKS does not have permissions to assume the associated role., fault: client\n"
                    ))
                #expect(answer.journal.denial?.action == "sts:TagSession")
            } else {
                #expect(try answer.session(in: sandbox).credentials.tags.isEmpty)
            }
        }
    }

    @Test(
        "shows tags and cluster to the trust policy (K12)",
        arguments: [
            ("{StringEquals: {'aws:RequestTag/kubernetes-namespace': 'pay'}}", 200),
            ("{StringEquals: {'aws:RequestTag/kubernetes-namespace': 'other'}}", 400),
            ("{ArnEquals: {'aws:SourceArn': 'arn:aws:eks:us-east-1:111122223333:cluster/shop'}}", 200),
            ("{StringEquals: {'aws:SourceAccount': '999999999999'}}", 400),
        ])
    func conditions(condition: String, status: Int) async throws {
        try await DoorSandbox.run(DoorSandbox.seed(condition: condition)) { sandbox async throws in
            #expect(try await sandbox.pod(sandbox.serviceAccountToken()).status == status)
        }
    }

    @Test("limits sessions to the policy of the association")
    func policy() async throws {
        let statement = "{Effect: 'Allow', Action: 's3:*', Resource: '*'}"
        let policy = "policy: {Version: '2012-10-17', Statement: [\(statement)]}"
        try await DoorSandbox.run(DoorSandbox.seed(association: "disableSessionTags: true, \(policy)")) { sandbox async throws in
            let answer = try await sandbox.pod(sandbox.serviceAccountToken())
            #expect(try answer.session(in: sandbox).credentials.sessionPolicies.count == 1)
        }
    }

    private static let target = "targetRole: 'arn:aws:iam::111122223333:role/data'"

    @Test("assumes a target role with the session of the first one, for an hour (K13)")
    func targetRole() async throws {
        try await DoorSandbox.run(DoorSandbox.seed(association: "\(Self.target), externalID: 'e'")) { sandbox async throws in
            let answer = try await sandbox.pod(sandbox.serviceAccountToken())
            #expect(answer.status == 200)
            let session = try answer.session(in: sandbox)
            #expect(session.principal.name.hasPrefix("arn:aws:sts::111122223333:assumed-role/data/eks-shop-"))
            #expect(session.credentials.expires.seconds - session.credentials.issued.seconds <= 3600)
            #expect(answer.journal.decisions.count == 4)
            #expect(sandbox.sessions.allLive().count == 1)
        }
    }

    @Test("leaves no session behind if the target role refuses (K13)", arguments: ["externalID: 'other'", "disableSessionTags: true"])
    func refusedTarget(association: String) async throws {
        try await DoorSandbox.run(DoorSandbox.seed(association: "\(Self.target), \(association)")) { sandbox async throws in
            let answer = try await sandbox.pod(sandbox.serviceAccountToken())
            #expect(answer.status == 400)
            #expect(answer.text.contains("(AccessDeniedException): "))
            #expect(sandbox.sessions.allLive().isEmpty)
        }
    }

    @Test("keeps tokens and secrets out of the journal (K36)")
    func journal() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let token = try await sandbox.serviceAccountToken(audience: "sts.amazonaws.com")
            let refused = try await sandbox.pod(token)
            let entry = refused.journal
            let texts = [entry.target, entry.caller ?? "", entry.errorMessage ?? "", entry.cause ?? ""]
            #expect(texts.allSatisfy { !$0.contains(token) })
        }
    }
}

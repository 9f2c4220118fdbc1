import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Policy
import RequestSigning
import Testing
import WireFormats

@testable import CredentialsFace

@Suite("IAM Roles Anywhere")
struct RolesAnywhereTests {
    private static let anchor = "arn:aws:rolesanywhere:us-east-1:111122223333:trust-anchor/00000000-0000-0000-0000-00000000000a"
    private static let profile = "arn:aws:rolesanywhere:us-east-1:111122223333:profile/00000000-0000-0000-0000-00000000000b"
    private static let role = "arn:aws:iam::111122223333:role/app"
    private static let actions = "'sts:AssumeRole', 'sts:TagSession', 'sts:SetSourceIdentity'"

    private static func seed(
        profile: String = "", anchor: String = "", actions: String = Self.actions, condition: String = "{}"
    ) -> String {
        """
        {accounts: [{id: "111122223333",
           roles: [{name: "app", trustPolicy: {Version: '2012-10-17', Statement: [
             {Effect: 'Allow', Principal: {Service: 'rolesanywhere.amazonaws.com'}, Action: [\(actions)], Condition: \(condition)}]}}],
           trustAnchors: [{id: "00000000-0000-0000-0000-00000000000a", name: "corp", \(anchor)}],
           anywhereProfiles: [{id: "00000000-0000-0000-0000-00000000000b", name: "all", roles: ["app"], \(profile)}]}]}
        """
    }

    /// A client with a certificate of the sandbox.
    private struct Client {
        let key: ClientKey
        var certificate: ClientCertificate
        /// What signs instead of the own key.
        var signer: ClientKey?
        var region = "us-east-1"
        /// How far the clock of the client is ahead, in seconds.
        var skew: Int64 = 0
        var serial: String?
        var fields: [String: String] = [:]

        init(_ sandbox: DoorSandbox, subject: [(type: String, value: String)] = [("CN", "batch"), ("OU", "a"), ("OU", "b")]) async throws {
            key = .ec(try .generate())
            let now = sandbox.cloud.clock.now.seconds
            var request = ClientCertificateRequest(subject: subject, notBefore: now - 60, notAfter: now + 600)
            request.dnsNames = ["batch.example", "second.example"]
            let anchor = try #require(sandbox.cloud.directory.credentialSources.trustAnchors.first)
            let pem = try #require(try await sandbox.cloud.issueCertificate(request, for: key, by: anchor))
            certificate = try #require(try ClientCertificate.all(inPEM: pem).first)
        }

        func send(_ order: JSONObject, to sandbox: DoorSandbox) async throws -> FaceAnswer {
            let body = JSONValue.object(order).serialized()
            var request = SignableRequest(method: "POST", target: "/sessions", authority: "127.0.0.1:4566")
            let time = Timestamp(seconds: sandbox.cloud.clock.wall.seconds + skew)
            try SignatureX509.sign(
                &request, body: Array(body.utf8), key: .ecdsa, serial: serial ?? certificate.decimalSerial,
                certificate: certificate.der.base64, chain: [], region: region, at: time
            ) { text throws(CryptographyError) in try (signer ?? key).sign(text) }
            let signed = request.fields.reduce(into: fields) { $0[$1.name.rawName] = $1.value }
            return try await sandbox.send(.post, "/sessions", signed, body: body)
        }
    }

    private static func order(_ members: JSONObject = [:]) -> JSONObject {
        var order: JSONObject = [
            "profileArn": .string(profile), "roleArn": .string(role), "trustAnchorArn": .string(anchor),
        ]
        for (name, value) in members.members { order[name] = value }
        return order
    }

    @Test("issues sessions with tags and a source identity for certificates (K24, K26)")
    func credentials() async throws {
        try await DoorSandbox.run(Self.seed()) { sandbox async throws in
            let client = try await Client(sandbox)
            let answer = try await client.send(Self.order(), to: sandbox)
            #expect(answer.status == 201)
            let entry = try #require(answer.json["credentialSet"]?.arrayValue?.first)
            #expect(entry["sourceIdentity"] == "CN=batch")
            #expect(entry["roleArn"] == .string(Self.role))
            let name = client.certificate.serial.hex
            #expect(entry["assumedRoleUser"]?["arn"] == .string("arn:aws:sts::111122223333:assumed-role/app/\(name)"))
            let token = try #require(entry["credentials"]?["sessionToken"]?.stringValue)
            let session = try sandbox.sessions.open(token, accessKeyID: entry["credentials"]?["accessKeyId"]?.stringValue ?? "").credentials
            #expect(
                session.tags == [
                    Tag(key: "x509Subject/CN", value: "batch"), Tag(key: "x509Subject/OU", value: "a/b"),
                    Tag(key: "x509Issuer/CN", value: "corp"), Tag(key: "x509SAN/DNS", value: "batch.example"),
                ])
            #expect(session.transitiveTags.isEmpty)
            #expect(session.sourceIdentity == "CN=batch")
            #expect(answer.journal.decisions.map(\.action) == ["sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"])
            #expect(answer.journal.face == "rolesanywhere")
            #expect(answer.journal.caller == client.certificate.certificate.subject)
        }
    }

    @Test("needs each of three actions in the trust policy (K26)", arguments: ["AssumeRole", "TagSession", "SetSourceIdentity"])
    func actions(missing: String) async throws {
        let actions = ["AssumeRole", "TagSession", "SetSourceIdentity"].filter { $0 != missing }.map { "'sts:\($0)'" }
        try await DoorSandbox.run(Self.seed(actions: actions.joined(separator: ","))) { sandbox async throws in
            let answer = try await Client(sandbox).send(Self.order(), to: sandbox)
            #expect(answer.status == 403)
            #expect(answer.member("message") == "Unable to assume role for \(Self.role)")
            #expect(answer.journal.denial?.action == "sts:\(missing)")
            #expect(sandbox.sessions.allLive().isEmpty)
        }
    }

    @Test(
        "shows the trust anchor, tags and source identity to the trust policy (K26)",
        arguments: [
            ("{ArnEquals: {'aws:SourceArn': '\(Self.anchor)'}}", 201), ("{ArnEquals: {'aws:SourceArn': '\(Self.profile)'}}", 403),
            ("{StringEquals: {'aws:PrincipalTag/x509Subject/CN': 'batch'}}", 201),
            ("{StringEquals: {'aws:PrincipalTag/x509Subject/CN': 'other'}}", 403),
            ("{StringEquals: {'aws:RequestTag/x509Issuer/CN': 'corp'}}", 201),
            ("{StringEquals: {'sts:SourceIdentity': 'CN=batch'}}", 201),
        ])
    func conditions(condition: String, status: Int) async throws {
        try await DoorSandbox.run(Self.seed(condition: condition)) { sandbox async throws in
            #expect(try await Client(sandbox).send(Self.order(), to: sandbox).status == status)
        }
    }

    @Test("refuses signatures before it evaluates a policy (K25)", arguments: ["key", "serial", "early", "late", "region", "field"])
    func signatures(fault: String) async throws {
        try await DoorSandbox.run(Self.seed()) { sandbox async throws in
            var client = try await Client(sandbox)
            switch fault {
            case "key": client.signer = .ec(try .generate())
            case "serial": client.serial = "1"
            case "early": client.skew = 16 * 60
            case "late": client.skew = -16 * 60
            case "region": client.region = "eu-west-1"
            default: client.fields["X-Amz-X509-Chain"] = client.certificate.der.base64
            }
            let answer = try await client.send(Self.order(), to: sandbox)
            #expect(answer.status == (fault == "region" ? 404 : 403))
            #expect(answer.journal.decisions.isEmpty)
            // Anyone can send the certificate of another client.
            #expect(answer.journal.caller == nil)
            if fault != "region" { #expect(answer.member("message") == "Invalid signature") }
        }
    }

    @Test("refuses certificates that have expired or are revoked (K25)")
    func validity() async throws {
        try await DoorSandbox.run(Self.seed()) { sandbox async throws in
            let client = try await Client(sandbox)
            let serial = client.certificate.serialNumber
            try await sandbox.cloud.edit { directory in
                guard var anchor = directory.credentialSources.trustAnchors.first else { return }
                anchor.revoked = [serial]
                directory.put(.credentialSource(.trustAnchor(anchor)))
            }
            let revoked = try await client.send(Self.order(), to: sandbox)
            #expect(revoked.member("message") == "Untrusted certificate. Revoked certificate")
            let later = Timestamp(seconds: sandbox.cloud.clock.now.seconds + 3600)
            try await sandbox.cloud.change(clock: .set(later))
            let expired = try await client.send(Self.order(), to: sandbox)
            #expect(expired.member("message") == "Untrusted certificate. Insufficient certificate")
            #expect(expired.journal.decisions.isEmpty)
        }
    }

    @Test("names sessions by request only if the profile accepts it (K25)")
    func sessionName() async throws {
        try await DoorSandbox.run(Self.seed(profile: "acceptRoleSessionName: true")) { sandbox async throws in
            let answer = try await Client(sandbox).send(Self.order(["roleSessionName": "mine"]), to: sandbox)
            #expect(answer.status == 201)
            #expect(answer.text.contains("assumed-role/app/mine"))
        }
        try await DoorSandbox.run(Self.seed()) { sandbox async throws in
            let answer = try await Client(sandbox).send(Self.order(["roleSessionName": "mine"]), to: sandbox)
            #expect(answer.member("message") == "Not authorized to set roleSessionName.")
        }
    }

    @Test(
        "takes the source identity of the common name or of the serial number (K26)",
        arguments: [("b", "CN=b"), (String(repeating: "b", count: 62), String(repeating: "b", count: 62))])
    func sourceIdentity(name: String, identity: String) async throws {
        try await DoorSandbox.run(Self.seed(profile: "mappings: {x509Subject: [], x509Issuer: [], x509SAN: []}")) { sandbox async throws in
            let answer = try await Client(sandbox, subject: [("CN", name)]).send(Self.order(), to: sandbox)
            #expect(answer.json["credentialSet"]?.arrayValue?.first?["sourceIdentity"] == .string(identity))
            let nameless = try await Client(sandbox, subject: [("O", "corp")])
            let other = try await nameless.send(Self.order(), to: sandbox)
            let expected = "ID=\(nameless.certificate.serial.hex)"
            #expect(other.json["credentialSet"]?.arrayValue?.first?["sourceIdentity"] == .string(expected))
        }
    }

    @Test("refuses disabled anchors and profiles, and pages (K25, K38)")
    func disabled() async throws {
        for (seed, message) in [
            (Self.seed(anchor: "enabled: false"), "The trust anchor is disabled."),
            (Self.seed(profile: "enabled: false"), "The profile is disabled."),
        ] {
            try await DoorSandbox.run(seed) { sandbox async throws in
                let answer = try await Client(sandbox).send(Self.order(), to: sandbox)
                #expect(answer.status == 403)
                #expect(answer.member("message") == message)
            }
        }
        try await DoorSandbox.run(Self.seed()) { sandbox async throws in
            var client = try await Client(sandbox)
            client.fields["Origin"] = "null"
            #expect(try await client.send(Self.order(), to: sandbox).member("message") == "Browsers get no credentials.")
        }
    }

    @Test(
        "refuses unknown and malformed parameters by name",
        arguments: [
            ["durationSeconds": 899], ["durationSeconds": "900"], ["unknown": "x"], ["roleSessionName": "a b"],
            ["instanceProperties": "x"], ["roleArn": 1],
        ] as [JSONObject])
    func parameters(members: JSONObject) async throws {
        try await DoorSandbox.run(Self.seed()) { sandbox async throws in
            let answer = try await Client(sandbox).send(Self.order(members), to: sandbox)
            #expect(answer.status == 400)
            #expect(answer.journal.errorCode == "ValidationException")
        }
    }
}

import RequestSigning
import WireFormats

/// What `AssumeRoleWithWebIdentity` gave.
struct TourSession: Sendable {
    var signer: SignatureV4.Signer
    /// Who the provider says it is; the name of the folder.
    var subject: String
}

extension Tour {
    /// Asks STS for credentials; whatever it answers.
    func requestRole(_ provider: TourProvider, _ token: String) async throws -> CloudClient.Answer {
        var form: FormFields = [
            "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15",
            "RoleArn": "arn:aws:iam::000000000000:role/\(provider.role)", "RoleSessionName": "alice",
            "WebIdentityToken": token,
        ]
        if let id = provider.providerID { form.fields.append(.init(name: "ProviderId", value: id)) }
        let answer = try await client.post(form: form, to: "/")
        paper.request(
            "POST", "/ Action=AssumeRoleWithWebIdentity", answer.status,
            answer.element("AccessKeyId").map { "\($0), expires \(answer.element("Expiration") ?? "")" } ?? "")
        return answer
    }

    func assumeRole(_ provider: TourProvider, _ token: String) async throws -> TourSession {
        let answer = try await requestRole(provider, token)
        guard let key = answer.element("AccessKeyId"), let secret = answer.element("SecretAccessKey"),
            let session = answer.element("SessionToken"), let subject = answer.element("SubjectFromWebIdentityToken")
        else { throw Failure(description: "STS returned no credentials: \(answer.body)") }
        paper.note("\(answer.element("Arn") ?? ""), subject \(subject)")
        for line in try await decision(of: "sts:AssumeRoleWithWebIdentity") { paper.note("│ \(line)") }
        return TourSession(
            signer: SignatureV4.Signer(
                accessKey: key, secret: secret, sessionToken: session, region: "us-east-1", service: "s3"),
            subject: subject)
    }

    /// Prints a refusal, and ends the tour if it is not the one that was expected.
    func refuse(
        _ answer: CloudClient.Answer, _ method: String = "", _ target: String = "", as code: String, explained: Bool = false
    ) async throws {
        if !method.isEmpty { paper.request(method, target, answer.status) }
        let trace = explained ? try await decision(of: nil) : []
        paper.refusal(answer.element("Code"), answer.element("Message"), trace: trace)
        try expect(answer.status >= 400 && answer.element("Code") == code, "expected \(code): \(answer.body)")
    }

    /// The trace of the newest decision, from the journal.
    private func decision(of action: String?) async throws -> [String] {
        let journal = try await client.send("GET", "/_virga/journal?limit=20", fields: controlFields)
        let decisions = journal.json?["entries"]?.arrayValue?.compactMap { $0["decisions"]?.arrayValue?.last } ?? []
        let decision = decisions.first { action == nil || $0["action"]?.stringValue == action }
        return decision?["trace"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}

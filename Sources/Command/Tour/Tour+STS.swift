import ControlDocuments
import RequestSigning
import WireFormats

/// The credentials from `AssumeRoleWithWebIdentity`.
struct TourSession: Sendable {
    var signer: SignatureV4.Signer
    /// The user's subject at the provider, which is the name of the folder.
    var subject: String
}

extension Tour {
    /// Requests credentials from STS; the response may be an error.
    func requestRole(_ provider: TourProvider, _ token: String) async throws -> CloudClient.Answer {
        var form: FormFields = [
            "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15",
            "RoleArn": "arn:aws:iam::000000000000:role/\(provider.role)", "RoleSessionName": "alice",
            "WebIdentityToken": token,
        ]
        if let id = provider.providerID { form.fields.append(.init(name: "ProviderId", value: id)) }
        let answer = try await client.post(form: form, to: "/")
        printer.request(
            "POST", "/ Action=AssumeRoleWithWebIdentity", answer.status,
            answer.element("AccessKeyId").map { "\($0), expires \(answer.element("Expiration") ?? "")" } ?? "")
        return answer
    }

    func assumeRole(_ provider: TourProvider, _ token: String) async throws -> TourSession {
        let answer = try await requestRole(provider, token)
        guard let key = answer.element("AccessKeyId"), let secret = answer.element("SecretAccessKey"),
            let session = answer.element("SessionToken"), let subject = answer.element("SubjectFromWebIdentityToken")
        else { throw Failure(description: "STS returned no credentials: \(answer.body)") }
        printer.note("\(answer.element("Arn") ?? ""), subject \(subject)")
        for line in try await decision(of: "sts:AssumeRoleWithWebIdentity") { printer.note("│ \(line)") }
        return TourSession(
            signer: SignatureV4.Signer(
                accessKey: key, secret: secret, sessionToken: session, region: "us-east-1", service: "s3"),
            subject: subject)
    }

    /// Prints an error response. Ends the tour if it is not the expected one.
    func refuse(
        _ answer: CloudClient.Answer, _ method: String = "", _ target: String = "", as code: String, explained: Bool = false
    ) async throws {
        if !method.isEmpty { printer.request(method, target, answer.status) }
        let trace = explained ? try await decision(of: nil) : []
        printer.refusal(answer.element("Code"), answer.element("Message"), trace: trace)
        try expect(answer.status >= 400 && answer.element("Code") == code, "expected \(code): \(answer.body)")
    }

    /// Returns the trace of the newest decision in the journal.
    private func decision(of action: String?) async throws -> [String] {
        let journal = try await client.send("GET", "/_virga/journal?limit=20", fields: controlFields)
        let entries = Document<JournalMembers>(journal.json?.objectValue ?? [:]).entries
        return entries.compactMap(\.decisions.last).first { action == nil || $0.action == action }?.trace ?? []
    }
}

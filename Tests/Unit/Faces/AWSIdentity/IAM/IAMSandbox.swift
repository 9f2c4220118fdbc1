import AWSIdentityFaces
import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import RequestSigning
import WireFormats

/// A sandbox for one test, with a client for its IAM face.
struct IAMSandbox {
    let cloud: Cloud
    let face: IAMFace

    static let account = "000000000000"

    /// The seed: `ann` has the test's policy, `bob` has none.
    private static func seed(_ policy: String) -> String {
        """
        {accounts: [
          {id: "000000000000", name: "virga", rootKeys: [{id: "test", secret: "test"}],
           users: [{name: "ann", path: "/staff/", accessKeys: [{id: "AKIAANN", secret: "secret"}], policies: {p: \(policy)}},
                   {name: "bob", accessKeys: [{id: "AKIABOB", secret: "secret"}]}]},
          {id: "111111111111", rootKeys: [{id: "other", secret: "test"}]}]}
        """
    }

    /// - Parameter statement: The statement of ann's policy.
    static func run(
        _ statement: String = "{Effect: 'Allow', Action: 'iam:*', Resource: '*'}", dialect: Dialect = .aws,
        _ test: (IAMSandbox) async throws -> Void
    ) async throws {
        let policy = "{Version: '2012-10-17', Statement: [\(statement)]}"
        try await withCloud(seed(policy)) { cloud async throws in
            let face = IAMFace(authenticator: Authenticator(cloud: cloud), dialect: dialect)
            try await test(IAMSandbox(cloud: cloud, face: face))
        }
    }

    /// Calls an operation, signed with `key`.
    @discardableResult
    func call(_ action: String, _ parameters: KeyValuePairs<String, String> = [:], by key: (String, String) = ("test", "test")) async throws
        -> STSAnswer
    {
        var form: FormFields = ["Action": action, "Version": "2010-05-08"]
        form.fields += parameters.map { FormFields.Field(name: $0, value: $1) }
        let body = form.encoded
        var signable = SignableRequest(method: "POST", target: "/", authority: "localhost:4566")
        signable.fields[.contentType] = "application/x-www-form-urlencoded"
        SignatureV4.Signer(accessKey: key.0, secret: key.1, sessionToken: nil, region: "us-east-1", service: "iam")
            .sign(&signable, payload: PayloadHash(of: Array(body.utf8)), at: cloud.clock.now)
        let call = Call(.post, "/", signable.fields, body: ByteBuffer(string: body), cloud: cloud)
        let response = await face.respond(to: call, form: nil)
        return try await STSAnswer(response, call.entry(status: Int(response.status.code)))
    }

    static let ann = ("AKIAANN", "secret")
    static let bob = ("AKIABOB", "secret")
}

extension STSAnswer {
    /// Returns the texts of the members of a list.
    func members(_ list: String, _ name: String? = nil) -> [String] {
        (element(list)?.children ?? []).compactMap { member in name.map { member.child($0)?.text } ?? member.text }
    }

    /// The status, code and message of an error response.
    var refusal: String { "\(status) \(code ?? "-") \(message ?? "-")" }
}

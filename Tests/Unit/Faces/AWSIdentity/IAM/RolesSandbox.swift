import AWSIdentityFaces
import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import RequestSigning
import Testing
import WireFormats

/// A sandbox for one test, with a client for its IAM face.
struct RolesSandbox {
    let cloud: Cloud
    let face: IAMFace

    static let seed = """
        {accounts: [
          {id: "000000000000", name: "virga", rootKeys: [{id: "test", secret: "test"}],
           users: [
             {name: "ann", accessKeys: [{id: "AKIAANN", secret: "ann"}]},
             {name: "reader", accessKeys: [{id: "AKIAREADER", secret: "reader"}], attachedPolicies: ["arn:aws:iam::aws:policy/IAMReadOnlyAccess"]}]},
          {id: "111111111111", rootKeys: [{id: "other", secret: "other"}]}]}
        """

    static func run(
        seed: String = seed, overHTTP: Bool = false, _ test: (RolesSandbox) async throws -> Void
    ) async throws {
        try await withCloud(seed, issuersOverHTTP: overHTTP) { cloud async throws in
            try await test(RolesSandbox(cloud: cloud, face: IAMFace(authenticator: Authenticator(cloud: cloud))))
        }
    }

    /// Calls an operation with parameters, by default as the root user of the first account.
    func call(_ action: String, _ parameters: FormFields = [:], as key: (id: String, secret: String) = ("test", "test")) async throws
        -> STSAnswer
    {
        var form: FormFields = ["Action": action, "Version": "2010-05-08"]
        form.fields += parameters.fields
        let text = form.encoded
        var signable = SignableRequest(method: "POST", target: "/", authority: "localhost:4566")
        signable.fields[.contentType] = "application/x-www-form-urlencoded"
        let signer = SignatureV4.Signer(accessKey: key.id, secret: key.secret, sessionToken: nil, region: "us-east-1", service: "iam")
        signer.sign(&signable, payload: PayloadHash(of: Array(text.utf8)), at: cloud.clock.now)
        let call = Call(.post, "/", signable.fields, body: ByteBuffer(string: text), cloud: cloud)
        let response = await face.respond(to: call, form: nil)
        return try await STSAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// Calls an operation that must succeed.
    @discardableResult
    func done(_ action: String, _ parameters: FormFields = [:], sourceLocation: SourceLocation = #_sourceLocation) async throws -> STSAnswer
    {
        let answer = try await call(action, parameters)
        #expect(answer.status == 200, "\(answer.code ?? ""): \(answer.message ?? "")", sourceLocation: sourceLocation)
        return answer
    }

    static let trust =
        #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"000000000000"},"Action":"sts:AssumeRole"}}"#
    static let document = #"{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}"#

    static func trusting(_ principal: String, _ more: String = "") -> String {
        let action = principal.contains("Federated") ? "sts:AssumeRoleWithWebIdentity" : "sts:AssumeRole"
        return #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":\#(principal),"Action":"\#(action)"\#(more)}]}"#
    }

    func createRole(_ name: String, trust: String = trust) async throws -> STSAnswer {
        try await call("CreateRole", ["RoleName": name, "AssumeRolePolicyDocument": trust])
    }
}

extension STSAnswer {
    /// Returns the text of every element with a name.
    func all(_ name: String) -> [String] { Self.all(name, in: xml) }

    private static func all(_ name: String, in element: XMLElement) -> [String] {
        (element.name == name ? [element.text] : []) + element.children.flatMap { all(name, in: $0) }
    }
}

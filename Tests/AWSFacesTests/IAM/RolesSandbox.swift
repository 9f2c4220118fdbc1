import AWSFaces
import Cloud
import Exchange
import Federation
import HTTPTypes
import Logging
import NIOCore
import RequestSigning
import Testing
import WireFormats

/// A cloud of its own for one test, with a client for its IAM face.
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
        folder: String? = nil, seed: String = seed, overHTTP: Bool = false, _ test: (RolesSandbox) async throws -> Void
    ) async throws {
        let seed = try SeedFile(name: "test", text: Array(seed.utf8)).decode()
        let cloud = try await Cloud.open(folder: folder, seeds: [seed], issuersOverHTTP: overHTTP)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let sandbox = RolesSandbox(cloud: cloud, face: IAMFace(authenticator: Authenticator(cloud: cloud), logger: logger))
        let outcome: Result<Void, any Error>
        do {
            try await test(sandbox)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await cloud.close()
        try outcome.get()
    }

    /// Calls an operation with parameters, as the root user of the first account unless another key is given.
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
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost:4566", path: "/", headerFields: signable.fields)
        let exchange = Exchange(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: text))), peer: nil, isSecure: false,
            cloud: cloud, names: HostNames())
        let response = await face.respond(to: exchange, form: nil)
        return try await STSAnswer(response, exchange.entry(status: Int(response.status.code)))
    }

    /// Calls an operation that must succeed.
    @discardableResult
    func done(_ action: String, _ parameters: FormFields = [:], sourceLocation: SourceLocation = #_sourceLocation) async throws -> STSAnswer {
        let answer = try await call(action, parameters)
        #expect(answer.status == 200, "\(answer.code ?? ""): \(answer.message ?? "")", sourceLocation: sourceLocation)
        return answer
    }

    static let trust = #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"000000000000"},"Action":"sts:AssumeRole"}}"#
    static let document = #"{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}"#

    static func trusting(_ principal: String, _ more: String = "") -> String {
        #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":\#(principal),"Action":"sts:AssumeRole"\#(more)}]}"#
    }

    func createRole(_ name: String, trust: String = trust) async throws -> STSAnswer {
        try await call("CreateRole", ["RoleName": name, "AssumeRolePolicyDocument": trust])
    }
}

extension STSAnswer {
    /// Every text of elements of a name.
    func all(_ name: String) -> [String] { Self.all(name, in: xml) }

    private static func all(_ name: String, in element: XMLElement) -> [String] {
        (element.name == name ? [element.text] : []) + element.children.flatMap { all(name, in: $0) }
    }
}

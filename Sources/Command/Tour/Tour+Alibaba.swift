import Cloud
import Cryptography
import HTTPTypes
import RequestSigning
import WireFormats

/// The Alibaba Cloud part of the tour: the requests that an app server and its client make.
extension Tour {
    private static let photos = "personal-photos"
    private static let account = "1234567890123456"
    private static let developer = (key: "LTAI5tVirgaDeveloper0001", secret: "VirgaDeveloperSecret0123456789")

    /// Calls AssumeRole with a session policy for one folder, and OSS with the credentials.
    func alibaba() async throws {
        printer.section("Alibaba Cloud: an app server takes a role for alice, who reaches her folder alone")
        let policy = """
            {"Version":"1","Statement":[{"Effect":"Allow","Action":["oss:GetObject","oss:PutObject"],\
            "Resource":"acs:oss:*:*:\(Self.photos)/alice/*"}]}
            """
        let answer = try await assumeRole(policy: policy)
        guard let credentials = answer.json?["Credentials"], let key = credentials["AccessKeyId"]?.stringValue,
            let secret = credentials["AccessKeySecret"]?.stringValue, let token = credentials["SecurityToken"]?.stringValue
        else { throw Failure(description: "Alibaba Cloud's STS returned no credentials: \(answer.body)") }
        printer.request("POST", "/ Action=AssumeRole", answer.status, "\(key), expires \(credentials["Expiration"]?.stringValue ?? "")")
        let signer = OSSSignature.Signer(accessKey: key, secret: secret, sessionToken: token, method: .v4(region: "cn-hangzhou"))
        let own = "alice/boat.txt"
        let put = try await send(signedBy: signer, "PUT", own, body: "Hello from OSS")
        printer.request("PUT", "/\(Self.photos)/\(own)", put.status, "x-oss-hash-crc64ecma \(put.field("x-oss-hash-crc64ecma") ?? "none")")
        let get = try await send(signedBy: signer, "GET", own)
        printer.request("GET", "/\(Self.photos)/\(own)", get.status, get.body)
        try expect(put.status == 200 && get.status == 200, "alice could not use her folder in OSS")
        let foreign = "bob/boat.txt"
        try await refuse(
            try await send(signedBy: signer, "GET", foreign), "GET", "/\(Self.photos)/\(foreign)", as: "AccessDenied", explained: true)
    }

    private func assumeRole(policy: String) async throws -> CloudClient.Answer {
        var form: FormFields = [
            "Action": "AssumeRole", "Version": "2015-04-01", "Format": "JSON", "AccessKeyId": Self.developer.key,
            "SignatureMethod": "HMAC-SHA1", "SignatureVersion": "1.0", "RoleArn": "acs:ram::\(Self.account):role/app-user",
            "RoleSessionName": "alice", "Policy": policy,
        ]
        form.fields.append(.init(name: "SignatureNonce", value: try randomBytes(16).hex))
        form.fields.append(.init(name: "Timestamp", value: Timestamp.now().iso8601))
        RPCSignature.sign(&form, method: "POST", secret: Self.developer.secret)
        return try await client.post(form: form, to: "/")
    }

    private func send(
        signedBy signer: OSSSignature.Signer, _ method: String, _ key: String, body: String = ""
    ) async throws -> CloudClient.Answer {
        let target = "/\(Self.photos)/\(key)"
        var request = SignableRequest(method: method, target: target, authority: client.authority)
        signer.sign(&request, resource: OSSResource(bucket: Self.photos, key: key), at: .now())
        return try await client.send(method, target, fields: request.fields.map { ($0.name.rawName, $0.value) }, body: body)
    }
}

import AWSIdentityFaces
import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import WireFormats

/// A sandbox for one test, with both token vending machines and a client for them.
struct VendingSandbox {
    let cloud: Cloud
    let face: TokenVendingMachineFace
    let authenticator: Authenticator

    static let device = String(repeating: "0123456789abcdef", count: 2)
    static let key = "00112233445566778899aabbccddeeff"

    static func seed(_ more: String = "", account: String = "account: '000000000000'") -> String {
        """
        {accounts: [
          {id: "000000000000", name: "virga", rootKeys: [{id: "test", secret: "test"}],
           users: [
             {name: "vendor", policies: {p: {Version: "2012-10-17", Statement: [
               {Effect: "Allow", Action: ["sts:GetFederationToken", "s3:*"], Resource: "*"}]}}},
             {name: "powerless"}]}],
         vendingMachines: {\(account),
           policy: {Statement: [{Effect: "Allow", Action: "s3:*", Resource: "arn:aws:s3:::notes/__USERNAME__/*"}]},
           anonymous: {hosts: ["tvm.example"], devices: [{uid: "\(device)", key: "\(key)"}]},
           identity: {app: "MyMobileAppName", people: [{name: "alice", password: "secret1"}]}\(more)}}
        """
    }

    static func run(_ seed: String = Self.seed(), _ test: (VendingSandbox) async throws -> Void) async throws {
        try await withCloud(seed) { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            let face = TokenVendingMachineFace(authenticator: authenticator)
            try await test(VendingSandbox(cloud: cloud, face: face, authenticator: authenticator))
        }
    }

    func send(
        _ method: HTTPRequest.Method = .get, _ kind: VendingMachines.Kind, _ path: String, _ parameters: FormFields = [:],
        form: FormFields? = nil, type: String = "application/x-www-form-urlencoded", authority: String = "localhost:4566",
        basePath: String? = nil, origin: String? = nil
    ) async throws -> FaceAnswer {
        let base = basePath ?? "/tvm/\(kind.rawValue)"
        let query = parameters.encoded
        var fields: HTTPFields = form == nil ? [:] : [.contentType: type]
        fields[.origin] = origin
        let call = Call(
            method, base + path + (query.isEmpty ? "" : "?" + query), fields,
            body: ByteBuffer(string: form?.encoded ?? ""), authority: authority, cloud: cloud)
        let response = await face.respond(to: call, machine: kind, path: path)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }

    var timestamp: String { cloud.clock.wall.iso8601Milliseconds }

    static func sign(_ timestamp: String, _ key: String) -> [UInt8] { hmacSHA256(key: Array(key.utf8), timestamp) }

    static func hash(_ name: String, _ password: String, _ endpoint: String, app: String = "mymobileappname") -> String {
        sign(name + app + endpoint, password).hex
    }

    /// Calls `/login` as clients do, with the endpoint as they spell it.
    func login(
        _ name: String = "alice", _ password: String = "secret1", uid: String = "tablet", endpoint: String = "localhost",
        authority: String = "localhost:4566"
    ) async throws -> FaceAnswer {
        let timestamp = timestamp
        let signature = Self.sign(timestamp, Self.hash(name, password, endpoint)).hex
        return try await send(
            .get, .identity, "/login", ["username": name, "uid": uid, "timestamp": timestamp, "signature": signature],
            authority: authority)
    }

    func getToken(_ kind: VendingMachines.Kind, uid: String, key: String, at time: Timestamp? = nil) async throws -> FaceAnswer {
        let timestamp = (time ?? cloud.clock.wall).iso8601Milliseconds
        let code = Self.sign(timestamp, key)
        return try await send(
            .get, kind, "/gettoken",
            ["uid": uid, "timestamp": timestamp, "signature": kind == .anonymous ? code.base64 : code.hex])
    }

    /// Returns the value of a name in a response. Clients find it in the same way: they search for the name and the next two quotation
    /// marks.
    static func value(_ name: String, in answer: FaceAnswer, key: String) throws -> String? {
        guard let key = [UInt8](hex: key), let ciphertext = [UInt8](base64: String(decoding: answer.body.dropLast(2), as: UTF8.self)) else {
            return nil
        }
        let text = String(decoding: try BlockEncryption(.cbc, key: key).decrypt(ciphertext), as: UTF8.self)
        guard let range = text.firstRange(of: name) else { return nil }
        let parts = text[range.upperBound...].split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? String(parts[1]) : nil
    }

    /// Returns the session of the credentials in a response, and their expiry.
    func holder(of answer: FaceAnswer, key: String) throws -> (session: Session, expires: Timestamp)? {
        guard let token = try Self.value("securityToken", in: answer, key: key), let id = try Self.value("accessKey", in: answer, key: key),
            let expires = try Self.value("expirationDate", in: answer, key: key).flatMap(Int64.init)
        else { return nil }
        return (try authenticator.sessions.open(token, accessKeyID: id), Timestamp(milliseconds: expires))
    }
}

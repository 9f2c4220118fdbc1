import Calls
import Cloud
import Cryptography
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import ObjectStore
import Policy
import RequestSigning
import Testing
import WireFormats

import struct Policy.Tag

@testable import OSSFace

/// A sandbox for one test, with a client for its OSS face.
struct OSSSandbox {
    let cloud: Cloud
    let face: OSSFace

    static let owner = "1234567890123456"
    static let stranger = "9876543210987654"
    static let region = "cn-hangzhou"
    static let authority = "127.0.0.1:4566"

    static let seed = """
        {alibaba: {accounts: [
          {id: "1234567890123456", name: "harbour", rootKeys: [{id: "LTAIowner", secret: "owner"}],
           users: [
             {name: "reader", accessKeys: [{id: "LTAIreader", secret: "reader"}], policies: ["reads"]},
             {name: "nobody", accessKeys: [{id: "LTAInothing", secret: "nothing"}]}],
           policies: [{name: "reads", document: {Version: "1", Statement: [
             {Effect: "Allow", Action: ["oss:GetObject", "oss:GetBucketInfo"], Resource: ["acs:oss:*:*:files", "acs:oss:*:*:files/public/*"]},
             {Effect: "Allow", Action: "oss:ListObjects", Resource: "acs:oss:*:*:files",
              Condition: {StringLike: {"oss:Prefix": "public/*"}}},
             {Effect: "Deny", Action: "oss:DeleteBucket", Resource: "*"}]}}],
           buckets: [{name: "files", objects: [
             {key: "public/hello.txt", text: "0123456789", contentType: "text/plain", metadata: {colour: "blue"}}]}]},
          {id: "9876543210987654", name: "stranger", rootKeys: [{id: "LTAIstranger", secret: "stranger"}],
           buckets: [{name: "foreign"}]}]}}
        """

    static func run(
        seed: String = Self.seed, outbound: @escaping Outbound = { _ in throw NoServer() },
        _ test: (OSSSandbox) async throws -> Void
    ) async throws {
        try await withCloud(seed) { cloud async throws in
            let face = OSSFace(authenticator: Authenticator(cloud: cloud), outbound: outbound, logger: .ofTests)
            try await test(OSSSandbox(cloud: cloud, face: face))
        }
    }

    struct NoServer: Error {}

    /// The signer of a request.
    enum Signer {
        case owner, stranger, reader, nothing, nobody
        /// Temporary credentials, or keys that a test has created.
        case key(String, secret: String, token: String?)

        fileprivate var signer: OSSSignature.Signer? {
            let (id, secret, token): (String, String, String?) =
                switch self {
                case .owner: ("LTAIowner", "owner", nil)
                case .stranger: ("LTAIstranger", "stranger", nil)
                case .reader: ("LTAIreader", "reader", nil)
                case .nothing: ("LTAInothing", "nothing", nil)
                case .key(let id, let secret, let token): (id, secret, token)
                case .nobody: ("", "", nil)
                }
            if case .nobody = self { return nil }
            return OSSSignature.Signer(accessKey: id, secret: secret, sessionToken: token, method: .v4(region: OSSSandbox.region))
        }
    }

    /// The resource of a request, from its URL.
    private static func resource(_ target: String, _ bucketFromHost: String?) -> OSSResource {
        let path = target.prefix { $0 != "?" }.dropFirst()
        if let bucketFromHost { return OSSResource(bucket: bucketFromHost, key: path.isEmpty ? nil : percentDecoded(path)) }
        let bucket = path.prefix { $0 != "/" }
        let key = path.dropFirst(bucket.count + 1)
        return OSSResource(bucket: bucket.isEmpty ? nil : String(bucket), key: key.isEmpty ? nil : percentDecoded(key))
    }

    /// Sends a request, signed with Version 4 unless it is anonymous.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ fields: KeyValuePairs<String, String> = [:], body: [UInt8]? = nil,
        as who: Signer = .owner, bucketFromHost: String? = nil, authority: String = Self.authority
    ) async throws -> OSSAnswer {
        var signable = SignableRequest(method: method.rawValue, target: target, authority: authority)
        for (name, value) in fields {
            signable.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        if let body, !signable.fields.contains(.contentLength), !signable.fields.contains(.transferEncoding) {
            signable.fields[.contentLength] = String(body.count)
        }
        who.signer?.sign(&signable, resource: Self.resource(target, bucketFromHost), at: cloud.clock.now)
        return try await send(method, target, signable.fields, body ?? [], bucketFromHost: bucketFromHost, authority: authority)
    }

    /// Sends a request unchanged.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields, _ body: [UInt8], bucketFromHost: String? = nil,
        authority: String = Self.authority
    ) async throws -> OSSAnswer {
        let call = Call(method, target, fields, body: ByteBuffer(bytes: body), authority: authority, cloud: cloud)
        let response = await face.respond(to: call, bucketFromHost: bucketFromHost)
        return try await OSSAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// Sends a request with a truncated body.
    func send(_ method: HTTPRequest.Method, _ target: String, cutOffAfter text: String) async throws -> OSSAnswer {
        var signable = SignableRequest(method: method.rawValue, target: target, authority: Self.authority)
        signable.fields[.contentLength] = "100"
        Signer.owner.signer?.sign(&signable, resource: Self.resource(target, nil), at: cloud.clock.now)
        let call = Call(
            method, target, signable.fields, body: .cutOff(after: text), authority: Self.authority, cloud: cloud)
        let response = await face.respond(to: call, bucketFromHost: nil)
        return try await OSSAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// Gets a presigned URL.
    func get(presigned target: String, _ fields: HTTPFields = [:], as who: Signer = .owner) async throws -> OSSAnswer {
        let request = SignableRequest(method: "GET", target: target, authority: Self.authority)
        let signer = try #require(who.signer)
        let url = signer.presign(request, resource: Self.resource(target, nil), expires: .seconds(600), at: cloud.clock.now)
        return try await send(.get, url, fields, [])
    }

    /// Sends a document.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ fields: KeyValuePairs<String, String> = [:], document: String,
        as who: Signer = .owner
    ) async throws -> OSSAnswer {
        try await send(method, target, fields, body: Array(document.utf8), as: who)
    }

    @discardableResult
    func put(
        _ key: String, _ text: String, in bucket: String = "files", _ fields: KeyValuePairs<String, String> = [:]
    ) async throws -> OSSAnswer {
        try await send(.put, "/\(bucket)/\(percentEncoded(key, keepingSlash: true))", fields, body: Array(text.utf8))
    }

    /// Stores an object directly, without a request.
    func store(
        _ key: String, _ text: String, in bucket: String = "files", tags: [Tag] = [], accessControl: AccessControlList? = nil,
        encryption: ObjectEncryption? = nil
    ) async throws {
        let bucket = try #require(cloud.objects.bucket(named: bucket))
        let bytes = Array(text.utf8)
        let writer = cloud.objects.stage(expecting: Int64(bytes.count))
        try await writer.append(ByteBuffer(bytes: bytes))
        _ = try await cloud.objects.put(
            NewObject(
                key: key, md5: MD5.hash(bytes), owner: bucket.account, modified: cloud.clock.now,
                properties: ObjectProperties(tags: tags, accessControl: accessControl, encryption: encryption)),
            in: bucket.id, body: writer)
    }
}

/// The response of the face, with its body collected.
struct OSSAnswer {
    var status: Int
    var fields: HTTPFields
    var body: [UInt8]
    var journal: JournalEntry

    init(_ response: Response, _ journal: JournalEntry) async throws {
        status = Int(response.status.code)
        fields = response.headers
        body = try await response.collectedBody()
        self.journal = journal
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var xml: XMLElement { get throws { try XMLElement(parsing: body) } }

    /// The `Code` of an error document.
    var code: String? { try? xml.child("Code")?.text }

    /// Returns the text of an element, by the names on its path.
    func element(_ path: String...) -> String? {
        guard var element = try? xml else { return nil }
        for name in path {
            guard let child = element.child(name) else { return nil }
            element = child
        }
        return element.text
    }

    subscript(name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
}

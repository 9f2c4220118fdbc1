import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Synchronization
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, "Callback".
@Suite("Upload callbacks of OSS")
struct UploadCallbackTests {
    /// An app's server, which records its requests and always returns the same response.
    private final class AppServer: Sendable {
        let requests = Mutex<[OutboundRequest]>([])
        let response: OutboundResponse?

        init(_ response: OutboundResponse?) { self.response = response }

        struct Unreachable: Error {}

        func answer(_ request: OutboundRequest) throws -> OutboundResponse {
            requests.withLock { $0.append(request) }
            guard let response else { throw Unreachable() }
            return response
        }
    }

    private static func encoded(_ json: String) -> String { Array(json.utf8).base64 }

    private func put(
        _ callback: String, variables: String? = nil, to server: AppServer, key: String = "a b",
        test: (OSSSandbox, OSSAnswer) async throws -> Void
    ) async throws {
        try await OSSSandbox.run(outbound: { try server.answer($0) }) { oss async throws in
            let target = "/files/\(percentEncoded(key))"
            let answer =
                if let variables {
                    try await oss.send(
                        .put, target,
                        [
                            "x-oss-callback": Self.encoded(callback), "x-oss-callback-var": Self.encoded(variables),
                            "Content-Type": "text/plain",
                        ],
                        body: Array("hello world".utf8))
                } else {
                    try await oss.send(
                        .put, target, ["x-oss-callback": Self.encoded(callback), "Content-Type": "text/plain"],
                        body: Array("hello world".utf8))
                }
            try await test(oss, answer)
        }
    }

    @Test("call the app's server with the configured body, and return its response to the client")
    func form() async throws {
        let server = AppServer(OutboundResponse(status: 200, body: Array("{\"Status\":\"OK\"}".utf8)))
        let callback = """
            {"callbackUrl": "http://app.example.com:8080/c%20b?x=1", "callbackHost": "app.example.org", \
            "callbackBody": "bucket=${bucket}&object=${object}&etag=${etag}&size=${size}&mimeType=${mimeType}&crc=${crc64}\
            &md5=${contentMd5}&op=${operation}&mine=${x:mine}&none=${x:none}&h=${imageInfo.height}&$"}
            """
        try await put(callback, variables: #"{"x:mine": "a&b", "other": 1}"#, to: server) { oss, answer async throws in
            #expect(answer.status == 200)
            #expect(answer.text == "{\"Status\":\"OK\"}")
            #expect(answer["Content-Type"] == "application/json")
            #expect(answer["ETag"] == "\"5EB63BBBE01EEED093CB22BB8F5ACDC3\"")
            #expect(answer["x-oss-hash-crc64ecma"] == "5981764153023615706")
            let request = try #require(server.requests.withLock { $0 }.first)
            #expect(request.method == .post)
            #expect(request.url == "http://app.example.com:8080/c%20b?x=1")
            let body = String(decoding: request.body, as: UTF8.self)
            #expect(
                body
                    == "bucket=files&object=a%20b&etag=5EB63BBBE01EEED093CB22BB8F5ACDC3&size=11&mimeType=text%2Fplain&crc=5981764153023615706"
                    + "&md5=XrY7u%2BAe7tCTyyK7j1rNww%3D%3D&op=PutObject&mine=a%26b&none=&h=&$")
            #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
            #expect(request.headers[.userAgent] == "aliyun-oss-callback")
            #expect(request.headers[.init(literal: "Host")] == "app.example.org")
            #expect(request.timeout == .seconds(5))
            let url = try #require(request.headers[.ossPublicKeyURL].flatMap { [UInt8](base64: $0) })
            #expect(String(decoding: url, as: UTF8.self) == "http://\(OSSSandbox.authority)/callback_pub_key_v1.pem")
            let key = try await oss.send(.get, "/callback_pub_key_v1.pem", as: .nobody)
            #expect(key.status == 200)
            let publicKey = try RSAPublicKey(pem: key.text)
            let signature = try #require(request.headers[.authorization].flatMap { [UInt8](base64: $0) })
            #expect(publicKey.verifyMD5(signature, of: Array("/c b?x=1\n\(body)".utf8)))
            #expect(!publicKey.verifyMD5(signature, of: Array("/c%20b?x=1\n\(body)".utf8)))
        }
    }

    @Test("quote strings in JSON, and leave numbers unquoted")
    func json() async throws {
        let server = AppServer(OutboundResponse(status: 200, body: Array("{}".utf8)))
        let callback = #"""
            {"callbackUrl": "app.example.com", "callbackBodyType": "application/json", "callbackBody":
             "{\"object\":${object},\"again\":\"${object}\",\"size\":${size},\"mine\":${x:mine}}"}
            """#
        try await put(callback, variables: #"{"x:mine": "q\"q"}"#, to: server, key: "a\"b") { _, answer async throws in
            #expect(answer.status == 200)
            let request = try #require(server.requests.withLock { $0 }.first)
            #expect(request.url == "http://app.example.com")
            #expect(String(decoding: request.body, as: UTF8.self) == #"{"object":"a\"b","again":"a\"b","size":11,"mine":"q\"q"}"#)
            #expect(request.headers[.contentType] == "application/json")
        }
    }

    @Test(
        "that fail keep the object, and return status 203",
        arguments: [
            (nil, "Error status : -1."), (OutboundResponse(status: 301), "Error status : 301."),
            (OutboundResponse(status: 200, body: Array("no json".utf8)), "not valid json"),
        ] as [(OutboundResponse?, String)])
    func failures(_ response: OutboundResponse?, _ message: String) async throws {
        let server = AppServer(response)
        try await put(#"{"callbackUrl": "a.example.com;b.example.com", "callbackBody": "x"}"#, to: server) { oss, answer async throws in
            #expect(answer.status == 203)
            #expect(answer.code == "CallbackFailed")
            #expect(answer.element("Message")?.contains(message) == true)
            #expect(server.requests.withLock { $0.map(\.url) } == ["http://a.example.com", "http://b.example.com"])
            #expect(try await oss.send(.get, "/files/a%20b").text == "hello world")
        }
    }

    @Test(
        "that are invalid are refused before the object is stored",
        arguments: [
            "no base 64!", encoded("no json"), encoded("[]"), encoded(#"{"callbackBody": "x"}"#), encoded(#"{"callbackUrl": "x"}"#),
            encoded(#"{"callbackUrl": "x", "callbackBody": "x", "callbackBodyType": "text/plain"}"#),
            encoded(#"{"callbackUrl": "1;2;3;4;5;6", "callbackBody": "x"}"#),
        ])
    func malformed(_ header: String) async throws {
        try await OSSSandbox.run { oss async throws in
            let answer = try await oss.send(.put, "/files/a", ["x-oss-callback": header], body: [1])
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(try await oss.send(.get, "/files/a").code == "NoSuchKey")
        }
    }

    @Test("can be defined by a callback policy of the bucket")
    func policies() async throws {
        let server = AppServer(OutboundResponse(status: 200, body: Array("{}".utf8)))
        try await OSSSandbox.run(outbound: { try server.answer($0) }) { oss async throws in
            let named = Self.encoded(#"{"callbackPolicy": "second"}"#)
            let missing = try await oss.put("a", "x", ["x-oss-callback": named])
            #expect(missing.status == 404)
            #expect(missing.code == "BucketCallbackPolicyNotExist")
            let callback = Self.encoded(#"{"callbackUrl": "http://a.example.com", "callbackBody": "${object} ${x:mine}"}"#)
            let variables = Self.encoded(#"{"x:mine": "own"}"#)
            let first = "<PolicyItem><PolicyName>first</PolicyName><Callback>other</Callback><CallbackVar></CallbackVar></PolicyItem>"
            let second =
                "<PolicyItem><PolicyName>second</PolicyName><Callback>\(callback)</Callback><CallbackVar>\(variables)</CallbackVar></PolicyItem>"
            let document = "<BucketCallbackPolicy>\(first)\(second)</BucketCallbackPolicy>"
            #expect(try await oss.send(.put, "/files?policy&comp=callback", document: document).status == 200)
            #expect(try await oss.put("a", "x", ["x-oss-callback": named]).status == 200)
            #expect(server.requests.withLock { $0.map { String(decoding: $0.body, as: UTF8.self) } } == ["a own"])
        }
    }

    @Test("work with completed uploads, and from the query")
    func multipart() async throws {
        let server = AppServer(OutboundResponse(status: 200, body: Array("{\"ok\":1}".utf8)))
        try await OSSSandbox.run(outbound: { try server.answer($0) }) { oss async throws in
            let id = try #require(try await oss.send(.post, "/files/big?uploads").element("UploadId"))
            _ = try await oss.send(.put, "/files/big?partNumber=1&uploadId=\(id)", body: [1])
            let callback = Self.encoded(#"{"callbackUrl": "http://a.example.com", "callbackBody": "${operation} ${object}"}"#)
            let answer = try await oss.send(
                .post, "/files/big?uploadId=\(id)&callback=\(percentEncoded(callback))", ["x-oss-complete-all": "yes"])
            #expect(answer.status == 200)
            #expect(answer.text == "{\"ok\":1}")
            #expect(server.requests.withLock { $0.map { String(decoding: $0.body, as: UTF8.self) } } == ["CompleteMultipartUpload big"])
        }
    }
}

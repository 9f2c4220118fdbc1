import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import Tokens
import WireFormats

/// The signature with which OSS authenticates a callback to an app's server: RSA over the MD5 of path, query and body, with a key of the
/// sandbox.
/// (OSS API Reference, "Callback", "Sign a callback request".)
struct CallbackSignature {
    /// The name of the key in the sandbox.
    private static let keyName = "oss-callback"
    /// The path of the public key. It is not a valid bucket name.
    static let publicKeyPath = "/callback_pub_key_v1.pem"

    private let cloud: Cloud

    init(_ cloud: Cloud) { self.cloud = cloud }

    private func key() async throws -> RSAPrivateKey {
        try RSAPrivateKey(pem: try await cloud.signingKey(for: Self.keyName).pem)
    }

    /// Returns the `Authorization` header of a callback.
    func signature(of url: String, _ body: [UInt8]) async throws -> String {
        try await key().signMD5(of: Self.stringToSign(url: url, body)).base64
    }

    /// Returns the decoded path, the unchanged query, a line feed and the body.
    static func stringToSign(url: String, _ body: [UInt8]) -> [UInt8] {
        var target = url[...]
        if let scheme = target.firstIndex(of: ":") { target = target[scheme...].dropFirst(3) }
        target = target[(target.firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex)...]
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        let path = target[..<mark].isEmpty ? "/" : target[..<mark]
        return Array(((percentDecoded(path) ?? String(path)) + target[mark...] + "\n").utf8) + body
    }

    /// Returns the public key in PEM format.
    func publicKey() async throws -> String { try await key().publicKey.pem }
}

extension OSSFace {
    /// Whether a path is that of the public key of callbacks.
    package static func isPublicKey(_ path: String) -> Bool { path == CallbackSignature.publicKeyPath }

    /// Returns the response with the public key of callbacks.
    func publicKey(_ call: Call) async throws -> Response {
        call.note(operation: "GetCallbackPublicKey")
        guard call.method == .get || call.method == .head else { throw OSSError.methodNotAllowed(call.method, on: "PublicKey") }
        var response = Response(status: .ok, headers: call.ossHeaders())
        response.headers.append(HTTPField(name: .contentType, value: "application/x-pem-file"))
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: try await CallbackSignature(call.cloud).publicKey()))
        return response
    }
}

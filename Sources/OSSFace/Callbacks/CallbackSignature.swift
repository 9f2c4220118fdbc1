import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import Tokens
import WireFormats

/// Proves to an app's server that a callback comes from OSS: RSA over the MD5 of path, query and body, by a key of the sandbox.
/// (OSS API Reference, "Callback", "Sign a callback request".)
struct CallbackSignature {
    /// The name under which the sandbox keeps the key.
    private static let keyName = "oss-callback"
    /// Where whoever is called finds the public key. No bucket can be called so.
    static let publicKeyPath = "/callback_pub_key_v1.pem"

    private let cloud: Cloud

    init(_ cloud: Cloud) { self.cloud = cloud }

    private func key() async throws -> RSAPrivateKey {
        try RSAPrivateKey(pem: try await cloud.signingKey(for: Self.keyName).pem)
    }

    /// `Authorization` of a callback.
    func signature(of url: String, _ body: [UInt8]) async throws -> String {
        try await key().signMD5(of: Self.stringToSign(url: url, body)).base64
    }

    /// The decoded path, the query as it is, a line feed and the body.
    static func stringToSign(url: String, _ body: [UInt8]) -> [UInt8] {
        var target = url[...]
        if let scheme = target.firstIndex(of: ":") { target = target[scheme...].dropFirst(3) }
        target = target[(target.firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex)...]
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        let path = target[..<mark].isEmpty ? "/" : target[..<mark]
        return Array(((percentDecoded(path) ?? String(path)) + target[mark...] + "\n").utf8) + body
    }

    /// The public key, as PEM.
    func publicKey() async throws -> String { try await key().publicKey.pem }
}

extension OSSFace {
    /// Whether a path is that of the key which proves callbacks.
    package static func isPublicKey(_ path: String) -> Bool { path == CallbackSignature.publicKeyPath }

    /// The public key of the callbacks.
    func publicKey(_ call: Call) async throws -> Response {
        call.note(operation: "GetCallbackPublicKey")
        guard call.method == .get || call.method == .head else { throw OSSError.methodNotAllowed(call.method, on: "PublicKey") }
        var response = Response(status: .ok, headers: call.ossHeaders())
        response.headers.append(HTTPField(name: .contentType, value: "application/x-pem-file"))
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: try await CallbackSignature(call.cloud).publicKey()))
        return response
    }
}

import Cryptography
import Federation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import RequestSigning
import Tokens
import WireFormats

@testable import VirgaServer

@Sendable func fuzzHTTP(_ bytes: [UInt8]) {
    let channel = EmbeddedChannel()
    var sizes = NIOHTTPDecoderLimitConfiguration()
    sizes.maxHeaderListSize = 80 << 10
    sizes.maxHeaderFieldCount = 1000
    guard (try? channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: sizes)))) != nil
    else { return }
    var conversation = Conversation(version: .http1, isSecure: false)
    _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
    while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
        _ = conversation.receive(part)
        conversation.receivedAll()
        // Each action is performed at once, and each response is empty.
        for _ in 0..<100 {
            let action = conversation.next()
            if case .nothing = action { break }
            if case .answer = action { conversation.answered() }
            if case .answerArriving = action { conversation.answered() }
        }
    }
    _ = try? channel.finish(acceptAlreadyClosed: true)
}

/// A request of an input: method, target, and lines of headers, separated by NUL bytes.
private func request(_ bytes: [UInt8]) -> (SignableRequest, FormFields) {
    let all = parts(bytes)
    var fields = HTTPFields()
    for line in all.dropFirst(2) {
        let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, let name = HTTPField.Name(String(pair[0])) else { continue }
        fields.append(HTTPField(name: name, value: String(pair[1])))
    }
    let target = all.count > 1 ? all[1] : "/"
    let query = target.split(separator: "?", maxSplits: 1).dropFirst().first.map { String($0) } ?? ""
    return (SignableRequest(method: all[0], target: target, authority: "localhost", fields: fields), FormFields(parsing: query) ?? [:])
}

/// A secret that no input can have signed with.
private let secret = (0..<40).map { _ in String(UInt8.random(in: 0...9)) }.joined()

@Sendable func fuzzSignatureV4(_ bytes: [UInt8]) {
    let (request, _) = request(bytes)
    guard let presented = try? SignatureV4.Presented(request) else { return }
    let payload = (try? presented.payloadHash(of: request)) ?? .unsigned
    for rule in [SignatureV4.PathRule.asReceived, .normalised] {
        let key = ScopedSigningKey(secret: secret, scope: presented.scope)
        precondition(
            (try? presented.verify(request, payload: payload ?? .unsigned, path: rule, key: key)) == nil, "a forged signature is valid")
    }
}

@Sendable func fuzzSignatureV2(_ bytes: [UInt8]) {
    let (request, form) = request(bytes)
    if let presented = try? SignatureV2.Presented(request) {
        precondition((try? presented.verify(request, bucket: "box", secret: secret)) == nil, "a forged signature is valid")
    }
    if let presented = try? QuerySignature(form) {
        precondition((try? presented.verify(request, secret: secret)) == nil, "a forged signature is valid")
    }
}

@Sendable func fuzzSignatureOSS(_ bytes: [UInt8]) {
    let (request, _) = request(bytes)
    guard let presented = try? OSSSignature.Presented(request) else { return }
    let resource = OSSResource(bucket: "box", key: "a")
    let isValid: Void? = try? presented.verify(request, resource: resource, secret: secret) { ScopedSigningKey(secret: secret, scope: $0) }
    precondition(isValid == nil, "a forged signature is valid")
}

@Sendable func fuzzSignatureRPC(_ bytes: [UInt8]) {
    let (request, form) = request(bytes)
    if let presented = try? RPCSignature.Presented(form) {
        precondition(
            (try? presented.verify(method: request.method, parameters: form, secret: secret)) == nil, "a forged signature is valid")
    }
    if let presented = try? ACS3Signature.Presented(request, body: []) {
        precondition((try? presented.verify(request, body: [], secret: secret)) == nil, "a forged signature is valid")
    }
}

@Sendable func fuzzChunks(_ bytes: [UInt8]) {
    // The first byte is the size of the pieces in which the body arrives.
    guard let first = bytes.first else { return }
    var results: [[UInt8]?] = []
    for step in [max(1, Int(first)), .max] {
        var decoder = ChunkedPayloadDecoder(unsignedLength: 5, trailers: ["x-amz-checksum-crc32"])
        var payload: [UInt8]? = []
        var rest = bytes.dropFirst()
        while !rest.isEmpty, payload != nil {
            let piece = Array(rest.prefix(step))
            rest = rest.dropFirst(step)
            do {
                try piece.withUnsafeBytes { input in
                    try decoder.decode(input) { payload?.append(contentsOf: input[$0]) }
                }
            } catch {
                payload = nil
            }
        }
        results.append(payload)
    }
    precondition(results[0] == results[1], "the pieces change the body")
}

@Sendable func fuzzSAML(_ bytes: [UInt8]) {
    let verifier = SAMLResponseVerifier(issuer: "i", keys: [])
    precondition((try? verifier.verify(bytes)) == nil, "a response without a key is valid")
    _ = try? PresentedAssertion(parsing: bytes)
    let query = RawQuery(Substring(String(decoding: bytes, as: UTF8.self)))
    for kind in [SAMLRedirect.Kind.request, .response] { _ = try? SAMLRedirect(query, kind: kind, limit: 1 << 16) }
}

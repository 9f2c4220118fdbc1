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
            (try? presented.verify(request, payload: payload, path: rule, key: key)) == nil, "a forged signature is valid")
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
    let size = max(1, Int(first))
    let trailers: Set<String> = ["x-amz-checksum-crc32"]
    let unsigned = ChunkedPayloadDecoder(unsignedLength: 5, trailers: trailers)
    var decoders = [unsigned]
    if let chunked {
        let key = ScopedSigningKey(secret: secret, scope: chunked.scope)
        for payload in [PayloadHash.signedChunks, .signedChunksWithTrailer] {
            let decoder = ChunkedPayloadDecoder(payload, presented: chunked, key: key, decodedLength: 5, trailers: trailers)
            if let decoder { decoders.append(decoder) }
        }
    }
    for decoder in decoders {
        let whole = payload(of: bytes.dropFirst(), step: .max, decoder)
        precondition(whole == payload(of: bytes.dropFirst(), step: size, decoder), "the pieces change the body")
    }
}

/// Returns the payload of a body that arrives in pieces; `nil` if it is refused.
private func payload(of body: ArraySlice<UInt8>, step: Int, _ decoder: ChunkedPayloadDecoder) -> [UInt8]? {
    var decoder = decoder
    var payload: [UInt8] = []
    var rest = body
    do {
        while !rest.isEmpty {
            let piece = Array(rest.prefix(step))
            rest = rest.dropFirst(step)
            try piece.withUnsafeBytes { input in
                try decoder.decode(input) { payload.append(contentsOf: input[$0]) }
            }
        }
        _ = try decoder.finish()
    } catch {
        return nil
    }
    return payload
}

/// The signature of a request with signed chunks.
private let chunked: SignatureV4.Presented? = {
    let fields: HTTPFields = [
        .authorization: "AWS4-HMAC-SHA256 Credential=test/20261126/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, "
            + "Signature=" + String(repeating: "0", count: 64),
        .date: "Thu, 26 Nov 2026 01:02:03 GMT",
    ]
    return try? SignatureV4.Presented(
        SignableRequest(method: "PUT", target: "/box/a", authority: "localhost", fields: fields))
}()

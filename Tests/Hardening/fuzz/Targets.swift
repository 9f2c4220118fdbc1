/// A parser that must survive every input. It may also check a property of what it parsed, and traps if that does not hold.
typealias Target = @Sendable ([UInt8]) -> Void

/// The parsers by name.
let targets: [String: Target] = [
    "http": fuzzHTTP, "signature-v4": fuzzSignatureV4, "signature-v2": fuzzSignatureV2, "signature-oss": fuzzSignatureOSS,
    "signature-rpc": fuzzSignatureRPC, "json": fuzzJSON, "json5": fuzzJSON5, "seed": fuzzSeed, "xml": fuzzXML, "jws": fuzzJWS,
    "saml": fuzzSAML, "policy": fuzzPolicy, "range": fuzzRange, "form": fuzzForm, "multipart": fuzzMultipart, "chunks": fuzzChunks,
    "select": fuzzSelect, "post-policy": fuzzPostPolicy, "compression": fuzzCompression, "time": fuzzTime,
]

/// The parts of an input that NUL bytes separate.
func parts(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
}

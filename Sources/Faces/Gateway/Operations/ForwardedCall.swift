import Calls
import Federation
import HTTPTypes
import ServiceModels
import WireFormats

/// A call of a forwarded service while it is read and decided.
struct ForwardedCall: Sendable {
    let http: Call
    let service: ServiceModel
    /// The URL of the upstream.
    let upstream: String
    /// The protocol of the call; before it is read, the one in which the client expects an error.
    private(set) var wire: ServiceProtocol
    /// The body as received, which the signature covers.
    private(set) var received: [UInt8] = []
    /// The body as it is decided and forwarded: decompressed.
    private(set) var body: [UInt8] = []
    /// Whether ``body`` is decompressed.
    private(set) var isDecompressed = false
    private var recognized: RecognizedOperation?
    private var signs: CallSigns

    /// The maximum size in bytes of documents in JSON and CBOR. (DynamoDB API Reference, BatchWriteItem: 16 MB.)
    private static let longestDocument = 17 << 20
    /// The maximum size in bytes of forms. (SQS API Reference, SendMessage: 1 MiB, before it is encoded.)
    private static let longestForm = 4 << 20

    init(http: Call, service: ServiceModel, upstream: String) {
        self.http = http
        self.service = service
        self.upstream = upstream
        signs = CallSigns(
            method: http.method.rawValue, path: http.path, query: http.queryFields ?? [:], targets: http.headers[values: .amazonTarget],
            contentType: http.headers[.contentType] ?? "", smithyProtocol: http.headers[.smithyProtocol])
        wire = service.expectedProtocol(signs)
    }

    /// The operation; ``read(_:_:holding:)`` finds it.
    var operation: OperationModel {
        guard let recognized else { preconditionFailure("the call is not read yet") }
        return recognized.operation
    }

    /// The path that decides: that of REST in one spelling, or the one that names a queue.
    var decidedPath: String { recognized?.path ?? http.path }

    /// Reads the body, and finds the operation.
    /// - Parameters:
    ///   - form: the body, if the front door has already read it.
    ///   - held: is increased by the bytes that must be released.
    mutating func read(_ form: QueryForm?, _ rules: GatewayRules, holding held: inout Int) async throws {
        try checkHead()
        let limit = min(limit, rules.bodyLimit)
        if let form {
            guard form.bytes.count <= limit else { throw BodyTooLarge(limit: limit) }
            received = form.bytes
        } else {
            received = try await rules.budget.body(of: http, upTo: limit, holding: &held)
        }
        body = try decompressed(upTo: limit)
        if isDecompressed { try rules.budget.hold(body.count, for: http.sourceIP, &held) }
        if signs.contentType.lowercasedASCII.hasPrefix("application/x-www-form-urlencoded") {
            // Some readers also split forms at semicolons.
            guard let fields = FormFields(parsing: body), !body.contains(0x3B) else {
                throw Refusal.malformed("The form has an invalid escape or a semicolon.", in: wire)
            }
            signs.form = fields
        } else {
            signs.hasDocument = !body.isEmpty
        }
        do {
            let found = try service.recognize(signs)
            recognized = found
            wire = found.wireProtocol
        } catch {
            throw refusal(of: error)
        }
    }

    /// The maximum size of the body in the expected protocol.
    private var limit: Int {
        switch wire {
        case .json10, .json11, .cbor: Self.longestDocument
        case .query, .ec2: Self.longestForm
        case .restJSON, .restXML: .max
        }
    }

    /// Refuses a request whose parts could be read in several ways.
    private func checkHead() throws(Refusal) {
        for name in [HTTPField.Name.contentType, .contentEncoding, .smithyProtocol] where http.headers[values: name].count > 1 {
            throw .unknown("The header \(name.rawName) occurs twice.", in: wire)
        }
        guard http.queryFields != nil else { throw .malformed("The query has an invalid escape.", in: wire) }
        guard http.path.utf8.allSatisfy({ Self.isPlain($0) }), http.query.utf8.allSatisfy({ Self.isPlain($0) && $0 != 0x3B }) else {
            throw .unknown("The path or the query has a character that must be percent-encoded.", in: wire)
        }
    }

    /// Whether a byte can be in a path or query as it is. (RFC 3986 section 3.3 and 3.4.)
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x24...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
        default: false
        }
    }

    private mutating func decompressed(upTo limit: Int) throws -> [UInt8] {
        guard let coding = http.headers[.contentEncoding], !coding.isEmpty, coding.lowercasedASCII != "identity" else { return received }
        // SDKs compress long calls of CloudWatch. (Smithy, "requestCompression trait".)
        guard coding.lowercasedASCII == "gzip" else {
            throw Refusal.malformed("Virga reads no bodies in the encoding \(coding).", in: wire)
        }
        isDecompressed = true
        guard let body = received.gunzipped(upTo: limit) else {
            throw Refusal.malformed("The body is not in gzip, or has more than \(limit) bytes.", in: wire)
        }
        return body
    }

    private func refusal(of error: UnrecognizedCall) -> Refusal {
        switch error {
        case .noProtocol: .unknown("This is not a call of \(service.name) in a protocol that Virga knows.", in: wire)
        case .unknownOperation(let name?): .unknown("Virga does not know the operation \(service.name):\(name).", in: wire)
        case .unknownOperation(nil): .unknown("No operation of \(service.name) has this method and path.", in: wire)
        case .ambiguous(let reason): .unknown("\(reason) Virga does not forward a call that could be read in two ways.", in: wire)
        }
    }

    /// Returns the input of the call.
    func input() throws(Refusal) -> CallInput {
        let labels = recognized?.labels ?? [:]
        switch wire {
        case .query, .ec2:
            var form = signs.query
            form.fields += signs.form?.fields ?? []
            return CallInput(form: form, labels: labels)
        case .json10, .json11: return CallInput(document: try document(), labels: labels)
        case .cbor:
            guard let document = try? JSONValue(cbor: body), document.objectValue != nil else {
                throw .malformed("The body is not a map in CBOR, or names a member twice.", in: wire)
            }
            return CallInput(document: document)
        case .restJSON, .restXML:
            let hasDocument = !operation.hasOpaqueBody && !body.isEmpty
            return CallInput(
                document: hasDocument ? try document() : .null, labels: labels, repeated: recognized?.repeated ?? [:])
        }
    }

    /// Returns the body as JSON. Upstreams take an empty body for an empty object.
    private func document() throws(Refusal) -> JSONValue {
        if body.isEmpty { return .object(JSONObject()) }
        guard let document = try? JSONValue(parsing: body), document.objectValue != nil else {
            throw .malformed("The body is not a JSON object, or names a member twice.", in: wire)
        }
        return document
    }
}

extension HTTPField.Name {
    /// Service and operation of a call in JSON.
    static let amazonTarget = HTTPField.Name(literal: "x-amz-target")
    /// The protocol of a call in CBOR. (Smithy, "RPC v2 CBOR protocol".)
    static let smithyProtocol = HTTPField.Name(literal: "smithy-protocol")
}

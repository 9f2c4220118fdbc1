import Cloud
import Exchange
import Tokens
import WireFormats

/// A message of SAML's protocols as a browser brought it (SAML 2.0 Bindings sections 3.4 and 3.5); nothing in it is verified.
struct ReceivedMessage {
    enum Kind: String {
        case request = "SAMLRequest"
        case response = "SAMLResponse"
    }

    var kind: Kind
    var binding: SAMLBinding
    var document: XMLElement
    var relayState: String?
    /// The query's own signature.
    var querySignature: QuerySignature?

    /// (SAML 2.0 Bindings section 3.4.4.1.)
    struct QuerySignature {
        /// The algorithm's identifier.
        var algorithm: String
        var value: [UInt8]
        /// The parameters as they were sent, without the signature.
        var octets: String
    }

    /// Bytes that a message may have once it is inflated.
    static let limit = 1 << 18

    /// Names of the parameters that ``parameters(of:)`` makes.
    private static let binding = "binding"
    private static let octets = "octets"

    /// The message's parameters, and what else must be known to read them later: the binding, and the query as it was sent.
    ///
    /// - Throws: `FaultPage`, or the connection's error.
    static func parameters(of visit: Visit) async throws -> FormFields {
        var parameters: FormFields = [:]
        let sent: FormFields
        let names = [Kind.request.rawValue, Kind.response.rawValue, "RelayState", "SigAlg", "Signature", "SAMLEncoding"]
        do {
            if visit.exchange.method == .post {
                sent = try await visit.form()
                parameters.fields.append(.init(name: binding, value: SAMLBinding.post.rawValue))
            } else {
                sent = try visit.query()
                parameters.fields.append(.init(name: binding, value: SAMLBinding.redirect.rawValue))
                parameters.fields.append(.init(name: octets, value: signedOctets(of: visit.exchange.query)))
            }
        } catch {
            throw FaultPage(code: "invalid_request", explanation: error.explanation)
        }
        for name in names {
            let values = sent.all(named: name)
            guard values.count <= 1 else { throw FaultPage(code: "invalid_request", explanation: "The parameter \(name) is repeated.") }
            parameters.fields += values.map { .init(name: name, value: $0) }
        }
        return parameters
    }

    /// What a query's signature covers: message, relay state and algorithm in this order, each as it was sent.
    private static func signedOctets(of query: String) -> String {
        let items = RawQuery(query).items
        return [[Kind.request.rawValue, Kind.response.rawValue], ["RelayState"], ["SigAlg"]].compactMap { names in
            items.first { names.contains(String($0.name)) }.map { "\($0.name)=\($0.value ?? "")" }
        }.joined(separator: "&")
    }

    /// Reads what ``parameters(of:)`` made.
    /// - Throws: `FaultPage` for what is no such message.
    init(_ parameters: FormFields) throws(FaultPage) {
        guard let binding = parameters[Self.binding].flatMap(SAMLBinding.init) else { throw Self.malformed }
        self.binding = binding
        switch (parameters[Kind.request.rawValue], parameters[Kind.response.rawValue]) {
        case (let text?, nil):
            kind = .request
            document = try Self.document(text, binding)
        case (nil, let text?):
            kind = .response
            document = try Self.document(text, binding)
        default:
            throw FaultPage(code: "invalid_request", explanation: "There must be a SAMLRequest or a SAMLResponse, and not both.")
        }
        relayState = parameters["RelayState"]
        guard binding == .redirect else { return }
        if let encoding = parameters["SAMLEncoding"], encoding != "urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE" {
            throw FaultPage(code: "invalid_request", explanation: "The SAMLEncoding is unknown.")
        }
        guard let signature = parameters["Signature"] else { return }
        guard let algorithm = parameters["SigAlg"], let value = [UInt8](base64: signature.filter { !$0.isWhitespace }) else {
            throw FaultPage(code: "invalid_request", explanation: "The signature of the query is not complete.")
        }
        querySignature = QuerySignature(algorithm: algorithm, value: value, octets: parameters[Self.octets] ?? "")
    }

    private static let malformed = FaultPage(
        code: "invalid_request", explanation: "The message could not be read: it must be XML in base 64, deflated where it is in the URL.")

    private static func document(_ text: String, _ binding: SAMLBinding) throws(FaultPage) -> XMLElement {
        guard var bytes = [UInt8](base64: text.filter { !$0.isWhitespace }) else { throw malformed }
        do {
            if binding == .redirect { bytes = try Deflate.inflate(bytes, upTo: limit) }
            return try XMLElement(parsing: bytes)
        } catch {
            throw malformed
        }
    }
}

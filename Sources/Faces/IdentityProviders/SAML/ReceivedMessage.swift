import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import Tokens
import WireFormats

/// A SAML protocol message received through the browser (SAML 2.0 Bindings sections 3.4 and 3.5), not verified.
struct ReceivedMessage {
    let kind: SAMLRedirect.Kind
    let document: XMLElement
    let relayState: String?
    /// The query that contained the message; `nil` for a form.
    private let redirect: SAMLRedirect?

    /// The limits of a message.
    private static let limits = XMLLimits(elements: 2048, size: 1 << 17)

    private static let query = "query"

    /// Returns the parameters from which the message can be read now or later. A query is kept as received, because the signature covers
    /// that form.
    /// - Throws: `FaultPage`, or the connection's error.
    static func parameters(of visit: Visit) async throws -> FormFields {
        guard visit.call.method == .post else { return [query: visit.call.query] }
        let form: FormFields
        do {
            form = try await visit.form()
        } catch let fault as FormFault {
            throw FaultPage(code: "invalid_request", explanation: fault.explanation)
        }
        if let name = form.repeatedName {
            throw FaultPage(code: "invalid_request", explanation: "The parameter \(name) is repeated.")
        }
        let names = [SAMLRedirect.Kind.request.rawValue, SAMLRedirect.Kind.response.rawValue, "RelayState", Visit.again]
        var parameters: FormFields = [:]
        parameters.fields = form.fields.filter { names.contains($0.name) }
        return parameters
    }

    /// Reads a message from ``parameters(of:)``.
    /// - Throws: `FaultPage` for an invalid message.
    init(_ parameters: FormFields) throws(FaultPage) {
        let fields = parameters[Self.query].map { FormFields(parsing: $0) ?? [:] } ?? parameters
        switch (fields[SAMLRedirect.Kind.request.rawValue], fields[SAMLRedirect.Kind.response.rawValue]) {
        case (_?, nil): kind = .request
        case (nil, _?): kind = .response
        default:
            throw FaultPage(code: "invalid_request", explanation: "There must be a SAMLRequest or a SAMLResponse, and not both.")
        }
        let received: [UInt8]?
        if let query = parameters[Self.query] {
            redirect = try? SAMLRedirect(RawQuery(query[...]), kind: kind, limit: Self.limits.size)
            relayState = redirect?.relayState
            received = redirect?.message
        } else {
            redirect = nil
            relayState = fields["RelayState"]
            received = fields[kind.rawValue].flatMap { [UInt8](base64: $0.filter { !$0.isWhitespace }) }
        }
        guard let bytes = received, let document = try? XMLElement(parsing: bytes, limits: Self.limits) else {
            throw FaultPage(
                code: "invalid_request",
                explanation: "The message could not be read: it must be XML in base 64, deflated where it is in the URL.")
        }
        self.document = document
    }

    /// The binding of the message.
    var binding: SAML.Binding { redirect == nil ? .httpPOST : .httpRedirect }

    /// Returns whether the sender signed the message, in the way of its binding.
    /// - Throws: `FaultPage` for an invalid signature.
    func isSigned(by sender: ServiceProvider) throws(FaultPage) -> Bool {
        let keys = sender.signingCertificates.compactMap { text -> VerificationKey? in
            guard let bytes = [UInt8](base64: text), let certificate = try? X509Certificate(der: bytes) else { return nil }
            return VerificationKey(certificate)
        }
        do {
            if let redirect {
                try redirect.verify(with: keys)
            } else {
                _ = try XMLSignatureVerifier(keys: keys).verify(document)
            }
            return true
        } catch SAMLRedirect.Failure.unsigned {
            return false
        } catch XMLSignatureError.unsigned {
            return false
        } catch {
            guard !keys.isEmpty else {
                throw FaultPage(
                    code: "invalid_signature",
                    explanation: "The message is signed, and no certificate of \(sender.name) is registered to verify the signature with.")
            }
            throw FaultPage(
                code: "invalid_signature",
                explanation: "The message's signature is not that of \(sender.name), or its algorithm is not accepted.")
        }
    }
}

import HTTPTypes
package import WireFormats

/// Why a request's parameters could not be read.
package enum FormFault: Error, Equatable, Sendable {
    case notPosted
    case otherContentType
    case malformed
    case tooLarge
    /// The connection ended before the content did.
    case cutOff

    /// What is wrong, for people.
    package var explanation: String {
        switch self {
        case .notPosted: "The endpoint takes POST requests."
        case .otherContentType: "The body must be application/x-www-form-urlencoded."
        case .malformed: "The parameters are not well-formed."
        case .tooLarge: "The body is too long."
        case .cutOff: "The body ends early."
        }
    }
}

extension Call {
    /// The fields of a POST request's body.
    /// - Parameter limit: bytes that the body may have.
    /// - Throws: ``FormFault``, or the connection's error.
    package func form(upTo limit: Int = 1 << 16) async throws -> FormFields {
        guard let fields = FormFields(parsing: try await formBytes(upTo: limit)) else { throw FormFault.malformed }
        return fields
    }

    /// The body of a POST request that is a form, as it was sent.
    /// - Throws: ``FormFault``, or the connection's error.
    package func formText(upTo limit: Int = 1 << 16) async throws -> String {
        guard let text = String(validating: try await formBytes(upTo: limit), as: UTF8.self) else { throw FormFault.malformed }
        return text
    }

    private func formBytes(upTo limit: Int) async throws -> [UInt8] {
        guard method == .post else { throw FormFault.notPosted }
        guard isForm(headers.value(of: .contentType) ?? "") else { throw FormFault.otherContentType }
        do {
            return try await collectBody(upTo: limit)
        } catch is BodyTooLarge {
            throw FormFault.tooLarge
        } catch is ContentCutOff {
            throw FormFault.cutOff
        }
    }
}

/// Whether a content type is that of a form, whatever its parameters; byte by byte, since every token request passes here.
private func isForm(_ type: String) -> Bool {
    type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }.lazy.filter { $0 != UInt8(ascii: " ") }
        .elementsEqual("application/x-www-form-urlencoded".utf8) { (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0) == $1 }
}

import HTTPTypes
package import WireFormats

/// The reason why a request's form could not be read.
package enum FormFault: Error, Equatable, Sendable {
    case notPosted
    case otherContentType
    case malformed
    case tooLarge
    /// The connection closed before the end of the body.
    case cutOff

    /// A readable description of the error.
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
    /// Returns the fields of a POST request's form.
    /// - Parameter limit: the accepted size in bytes.
    /// - Throws: ``FormFault``, or the connection's error.
    package func form(upTo limit: Int = 1 << 16) async throws -> FormFields {
        guard let fields = FormFields(parsing: try await formBytes(upTo: limit)) else { throw FormFault.malformed }
        return fields
    }

    /// Returns the form of a POST request as it was sent.
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

/// Returns whether a content type is that of a form, with any parameters. Compares bytes, since every token request calls it.
private func isForm(_ type: String) -> Bool {
    type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }.lazy.filter { $0 != UInt8(ascii: " ") }
        .elementsEqual("application/x-www-form-urlencoded".utf8) { (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0) == $1 }
}

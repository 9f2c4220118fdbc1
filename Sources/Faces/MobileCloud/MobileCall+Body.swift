import Calls
import HTTPTypes
import WireFormats

extension MobileCall {
    /// Returns the JSON value of the request body; an empty body is null.
    /// - Parameter limit: the largest body that is accepted, in bytes.
    /// - Throws: ``MobileError``, `BodyTooLarge`, or the connection's error.
    func json(upTo limit: Int) async throws -> JSONValue {
        if let type = http.headers.value(of: .contentType) {
            let name = type.prefix { $0 != ";" }.lowercased().trimmedOfBlanks
            guard name == "application/json" || name.hasSuffix("+json") else {
                throw MobileError(.unsupportedMediaType, "The body must be application/json, not \(name).")
            }
        }
        let bytes = try await http.collectBody(upTo: limit)
        if bytes.isEmpty { return .null }
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw MobileError(.malformedRequest, "The body must be JSON: \(error).")
        }
    }
}

extension StringProtocol {
    /// The text without leading and trailing blanks.
    var trimmedOfBlanks: Substring {
        var text = Substring(self)
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

import Calls
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension HostedVisit {
    /// Returns the client that sent a form, by Basic credentials or by fields (RFC 6749 section 2.3.1).
    func client(sending form: FormFields) throws(HostedTokenError) -> UserPoolClient {
        var (id, presented) = (form.value("client_id"), form.value("client_secret"))
        if let header = call.headers.value(of: .authorization) {
            guard let basic = Self.basic(header), id == nil || id == basic.id else { throw .invalidClient }
            guard presented == nil else { throw .invalidRequest("The client sent its secret twice.") }
            (id, presented) = (basic.id, basic.secret.isEmpty ? nil : basic.secret)
        }
        guard id != nil else { throw .invalidRequest("client_id is missing.") }
        guard let client = client(id) else { throw .invalidClient }
        guard let expected = client.secret else {
            guard presented == nil else { throw .invalidClient }
            return client
        }
        guard let secret = presented, constantTimeEquals(expected, secret) else { throw .invalidClient }
        return client
    }

    private static func basic(_ header: String) -> (id: String, secret: String)? {
        let parts = header.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = [UInt8](base64: String(parts[1])),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return (
            String(decoding: bytes[..<colon], as: UTF8.self), String(decoding: bytes[bytes.index(after: colon)...], as: UTF8.self)
        )
    }
}

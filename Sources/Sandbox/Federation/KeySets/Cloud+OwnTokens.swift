package import Cloud
package import Tokens
import WireFormats

extension Cloud {
    /// Returns a token that an issuer of this sandbox signed with a key that it still publishes; `nil` for another text. Its claims are not
    /// checked.
    /// - Throws: an error of the keys' storage.
    package func token(
        _ text: String, signedBy issuer: String, accepting algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.asymmetric
    ) async throws -> JSONWebToken? {
        guard let token = try? JSONWebToken(parsing: text, accepting: algorithms), let keyID = token.keyID,
            let key = try await verificationKey(keyID, of: issuer), (try? token.verify(with: key)) != nil
        else { return nil }
        return token
    }
}

import Cloud
import Directory
import Tokens
import WireFormats

extension Visit {
    /// Returns the live grant of an access token. A signed token is valid only while the provider still has its key, because others can no
    /// longer verify it afterwards.
    func grant(ofAccessToken token: String) async throws -> Grant? {
        guard let grant = try cloud.grants.find(token, kind: .accessToken, at: provider.name) else { return nil }
        // Opaque tokens do not have the two periods of a JWT. A JWT that cannot be parsed has no key.
        guard token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 else { return grant }
        guard let keyID = (try? JSONWebToken(parsing: token))?.keyID else { return nil }
        return try await cloud.verificationKey(keyID, of: provider.name) == nil ? nil : grant
    }
}

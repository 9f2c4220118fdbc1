import Cloud
import Directory
import Tokens

extension Visit {
    /// The live grant of an access token. One that is signed counts for no longer than the provider has the key that it names: to whoever
    /// checks the signature it is worth nothing by then.
    func grant(ofAccessToken token: String) async throws -> Grant? {
        guard let grant = try cloud.grants.find(token, kind: .accessToken, at: provider.name) else { return nil }
        // An opaque token is none that could be parsed.
        guard let keyID = (try? JSONWebToken(parsing: token))?.keyID else { return grant }
        return try await cloud.verificationKey(keyID, of: provider.name) == nil ? nil : grant
    }
}

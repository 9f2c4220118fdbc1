import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// The token issuers that are registered with their certificates. (Using Oracle Mobile Cloud Service, "Keys & Certificates".)
struct RegisteredIssuers {
    let call: MobileCall

    /// Returns the issuer that a token names. Every spelling of the name of one of our own issuers is accepted.
    func issuer(_ name: String) throws(ExternalTokenError) -> SAMLTokenIssuer {
        let registered = call.mobile.environment.samlIssuers
        let issuer = registered.first { $0.name == name } ?? registered.first { isSameProvider($0.name, name) }
        guard let issuer else { throw .notConfigured(name) }
        guard issuer.isEnabled else { throw ExternalTokenError("Issuer \(name) is disabled.") }
        return issuer
    }

    /// Returns whether two names identify the same provider of ours, as a token issuer or a SAML entity.
    private func isSameProvider(_ one: String, _ other: String) -> Bool {
        guard let provider = provider(one) else { return false }
        return self.provider(other)?.name == provider.name
    }

    private func provider(_ name: String) -> IdentityProvider? {
        let base = name.hasSuffix(SAMLPaths.metadata) ? String(name.dropLast(SAMLPaths.metadata.count)) : name
        return call.cloud.directory.provider(issuer: base, names: call.http.names)
    }

    /// - Parameter name: the issuer's name as the token spells it.
    func keys(of issuer: SAMLTokenIssuer, token name: String) async throws -> [VerificationKey] {
        let reload = call.relay.configuration(for: name, call).certificatesReload
        do {
            return try await call.relay.certificates.keys(of: issuer.certificateSubjectNames, reload: reload, call)
        } catch let error as KeyNotFound {
            throw ExternalTokenError.noKey(name, error.reason)
        }
    }
}

import Directory
package import WireFormats

/// What `POST /credentials` returns: how a client finds the credentials of a source. Further members depend on the kind.
package struct CredentialOfferMembers: DeclaredMembers {
    package var (kind, name) = (choice("kind", CredentialSources.Kind.allCases.map(\.rawValue)), text("name"))
    package var (role, path, authorizationToken) = (text("role").omitted, text("path").omitted, text("authorizationToken").omitted)
    package var (token, lifetime) = (text("token").omitted, integer("expires_in").omitted)
    /// Of a job: the service, and claims and variables by their names.
    package var service = text("service").omitted
    package var claims = anything("claims").described(by: Schemas.anyObject).omitted
    package var variables = anything("variables").described(by: Schemas.anyObject).omitted
    /// Of a client of IAM Roles Anywhere.
    package var (certificate, privateKey) = (text("certificate").omitted, text("privateKey").omitted)
    package var (trustAnchor, profile) = (text("trustAnchorArn").omitted, text("profileArn").omitted)
    package var region = text("region").omitted
    /// Of a login with `aws login`: the ARN of the identity, and the cache file.
    package var (session, cache) = (text("session").omitted, anything("cache").described(by: Schemas.anyObject).omitted)
    /// Of a login with `aws sso login`: the texts of files by their paths.
    package var files = anything("files").described(by: Schemas.anyObject).omitted
}

/// What `POST /certificates` returns.
package struct IssuedCertificateMembers: DeclaredMembers {
    package var (trustAnchor, trustAnchorARN, serial) = (text("trustAnchor"), text("trustAnchorArn"), text("serial"))
    package var (lifetime, certificate, privateKey) = (integer("expires_in"), text("certificate"), text("privateKey"))
}

/// What `POST /certificates/revoke` returns.
package struct RevokedCertificatesMembers: DeclaredMembers {
    package var (trustAnchor, revoked) = (text("trustAnchor"), texts("revoked"))
}

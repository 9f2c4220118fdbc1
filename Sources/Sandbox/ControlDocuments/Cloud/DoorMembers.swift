import Directory

/// What `GET /credentials` returns.
package struct DoorListMembers: DeclaredMembers { package var doors = list(of: DoorMembers.self, "doors") }

/// A place where a client finds credentials.
package struct DoorMembers: DeclaredMembers {
    package var (kind, name) = (choice("kind", CredentialSources.Kind.allCases.map(\.rawValue)), text("name"))
    /// The path is `null` for tokens that are in variables or files.
    package var path = text("path").orNull
    /// The service or issuer that the trust policy must name, and the ARN of the role.
    package var (trusted, role) = (text("trusted"), text("role").orNull)
}

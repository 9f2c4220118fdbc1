/// What `GET /providers/{name}/sessions` returns.
package struct LoginListMembers: DeclaredMembers { package var sessions = list(of: LoginMembers.self, "sessions") }

/// A browser session at an identity provider.
package struct LoginMembers: DeclaredMembers {
    package var (id, person, issued, expires) = (text("id"), text("person"), date("issued"), date("expires"))
    /// The clients and the SAML service providers that the person signed on to.
    package var (clients, serviceProviders) = (texts("clients"), texts("serviceProviders"))
}

/// What `DELETE /providers/{name}/sessions` returns.
package struct EndedLoginsMembers: DeclaredMembers { package var (status, ended) = (choice("status", ["ok"]), integer("ended")) }

/// What `GET /providers/{name}/people/{id}/subjects` returns.
package struct SubjectListMembers: DeclaredMembers { package var subjects = list(of: SubjectMembers.self, "subjects") }

/// The identifier by which a client knows a person.
package struct SubjectMembers: DeclaredMembers { package var (client, subject) = (text("client"), text("subject")) }

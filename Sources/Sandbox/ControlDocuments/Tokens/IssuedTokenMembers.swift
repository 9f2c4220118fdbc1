/// A token that `POST /tokens` issued.
package struct IssuedTokenMembers: DeclaredMembers {
    package var (token, type, subject, client) = (text("token"), text("type"), text("subject"), text("client"))
    /// The seconds until it expires.
    package var lifetime = integer("expires_in")
}

/// A SAML response that `POST /tokens` issued.
package struct IssuedAssertionMembers: DeclaredMembers {
    package var (subject, serviceProvider) = (text("subject"), text("serviceProvider"))
    package var (consumer, lifetime) = (text("assertionConsumerService"), integer("expires_in"))
    /// The response, and the query string of the redirect binding.
    package var (response, query) = (text("SAMLResponse"), text("query").omitted)
}

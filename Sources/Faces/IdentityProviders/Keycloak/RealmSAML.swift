/// The SAML endpoints of a realm. One endpoint receives all messages. (Keycloak, "Securing applications and services guide", "SAML".)
enum RealmSAML {
    /// The path of the endpoint, relative to the realm.
    static let endpoint = "/protocol/saml"
    /// The path of the metadata document.
    static let descriptor = "/protocol/saml/descriptor"
    /// All paths.
    static let paths = [endpoint, descriptor]

    /// Returns the URLs for sign-on and logout in the metadata of a realm.
    static func locations(below realm: String) -> (signOn: String, logout: String) { (realm + endpoint, realm + endpoint) }
}

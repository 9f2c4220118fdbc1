import Directory
import WireFormats

/// The AWS attributes of an assertion: roles, session settings, and condition keys of trust policies.
/// (IAM User Guide, "Configure SAML assertions for the authentication response".)
struct SAMLSessionAttributes {
    private static let prefix = "https://aws.amazon.com/SAML/Attributes/"

    private let assertion: SAMLAssertion

    init(_ assertion: SAMLAssertion) {
        self.assertion = assertion
    }

    /// Returns whether a value of `Role` contains the pair of role and provider, in either order.
    func names(role: String, of provider: String) -> Bool {
        assertion.values(of: Self.prefix + "Role").contains { value in
            let pair = value.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
            // `==` of lists would compare by canonical equivalence.
            return pair.count == 2 && (pair[0] == role && pair[1] == provider || pair[0] == provider && pair[1] == role)
        }
    }

    /// Returns the roles in the values of `Role` that contain a pair of a role and the provider, in either order.
    func roles(of provider: String) -> [String] {
        assertion.values(of: Self.prefix + "Role").compactMap { value in
            let pair = value.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
            guard pair.count == 2 else { return nil }
            if pair[0] == provider { return pair[1] }
            return pair[1] == provider ? pair[0] : nil
        }
    }

    /// Returns the attribute `RoleSessionName`.
    func sessionName() throws(SAMLIdentityError) -> String {
        let values = assertion.values(of: Self.prefix + "RoleSessionName")
        guard let name = values.first else { throw .noSessionName }
        guard values.count == 1, SessionRequests.isName(name) else { throw .malformedSessionName }
        return name
    }

    /// Returns the attribute `SessionDuration`, in seconds.
    func sessionDuration() throws(SAMLIdentityError) -> Int? {
        guard let text = assertion.values(of: Self.prefix + "SessionDuration").first else { return nil }
        guard let seconds = Int(digits: Self.trimmed(text[...])), (900...43_200).contains(seconds) else { throw .malformedDuration }
        return seconds
    }

    /// Returns the attributes `PrincipalTag:…`, `TransitiveTagKeys` and `SourceIdentity`.
    func requests() throws(SAMLIdentityError) -> SessionRequests {
        var requests = SessionRequests()
        let tag = Self.prefix + "PrincipalTag:"
        let tags = assertion.attributes.filter { $0.name.hasPrefix(tag) }
        guard tags.allSatisfy({ $0.values.count == 1 }) else { throw .malformedTags("A session tag must have one value.") }
        do {
            for attribute in tags {
                try requests.add(.init(key: String(attribute.name.dropFirst(tag.count)), values: attribute.values))
            }
            requests.transitiveTagKeys = assertion.values(of: Self.prefix + "TransitiveTagKeys")
            try requests.checkTransitiveTagKeys()
        } catch {
            guard case .malformedSessionClaim(let message) = error else { throw .malformedTags("The session tags are invalid.") }
            throw .malformedTags(message)
        }
        let sources = assertion.values(of: Self.prefix + "SourceIdentity")
        if let source = sources.first {
            guard sources.count == 1, SessionRequests.isName(source), !source.lowercased().hasPrefix("aws:") else {
                throw .malformedSourceIdentity
            }
            requests.sourceIdentity = source
        }
        return requests
    }

    /// The `saml:…` condition keys of the eduPerson, eduOrg, Active Directory and X.500 attributes that AWS supports. If several attributes
    /// have the same key, the first one counts.
    var conditionKeys: [SessionCredentials.Claim] {
        var keys: [SessionCredentials.Claim] = []
        for attribute in assertion.attributes {
            guard let key = Self.keys[attribute.name], let first = attribute.values.first,
                !keys.contains(where: { $0.key == "saml:" + key.name })
            else { continue }
            keys.append(.init(key: "saml:" + key.name, values: key.isList ? attribute.values : [first]))
        }
        return keys
    }

    /// Returns whether a condition key is always a list, even with one value.
    static func isList(_ key: String) -> Bool { lists.contains(key) }

    private static let lists = Set(keys.values.filter(\.isList).map { "saml:" + $0.name })

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The condition keys by attribute name, as the tables of the user guide spell them. (Section "Mapping SAML attributes to AWS trust
    /// policy context keys".)
    private static let keys: [String: (name: String, isList: Bool)] = [
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.1": ("eduPersonAffiliation", true),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.2": ("eduPersonNickname", true),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.3": ("eduPersonOrgDN", false),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.4": ("eduPersonOrgUnitDN", true),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.5": ("eduPersonPrimaryAffiliation", false),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.6": ("eduPersonPrincipalName", false),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.7": ("eduPersonEntitlement", true),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.8": ("eduPersonPrimaryOrgUnitDN", false),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.9": ("eduPersonScopedAffiliation", true),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.10": ("eduPersonTargetedID", true),
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.11": ("eduPersonAssurance", true),
        "urn:oid:1.3.6.1.4.1.5923.1.2.1.2": ("eduOrgHomePageURI", true),
        "urn:oid:1.3.6.1.4.1.5923.1.2.1.3": ("eduOrgIdentityAuthNPolicyURI", true),
        "urn:oid:1.3.6.1.4.1.5923.1.2.1.4": ("eduOrgLegalName", true),
        "urn:oid:1.3.6.1.4.1.5923.1.2.1.5": ("eduOrgSuperiorURI", true),
        "urn:oid:1.3.6.1.4.1.5923.1.2.1.6": ("eduOrgWhitePagesURI", true),
        "urn:oid:2.5.4.3": ("cn", true),
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name": ("name", false),
        "http://schemas.xmlsoap.org/claims/CommonName": ("commonName", false),
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname": ("givenName", false),
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname": ("surname", false),
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress": ("mail", false),
        "http://schemas.microsoft.com/ws/2008/06/identity/claims/primarygroupsid": ("uid", false),
        "2.5.4.3": ("commonName", false),
        "2.5.4.4": ("surname", false),
        "2.4.5.42": ("givenName", false),
        "2.5.4.45": ("x500UniqueIdentifier", false),
        "0.9.2342.19200300100.1.1": ("uid", false),
        "0.9.2342.19200300100.1.3": ("mail", false),
        "0.9.2342.19200300.100.1.45": ("organizationStatus", false),
    ]
}

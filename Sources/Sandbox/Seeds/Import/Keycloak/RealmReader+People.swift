import Directory
import WireFormats

extension RealmReader {
    /// Converts the users. Those of service accounts are kept for their clients.
    mutating func convertedPeople(_ realm: JSONObject) -> [JSONValue] {
        var converted: [JSONValue] = []
        var names: Set<TextKey> = []
        var identifiers: Set<TextKey> = []
        for user in Self.objects(realm["users"]) {
            guard let userName = user["username"]?.stringValue?.lowercased(), !userName.isEmpty else {
                lose("a user without a username")
                continue
            }
            let owner = "user \(userName)"
            if let client = user["serviceAccountClientId"]?.stringValue {
                serviceAccounts[client] = account(user, owner)
                continue
            }
            guard names.insert(TextKey(userName)).inserted else {
                lose("\(owner): a second user of this name")
                continue
            }
            var id = user["id"]?.stringValue ?? ""
            if id.isEmpty || !identifiers.insert(TextKey(id)).inserted {
                id = KeycloakIdentifier.derived(from: "user", name, userName)
                identifiers.insert(TextKey(id))
            }
            var person: JSONObject = ["name": .string(userName), "subject": .string(id)]
            if user["enabled"]?.boolValue == false { person["enabled"] = false }
            var state = account(user, owner)
            setPassword(of: &person, &state, user, owner)
            person["claims"] = .object(claims(user, userName))
            person["keycloak"] = .object(state)
            converted.append(.object(person))
            reportLinks(of: user, owner)
        }
        return converted
    }

    private mutating func account(_ user: JSONObject, _ owner: String) -> JSONObject {
        var account = JSONObject()
        let attributes = Self.attributes(user["attributes"])
        if !attributes.isEmpty { account["attributes"] = .object(attributes) }
        var paths: [JSONValue] = []
        for text in Self.texts(user["groups"]) {
            let path = text.hasPrefix("/") ? text : "/\(text)"
            guard groupPaths.contains(TextKey(path)) else {
                lose("\(owner): group \(path), which the file does not have")
                continue
            }
            if !paths.contains(.string(path)) { paths.append(.string(path)) }
        }
        if !paths.isEmpty { account["groups"] = .array(paths) }
        setRoles(&account, user["realmRoles"], user["clientRoles"], owner)
        let actions = Self.texts(user["requiredActions"])
        if !actions.isEmpty { account["requiredActions"] = .array(actions.map { .string($0) }) }
        return account
    }

    /// The claims of Keycloak's scopes `profile`, `email` and `phone` that are attributes of users.
    private static let claimsOfAttributes = [
        ("nickname", "nickname"), ("middleName", "middle_name"), ("picture", "picture"), ("website", "website"), ("gender", "gender"),
        ("birthdate", "birthdate"), ("zoneinfo", "zoneinfo"), ("locale", "locale"), ("profile", "profile"),
        ("phoneNumber", "phone_number"),
    ]

    /// The members of the claim `address` by the attributes of users.
    private static let addressOfAttributes = [
        ("formatted", "formatted"), ("street", "street_address"), ("locality", "locality"), ("region", "region"),
        ("postal_code", "postal_code"), ("country", "country"),
    ]

    /// The claims that follow from the members and attributes of a user.
    static var claimsOfUsers: [String] {
        ["preferred_username", "name", "given_name", "family_name", "email", "email_verified", "phone_number_verified", "address"]
            + claimsOfAttributes.map(\.1)
    }

    private func claims(_ user: JSONObject, _ userName: String) -> JSONObject {
        var claims: JSONObject = ["preferred_username": .string(userName)]
        let (first, last) = (user["firstName"]?.stringValue ?? "", user["lastName"]?.stringValue ?? "")
        let full = [first, last].filter { !$0.isEmpty }.joined(separator: " ")
        if !full.isEmpty { claims["name"] = .string(full) }
        if !first.isEmpty { claims["given_name"] = .string(first) }
        if !last.isEmpty { claims["family_name"] = .string(last) }
        if let mail = user["email"]?.stringValue, !mail.isEmpty {
            claims["email"] = .string(mail)
            claims["email_verified"] = .bool(user["emailVerified"]?.boolValue ?? false)
        }
        let attributes = Self.attributes(user["attributes"])
        func value(_ attribute: String) -> JSONValue? { attributes[attribute]?.arrayValue?.first }
        for (attribute, claim) in Self.claimsOfAttributes { claims[claim] = value(attribute) }
        if let verified = value("phoneNumberVerified")?.stringValue { claims["phone_number_verified"] = .bool(verified == "true") }
        var address = JSONObject()
        for (attribute, member) in Self.addressOfAttributes { address[member] = value(attribute) }
        if !address.isEmpty { claims["address"] = .object(address) }
        return claims
    }

    private mutating func reportLinks(of user: JSONObject, _ owner: String) {
        for link in Self.objects(user["federatedIdentities"]) {
            lose("\(owner): the link to identity provider \(link["identityProvider"]?.stringValue ?? "?")")
        }
        if let link = user["federationLink"]?.stringValue { lose("\(owner): the link to user federation \(link)") }
        for consent in Self.objects(user["clientConsents"]) {
            lose("\(owner): the consent for client \(consent["clientId"]?.stringValue ?? "?")")
        }
    }

    /// Sets the password or its hash from the credentials.
    private mutating func setPassword(
        of person: inout JSONObject, _ account: inout JSONObject, _ user: JSONObject, _ owner: String
    ) {
        for credential in Self.objects(user["credentials"]) {
            let type = credential["type"]?.stringValue ?? "password"
            guard type == "password" else {
                lose("\(owner): the credential of type \(type)")
                continue
            }
            guard person["password"] == nil, person["passwordHash"] == nil else {
                lose("\(owner): a second password")
                continue
            }
            if let value = credential["value"]?.stringValue, !value.isEmpty {
                person["password"] = .string(value)
            } else if let hash = hash(credential, owner) {
                person["passwordHash"] = .object(hash)
            }
            if credential["temporary"]?.boolValue == true {
                let actions = account["requiredActions"]?.arrayValue ?? []
                if !actions.contains("UPDATE_PASSWORD") { account["requiredActions"] = .array(actions + ["UPDATE_PASSWORD"]) }
            }
        }
    }

    /// Converts a hash: its parameters are texts with JSON since Keycloak 8, and members before.
    private mutating func hash(_ credential: JSONObject, _ owner: String) -> JSONObject? {
        func parsed(_ name: String) -> JSONObject? {
            credential[name]?.objectValue ?? credential[name]?.stringValue.flatMap { try? JSONValue(parsing: $0) }?.objectValue
        }
        let (secret, data) = (parsed("secretData"), parsed("credentialData"))
        let algorithm = (data?["algorithm"] ?? credential["algorithm"])?.stringValue ?? "pbkdf2-sha256"
        guard PasswordHash.Algorithm(rawValue: algorithm) != nil else {
            lose("\(owner): the password, since its hash is \(algorithm); hashes are verified if they are pbkdf2, -sha256 or -sha512")
            return nil
        }
        let value = (secret?["value"] ?? credential["hashedSaltedValue"])?.stringValue ?? ""
        let salt = (secret?["salt"] ?? credential["salt"])?.stringValue ?? ""
        let iterations = (data?["hashIterations"] ?? credential["hashIterations"])?.integerValue ?? 0
        guard let bytes = [UInt8](base64: value), PasswordHash.lengths.contains(bytes.count), [UInt8](base64: salt)?.isEmpty == false,
            PasswordHash.iterations.contains(Int(clamping: iterations))
        else {
            lose("\(owner): the password, since its hash is incomplete, longer than 64 bytes, or has more than 600000 iterations")
            return nil
        }
        return [
            "algorithm": .string(algorithm), "iterations": .integer(iterations), "salt": .string(salt), "value": .string(value),
        ]
    }
}

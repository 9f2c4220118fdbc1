import Calls
import Directory
import Federation
import WireFormats

/// What a person fills in to create an account in a realm.
struct PersonRegistration {
    var fields: FormFields

    /// A field of the page.
    struct Field: Sendable {
        let name: String
        let label: String
        var isSecret = false
    }

    static let fields = [
        Field(name: "username", label: "Username"), Field(name: "password", label: "Password", isSecret: true),
        Field(name: "password-confirm", label: "Confirm password", isSecret: true), Field(name: "email", label: "Email"),
        Field(name: "firstName", label: "First name"), Field(name: "lastName", label: "Last name"),
    ]

    private func text(_ name: String) -> String { (fields[name] ?? "").trimmed }

    /// The user name, which Keycloak stores in lower case.
    private var userName: String { text("username").lowercased() }

    private var mail: String { text("email").lowercased() }

    /// Returns the errors of a provider that has other people, by field, with Keycloak's texts.
    func faults(at provider: IdentityProvider) -> [(field: String, text: String)] {
        var faults = ["username", "email", "firstName", "lastName"].filter { text($0).isEmpty }.map {
            (field: $0, text: "Please specify this field.")
        }
        if !mail.isEmpty, !Self.isMailAddress(mail) { faults.append((field: "email", text: "Invalid email address.")) }
        let password = fields["password"] ?? ""
        if password.isEmpty {
            faults.append((field: "password", text: "Please specify password."))
        } else if password != fields["password-confirm"] ?? "" {
            faults.append((field: "password-confirm", text: "Password confirmation doesn't match."))
        }
        if !userName.isEmpty, !Self.isUserName(userName) {
            faults.append((field: "username", text: "Username contains invalid character."))
        }
        let isTaken = provider.people.contains { $0.name.lowercased().equals(userName) }
        if isTaken || provider.people.first(.foldedMail(TextKey(userName))) != nil {
            faults.append((field: "username", text: "Username already exists."))
        }
        if !mail.isEmpty, provider.people.first(.foldedMail(TextKey(mail))) != nil || provider.person(named: mail) != nil {
            faults.append((field: "email", text: "Email already exists."))
        }
        return faults
    }

    /// Returns whether a name is one that Keycloak accepts, and not one of a client's service account. (Keycloak, "User profile", the
    /// validators `length` and `username-prohibited-characters`.)
    private static func isUserName(_ text: String) -> Bool {
        (3...255).contains(text.utf8.count) && !text.hasPrefix("service-account-")
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && !Self.prohibited.contains($0) }
    }

    private static let prohibited = Set("<>&\"'/\\ ".unicodeScalars)

    private static func isMailAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(" ")
    }

    /// Returns the new person.
    /// - Throws: an error of the random generator.
    func person() throws -> Person {
        let claims: JSONObject = [
            "name": .string("\(text("firstName")) \(text("lastName"))"), "given_name": .string(text("firstName")),
            "family_name": .string(text("lastName")), "email": .string(mail), "email_verified": false,
        ]
        return Person(name: userName, subject: try SignedAccess.newIdentifier(), password: fields["password"] ?? "", claims: claims)
    }
}

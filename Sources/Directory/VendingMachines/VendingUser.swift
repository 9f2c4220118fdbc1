/// Somebody who is registered with the identity machine.
package struct VendingUser: Hashable, Sendable, Codable {
    /// The user name.
    package var name: String
    /// The identifier that was made at the registration.
    package var id: String
    /// What the user proves the password with.
    package var secret: Secret

    /// What is known of a password.
    package enum Secret: Hashable, Sendable, Codable {
        /// A seed's: it does not know by which host the machine will be called, which the hash depends on.
        case password(String)
        /// The hashes of one that was registered, for each way in which clients spell the endpoint.
        case hashes([String])
    }

    package init(name: String, id: String, secret: Secret) {
        self.name = name
        self.id = id
        self.secret = secret
    }

    /// Whether somebody can have the name: 3 to 128 letters, digits, underscores, full stops and at signs.
    package static func isName(_ text: String) -> Bool {
        (3...128).contains(text.utf16.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
                default: scalar == "_" || scalar == "." || scalar == "@"
                }
            }
    }

    /// Whether a text can be a password: 6 to 128 characters.
    package static func isPassword(_ text: String) -> Bool { (6...128).contains(text.utf16.count) }
}

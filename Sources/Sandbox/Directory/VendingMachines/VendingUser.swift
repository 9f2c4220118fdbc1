import WireFormats

/// A user who is registered with the identity machine.
package struct VendingUser: Hashable, Sendable, Codable {
    /// The user name.
    package var name: String
    /// The identifier that was generated at the registration.
    package var id: String
    /// The data that verifies the user's password.
    package var secret: Secret

    /// The password, or hashes of it.
    package enum Secret: Hashable, Sendable, Codable {
        /// The password from a seed. The hash depends on the host name of the request, which is not known in advance.
        case password(String)
        /// The hashes of a registered password: one for each way in which clients spell the endpoint.
        case hashes([String])
    }

    package init(name: String, id: String, secret: Secret) {
        self.name = name
        self.id = id
        self.secret = secret
    }

    /// Returns whether a text is a valid user name: 3 to 128 letters, digits, underscores, full stops and at signs.
    package static func isName(_ text: String) -> Bool {
        (3...128).contains(text.utf16.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
                default: scalar == "_" || scalar == "." || scalar == "@"
                }
            }
    }

    /// Returns whether a text is a valid password: 6 to 128 characters.
    package static func isPassword(_ text: String) -> Bool { (6...128).contains(text.utf16.count) }
}

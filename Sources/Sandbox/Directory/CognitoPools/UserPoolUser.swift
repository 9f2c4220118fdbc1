package import WireFormats

/// A person in a user pool. (Amazon Cognito User Pools API Reference, `UserType`.)
package struct UserPoolUser: Sendable, Codable {
    /// The states of a person. The raw value is that of `UserStatus`.
    package enum Status: String, Sendable, Codable, CaseIterable {
        case unconfirmed = "UNCONFIRMED"
        case confirmed = "CONFIRMED"
        case resetRequired = "RESET_REQUIRED"
        case forceChangePassword = "FORCE_CHANGE_PASSWORD"
        /// The person signs in with an identity provider only.
        case externalProvider = "EXTERNAL_PROVIDER"
    }

    /// An attribute with its value.
    package struct Attribute: Sendable, Codable, Hashable {
        /// The name.
        package var name: String
        /// The value; Boolean ones are `true` or `false`.
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What verifies a password: the salt and the verifier of the SRP protocol.
    package struct Password: Sendable, Codable, Hashable {
        /// The salt.
        package var salt: [UInt8]
        /// The verifier.
        package var verifier: [UInt8]
        /// When the password was set.
        package var set: Timestamp

        package init(salt: [UInt8], verifier: [UInt8], set: Timestamp) {
            self.salt = salt
            self.verifier = verifier
            self.set = set
        }
    }

    /// The second factor of a person.
    package struct SoftwareToken: Sendable, Codable, Hashable {
        /// The seed of the one-time passwords.
        package var seed: [UInt8]
        /// Whether a code was verified.
        package var isVerified = false
        /// Whether sign-in asks for a code.
        package var isEnabled = false
        /// Whether it comes before other second factors.
        package var isPreferred = false
        /// The counter of the last code that was accepted.
        package var lastCounter: Int64?
        /// The seed that replaces the verified one as soon as it is verified itself.
        package var pending: [UInt8]?

        /// - Parameter seed: the seed, not verified yet.
        package init(seed: [UInt8]) { self.seed = seed }
    }

    /// The identifier of the pool.
    package var pool: String
    /// The permanent identifier, a UUID.
    package var sub: String
    /// The username; in pools with username attributes it is ``sub``.
    package var username: String
    /// The attributes except `sub`, in the order in which they were set.
    package var attributes: [Attribute] = []
    /// The state.
    package var status: Status
    /// Whether the person can sign in.
    package var isEnabled = true
    /// The password; `nil` if there is none.
    package var password: Password?
    /// The time-based one-time passwords of the person; `nil` if there are none.
    package var softwareToken: SoftwareToken?
    /// Whether the person uses codes by SMS; `nil` if that was never chosen.
    package var smsFactor: FactorChoice?
    /// Whether the person uses codes by e-mail; `nil` if that was never chosen.
    package var mailFactor: FactorChoice?
    /// The devices that the person confirmed.
    @Filled package var devices: [UserPoolDevice] = []
    /// The names of the groups.
    package var groups: [String] = []
    /// The identity providers with which the person signs in; ``identities`` has them in any case.
    package var links: [UserPoolLink]?
    /// The codes that were sent and not used yet.
    package var codes: [UserPoolCode] = []
    /// When the person was created.
    package var created: Timestamp
    /// When the person was last changed.
    package var modified: Timestamp

    package init(pool: String, sub: String, username: String, status: Status, created: Timestamp) {
        self.pool = pool
        self.sub = sub
        self.username = username
        self.status = status
        self.created = created
        modified = created
    }

    /// The value of an attribute; `nil` if there is none, or to remove it.
    package subscript(attribute name: String) -> String? {
        get { name == "sub" ? sub : attributes.first { $0.name == name }?.value }
        set {
            guard name != "sub" else { return }
            guard var newValue else { return attributes.removeAll { $0.name == name } }
            // AWS accepts `True`.
            if UserPoolAttribute.verified.contains(name) { newValue = newValue.lowercasedASCII }
            if let index = attributes.firstIndex(where: { $0.name == name }) {
                attributes[index].value = newValue
            } else {
                attributes.append(Attribute(name, newValue))
            }
        }
    }

    /// Sets attributes that the person chose. An address that changes is not verified any more.
    package mutating func choose(_ chosen: [Attribute]) {
        for attribute in chosen where self[attribute: attribute.name] != attribute.value {
            self[attribute: attribute.name] = attribute.value
            if UserPoolAttribute.addresses.contains(attribute.name) { self[attribute: attribute.name + "_verified"] = "false" }
        }
    }

    /// Removes attributes. What is known of an address goes with it.
    package mutating func removeAttributes(_ names: [String]) {
        for name in names {
            self[attribute: name] = nil
            if UserPoolAttribute.addresses.contains(name) { self[attribute: name + "_verified"] = nil }
        }
    }

    /// Returns whether an address of the person is verified.
    /// - Parameter attribute: `email` or `phone_number`.
    package func isVerified(_ attribute: String) -> Bool { self[attribute: attribute + "_verified"] == "true" }
}

/// A code that was sent to a person.
package struct UserPoolCode: Sendable, Codable, Hashable {
    /// What the code is for.
    package enum Purpose: String, Sendable, Codable, CaseIterable {
        /// To confirm that the person signed up.
        case signUp
        /// To set another password.
        case password
        /// To verify an attribute.
        case attribute
        /// To sign in with a second factor.
        case multiFactor
        /// The temporary password of a person whom an administrator created, in place of a code.
        case temporaryPassword
    }

    /// The ways to a person. The raw value is that of `DeliveryMediumType`.
    package enum Medium: String, Sendable, CaseIterable {
        case email = "EMAIL"
        case phone = "SMS"
    }

    /// What the code is for.
    package var purpose: Purpose
    /// The attribute whose value is the destination: `email` or `phone_number`.
    package var attribute: String
    /// The address that it was sent to.
    package var destination: String
    /// Six digits, or a temporary password.
    package var code: String
    /// When it was sent.
    package var sent: Timestamp
    /// When it stops being accepted.
    package var expires: Timestamp
    /// The message that a function wrote, with the code in it; `nil` for the usual one.
    package var message: String?
    /// The subject that a function wrote; `nil` for the usual one.
    package var subject: String?

    package init(
        purpose: Purpose, attribute: String, destination: String, code: String, sent: Timestamp, expires: Timestamp
    ) {
        self.purpose = purpose
        self.attribute = attribute
        self.destination = destination
        self.code = code
        self.sent = sent
        self.expires = expires
    }

    /// How it was sent.
    package var medium: Medium { attribute == "email" ? .email : .phone }
}

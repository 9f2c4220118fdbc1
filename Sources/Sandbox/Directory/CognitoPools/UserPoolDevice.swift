package import WireFormats

/// A device of a person, which signs in with a secret of its own. (Amazon Cognito User Pools API Reference, `DeviceType`.)
package struct UserPoolDevice: Sendable, Codable {
    /// A proof of the password, after which the device proves its own secret.
    package struct PasswordProof: Sendable, Codable, Hashable {
        /// The identifier of the app.
        package var client: String
        /// When the password was proven.
        package var time: Timestamp

        package init(client: String, time: Timestamp) {
            self.client = client
            self.time = time
        }
    }

    /// The identifier: the region, an underscore and a UUID.
    package var key: String
    /// The identifier of the group, which is part of the identity in the SRP protocol.
    package var group: String
    /// The name; `nil` if there is none.
    package var name: String?
    /// The salt of the device's secret, as the device sent it.
    package var salt: [UInt8]
    /// What verifies the device's secret, 384 bytes.
    package var verifier: [UInt8]
    /// Whether the device can sign in with its secret.
    package var isRemembered: Bool
    /// When the device was confirmed.
    package var created: Timestamp
    /// When the device was last changed.
    package var modified: Timestamp
    /// When the person last signed in with it.
    package var authenticated: Timestamp
    /// The IP address of the last sign-in; empty if it is not known.
    package var address: String
    /// The logins in which the device is used, the oldest first.
    package var logins: [String]
    /// The proof of the password that a sign-in with the device follows; `nil` if there is none.
    package var passwordProof: PasswordProof?

    /// The number of bytes of a verifier.
    package static let verifierLength = 384
    /// The most logins that are kept.
    package static let mostLogins = 20

    package init(
        key: String, group: String, name: String?, salt: [UInt8], verifier: [UInt8], isRemembered: Bool, created: Timestamp,
        address: String, login: String
    ) {
        (self.key, self.group, self.name, self.salt, self.verifier) = (key, group, name, salt, verifier)
        (self.isRemembered, self.created, modified, authenticated) = (isRemembered, created, created, created)
        (self.address, logins) = (address, [login])
    }
}

extension UserPool {
    /// Whether devices are remembered, and what for. (Amazon Cognito User Pools API Reference, `DeviceConfigurationType`.)
    package struct DeviceSettings: Sendable, Codable, Hashable {
        /// Whether the secret of a remembered device takes the place of a second factor.
        package var replacesFactor: Bool
        /// Whether a device is remembered only if the person wants that.
        package var isOnPrompt: Bool

        package init(replacesFactor: Bool = false, isOnPrompt: Bool = false) {
            self.replacesFactor = replacesFactor
            self.isOnPrompt = isOnPrompt
        }
    }
}

extension UserPoolUser {
    /// Returns the device with a key; `nil` if there is none.
    package func device(_ key: String) -> UserPoolDevice? { devices.first { $0.key.equals(key) } }

    /// Changes the device with a key, if there is one.
    package mutating func changeDevice(_ key: String, _ change: (inout UserPoolDevice) -> Void) {
        guard let index = devices.firstIndex(where: { $0.key.equals(key) }) else { return }
        change(&devices[index])
    }

    /// Returns the device of a login; `nil` if it has none.
    package func device(ofLogin login: String) -> UserPoolDevice? { devices.first { $0.logins.contains { $0.equals(login) } } }
}

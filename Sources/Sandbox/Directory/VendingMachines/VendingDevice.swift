import WireFormats

/// A device that is registered with a token vending machine.
package struct VendingDevice: Hashable, Sendable, Codable {
    /// The machine at which it is registered.
    package var machine: VendingMachines.Kind
    /// The identifier that the app generated.
    package var uid: String
    /// The key that signs requests and encrypts responses. It should be hexadecimal digits, but that is not checked at registration.
    package var key: String
    /// The identifier of the device's user; `nil` at the anonymous machine.
    package var userID: String?

    package init(machine: VendingMachines.Kind, uid: String, key: String, userID: String? = nil) {
        self.machine = machine
        self.uid = uid
        self.key = key
        self.userID = userID
    }

    /// Returns whether the anonymous machine accepts a text as a device's identifier or key.
    package static func isLongEnough(_ text: String) -> Bool { text.utf16.count >= 24 }
}

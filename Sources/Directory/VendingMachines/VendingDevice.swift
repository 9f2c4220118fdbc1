/// A device that is registered with a machine.
package struct VendingDevice: Hashable, Sendable, Codable {
    /// The machine at which it is registered.
    package var machine: VendingMachines.Kind
    /// The identifier that the app made for itself.
    package var uid: String
    /// What requests are signed and answers are encrypted with: hexadecimal digits, though nobody has checked that.
    package var key: String
    /// Whose it is; nothing at the anonymous machine.
    package var userID: String?

    package init(machine: VendingMachines.Kind, uid: String, key: String, userID: String? = nil) {
        self.machine = machine
        self.uid = uid
        self.key = key
        self.userID = userID
    }

    /// Whether the anonymous machine takes a text for a device's identifier, or for its key.
    package static func isLongEnough(_ text: String) -> Bool { text.utf16.count >= 24 }
}

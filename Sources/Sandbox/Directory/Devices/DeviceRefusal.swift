/// The reason why an MFA device is not changed.
package enum DeviceRefusal: Error, Equatable {
    /// The account has a device with this serial number already.
    case alreadyExists
    /// The account has no device with this serial number.
    case noSuchDevice(String)
    /// This user, or the root user if the name is empty, has the device already.
    case alreadyEnabled(user: String)
    /// Another user has the device.
    case usedByAnother
    /// The device is not one of the user.
    case notOfUser
    /// A user has the device, so that it cannot be deleted.
    case inUse
    /// The user has as many devices as a user can have.
    case limitExceeded(Int)
    /// The device does not show these codes one after the other.
    case wrongCodes
}

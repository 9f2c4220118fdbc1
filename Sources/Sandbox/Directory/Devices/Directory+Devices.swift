package import WireFormats

extension Directory {
    /// The MFA device of a serial number in an account.
    /// - Throws: `noSuchDevice`.
    package func device(_ serial: String, in account: String) throws(DeviceRefusal) -> MultiFactorDevice {
        guard let device = MultiFactorDevice.find(serial, in: self, account: account) else { throw .noSuchDevice(serial) }
        return device
    }

    /// The MFA device of a user, or of the root user if the name is empty.
    /// - Throws: `noSuchDevice` or `notOfUser`, in this order.
    package func device(_ serial: String, of user: String, in account: String) throws(DeviceRefusal) -> MultiFactorDevice {
        let device = try device(serial, in: account)
        guard device.user == user else { throw .notOfUser }
        return device
    }

    /// Adds an MFA device.
    /// - Throws: `alreadyExists`.
    package mutating func createDevice(_ device: MultiFactorDevice) throws(DeviceRefusal) {
        guard devices[device.arn] == nil else { throw .alreadyExists }
        put(.device(device))
    }

    /// Deletes an MFA device that no user has.
    /// - Throws: `noSuchDevice` or `inUse`, in this order.
    package mutating func deleteDevice(_ serial: String, in account: String) throws(DeviceRefusal) {
        let device = try device(serial, in: account)
        guard device.user == nil else { throw .inUse }
        remove(.init(.device, device.arn))
    }

    /// Gives an MFA device to a user who has read two codes from it, one after the other.
    /// - Parameters:
    ///   - user: the name of the user; empty for the root user.
    ///   - codes: the codes.
    ///   - limit: the number of devices that a user can have.
    ///   - received: when the codes were received.
    ///   - time: when the user gets the device.
    /// - Throws: `noSuchDevice`, `alreadyEnabled`, `usedByAnother`, `limitExceeded` or `wrongCodes`, in this order.
    package mutating func enableDevice(
        _ serial: String, for user: String, in account: String, codes: (String, String), limit: Int, received: Timestamp,
        at time: Timestamp
    ) throws(DeviceRefusal) {
        var device = try device(serial, in: account)
        guard device.user != user else { throw .alreadyEnabled(user: user) }
        guard device.user == nil else { throw .usedByAnother }
        guard devices(of: user, in: account).count < limit else { throw .limitExceeded(limit) }
        try device.setDrift(codes, at: received)
        device.user = user
        device.enabled = time
        put(.device(device))
    }

    /// Learns anew how many codes the clock of a user's MFA device is ahead.
    /// - Throws: `noSuchDevice`, `notOfUser` or `wrongCodes`, in this order.
    package mutating func resyncDevice(
        _ serial: String, of user: String, in account: String, codes: (String, String), received: Timestamp
    ) throws(DeviceRefusal) {
        var device = try device(serial, of: user, in: account)
        try device.setDrift(codes, at: received)
        put(.device(device))
    }

    /// Takes an MFA device from a user. The device stays in the account.
    /// - Throws: `noSuchDevice` or `notOfUser`, in this order.
    package mutating func deactivateDevice(_ serial: String, of user: String, in account: String) throws(DeviceRefusal) {
        var device = try device(serial, of: user, in: account)
        device.user = nil
        device.enabled = nil
        device.drift = nil
        put(.device(device))
    }
}

extension MultiFactorDevice {
    fileprivate mutating func setDrift(_ codes: (String, String), at time: Timestamp) throws(DeviceRefusal) {
        guard let drift = drift(showing: codes.0, then: codes.1, at: time) else { throw .wrongCodes }
        self.drift = drift == 0 ? nil : drift
    }
}

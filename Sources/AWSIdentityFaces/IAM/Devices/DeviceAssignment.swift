import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations that assign MFA devices to users.
    static let deviceAssignment: [String: Operation] = [
        "EnableMFADevice": enableDevice, "ResyncMFADevice": resyncDevice, "DeactivateMFADevice": deactivateDevice,
        "ListMFADevices": listDevices, "GetMFADevice": getDevice,
    ]

    /// The maximum number of devices of one user. (IAM User Guide, "IAM and AWS STS quotas".)
    private static let quota = 8

    /// EnableMFADevice. Assigns the device to a user who passes two consecutive codes of it.
    private static func enableDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let serial = call.parameters.serialNumber()
        let codes = call.parameters.codes()
        let holder = try holder(&call)
        let (received, now) = (call.http.received, call.now)
        try await call.cloud.edit { [account = call.account] directory in
            var device = try directory.device(serial, in: account)
            guard device.user != holder else {
                throw QueryError.entityAlreadyExists("MFA Device for user \(holder.isEmpty ? "root" : holder) already exists.")
            }
            guard device.user == nil else { throw QueryError.entityAlreadyExists("MFA Device is already in use.") }
            guard directory.devices(of: holder, in: account).count < quota else {
                throw QueryError.limitExceeded("Cannot exceed quota for MFADevicesPerUser: \(quota)")
            }
            device.drift = try drift(of: device, codes, at: received)
            device.user = holder
            device.enabled = now
            directory.put(.device(device))
        }
        return nil
    }

    /// ResyncMFADevice. Determines the drift of the device's clock again.
    private static func resyncDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let serial = call.parameters.serialNumber()
        let codes = call.parameters.codes()
        let holder = try holder(&call)
        let received = call.http.received
        try await call.cloud.edit { [account = call.account] directory in
            var device = try directory.device(serial, of: holder, in: account)
            device.drift = try drift(of: device, codes, at: received)
            directory.put(.device(device))
        }
        return nil
    }

    private static func deactivateDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let serial = call.parameters.serialNumber()
        let holder = try holder(&call)
        try await call.cloud.edit { [account = call.account] directory in
            var device = try directory.device(serial, of: holder, in: account)
            device.user = nil
            device.enabled = nil
            device.drift = nil
            directory.put(.device(device))
        }
        return nil
    }

    private static func listDevices(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let part = try call.parameters.part()
        let holder = try holder(&call)
        let page = try Page(of: call.directory.devices(of: holder, in: call.account), part, key: \.arn)
        return { xml in
            page.encode("MFADevices", into: &xml) { device, xml in
                if !holder.isEmpty { xml.element("UserName", holder) }
                xml.element("SerialNumber", device.arn)
                xml.element("EnableDate", (device.enabled ?? device.created).iso8601)
            }
        }
    }

    /// GetMFADevice. It supports only security keys; all devices here are virtual and are rejected.
    /// (This and the other messages are from public records of the real service.)
    private static func getDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let serial = call.parameters.serialNumber()
        let name = call.parameters.text("UserName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        let known = call.directory.devices[serial]
        if let user = try name.map({ name throws(QueryError) in try call.user(name) }) {
            try call.authorize(on: user.arn, tags: user.tags)
            _ = try call.directory.device(serial, of: user.name, in: call.account)
        } else if let holder = known?.user, let user = call.directory.user(holder, in: call.account)?.user {
            try call.authorize(on: user.arn, tags: user.tags)
        } else {
            try call.authorize(on: serial, tags: known?.tags ?? [])
        }
        _ = try call.directory.device(serial, in: call.account)
        throw QueryError.validation(
            """
            The MFA device serial number sent in the request is invalid or not supported by this API. Currently, only hardware FIDO security keys \
            are supported. Please use the compatible device or API.
            """)
    }

    private static func drift(
        of device: MultiFactorDevice, _ codes: (String, String), at time: Timestamp
    ) throws(QueryError) -> Int64? {
        guard let drift = device.drift(showing: codes.0, then: codes.1, at: time) else {
            throw QueryError("InvalidAuthenticationCode", .forbidden, "Authentication code for device is not valid.")
        }
        return drift == 0 ? nil : drift
    }

    /// Returns the name of the user whose device a call is about, `""` for the root user. Authorizes the call.
    /// Without a name it is the caller. At AWS only the root user can enable a device without a name, in the console.
    private static func holder(_ call: inout IAMCall) throws(QueryError) -> String {
        let isNameNeeded = call.action == "EnableMFADevice" || call.action == "ResyncMFADevice"
        let name: String?
        if case .root(let account, _) = call.caller {
            name = call.parameters.text("UserName", length: 1...128, pattern: .entityName)
            if name == nil {
                try call.parameters.check()
                try call.authorize(on: account.rootARN)
                return ""
            }
        } else if isNameNeeded {
            name = call.parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
        } else {
            name = call.parameters.text("UserName", length: 1...128, pattern: .entityName)
        }
        try call.parameters.check()
        let user = try call.user(name)
        try call.authorize(on: user.arn, tags: user.tags)
        return user.name
    }
}

extension Directory {
    /// Returns a device that is assigned to a user, or to the root user if the name is `""`.
    fileprivate func device(_ serial: String, of user: String, in account: String) throws(QueryError) -> MultiFactorDevice {
        let device = try device(serial, in: account)
        guard device.user == user else { throw .noSuchEntity("MFA Device invalid for user.") }
        return device
    }
}

extension QueryParameters {
    fileprivate mutating func serialNumber() -> String { requiredText("SerialNumber", length: 9...256, pattern: .serialNumber) }

    /// Reads `AuthenticationCode1` and `AuthenticationCode2`.
    fileprivate mutating func codes() -> (String, String) {
        (
            requiredText("AuthenticationCode1", length: 6...6, pattern: .digits),
            requiredText("AuthenticationCode2", length: 6...6, pattern: .digits)
        )
    }
}

import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations that assign MFA devices to users.
    static let deviceAssignment: [String: Operation] = [
        "EnableMFADevice": .init(enableDevice), "ResyncMFADevice": .init(resyncDevice), "DeactivateMFADevice": .init(deactivateDevice),
        "ListMFADevices": .init(listDevices), "GetMFADevice": .init(getDevice),
    ]

    /// The maximum number of devices of one user. (IAM User Guide, "IAM and AWS STS quotas".)
    private static let quota = 8

    /// EnableMFADevice. Assigns the device to a user who passes two consecutive codes of it.
    private static func enableDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let serial = call.parameters.serialNumber()
        let codes = call.parameters.codes()
        let holder = try holder(&call)
        let (received, now) = (call.http.received, call.now)
        try await call.perform { [account = call.account] directory throws(DeviceRefusal) in
            try directory.enableDevice(serial, for: holder, in: account, codes: codes, limit: quota, received: received, at: now)
        }
        return nil
    }

    /// ResyncMFADevice. Determines the drift of the device's clock again.
    private static func resyncDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let serial = call.parameters.serialNumber()
        let codes = call.parameters.codes()
        let holder = try holder(&call)
        let received = call.http.received
        try await call.perform { [account = call.account] directory throws(DeviceRefusal) in
            try directory.resyncDevice(serial, of: holder, in: account, codes: codes, received: received)
        }
        return nil
    }

    private static func deactivateDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let serial = call.parameters.serialNumber()
        let holder = try holder(&call)
        try await call.perform { [account = call.account] directory throws(DeviceRefusal) in
            try directory.deactivateDevice(serial, of: holder, in: account)
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
        if let user = try name.map({ name throws(ServiceError) in try call.user(name) }) {
            try call.authorize(on: user.arn, tags: user.tags)
            try call.checkDevice(serial, of: user.name)
        } else if let holder = known?.user, let user = call.directory.user(holder, in: call.account)?.user {
            try call.authorize(on: user.arn, tags: user.tags)
        } else {
            try call.authorize(on: serial, tags: known?.tags ?? [])
        }
        _ = try call.device(serial)
        throw ServiceError.validation(
            """
            The MFA device serial number sent in the request is invalid or not supported by this API. Currently, only hardware FIDO security keys \
            are supported. Please use the compatible device or API.
            """)
    }

    /// The name of the user whose device a call is about, `""` for the root user, where the caller may perform it.
    /// Without a name it is the caller. At AWS only the root user enables devices in this way, in the console.
    private static func holder(_ call: inout IAMCall) throws(ServiceError) -> String {
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

extension IAMCall {
    /// Refuses a device that a user does not have.
    fileprivate func checkDevice(_ serial: String, of user: String) throws(ServiceError) {
        do { _ = try directory.device(serial, of: user, in: account) } catch { throw error.inWordsOfIAM }
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

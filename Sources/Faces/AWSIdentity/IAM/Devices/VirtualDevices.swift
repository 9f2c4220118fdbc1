import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on virtual MFA devices themselves, whether assigned or not.
    static let virtualDevices: [String: Operation] = [
        "CreateVirtualMFADevice": .init(createDevice), "DeleteVirtualMFADevice": .init(deleteDevice),
        "ListVirtualMFADevices": .authorized(members: { try statusAndPage(&$0) }, on: { $1.entities("mfa") }, listVirtualDevices),
    ]

    /// CreateVirtualMFADevice. Only its response contains the seed.
    private static func createDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let path = call.parameters.path() ?? "/"
        let name = call.parameters.requiredText("VirtualMFADeviceName", length: 1...226, pattern: .entityName)
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        // Forty bytes are 64 characters in base 32, as AWS's seeds have.
        let device = MultiFactorDevice(
            account: call.account, name: name, path: path, seed: try randomBytes(40), created: call.now, tags: tags)
        try call.authorize(on: device.arn, newTags: tags)
        try call.admit(tags, MultiFactorDevice.tagFamily, on: device.arn)
        try await call.perform { directory throws(DeviceRefusal) in try directory.createDevice(device) }
        let address = "otpauth://totp/\(name)@\(call.account)?secret=\(device.seed.base32)"
        let image = QRCode(Array(address.utf8))?.png()
        return { xml in
            xml.element("VirtualMFADevice") { xml in
                xml.element("SerialNumber", device.arn)
                xml.element("Base32StringSeed", Array(device.seed.base32.utf8).base64)
                if let image { xml.element("QRCodePNG", image.base64) }
                xml.tags(device.tags)
            }
        }
    }

    private static func deleteDevice(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let serial = try call.device()
        try await call.perform { [account = call.account] directory throws(DeviceRefusal) in
            try directory.deleteDevice(serial, in: account)
        }
        return nil
    }

    private static func statusAndPage(_ parameters: inout QueryParameters) throws(ServiceError) -> (status: String, part: PagePart) {
        let status = parameters.choice("AssignmentStatus", of: ["Assigned", "Unassigned", "Any"]) ?? "Any"
        return (status, try parameters.part())
    }

    private static func listVirtualDevices(
        _ members: (status: String, part: PagePart), _: UntaggedResource, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let (status, part) = members
        let directory = call.directory
        let devices = directory.devices.values.filter { [account = call.account] device in
            device.account == account && (status == "Any" || (status == "Assigned") == (device.user != nil))
        }
        let page = try Page(of: devices.sorted { $0.arn < $1.arn }, part, key: \.arn)
        return { xml in
            page.encode("VirtualMFADevices", into: &xml) { device, xml in
                xml.element("SerialNumber", device.arn)
                guard let name = device.user else { return }
                xml.element("EnableDate", (device.enabled ?? device.created).iso8601)
                xml.element("User") { xml in
                    if name.isEmpty {
                        directory.accounts[device.account]?.encodeRoot(into: &xml)
                    } else {
                        directory.user(name, in: device.account)?.user.encode(into: &xml, withTags: false)
                    }
                }
            }
        }
    }
}

extension IAMCall {
    /// Reads the `SerialNumber` of a device. Authorizes the call on the device.
    fileprivate mutating func device() throws(ServiceError) -> String {
        let serial = parameters.requiredText("SerialNumber", length: 9...256, pattern: .serialNumber)
        try parameters.check()
        try authorize(on: serial, tags: directory.devices[serial]?.tags ?? [])
        return try device(serial).arn
    }

    /// The device of a serial number in the account.
    func device(_ serial: String) throws(ServiceError) -> MultiFactorDevice {
        do { return try directory.device(serial, in: account) } catch { throw error.inWordsOfIAM }
    }
}

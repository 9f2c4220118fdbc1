import Testing
import WireFormats

@testable import Directory

@Suite("Operations on MFA devices")
struct DeviceOperationTests {
    private static let account = "123456789012"
    private static let time = Timestamp(seconds: 60)
    /// The numbers 1 and 2 of RFC 4226, appendix D, which the device shows around the time.
    private static let codes = ("287082", "359152")

    private func device(_ name: String) -> MultiFactorDevice {
        MultiFactorDevice(
            account: Self.account, name: name, path: "/", seed: Array("12345678901234567890".utf8), created: Self.time)
    }

    private func enable(_ serial: String, for user: String, limit: Int = 2, in directory: inout Directory) throws {
        try directory.enableDevice(
            serial, for: user, in: Self.account, codes: Self.codes, limit: limit, received: Self.time, at: Self.time)
    }

    @Test("give a device to one user, who shows two codes")
    func enables() throws {
        var directory = Directory()
        let (phone, key) = (device("phone"), device("key"))
        try directory.createDevice(phone)
        try directory.createDevice(key)
        #expect(throws: DeviceRefusal.alreadyExists) { try directory.createDevice(phone) }
        #expect(throws: DeviceRefusal.noSuchDevice("x")) { try enable("x", for: "ann", in: &directory) }
        #expect(throws: DeviceRefusal.wrongCodes) {
            try directory.enableDevice(
                phone.arn, for: "ann", in: Self.account, codes: ("000000", "000000"), limit: 1, received: Self.time, at: Self.time)
        }
        try enable(phone.arn, for: "ann", in: &directory)
        #expect(throws: DeviceRefusal.alreadyEnabled(user: "ann")) { try enable(phone.arn, for: "ann", in: &directory) }
        #expect(throws: DeviceRefusal.usedByAnother) { try enable(phone.arn, for: "bob", in: &directory) }
        #expect(throws: DeviceRefusal.limitExceeded(1)) { try enable(key.arn, for: "ann", limit: 1, in: &directory) }
        #expect(directory.devices[phone.arn]?.enabled == Self.time)
    }

    @Test("synchronise, take back and delete a device")
    func takesBack() throws {
        var directory = Directory()
        let phone = device("phone")
        try directory.createDevice(phone)
        #expect(throws: DeviceRefusal.notOfUser) { try directory.deactivateDevice(phone.arn, of: "", in: Self.account) }
        try enable(phone.arn, for: "", in: &directory)
        #expect(throws: DeviceRefusal.notOfUser) {
            try directory.resyncDevice(phone.arn, of: "ann", in: Self.account, codes: Self.codes, received: Self.time)
        }
        try directory.resyncDevice(phone.arn, of: "", in: Self.account, codes: Self.codes, received: Timestamp(seconds: 360))
        #expect(directory.devices[phone.arn]?.drift == -10)
        #expect(throws: DeviceRefusal.inUse) { try directory.deleteDevice(phone.arn, in: Self.account) }
        try directory.deactivateDevice(phone.arn, of: "", in: Self.account)
        #expect(directory.devices[phone.arn]?.user == nil)
        #expect(directory.devices[phone.arn]?.drift == nil)
        try directory.deleteDevice(phone.arn, in: Self.account)
        #expect(directory.devices.isEmpty)
    }
}

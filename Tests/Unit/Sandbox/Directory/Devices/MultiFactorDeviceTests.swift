import Directory
import Testing
import WireFormats

// The seed and passwords of RFC 4226, appendix D. Password n is shown in the 30 seconds from 30 n on.
@Suite("MFA devices")
struct MultiFactorDeviceTests {
    private func device(drift: Int64? = nil) -> MultiFactorDevice {
        var device = MultiFactorDevice(
            account: "000000000000", name: "phone", path: "/", seed: Array("12345678901234567890".utf8), created: .fill)
        device.drift = drift
        return device
    }

    @Test(
        "accept two passwords before and two after the present one",
        arguments: [
            ("755224", false), ("287082", true), ("359152", true), ("969429", true), ("338314", true), ("254676", true), ("287922", false),
            ("96942", false), ("", false),
        ])
    func tolerance(code: String, accepted: Bool) {
        #expect(device().accepts(code: code, at: Timestamp(seconds: 3 * 30 + 29)) == accepted)
    }

    @Test("use the drift of their clock if it is known")
    func drifted() {
        #expect(device(drift: 5).accepts(code: "399871", at: Timestamp(seconds: 3 * 30)))
        #expect(!device(drift: 5).accepts(code: "969429", at: Timestamp(seconds: 3 * 30)))
    }

    @Test(
        "compute the drift from two consecutive passwords",
        arguments: [
            ("359152", "969429", 0), ("969429", "338314", 0), ("287082", "359152", 0), ("399871", "520489", 6), ("338314", "969429", nil),
            ("969429", "254676", nil), ("969429", "969429", nil),
        ] as [(String, String, Int64?)])
    func drift(first: String, second: String, drift: Int64?) {
        #expect(device().drift(showing: first, then: second, at: Timestamp(seconds: 3 * 30 + 1)) == drift)
    }
}

import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Synchronization
import WireFormats

/// `SerialNumber` and `TokenCode`, with which a user proves possession of an MFA device.
struct MultiFactorCode {
    private var serialNumber: String?
    private var code: String?

    init(_ parameters: inout QueryParameters) {
        serialNumber = parameters.text("SerialNumber", length: 9...256, pattern: .serialNumber.ofAnyNumber)
        code = parameters.text("TokenCode", length: 6...6, pattern: .tokenCode)
    }

    /// Verifies the code against the caller's device. Messages as observed of the real service.
    /// - Returns: when the device was used; `nil` if the call does not name one.
    func verify(in call: STSCall) throws(ServiceError) -> Timestamp? {
        func denied(_ message: String) -> ServiceError {
            ServiceError("AccessDenied", .forbidden, "MultiFactorAuthentication failed\(message)")
        }
        guard serialNumber != nil || code != nil else { return nil }
        guard let serialNumber, let code else {
            throw denied(", must provide both MFA serial number and one time pass code.")
        }
        guard let device = call.directory.devices[serialNumber], device.enabled != nil, device.account == call.account,
            let holder = call.caller.deviceHolder, device.user == holder
        else {
            throw denied(
                ", unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user.")
        }
        let now = call.http.received
        guard device.accepts(code: code, at: now),
            call.face.usedCodes.claim(code, of: device, generation: call.cloud.generation, at: now)
        else { throw denied(" with invalid MFA one time pass code. ") }
        return now
    }
}

extension Caller {
    /// The name of the caller in the records of devices; nil for sessions of roles and federated users, which have no devices.
    fileprivate var deviceHolder: String? {
        switch self {
        case .root: ""
        case .user(let user, _): user.user.name
        case .anonymous, .role, .federatedUser: nil
        }
    }
}

extension QueryParameters.Pattern {
    fileprivate static let tokenCode = Self(text: "[\\d]*") { ("0"..."9").contains($0) }

    /// The same characters in any number. The model of STS allows none, where that of IAM requires at least one.
    var ofAnyNumber: Self { Self(text: String(text.dropLast()) + "*", accepts: accepts) }
}

/// The codes that have been used. Each is valid once. (RFC 6238 section 5.2; IAM User Guide, "MFA devices: codes can be used once".)
final class UsedCodes: Sendable {
    /// The time in seconds for which codes are remembered; longer than any device's code is valid.
    private static let memory: Int64 = 180

    private let state = Mutex(State())

    private struct State {
        /// The generation of the sandbox. After a reset, the used codes are forgotten.
        var generation: Int64 = 0
        /// The time of use in seconds, by device and code.
        var uses: [String: Int64] = [:]
    }

    /// Marks a code as used. Returns whether it had not been used before.
    func claim(_ code: String, of device: MultiFactorDevice, generation: Int64, at time: Timestamp) -> Bool {
        let use = "\(device.arn) \(device.created.milliseconds) \(code)"
        return state.withLock { state in
            if state.generation != generation { state = State(generation: generation) }
            state.uses = state.uses.filter { abs($0.value - time.seconds) <= Self.memory }
            return state.uses.updateValue(time.seconds, forKey: use) == nil
        }
    }
}

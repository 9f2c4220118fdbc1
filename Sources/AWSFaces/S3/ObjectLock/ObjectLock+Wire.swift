import Cloud
import Exchange
import HTTPTypes
import WireFormats

extension ObjectLock.Mode {
    /// As headers and XML spell it.
    var name: String {
        switch self {
        case .governance: "GOVERNANCE"
        case .compliance: "COMPLIANCE"
        }
    }

    init?(named name: String) {
        switch name {
        case "GOVERNANCE": self = .governance
        case "COMPLIANCE": self = .compliance
        default: return nil
        }
    }
}

extension ObjectLock {
    /// The lock of a new object: as its writer says, else as its bucket retains every new object.
    /// (S3 API Reference, PutObject, `x-amz-object-lock-…`.)
    /// - Parameter fields: the headers of the write, or what a form has in their place.
    /// - Throws: `InvalidArgument`; `InvalidRequest` for a bucket without Object Lock.
    init(writing fields: HTTPFields, in bucket: Bucket, at now: Timestamp) throws(S3Error) {
        self.init()
        let mode = fields.value(of: .objectLockMode)
        let until = fields.value(of: .objectLockRetainUntilDate)
        let hold = fields.value(of: .objectLockLegalHold)
        guard bucket.configuration.hasObjectLock else {
            guard mode == nil, until == nil, hold == nil else { throw .missingObjectLock }
            return
        }
        switch (mode, until) {
        case (nil, nil): retention = bucket.defaultRetention?.retention(from: now)
        case (let mode?, let until?): retention = try Self.retention(mode, until: until, now)
        case (.some, nil): throw Self.incomplete("x-amz-object-lock-retain-until-date")
        case (nil, .some): throw Self.incomplete("x-amz-object-lock-mode")
        }
        switch hold {
        case nil: break
        case "ON": legalHold = true
        case "OFF": legalHold = false
        case let other?:
            throw .invalidArgument(
                "Legal Hold must be either of 'ON' or 'OFF'", name: "x-amz-object-lock-legal-hold", value: other)
        }
    }

    private static func retention(_ name: String, until text: String, _ now: Timestamp) throws(S3Error) -> Retention {
        guard let mode = Mode(named: name) else {
            throw .invalidArgument("Unknown wormMode directive.", name: "x-amz-object-lock-mode", value: name)
        }
        guard let until = Timestamp(iso8601: text) else {
            throw .invalidArgument(
                "The retain until date must be provided in ISO 8601 format", name: "x-amz-object-lock-retain-until-date",
                value: text)
        }
        guard until > now else {
            throw .invalidArgument(
                "The retain until date must be in the future!", name: "x-amz-object-lock-retain-until-date", value: text)
        }
        return Retention(mode: mode, until: until, declared: now)
    }

    private static func incomplete(_ missing: String) -> S3Error {
        S3Error(
            .invalidArgument, "x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied",
            ["ArgumentName": missing])
    }

    /// Appends the headers that tell of the lock.
    /// - Parameter clock: by which the end of the retention moves as the sandbox ages.
    func append(to fields: inout HTTPFields, by clock: SandboxClock) {
        if let retention {
            fields.append(HTTPField(name: .objectLockMode, value: retention.mode.name))
            fields.append(
                HTTPField(name: .objectLockRetainUntilDate, value: retention.end(by: clock).iso8601Milliseconds))
        }
        if let legalHold {
            fields.append(HTTPField(name: .objectLockLegalHold, value: legalHold ? "ON" : "OFF"))
        }
    }

    /// Whether the lock keeps its version from being deleted now.
    /// - Parameter bypasses: whether the caller may, and wants to, pass over a retention in governance mode.
    func forbidsDeletion(by clock: SandboxClock, bypassingGovernance bypasses: Bool) -> Bool {
        if legalHold == true { return true }
        guard let retention, retention.isInForce(by: clock) else { return false }
        return retention.mode == .compliance || !bypasses
    }
}

extension ObjectLock.Retention {
    /// When the retention ends, which moves back as the sandbox ages.
    func end(by clock: SandboxClock) -> Timestamp {
        let seconds = clock.aging(since: declared)
        return seconds == 0 ? until : Timestamp(milliseconds: until.milliseconds - seconds * 1000)
    }

    func isInForce(by clock: SandboxClock) -> Bool { !clock.hasExpired(until, issuedAt: declared) }
}

extension S3Error {
    static var missingObjectLock: S3Error { S3Error(.invalidRequest, "Bucket is missing Object Lock Configuration") }

    static var objectLocked: S3Error { S3Error(.accessDenied, "Access Denied because object protected by object lock.") }
}
